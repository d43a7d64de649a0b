"""The store on SQLite: one writing thread, a few reading ones."""

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import apsw

from tablestate_service.adapters import sqlite_forgetting as forgetting
from tablestate_service.adapters import sqlite_removal as removal
from tablestate_service.adapters.fault_points import FaultPoints
from tablestate_service.adapters.rows import (
    ENTRY_COLUMNS,
    NEWS_COLUMNS,
    entry_of,
    told_of,
)
from tablestate_service.adapters.sqlite_clock import SqliteClock
from tablestate_service.adapters.sqlite_files import (
    DATABASE_NAME,
    DirectoryLock,
    Presence,
    open_reader,
    open_writer,
)
from tablestate_service.adapters.sqlite_lists import Wanted, list_matches
from tablestate_service.adapters.sqlite_writer import Writer
from tablestate_service.domain.errors import log_damaged, shutting_down, storage_unavailable
from tablestate_service.domain.match import Match
from tablestate_service.domain.standing import MatchPhase
from tablestate_service.ports import (
    EVERYBODYS,
    Append,
    Ended,
    Listed,
    Log,
    Scope,
    StoredRequest,
    Told,
    Writing,
)

T = TypeVar("T")

log = logging.getLogger(__name__)

_READERS = 2
_LAST_VERSION = 2**62
_NEWS_SQL = (
    f"SELECT number, {','.join(NEWS_COLUMNS)} FROM news "
    "WHERE tenant = ? AND number > ? ORDER BY number LIMIT ?"
)
_LAST_NEWS_SQL = "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'news'"
_NEW_HOOK_SQL = """
    INSERT INTO hooks (name, number) VALUES (?, (SELECT coalesce(max(number), 0) FROM news))
    ON CONFLICT DO NOTHING"""
_CHECK_SQL = "SELECT 1 FROM matches LIMIT 1"
_NUMBER_SQL = "SELECT number FROM matches WHERE match_id = ?1 AND (?2 IS NULL OR tenant = ?2)"
_DEADLINES_SQL = (
    "SELECT match_id, deadline FROM matches WHERE deadline IS NOT NULL ORDER BY deadline LIMIT ?"
)
_MOVE_HOOK_SQL = "UPDATE hooks SET number = ? WHERE name = ?"


class SqliteStore:
    """Fulfils `MatchStore`. Use it on the event loop it was opened on."""

    def __init__(
        self,
        directory: Path,
        *,
        vfs: str | None = None,
        faults: FaultPoints | None = None,
        committed: Callable[[int], None] | None = None,
    ) -> None:
        """Open the store of a data directory; raises DataDirectoryError.

        `vfs` names another SQLite VFS and `faults` interrupts writing, both for tests.
        `committed` is told how many appends each transaction held, on another thread.
        """
        self._lock = DirectoryLock(directory)
        self._path = directory / DATABASE_NAME
        try:
            connection = open_writer(self._path, vfs)
            self._clock = SqliteClock(connection)
        except BaseException:
            self._lock.release()
            raise
        self._is_kept = Presence(self._path).is_kept if vfs is None else lambda: True
        loop = asyncio.get_running_loop()
        self._writer = Writer(connection, loop, faults, self._is_kept, self._clock, committed)
        self._writer.start()
        self._readers = None if vfs else ThreadPoolExecutor(_READERS, "store-read")
        self._local = threading.local()
        self._reading: list[apsw.Connection] = []
        self._is_closed = False

    def append(self, append: Append) -> Writing:
        """Write entries durably; see `MatchStore`."""
        writing = Writing()
        self._writer.submit(append, writing)
        return writing

    async def load(self, match_id: str, after: int = 0, limit: int | None = None) -> Log | None:
        """The log of a match behind a version."""
        until = _LAST_VERSION if limit is None else after + limit
        return await self._read(lambda connection: _load(connection, match_id, after, until))

    async def find_request(self, key: bytes) -> StoredRequest | None:
        """The entry that answered a request."""
        return await self._read(lambda connection: _find_request(connection, key))

    async def list_matches(
        self,
        game: str | None,
        phases: Sequence[MatchPhase],
        before: int | None,
        limit: int,
        scope: Scope = EVERYBODYS,
    ) -> Sequence[Listed]:
        """Matches in some phases, the newest first."""
        wanted = Wanted(game, phases, scope)
        return await self._read(lambda connection: list_matches(connection, wanted, before, limit))

    async def tenant_of(self, match_id: str) -> str | None:
        """The tenant that a match belongs to."""
        return await self._read(lambda connection: _tenant_of(connection, match_id))

    async def number_of(self, match_id: str, tenant: str | None) -> int | None:
        """The number of a match of a tenant; see `MatchStore`."""
        return await self._read(lambda connection: _number_of(connection, match_id, tenant))

    async def news(self, tenant: str, after: int, limit: int) -> Sequence[Told]:
        """News of a tenant's matches; see `MatchStore`."""
        return await self._read(lambda connection: _news(connection, tenant, after, limit))

    async def last_news(self) -> int:
        """The number of the last news; see `MatchStore`."""
        return await self._read(_last_news)

    async def claim_hook(self, name: str) -> int | None:
        """How far a webhook has got: there is no other node."""
        return await self._ask_writer(lambda connection: _claim_hook(connection, name))

    async def move_hook(self, name: str, number: int) -> bool:
        """Note how far a webhook has got."""
        await self._ask_writer(
            lambda connection: connection.execute(_MOVE_HOOK_SQL, (number, name)).fetchall()
        )
        return True

    async def head_version(self, match_id: str, known: int) -> int:
        """What is known: only this process writes."""
        return known

    async def automatic_matches(self) -> Sequence[str]:
        """The running matches whose actor has no player."""
        return await self._read(_automatic_matches)

    async def claim_turn(self, match_id: str, version: int) -> bool:
        """Whether this node may act for an actor: there is no other node."""
        return True

    async def ended(self, before: int, after: int, limit: int) -> Sequence[Ended]:
        """Matches that ended long ago; see `MatchStore`."""
        return await self._read(lambda reader: removal.ended(reader, before, after, limit))

    async def remove(self, match_ids: Sequence[str], before: int) -> Sequence[str]:
        """Remove matches that ended long ago; see `MatchStore`."""
        self._require_files()
        return await self._ask_writer(lambda writer: removal.remove(writer, match_ids, before))

    async def remove_news(self, before: int, limit: int) -> int:
        """Remove old news; see `MatchStore`."""
        self._require_files()
        return await self._ask_writer(lambda writer: removal.remove_news(writer, before, limit))

    async def joined_matches(self, text: str) -> Sequence[str]:
        """Matches in which somebody joined with a text; see `MatchStore`."""
        return await self._read(lambda reader: forgetting.joined_matches(reader, text))

    async def forget(self, match: Match, versions: Sequence[int]) -> None:
        """Erase who joined; see `MatchStore`."""
        self._require_files()
        await self._ask_writer(lambda writer: forgetting.forget(writer, match, versions))

    async def forget_in_news(self, tenant: str, player_id: str, but_for: Sequence[str]) -> None:
        """Erase a player's id from news; see `MatchStore`."""
        self._require_files()
        await self._ask_writer(
            lambda writer: forgetting.forget_in_news(writer, tenant, player_id, but_for)
        )

    async def check(self) -> None:
        """See whether the writer works, on the files that were opened."""
        self._require_files()
        await self._ask_writer(lambda connection: connection.execute(_CHECK_SQL).fetchall())

    async def time(self) -> int:
        """The time of the data directory's clock."""
        return self._clock.now()

    async def deadlines(self, limit: int) -> Sequence[tuple[str, int]]:
        """The nearest deadlines; see `MatchStore`."""
        return await self._read(lambda connection: _deadlines(connection, limit))

    async def close(self) -> None:
        """Answer and write what is queued, then close; the database is one file then."""
        self._is_closed = True
        self._writer.refuse()
        # The readers first: SQLite puts the WAL into the database when the last connection
        # is closed, which only the writer can do.
        if self._readers is not None:
            await asyncio.to_thread(self._readers.shutdown)
        for connection in self._reading:
            connection.close()
        self._writer.finish()
        await asyncio.to_thread(self._writer.join)
        self._lock.release()

    def _require_files(self) -> None:
        if not self._is_kept():
            raise storage_unavailable()

    async def _read(self, read: Callable[[apsw.Connection], T]) -> T:
        if self._is_closed:
            raise shutting_down()
        if self._readers is None:
            return await self._ask_writer(read)
        loop = asyncio.get_running_loop()
        return await self._translated(loop.run_in_executor(self._readers, self._read_here, read))

    async def _ask_writer(self, work: Callable[[apsw.Connection], T]) -> T:
        """Do something on the connection that writes, in a transaction of its own."""
        if self._is_closed:
            raise shutting_down()
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._writer.submit(work, future)
        return await self._translated(future)

    async def _translated(self, work: Awaitable[T]) -> T:
        try:
            return await work
        except (apsw.CorruptError, apsw.NotADBError, ValueError, KeyError, TypeError) as error:
            log.error("stored data is damaged", exc_info=error)
            raise log_damaged() from error
        except apsw.Error as error:
            log.error("store does not answer", exc_info=error)
            raise storage_unavailable() from error

    def _read_here(self, read: Callable[[apsw.Connection], T]) -> T:
        connection = getattr(self._local, "connection", None)
        if connection is None:
            if not self._is_kept():
                raise storage_unavailable()  # Another database may be there by now.
            connection = self._local.connection = open_reader(self._path)
            self._reading.append(connection)
        return read(connection)


def _load(connection: apsw.Connection, match_id: str, after: int, until: int) -> Log | None:
    columns = ",".join(f"e.{column}" for column in ENTRY_COLUMNS)
    # One statement, so that head and entries are of the same moment.
    rows = connection.execute(
        f"SELECT m.version, m.head_hash, {columns} FROM matches AS m "
        "LEFT JOIN entries AS e ON e.match_id = m.match_id AND e.version > ? AND e.version <= ? "
        "WHERE m.match_id = ? ORDER BY e.version",
        (after, until, match_id),
    ).fetchall()
    if not rows:
        return None
    head: tuple[Any, ...] = rows[0][:2]
    return Log([entry_of(row[2:]) for row in rows if row[2] is not None], *head)


def _find_request(connection: apsw.Connection, key: bytes) -> StoredRequest | None:
    row = connection.execute(
        "SELECT match_id, version, request_hash FROM entries WHERE request_key = ?", (key,)
    ).fetchone()
    return StoredRequest(*row) if row else None


def _number_of(connection: apsw.Connection, match_id: str, tenant: str | None) -> int | None:
    number: int | None = connection.execute(_NUMBER_SQL, (match_id, tenant)).get
    return number


def _tenant_of(connection: apsw.Connection, match_id: str) -> str | None:
    row = connection.execute(
        "SELECT tenant FROM matches WHERE match_id = ?", (match_id,)
    ).fetchone()
    return str(row[0]) if row else None


def _news(connection: apsw.Connection, tenant: str, after: int, limit: int) -> list[Told]:
    rows = connection.execute(_NEWS_SQL, (tenant, after, limit))
    return [told_of(row) for row in rows]


def _last_news(connection: apsw.Connection) -> int:
    last = connection.execute(_LAST_NEWS_SQL).get
    assert isinstance(last, int)
    return last


def _claim_hook(connection: apsw.Connection, name: str) -> int:
    connection.execute(_NEW_HOOK_SQL, (name,))
    ((number,),) = connection.execute("SELECT number FROM hooks WHERE name = ?", (name,))
    return int(number)


def _automatic_matches(connection: apsw.Connection) -> list[str]:
    rows = connection.execute("SELECT match_id FROM matches WHERE bot_to_move = 1 ORDER BY number")
    return [match_id for (match_id,) in rows]


def _deadlines(connection: apsw.Connection, limit: int) -> list[tuple[str, int]]:
    return [(match_id, due) for match_id, due in connection.execute(_DEADLINES_SQL, (limit,))]
