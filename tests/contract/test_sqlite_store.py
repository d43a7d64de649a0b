"""What the SQLite store does beyond the contract: files, groups, faults, damage."""

import asyncio
import os
import shutil
from pathlib import Path

import apsw
import pytest

from support.stored import append_of, created, match_id, table, write
from tablestate_service.adapters.fault_points import FaultPoint
from tablestate_service.adapters.sqlite_files import DATABASE_NAME, DataDirectoryError
from tablestate_service.adapters.sqlite_store import SqliteStore
from tablestate_service.domain.errors import DomainError, Reason
from tablestate_service.domain.standing import MatchPhase
from tablestate_service.ports import MatchStore

POINTS: tuple[FaultPoint, ...] = (
    "before_begin",
    "after_insert",
    "before_commit",
    "after_commit",
    "before_reply",
)


class Faults:
    """Notes the points reached, and raises at one of them when told so."""

    def __init__(self) -> None:
        self.reached: list[FaultPoint] = []
        self.failing: FaultPoint | None = None
        self.error: Exception = apsw.FullError("no room")

    def reach(self, point: FaultPoint) -> None:
        self.reached.append(point)
        if point == self.failing:
            raise self.error


async def refusal(store: MatchStore, number: int) -> Reason:
    with pytest.raises(DomainError) as refused:
        await store.append(append_of(created(number)))
    return refused.value.reason


async def test_what_was_written_is_there_after_reopening(tmp_path: Path) -> None:
    first = SqliteStore(tmp_path)
    await first.append(append_of(created(1)))
    await first.close()
    second = SqliteStore(tmp_path)
    assert await second.load(match_id(1)) is not None
    await second.close()


async def test_after_a_clean_stop_the_database_is_one_file(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "served")
    for number in range(1, 9):
        await store.append(append_of(created(number)))
    await asyncio.gather(*(store.load(match_id(number)) for number in range(1, 9)))
    await store.close()
    assert not (tmp_path / "served" / f"{DATABASE_NAME}-wal").exists()
    (tmp_path / "copied").mkdir()
    shutil.copy(tmp_path / "served" / DATABASE_NAME, tmp_path / "copied")
    copy = SqliteStore(tmp_path / "copied")
    assert len(await copy.list_matches(None, list(MatchPhase), None, 100)) == 8
    await copy.close()


async def test_a_data_directory_serves_one_store(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    with pytest.raises(DataDirectoryError, match="in use"):
        SqliteStore(tmp_path)
    await store.close()
    await SqliteStore(tmp_path).close()


async def test_a_database_of_a_newer_service_is_left_alone(tmp_path: Path) -> None:
    await SqliteStore(tmp_path).close()
    connection = apsw.Connection(str(tmp_path / DATABASE_NAME))
    connection.pragma("user_version", 99)
    connection.close()
    with pytest.raises(DataDirectoryError, match="newer"):
        SqliteStore(tmp_path)


async def test_nobody_else_may_read_the_files(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    await store.append(append_of(created(1)))
    assert [each.name for each in tmp_path.iterdir() if each.stat().st_mode & 0o077] == []
    await store.close()


async def test_commits_are_synced_in_full(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    connection = store._writer._connection
    assert connection.pragma("synchronous") == 2
    assert connection.pragma("journal_mode") == "wal"
    await store.close()


async def test_appends_that_wait_together_are_committed_together(tmp_path: Path) -> None:
    faults = Faults()
    store = SqliteStore(tmp_path, faults=faults)
    await asyncio.gather(*(store.append(append_of(created(n))) for n in range(1, 201)))
    assert faults.reached.count("before_commit") <= 25
    assert faults.reached[:5] == list(POINTS)
    await store.close()


async def test_without_room_writing_is_refused_and_works_again_later(tmp_path: Path) -> None:
    faults = Faults()
    store = SqliteStore(tmp_path, faults=faults)
    await store.append(append_of(created(1)))
    faults.failing = "before_commit"
    assert await refusal(store, 2) is Reason.STORAGE_FULL
    assert await store.load(match_id(1)) is not None
    assert await store.load(match_id(2)) is None
    faults.failing = None
    await store.append(append_of(created(2)))
    assert await store.load(match_id(2)) is not None
    await store.close()


async def test_a_group_that_fails_is_tried_again_one_by_one(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    played = table(1)
    await write(store, played)
    # A row past the head, as damage would leave it: the next append of this match fails.
    entry = played.join(0)[0].entry
    store._writer._connection.execute(
        "INSERT INTO entries SELECT match_id, 2, change, seat, notation, draws, payload, time, "
        "NULL, NULL, hash, NULL FROM entries WHERE version = 1"
    )
    results = await asyncio.gather(
        store.append(append_of(created(2))),
        store.append(append_of(played.course[-1])),
        store.append(append_of(created(3))),
        return_exceptions=True,
    )
    assert entry.version == 2
    assert isinstance(results[1], DomainError)
    assert results[1].reason is Reason.LOG_DAMAGED
    assert (results[0], results[2]) == (None, None)
    await store.close()


async def test_whatever_else_fails_the_caller_is_told_to_try_again(tmp_path: Path) -> None:
    faults = Faults()
    store = SqliteStore(tmp_path, faults=faults)
    faults.failing, faults.error = "after_insert", RuntimeError("unforeseen")
    assert await refusal(store, 1) is Reason.STORAGE_UNAVAILABLE
    faults.failing = None
    await store.append(append_of(created(1)))
    await store.close()


async def test_a_store_that_is_closing_takes_no_more(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    last = store.append(append_of(created(1)))
    closing = asyncio.ensure_future(store.close())
    await asyncio.sleep(0)
    assert await refusal(store, 2) is Reason.STORAGE_UNAVAILABLE
    await closing
    await last


async def test_a_row_that_cannot_be_read_damages_its_match_only(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    for number in (1, 2):
        await store.append(append_of(created(number)))
    store._writer._connection.execute(
        "UPDATE entries SET payload = '{', change = 77 WHERE match_id = ?", (match_id(1),)
    )
    with pytest.raises(DomainError) as refused:
        await store.load(match_id(1))
    assert refused.value.reason is Reason.LOG_DAMAGED
    assert await store.load(match_id(2)) is not None
    listed = await store.list_matches(None, list(MatchPhase), None, 10)
    assert [each.terms.match_id for each in listed] == [match_id(2)]
    await store.close()


async def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / DATABASE_NAME).write_bytes(b"not a database, but long enough to look" * 200)
    with pytest.raises(DataDirectoryError, match="damaged"):
        SqliteStore(tmp_path)


async def test_lists_and_the_start_read_off_indexes(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    plan = "EXPLAIN QUERY PLAN "
    connection = store._writer._connection
    automatic = "SELECT match_id FROM matches WHERE bot_to_move = 1 ORDER BY number"
    listed = "SELECT number FROM matches WHERE phase = 2 AND listed = 1 AND number < 9"
    newest = f"{listed} ORDER BY number DESC"
    for query, index in ((automatic, "matches_bot_to_move"), (newest, "matches_by_phase")):
        (step,) = [str(row[3]) for row in connection.execute(plan + query)]
        assert index in step and "TEMP B-TREE" not in step
    await store.close()


async def test_a_file_that_cannot_be_opened_is_refused(tmp_path: Path) -> None:
    (tmp_path / DATABASE_NAME).mkdir()
    with pytest.raises(DataDirectoryError, match="cannot be opened"):
        SqliteStore(tmp_path)
    (tmp_path / DATABASE_NAME).rmdir()
    await SqliteStore(tmp_path).close()


async def test_damaged_matches_are_left_out_of_lists_and_do_not_end_them(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    for number in range(1, 7):
        await store.append(append_of(created(number)))
    store._writer._connection.execute(
        "UPDATE entries SET payload = '{' WHERE match_id IN (?, ?, ?)",
        (match_id(6), match_id(4), match_id(3)),
    )
    listed = await store.list_matches(None, list(MatchPhase), None, 2)
    assert [each.terms.match_id for each in listed] == [match_id(5), match_id(2)]
    await store.close()


async def test_a_database_that_was_cut_off_is_opened_for_what_is_left(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    for number in range(1, 41):
        await store.append(append_of(created(number)))
    await store.close()
    path = tmp_path / DATABASE_NAME
    whole = path.stat().st_size
    os.truncate(path, whole - 4096)
    store = SqliteStore(tmp_path)
    assert path.stat().st_size == whole
    refused = 0
    for number in range(1, 41):
        try:
            assert await store.load(match_id(number)) is not None
        except DomainError as refusal:
            assert refusal.reason is Reason.LOG_DAMAGED
            refused += 1
    assert 0 < refused < 40
    await store.close()


async def test_a_database_with_another_schema_is_refused(tmp_path: Path) -> None:
    await SqliteStore(tmp_path).close()
    connection = apsw.Connection(str(tmp_path / DATABASE_NAME))
    connection.execute("CREATE INDEX of_an_operator ON matches (game)")
    await SqliteStore(tmp_path).close()
    connection.execute("ALTER TABLE entries RENAME COLUMN draws TO drawn")
    connection.close()
    with pytest.raises(DataDirectoryError, match="schema"):
        SqliteStore(tmp_path)
