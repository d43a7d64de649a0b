"""The limits of the engine's calls: at each the work begins, and over it a field is named."""

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, cast

import pytest

import tablestate
from support.domain import Table, make_terms
from support.service import service
from tablestate import AsyncClient
from tablestate.v1.game_pb2 import GameOptions, GameState, GameView
from tablestate_service import engine
from tablestate_service.domain import decide
from tablestate_service.domain.errors import DomainError
from tablestate_service.ports.simulator import EngineBatch
from tablestate_service.usecases.batches import MAX_BATCHES, Batches, SlotBudget

Call: TypeAlias = Callable[[AsyncClient, int], Awaitable[object]]
SHORT = 0.1
"""Seconds until a call is given up that has begun."""


class Limit(NamedTuple):
    """A limit of `docs/limits.md`: its row there, what is named, and a call with so much of it."""

    row: str
    field: str
    least: int
    most: int
    call: Call


BEGUN = engine.GameState.start(engine.default_options("offboard"), bytes(32)).state
STATE = GameState.FromString(BEGUN.dump())


async def batch(client: AsyncClient, size: int) -> object:
    async with await client.batch("offboard", size) as made:
        return made.size


async def evaluated(client: AsyncClient, roots: int = 1, **settings: Any) -> object:
    wanted = {"simulations": 1, "leaves": 1} | settings
    async with await client.evaluate(states=[STATE] * roots, **wanted) as search:
        return search.size


def searched(client: AsyncClient, **settings: Any) -> Awaitable[object]:
    assert BEGUN.actor is not None
    view = GameView.FromString(BEGUN.view(BEGUN.actor))
    return client.search("offboard", view, BEGUN.actor, timeout=SHORT, **settings)


def reported(client: AsyncClient, milliseconds: int) -> Awaitable[object]:
    pause = milliseconds / 1000
    return searched(
        client, iterations=10_000, progress_seconds=pause, on_progress=lambda report: None
    )


LIMITS = [
    Limit("slots of a batch", "size", 1, 4096, batch),
    Limit("roots", "open.roots", 1, 1024, lambda c, n: evaluated(c, n)),
    Limit(
        *("simulations of a tree", "simulations", 1, 100_000),
        lambda c, n: evaluated(c, simulations=n),
    ),
    Limit(
        *("leaves of a tree in a message", "leaves", 1, 256),
        lambda c, n: evaluated(c, leaves=n, simulations=1000),
    ),
    Limit(
        *("games of a playout", "games", 1, 10_000_000),
        lambda c, n: c.playout("offboard", games=n, timeout=SHORT),
    ),
    Limit("depth of a count", "depth", 0, 64, lambda c, n: c.perft("offboard", n, timeout=SHORT)),
    Limit(
        *("iterations of a search", "iterations", 1, 10_000_000),
        lambda c, n: searched(c, iterations=n),
    ),
    Limit("time of a search", "seconds", 1, 60_000, lambda c, n: searched(c, seconds=n / 1000)),
    Limit("between two messages of its progress", "progress", 10, 60_000, reported),
]
ROWS = {each.row for each in LIMITS} | {
    *("batches", "entries before the start", "options, a full state", "a view"),
}


@pytest.fixture(scope="module")
async def client(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[AsyncClient]:
    directory: Path = tmp_path_factory.mktemp("data")
    async with service(directory) as (_, raw), AsyncClient(raw.address) as client:
        yield client


async def refusal(client: AsyncClient, limit: Limit, amount: int) -> str:
    """What is said against so much; nothing, if the work begins."""
    try:
        await limit.call(client, amount)
    except tablestate.InvalidRequestError as error:
        return str(error)
    except tablestate.DeadlineExceededError:
        return ""
    return ""


@pytest.mark.parametrize("limit", LIMITS, ids=lambda limit: limit.row)
async def test_a_call_may_want_the_most_and_no_more(client: AsyncClient, limit: Limit) -> None:
    for amount in (limit.least, limit.most - 1, limit.most):
        assert await refusal(client, limit, amount) == "", amount
    for amount in (limit.most + 1, *([limit.least - 1] if limit.least > 1 else [])):
        assert limit.field in await refusal(client, limit, amount), amount


async def test_a_stream_may_hold_so_many_batches() -> None:
    batches = Batches(SlotBudget(1000))

    def add(number: int) -> None:
        batches.add(number, 1, lambda: cast(EngineBatch, object()))

    for number in range(MAX_BATCHES):
        add(number)
    with pytest.raises(DomainError) as refused:
        add(MAX_BATCHES)
    assert refused.value.metadata == {"limit": "batches_per_stream", "maximum": "64"}


@pytest.mark.parametrize("changes", [999, 1000, 1001])
def test_a_match_may_have_so_many_entries_before_its_start(changes: int) -> None:
    table = Table(make_terms())
    for number in range(min(changes, decide.MAX_SEAT_CHANGES)):
        (table.leave if number % 2 else table.join)(0)
    assert table.match.standing.version == 1 + min(changes, 1000)
    if changes > 1000:
        with pytest.raises(DomainError) as refused:
            table.join(0)
        assert refused.value.metadata == {"limit": "seat_changes_per_match", "maximum": "1000"}


def padded(content: bytes, size: int) -> bytes:
    """The same message of so many bytes: the rest is a field that nobody knows, of 3 bytes and
    some thousand zeros as often as it takes.
    """
    while (missing := size - len(content)) > 16_000:
        content += _unknown(8000)
    return content + _unknown(missing)


def _unknown(size: int) -> bytes:
    rest = size - 3
    assert 128 <= rest < 16_384
    return b"\x7a" + bytes([rest & 0x7F | 0x80, rest >> 7]) + bytes(rest)


@pytest.mark.parametrize("size", [65_535, 65_536, 65_537])
async def test_a_full_state_and_options_may_have_so_many_bytes(
    client: AsyncClient, size: int
) -> None:
    state = GameState.FromString(padded(BEGUN.dump(), size))
    options = GameOptions.FromString(padded(engine.default_options("offboard"), size))
    assert state.ByteSize() == options.ByteSize() == size
    for begins, field in ((state, "state"), (options, "options")):
        if size <= 65_536:
            assert (await client.perft(begins, 0)).sequences == 1
            continue
        with pytest.raises(tablestate.InvalidRequestError, match=field):
            await client.perft(begins, 0)


@pytest.mark.parametrize("size", [8191, 8192, 8193])
async def test_a_view_may_have_so_many_bytes(client: AsyncClient, size: int) -> None:
    assert BEGUN.actor is not None
    view = GameView.FromString(padded(BEGUN.view(BEGUN.actor), size))
    assert view.ByteSize() == size
    if size <= 8192:
        assert (await client.search("offboard", view, BEGUN.actor, iterations=1)).done
        return
    with pytest.raises(tablestate.InvalidRequestError, match="view"):
        await client.search("offboard", view, BEGUN.actor, iterations=1)
