"""Playouts and counts: added up, stopped when nobody waits, and safe from hostile states."""

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tablestate
from support.service import Client, service
from tablestate import AsyncClient
from tablestate.v1.game_pb2 import GameState
from tablestate_service.engine import Batch

STATE = Batch("offboard", 1).dump(0)


@pytest.fixture
async def client(real: Client) -> AsyncIterator[AsyncClient]:
    async with AsyncClient(real.address) as client:
        yield client


async def test_playouts_are_added_up_and_repeatable(client: AsyncClient) -> None:
    first = await client.playout("offboard", games=50, seed=4)
    assert first == await client.playout("offboard", games=50, seed=4)
    assert first.finished == 50 and sum(first.wins) + first.ties == 50
    assert sum(first.returns) == 0
    state = GameState.FromString(STATE)
    from_state = await client.playout(state, games=50, seed=4, player="greedy", max_plies=7)
    assert (from_state.unfinished, from_state.plies) == (50, 350)
    with pytest.raises(tablestate.InvalidRequestError, match="player"):
        await client.playout("offtrack", games=5, player="nobody")
    with pytest.raises(tablestate.InvalidRequestError, match="games"):
        await client.playout("offtrack", games=0)


async def test_perft_counts_and_divides(client: AsyncClient) -> None:
    whole = await client.perft("offboard", 3)
    divided = await client.perft(GameState.FromString(STATE), 3, divide=True)
    assert whole.sequences == divided.sequences == sum(d.sequences for d in divided.divisions)
    assert len(divided.divisions) == (await client.perft("offboard", 1)).sequences
    with pytest.raises(tablestate.InvalidRequestError, match="depth"):
        await client.perft("offboard", 65)
    with pytest.raises(tablestate.InvalidRequestError, match="depth"):
        await client.perft("offboard", 0, divide=True)


async def test_whoever_gives_up_stops_the_work(tmp_path: Path) -> None:
    """One thread: work that went on would hold up all that comes after it."""
    async with (
        service(tmp_path, engine_threads=1) as (_, raw),
        AsyncClient(raw.address) as client,
    ):
        for endless in (
            lambda: client.perft("offboard", 20, timeout=0.3),
            lambda: client.perft("offboard", 20, divide=True, timeout=0.3),
            lambda: client.playout("offtrack", games=10_000_000, timeout=0.3),
            lambda: client.playout("offtrack", games=10_000_000, player="greedy", timeout=0.3),
        ):
            with pytest.raises(tablestate.DeadlineExceededError):
                await endless()
            begun = time.monotonic()
            await client.perft("offboard", 1)
            assert time.monotonic() - begun < 2


async def test_too_much_long_work_is_refused(tmp_path: Path) -> None:
    limits: dict[str, Any] = {"engine_calls": 1, "engine_seconds": 1.0}
    async with (
        service(tmp_path, **limits) as (_, raw),
        AsyncClient(raw.address) as client,
    ):
        first = asyncio.ensure_future(client.perft("offboard", 20, timeout=30))
        await asyncio.sleep(0.3)
        with pytest.raises(tablestate.ResourceExhaustedError, match="engine_calls"):
            await client.perft("offboard", 1)
        with pytest.raises(tablestate.ResourceExhaustedError, match="engine_seconds"):
            await first


def hostile_states() -> dict[str, GameState]:
    """States that cost much to look at, or that wrap where nobody counts."""
    long_past, many_faults, wrapping = (
        GameState.FromString(STATE),
        GameState.FromString(Batch("offtrack", 1).dump(0)),
        GameState.FromString(Batch("offtrack", 1).dump(0)),
    )
    del long_past.offboard.history[:]
    for _ in range(30_000):
        long_past.offboard.history.add()
    many_faults.offtrack.deck.extend([99] * 60_000)
    kind = wrapping.offtrack.action_deck[0]
    wrapping.offtrack.action_deck.extend([kind] * 256)
    wrapping.offtrack.action_discard.extend([kind] * 512)
    too_large = GameState.FromString(STATE)
    for _ in range(200_000):
        too_large.offboard.history.add()
    return {
        "a long past": long_past,
        "many faults": many_faults,
        "counts that wrap": wrapping,
        "too large": too_large,
    }


HOSTILE = hostile_states()


@pytest.mark.parametrize("name", HOSTILE)
async def test_a_hostile_state_is_refused_at_once(client: AsyncClient, name: str) -> None:
    begun = time.monotonic()
    with pytest.raises(tablestate.InvalidRequestError):
        await client.perft(HOSTILE[name], 1)
    assert time.monotonic() - begun < 1


async def test_playouts_of_games_that_are_over_stop_as_well(tmp_path: Path) -> None:
    batch = Batch("offboard", 1, seed=1)
    while not batch.flags[0]:
        batch.step(np.zeros(1, np.uint32), "draw")
    over = GameState.FromString(batch.dump(0))
    async with (
        service(tmp_path, engine_threads=1) as (_, raw),
        AsyncClient(raw.address) as client,
    ):
        with pytest.raises(tablestate.DeadlineExceededError):
            await client.playout(over, games=10_000_000, timeout=0.2)
        begun = time.monotonic()
        await client.perft("offboard", 1)
        assert time.monotonic() - begun < 2
