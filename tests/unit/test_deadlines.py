"""When something is due in a match, and that it is done, once, by whichever node."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from support.domain import Bench, Table, make_terms, stamp
from support.fake_engine import FakeEngine
from support.memory_store import MemoryDatabase, MemoryStore
from tablestate_service.domain.deadlines import expire
from tablestate_service.domain.entry import MatchChange
from tablestate_service.domain.errors import DomainError, Reason, storage_unavailable
from tablestate_service.domain.match import fold
from tablestate_service.domain.standing import MatchPhase
from tablestate_service.usecases.timekeeping import Timekeeper

SECOND = 1_000_000_000
LIMIT = 3600 * SECOND


def waiting() -> Table:
    return Table(make_terms(waiting_limit=LIMIT))


def test_a_match_that_waits_too_long_is_aborted() -> None:
    table = waiting()
    table.join(0)
    assert table.match.standing.deadline == LIMIT
    table.do(expire(table.match, stamp(store_time=LIMIT), FakeEngine()))
    assert table.match.standing.phase is MatchPhase.ABORTED
    assert table.match.standing.deadline is None
    assert fold(table.engine, [each.entry for each in table.course]) == table.match


def test_nothing_is_due_before_its_time_or_after_the_start() -> None:
    table = waiting()
    with pytest.raises(DomainError) as early:
        expire(table.match, stamp(store_time=LIMIT - 1), FakeEngine())
    assert early.value.reason is Reason.STALE_VERSION
    table.join(0)
    table.join(1)
    assert table.match.standing.deadline is None
    with pytest.raises(DomainError):
        expire(table.match, stamp(store_time=2 * LIMIT), FakeEngine())


def test_without_a_limit_nothing_is_measured() -> None:
    table = Table(make_terms())
    table.join(0)
    assert table.match.standing.deadline is None and table.match.standing.store_time is None
    assert "store_time" not in "".join(each.entry.draft.payload for each in table.course)


def test_the_time_of_a_match_never_runs_backwards() -> None:
    table = waiting()
    table.do(expire(table.match, stamp(store_time=LIMIT + 5), FakeEngine()))
    other = waiting()
    other.join(0)
    late = replace(other.match, standing=replace(other.match.standing, store_time=9))
    (aborted,) = expire(late, stamp(store_time=LIMIT), FakeEngine())
    assert aborted.match.standing.store_time == LIMIT
    assert table.match.standing.store_time == LIMIT + 5


@asynccontextmanager
async def kept(*benches: Bench) -> AsyncIterator[None]:
    """Let every bench keep the time."""
    keepers = [Timekeeper(each.matches, each.engine, each.store) for each in benches]
    tasks = [asyncio.ensure_future(each.run()) for each in keepers]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def until_aborted(bench: Bench, match_id: str) -> None:
    async with asyncio.timeout(60):
        while (await bench.matches.current(match_id)).match.standing.phase is MatchPhase.WAITING:
            await asyncio.sleep(0.005)


async def test_what_is_due_is_done_though_nobody_calls() -> None:
    bench = Bench()
    async with kept(bench):
        match_id = await bench.create(make_terms(waiting_limit=SECOND // 20))
        await until_aborted(bench, match_id)


async def test_a_nearer_deadline_is_not_waited_past() -> None:
    bench = Bench()
    far = make_terms(match_id="0" * 31 + "2", waiting_limit=LIMIT)
    async with kept(bench):
        await bench.create(far, "far")
        await asyncio.sleep(0.01)
        begun = asyncio.get_running_loop().time()
        match_id = await bench.create(make_terms(waiting_limit=SECOND // 20))
        await until_aborted(bench, match_id)
        assert asyncio.get_running_loop().time() - begun < 0.9, "else it waited for its look"


async def test_of_two_nodes_one_writes_and_neither_minds() -> None:
    database = MemoryDatabase()
    benches = [Bench(MemoryStore(database, name)) for name in ("one", "two")]
    match_id = await benches[0].create(make_terms(waiting_limit=LIMIT))
    for each in benches:
        await each.matches.get(match_id)
    database.passed = LIMIT
    async with kept(*benches):
        await until_aborted(benches[1], match_id)
        await asyncio.sleep(0.02)
    changes = [entry.draft.change for entry in database.logs[match_id]]
    assert changes == [MatchChange.CREATED, MatchChange.ABORTED]


async def test_the_time_of_day_decides_nothing() -> None:
    bench = Bench()
    match_id = await bench.create(make_terms(waiting_limit=LIMIT))
    async with kept(bench):
        for hour in (3600, -7200):
            bench.clock.time += hour * SECOND
            bench.store.database.passed += LIMIT // 4
            await asyncio.sleep(0.01)
            await bench.join(match_id, 0 if hour > 0 else 1)
    assert (await bench.matches.get(match_id)).match.standing.phase is MatchPhase.RUNNING


class FailingStore(MemoryStore):
    """Refuses the first looks."""

    refusals = 2

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error

    async def deadlines(self, limit: int) -> list[tuple[str, int]]:
        if self.refusals:
            self.refusals -= 1
            raise self.error
        return list(await super().deadlines(limit))


@pytest.mark.parametrize("error", [storage_unavailable(), RuntimeError("unforeseen")], ids=repr)
async def test_a_store_that_is_away_is_asked_again(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tablestate_service.usecases.timekeeping._LOOK_SECONDS", 0.01)
    bench = Bench(FailingStore(error))
    match_id = await bench.create(make_terms(waiting_limit=SECOND // 100))
    async with kept(bench):
        await until_aborted(bench, match_id)


async def test_what_cannot_be_done_holds_up_nothing_else() -> None:
    bench = Bench()
    broken = make_terms(match_id="0" * 31 + "2", waiting_limit=SECOND)
    await bench.create(broken, "broken")
    match_id = await bench.create(make_terms(waiting_limit=2 * SECOND))
    entry = bench.store.logs[broken.match_id][0]
    bench.store.logs[broken.match_id][0] = replace(entry, hash=bytes(32))
    other = Bench(bench.store)
    bench.store.database.passed = LIMIT
    async with kept(other):
        await until_aborted(other, match_id)
