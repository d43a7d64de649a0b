"""What the store on PostgreSQL does beyond the contract: nodes, lost answers, damage."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from signal import Signals

import asyncpg
import pytest

from support.answer_eater import AnswerEater
from support.domain import Table
from support.postgres import postgres_store
from support.stored import append_of, created, match_id, table, write
from tablestate_service.adapters.fault_points import FaultPoint
from tablestate_service.adapters.opening import StoreUnusableError
from tablestate_service.adapters.postgres_database import open_database
from tablestate_service.adapters.postgres_store import PostgresStore
from tablestate_service.domain.errors import DomainError, Reason
from tablestate_service.domain.standing import MatchPhase
from tablestate_service.ports import RequestTakenError, VersionConflictError
from tools.postgres import FAST, IMMEDIATE, KILL, Postgres

pytestmark = pytest.mark.postgres
RIVALS = 24
PATIENCE = "tablestate_service.adapters.postgres_database._PATIENCE_SECONDS"


@pytest.fixture
async def nodes(database_url: str) -> AsyncIterator[list[PostgresStore]]:
    """Three nodes that share a database."""
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(postgres_store(database_url)) for _ in range(3)]


async def execute(url: str, sql: str) -> None:
    connection = await asyncpg.connect(url)
    await connection.execute(sql)
    await connection.close()


async def test_of_nodes_that_write_one_version_at_once_one_succeeds(
    nodes: list[PostgresStore],
) -> None:
    played = table(1)
    await write(nodes[0], played)
    rivals = []
    for holder in range(RIVALS):
        rival = Table(played.match.terms)
        rivals.append(rival.join(0, holder))
    results = await asyncio.gather(
        *(nodes[n % 3].append(append_of(*rival)) for n, rival in enumerate(rivals)),
        return_exceptions=True,
    )
    assert [type(each) for each in results].count(VersionConflictError) == RIVALS - 1
    log = await nodes[1].load(match_id(1))
    assert log is not None and len(log.entries) == 2
    winner = [rival[0].entry for rival in rivals].index(log.entries[1])
    assert results[winner] is None


async def test_a_request_is_written_once_by_all_nodes(nodes: list[PostgresStore]) -> None:
    results = await asyncio.gather(
        *(nodes[n % 3].append(append_of(created(n, "one"))) for n in range(RIVALS)),
        return_exceptions=True,
    )
    assert [type(each) for each in results].count(RequestTakenError) == RIVALS - 1
    assert len(await nodes[2].list_matches(None, list(MatchPhase), None, 10)) == 1


async def test_nodes_that_write_the_same_matches_in_opposite_order_all_finish(
    nodes: list[PostgresStore],
) -> None:
    numbers = range(1, 41)
    results = await asyncio.gather(
        *(nodes[0].append(append_of(created(n))) for n in numbers),
        *(nodes[1].append(append_of(created(n, f"other {n}"))) for n in reversed(numbers)),
        return_exceptions=True,
    )
    assert [type(each) for each in results].count(VersionConflictError) == len(numbers)


async def test_a_node_is_told_how_far_another_has_written(nodes: list[PostgresStore]) -> None:
    played = table(1)
    await write(nodes[0], played)
    for seat in (0, 1):
        await nodes[0].append(append_of(*played.join(seat)))
        told = await asyncio.gather(*(nodes[1].head_version(match_id(1), 1) for _ in range(9)))
        assert told == [played.match.standing.version] * 9


async def test_a_turn_is_claimed_by_one_node(nodes: list[PostgresStore], database_url: str) -> None:
    first, second, _ = nodes
    played = table(1)
    played.add_bot(0)
    played.join(1)
    await write(first, played)
    version = played.match.standing.version
    assert await second.automatic_matches() == [match_id(1)]
    claims = await asyncio.gather(*(each.claim_turn(match_id(1), version) for each in nodes))
    assert claims.count(True) == 1
    owner = nodes[claims.index(True)]
    others = [each for each in nodes if each is not owner]
    assert await owner.claim_turn(match_id(1), version)
    assert await others[0].automatic_matches() == []
    await execute(database_url, "UPDATE tablestate.turns SET until = now() - interval '1 s'")
    assert await others[0].automatic_matches() == [match_id(1)]
    assert await others[0].claim_turn(match_id(1), version)
    assert not await owner.claim_turn(match_id(1), version)
    assert await owner.claim_turn(match_id(1), version + 1)


async def test_a_node_that_stops_leaves_its_turns_to_others(database_url: str) -> None:
    async with postgres_store(database_url) as staying:
        async with postgres_store(database_url) as stopping:
            assert await stopping.claim_turn(match_id(1), 3)
            assert not await staying.claim_turn(match_id(1), 3)
        assert await staying.claim_turn(match_id(1), 3)


@pytest.mark.parametrize("before", [False, True], ids=["after", "before"])
async def test_an_answer_lost_at_the_commit_is_found_out(
    postgres: Postgres, database_url: str, before: bool
) -> None:
    """The server has done what was asked, or has never heard of it."""
    async with AnswerEater(postgres.port) as eater:
        url = database_url.replace(f":{postgres.port}/", f":{eater.port}/")
        async with postgres_store(url) as store, postgres_store(database_url) as other:
            await store.append(append_of(created(1)))
            eater.eat(match_id(3).encode(), with_request=before)
            await asyncio.gather(*(store.append(append_of(created(n))) for n in (2, 3, 4)))
            assert eater.eaten == 1
            assert len(await other.list_matches(None, list(MatchPhase), None, 10)) == 4
            with pytest.raises(RequestTakenError):
                await store.append(append_of(created(3)))


@pytest.mark.parametrize("how", [FAST, IMMEDIATE, KILL], ids=lambda how: how.name)
async def test_what_is_asked_while_the_server_restarts_is_done_later(
    mortal: Postgres, mortal_url: str, how: Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Where syncs are slow, a server that was killed needs longer than is waited for otherwise.
    monkeypatch.setattr(PATIENCE, 60.0)
    async with postgres_store(mortal_url) as store:
        await store.append(append_of(created(1)))
        await asyncio.to_thread(mortal.stop, how)
        asked = [store.append(append_of(created(n))) for n in range(2, 9)]
        reading = asyncio.ensure_future(store.load(match_id(1)))
        await asyncio.sleep(0.1)
        await asyncio.to_thread(mortal.start)
        await asyncio.gather(*asked)
        assert await reading is not None
        assert len(await store.list_matches(None, list(MatchPhase), None, 10)) == 8


async def test_a_server_that_stays_away_is_told(
    mortal: Postgres,
    mortal_url: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(PATIENCE, 0.2)
    async with postgres_store(mortal_url) as store:
        await store.append(append_of(created(1)))
        await asyncio.to_thread(mortal.stop)
        calls: list[Callable[[], object]] = [
            lambda: store.append(append_of(created(2))),
            lambda: store.load(match_id(1)),
            lambda: store.head_version(match_id(1), 1),
            lambda: store.claim_turn(match_id(1), 1),
        ]
        for call in calls:
            with pytest.raises(DomainError) as got:
                await call()  # type: ignore[misc]
            assert got.value.reason is Reason.STORAGE_UNAVAILABLE
        await asyncio.to_thread(mortal.start)
        await store.append(append_of(created(2)))
    told = [each.getMessage() for each in caplog.records if each.levelno >= logging.WARNING]
    assert told == ["store does not answer", "store answers again"]


class Faults:
    """Raises at a point."""

    def __init__(self) -> None:
        self.failing: FaultPoint | None = None

    def reach(self, point: FaultPoint) -> None:
        if point == self.failing:
            raise RuntimeError("unforeseen")


async def test_whatever_else_fails_the_caller_is_told_to_try_again(database_url: str) -> None:
    faults = Faults()
    async with postgres_store(database_url, faults) as store:
        faults.failing = "before_begin"
        with pytest.raises(DomainError) as got:
            await store.append(append_of(created(1)))
        assert got.value.reason is Reason.STORAGE_UNAVAILABLE
        faults.failing = None
        await store.append(append_of(created(1)))


async def test_what_fails_in_a_group_is_told_of_its_match_alone_and_no_log_holds_a_secret(
    postgres: Postgres, database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with postgres_store(database_url) as store:
        played = table(1)
        await write(store, played)
        played.join(0)
        # A row past the head, as damage would leave it: the next append of this match fails.
        await execute(
            database_url,
            "INSERT INTO tablestate.entries SELECT match_id, 3, change, seat, notation, draws, "
            "payload, time, NULL, NULL, hash FROM tablestate.entries WHERE version = 1",
        )
        played.join(1)
        results = await asyncio.gather(
            store.append(append_of(created(2))),
            store.append(append_of(*played.course[-3:])),
            store.append(append_of(created(3))),
            return_exceptions=True,
        )
    assert isinstance(results[1], DomainError)
    assert results[1].reason is Reason.LOG_DAMAGED
    assert (results[0], results[2]) == (None, None)
    for written in (postgres.log(), caplog.text):
        assert "entries_pkey" in written or "append failed" in written
        assert played.match.terms.secret.hex() not in written
        assert "player 1" not in written


async def test_a_row_that_cannot_be_read_damages_its_match_only(database_url: str) -> None:
    async with postgres_store(database_url) as store:
        for number in (1, 2):
            await store.append(append_of(created(number)))
        await execute(
            database_url,
            "UPDATE tablestate.entries SET payload = '{', change = 77 "
            f"WHERE match_id = '{match_id(1)}'",
        )
        with pytest.raises(DomainError) as refused:
            await store.load(match_id(1))
        assert refused.value.reason is Reason.LOG_DAMAGED
        listed = await store.list_matches(None, list(MatchPhase), None, 1)
        assert [each.terms.match_id for each in listed] == [match_id(2)]


async def test_nodes_that_start_at_once_make_the_tables_once(database_url: str) -> None:
    opened = await asyncio.gather(*(open_database(database_url, 2) for _ in range(6)))
    for each in opened:
        await each.close()


async def test_a_database_of_a_newer_service_is_left_alone(database_url: str) -> None:
    async with postgres_store(database_url):
        await execute(database_url, "UPDATE tablestate.schema_version SET version = 99")
    with pytest.raises(StoreUnusableError, match="newer"):
        await open_database(database_url, 2)


async def test_why_a_database_cannot_be_used_is_told_without_its_password(
    postgres: Postgres, database_url: str
) -> None:
    right, wrong = postgres.password, "wrong-password"
    for url, told in (
        (database_url.replace(right, wrong), "password authentication failed"),
        (postgres.url("elsewhere"), '"elsewhere" does not exist'),
        (database_url.replace(f":{postgres.port}/", ":1/"), "refused|failed"),
    ):
        with pytest.raises(StoreUnusableError, match=told) as got:
            await open_database(url, 2)
        assert right not in str(got.value) and wrong not in str(got.value)


async def test_a_database_that_forgets_is_warned_of(
    database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    name = database_url.rpartition("/")[2]
    await execute(database_url, f"ALTER DATABASE {name} SET synchronous_commit = off")
    async with postgres_store(database_url):
        assert "what is acknowledged can be lost" in caplog.text


async def test_a_store_that_is_closed_is_shutting_down(database_url: str) -> None:
    async with postgres_store(database_url) as store:
        await store.append(append_of(created(1)))
        last = store.append(append_of(created(2)))
    await last
    with pytest.raises(DomainError) as got:
        await store.append(append_of(created(3)))
    assert got.value.reason is Reason.STORAGE_UNAVAILABLE
    for read in (
        store.load(match_id(1)),
        store.head_version(match_id(1), 1),
        store.claim_turn(match_id(1), 1),
    ):
        with pytest.raises(DomainError) as got:
            await read
        assert got.value.reason is Reason.SHUTTING_DOWN
