"""Searches: from a view alone, reported as they go, and stopped when nobody waits."""

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

import tablestate
from support.service import Client, service
from tablestate import AsyncClient
from tablestate.v1.game_pb2 import GameOptions, GameView, LegalActions
from tablestate.v1.search_pb2 import SearchResponse
from tablestate_service import engine
from tablestate_service.engine import GameState

STOPPED_WITHIN = 0.1
SEED = bytes(32)
ENDLESS = 10_000_000


def begun(game: str) -> GameState:
    return GameState.start(engine.default_options(game), SEED).state


def seen(state: GameState, viewer: int | None = None) -> GameView:
    return GameView.FromString(state.view(state.actor if viewer is None else viewer))


@pytest.fixture
async def client(real: Client) -> AsyncIterator[AsyncClient]:
    async with AsyncClient(real.address) as client:
        yield client


@pytest.mark.parametrize("game", engine.games())
async def test_a_search_ranks_every_legal_action_once(client: AsyncClient, game: str) -> None:
    state = begun(game)
    assert state.actor is not None
    answer = await client.search(game, seen(state), state.actor, iterations=300, seed=5)
    assert answer.done and 0 < answer.iterations <= 300
    legal = {each.index: each for each in LegalActions.FromString(state.legal_actions()).actions}
    assert sorted(each.index for each in answer.actions) == sorted(legal)
    visits = [each.visits for each in answer.actions]
    assert sum(visits) <= answer.iterations
    for ranked in answer.actions:
        assert ranked.action == legal[ranked.index].action
        assert ranked.notation == legal[ranked.index].notation
        assert -1 <= ranked.value <= 1
        assert ranked.line[0] == ranked.index
        assert ranked.line_notations[0] == ranked.notation
        assert len(ranked.line_notations) <= len(ranked.line)


@pytest.mark.parametrize("game", engine.games())
async def test_threads_and_place_change_nothing(client: AsyncClient, game: str) -> None:
    state = begun(game)
    assert state.actor is not None
    options, view = engine.default_options(game), state.view(state.actor)
    here = engine.search(options, view, state.actor, iterations=200, seed=3, threads=3)
    assert here is not None
    for threads in (1, 2, 1_000_000):
        there = await client.search(
            GameOptions.FromString(options),
            seen(state),
            state.actor,
            iterations=200,
            seed=3,
            threads=threads,
        )
        assert there.SerializeToString() == here.dump(done=True)


async def test_progress_comes_before_the_answer(client: AsyncClient) -> None:
    state, parts = begun("offtrack"), list[SearchResponse]()
    begin = time.monotonic()
    answer = await client.search(
        "offtrack",
        seen(state),
        0,
        seconds=0.8,
        on_progress=parts.append,
        progress_seconds=0.05,
    )
    assert 0.7 < time.monotonic() - begin < 4
    assert len(parts) >= 2 and answer.done and not any(part.done for part in parts)
    iterations = [part.iterations for part in (*parts, answer)]
    assert iterations == sorted(iterations)
    ranked = sorted(each.index for each in answer.actions)
    assert all(sorted(each.index for each in part.actions) == ranked for part in parts)


async def test_whoever_gives_up_stops_the_search(tmp_path: Path) -> None:
    """One thread: a search that went on would hold up all that comes after it."""
    async with (
        service(tmp_path, engine_threads=1) as (_, raw),
        AsyncClient(raw.address) as client,
    ):
        for game in engine.games():
            state = begun(game)
            assert state.actor is not None
            with pytest.raises(tablestate.DeadlineExceededError):
                await client.search(
                    game, seen(state), state.actor, iterations=ENDLESS, threads=4, timeout=0.3
                )
            await _soon_free(client)
            call = asyncio.ensure_future(
                client.search(game, seen(state), state.actor, iterations=ENDLESS, timeout=60)
            )
            await asyncio.sleep(0.3)
            call.cancel()
            await _soon_free(client)


async def _soon_free(client: AsyncClient) -> None:
    begin = time.monotonic()
    await client.perft("offboard", 1)
    # A busy machine may be late itself; a search that is not stopped takes minutes.
    assert time.monotonic() - begin < 2


@pytest.mark.parametrize("game", engine.games())
def test_the_core_stops_within_a_tenth_of_a_second(game: str) -> None:
    state = begun(game)
    assert state.actor is not None
    options, view, times = engine.default_options(game), state.view(state.actor), list[float]()
    for _ in range(3):
        stop, asked = engine.Stop(), list[float]()

        def ask(_: engine.SearchReport, stop: engine.Stop = stop, asked: Any = asked) -> None:
            if not asked:
                asked.append(time.perf_counter())
                stop.set()

        found = engine.search(
            options, view, state.actor, iterations=ENDLESS, stop=stop, progress=ask
        )
        times.append(time.perf_counter() - asked[0])
        assert found is None
    assert min(times) < STOPPED_WITHIN


async def test_what_cannot_be_searched_is_named(client: AsyncClient) -> None:
    state = begun("offtrack")
    view = seen(state)

    async def refused(view: GameView, seat: int = 0, **changes: Any) -> list[str]:
        budget = changes or {"iterations": 10}
        with pytest.raises(tablestate.InvalidRequestError) as caught:
            await client.search("offtrack", view, seat, **budget)
        return [violation.field for violation in caught.value.violations]

    assert await refused(GameView()) == ["view.game"]
    assert await refused(seen(begun("offboard"))) == ["view.game"]
    assert await refused(view, 2) == ["seat"]
    assert await refused(seen(state, 1), 1) == ["seat"]
    assert await refused(view, iterations=0) == ["iterations"]
    assert await refused(view, iterations=ENDLESS + 1) == ["iterations"]
    assert await refused(view, seconds=61) == ["seconds"]
    assert await refused(view, iterations=1, on_progress=print, progress_seconds=0.001) == [
        "progress_seconds"
    ]
    false = seen(state)
    false.offtrack.deck_size += 1
    assert await refused(false) == ["view.offtrack.deck_size"]
    huge = seen(state)
    huge.offtrack.discard.extend([1] * 100_000)
    assert await refused(huge) == ["view"]
    with pytest.raises(tablestate.InvalidArgumentError, match="one of them"):
        await client.search("offtrack", view, 0)
    with pytest.raises(tablestate.InvalidArgumentError, match="one of them"):
        await client.search("offtrack", view, 0, iterations=1, seconds=1)


def test_what_progress_raises_ends_the_search() -> None:
    state = begun("offboard")

    def fail(_: engine.SearchReport) -> None:
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        engine.search(
            engine.default_options("offboard"),
            state.view(0),
            0,
            iterations=ENDLESS,
            progress=fail,
        )


def test_the_synchronous_client_searches(tmp_path: Path) -> None:
    state = begun("offboard")
    here = engine.search(engine.default_options("offboard"), state.view(0), 0, iterations=50)
    assert here is not None

    async def run() -> SearchResponse:
        async with service(tmp_path) as (_, raw):
            with tablestate.Client(raw.address) as client:
                return await asyncio.to_thread(
                    client.search, "offboard", seen(state), 0, iterations=50
                )

    assert asyncio.run(run()).SerializeToString() == here.dump(done=True)


async def test_threads_are_lent_to_one_call_after_the_other(tmp_path: Path) -> None:
    async with (
        service(tmp_path, engine_threads=2) as (_, raw),
        AsyncClient(raw.address) as client,
    ):
        alone = await client.playout("offtrack", games=200, seed=4)
        calls = [
            client.playout("offtrack", games=200, seed=4, threads=threads)
            for threads in (2, 1, 2, 3, 1)
        ]
        assert await asyncio.gather(*calls) == [alone] * 5
