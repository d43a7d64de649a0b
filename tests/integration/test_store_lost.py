"""A store whose files are taken away while it is open, and one that has been closed."""

import asyncio
import logging
import shutil
import threading
from pathlib import Path

import pytest

from support.fake_engine import FakeEngine
from support.service import refused, service
from support.stored import append_of, created, match_id
from tablestate_service.adapters.sqlite_files import DATABASE_NAME
from tablestate_service.adapters.sqlite_store import SqliteStore
from tablestate_service.adapters.system import ThreadWorkers
from tablestate_service.app import Parts
from tablestate_service.domain.errors import DomainError, Reason
from tablestate_service.domain.standing import MatchPhase

DATABASE = Path(DATABASE_NAME)
WAL = Path(f"{DATABASE_NAME}-wal")


async def refusal(store: SqliteStore, number: int) -> Reason:
    with pytest.raises(DomainError) as got:
        await store.append(append_of(created(number)))
    return got.value.reason


@pytest.mark.parametrize("lost", [DATABASE, WAL])
@pytest.mark.parametrize("is_replaced", [False, True])
async def test_nothing_is_written_to_files_that_were_deleted_or_replaced(
    tmp_path: Path, lost: Path, is_replaced: bool, caplog: pytest.LogCaptureFixture
) -> None:
    store = SqliteStore(tmp_path)
    await store.append(append_of(created(1)))
    (tmp_path / lost).unlink()
    if is_replaced:
        (tmp_path / lost).write_bytes(b"")
    assert await refusal(store, 2) is Reason.STORAGE_UNAVAILABLE
    assert await refusal(store, 3) is Reason.STORAGE_UNAVAILABLE
    told = [each for each in caplog.records if each.levelno == logging.ERROR]
    assert [each.getMessage() for each in told] == [
        "database was deleted or replaced: refusing to write until it is back"
    ]
    with pytest.raises(DomainError) as got:
        await store.load(match_id(1))  # Would have to open the files.
    assert got.value.reason is Reason.STORAGE_UNAVAILABLE
    await store.close()


async def test_a_directory_that_was_moved_away_and_back_is_written_to_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    there, elsewhere = tmp_path / "data", tmp_path / "moved"
    store = SqliteStore(there)
    shutil.move(there, elsewhere)
    assert await refusal(store, 1) is Reason.STORAGE_UNAVAILABLE
    shutil.move(elsewhere, there)
    await store.append(append_of(created(1)))
    assert "database is back" in caplog.text
    await store.close()


async def test_a_database_that_was_there_before_is_known_by_its_files(tmp_path: Path) -> None:
    await SqliteStore(tmp_path).close()
    store = SqliteStore(tmp_path)
    await store.append(append_of(created(1)))
    await store.append(append_of(created(2)))
    await store.close()


async def test_a_call_on_a_server_without_its_directory_is_unavailable(tmp_path: Path) -> None:
    directory = tmp_path / "data"
    async with service(directory, Parts(engine=FakeEngine)) as (_, client):
        await client.create()
        shutil.rmtree(directory)
        with refused() as got:
            await client.create()
        assert (got.failure.code.name, got.failure.reason) == (
            "UNAVAILABLE",
            "STORAGE_UNAVAILABLE",
        )


async def test_a_store_that_is_closed_is_shutting_down(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    await store.append(append_of(created(1)))
    await store.close()
    assert await refusal(store, 2) is Reason.STORAGE_UNAVAILABLE
    reads = (
        store.load(match_id(1)),
        store.find_request(b"key"),
        store.list_matches(None, list(MatchPhase), None, 1),
        store.automatic_matches(),
    )
    for read in reads:
        with pytest.raises(DomainError) as got:
            await read
        assert got.value.reason is Reason.SHUTTING_DOWN


async def test_work_that_had_not_begun_when_its_threads_were_closed_is_shutting_down() -> None:
    workers, go_on = ThreadWorkers(1, "test"), threading.Event()
    begun = asyncio.create_task(workers.run(go_on.wait))
    waiting = asyncio.create_task(workers.run(lambda: None))
    await asyncio.sleep(0.1)
    workers.close()
    late = workers.run(lambda: None)
    go_on.set()
    assert await begun
    for each in (waiting, late):
        with pytest.raises(DomainError) as got:
            await each
        assert got.value.reason is Reason.SHUTTING_DOWN
