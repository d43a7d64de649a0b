"""The one thread that writes: appends that wait together are committed together."""

import errno
import logging
import threading
import time
from asyncio import AbstractEventLoop, Future
from collections.abc import Callable, Iterator, Sequence
from queue import Empty, SimpleQueue
from typing import Any, TypeAlias

import apsw

from tablestate_service.adapters.fault_points import FaultPoint, FaultPoints
from tablestate_service.adapters.grouping import Settled, rounds, settle
from tablestate_service.adapters.rows import (
    ACTED_COLUMNS,
    ENTRY_COLUMNS,
    MATCH_COLUMNS,
    NEWS_COLUMNS,
    Row,
    acted_row,
    entry_row,
    match_row,
    news_row,
)
from tablestate_service.adapters.sqlite_clock import SqliteClock
from tablestate_service.domain.entry import MatchChange
from tablestate_service.domain.errors import (
    log_damaged,
    storage_full,
    storage_unavailable,
)
from tablestate_service.domain.standing import MatchPhase
from tablestate_service.ports import Append, RequestTakenError, VersionConflictError

log = logging.getLogger(__name__)

_MAX_GROUP = 256
_MAX_ROWS = 64
_LINGER_SECONDS = 0.002
"""How long a group waits for company, once the group before had some."""

_CONFLICTS_SQL = """
    SELECT place, is_taken FROM (
        SELECT ?1 AS place,
               EXISTS (SELECT 1 FROM entries WHERE request_key = ?4) AS is_taken,
               coalesce((SELECT version FROM matches WHERE match_id = ?2), 0)
                   <> ?3 AS has_moved)
    WHERE is_taken OR has_moved"""
_ENTRIES_SQL = (
    f"INSERT INTO entries ({','.join(ENTRY_COLUMNS)}) VALUES ({','.join('?' * len(ENTRY_COLUMNS))})"
)
_NEWS_SQL = (
    f"INSERT INTO news ({','.join(NEWS_COLUMNS)}) VALUES ({','.join('?' * len(NEWS_COLUMNS))})"
)
_MATCHES_SQL = (
    f"INSERT INTO matches ({','.join(MATCH_COLUMNS)}) "
    f"VALUES ({','.join('?' * len(MATCH_COLUMNS))}) "
    "ON CONFLICT (match_id) DO UPDATE SET "
    + ",".join(f"{column} = excluded.{column}" for column in MATCH_COLUMNS[2:])
)

Read: TypeAlias = Callable[[apsw.Connection], Any]
Job: TypeAlias = tuple["Append | Read", "Future[Any]"]

# What most appends change: without the indexes of lists, this costs half as much.
_ACTED_SQL = (
    f"UPDATE matches SET {','.join(f'{column} = ?' for column in ACTED_COLUMNS[:-1])} "
    f"WHERE {ACTED_COLUMNS[-1]} = ?"
)


class Writer(threading.Thread):
    """Owns the writing connection. Answers on the event loop, a group at a time."""

    def __init__(
        self,
        connection: apsw.Connection,
        loop: AbstractEventLoop,
        faults: FaultPoints | None,
        is_kept: Callable[[], bool],
        clock: SqliteClock,
        committed: Callable[[int], None] | None,
    ) -> None:
        """Work for one event loop; nothing is written while it `is_kept` not.

        `committed` is told how many appends each transaction held.
        """
        super().__init__(name="store-write", daemon=True)
        self._connection = connection
        self._loop = loop
        self._faults = faults
        self._is_kept = is_kept
        self._clock = clock
        self._committed = committed
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._last_group = 1
        self._is_finishing = False

    def submit(self, work: Append | Read, future: Future[Any]) -> None:
        """Queue an append, or a read that must use this connection."""
        if self._is_finishing:
            future.set_exception(storage_unavailable())
        else:
            self._jobs.put((work, future))

    def refuse(self) -> None:
        """Take no more; what is queued is still done."""
        self._is_finishing = True

    def finish(self) -> None:
        """Let the thread end after what is queued, and take no more."""
        self.refuse()
        self._jobs.put(None)

    def run(self) -> None:
        """Take groups from the queue until told to finish."""
        while (group := self._next_group()) is not None:
            for ready in rounds(group):
                results = self._work(ready)
                self._reach("before_reply")
                self._loop.call_soon_threadsafe(settle, results)
        self._close()

    def _close(self) -> None:
        self._note_time()
        try:
            self._connection.close()
        except apsw.Error as error:
            # The last checkpoint failed; what was committed is in the WAL.
            log.error("store was not closed cleanly", exc_info=error)

    def _note_time(self) -> None:
        try:
            if self._is_kept():
                self._clock.note(self._connection)
        except apsw.Error as error:
            log.error("the time was not noted", exc_info=error)

    def _next_group(self) -> list[Job] | None:
        first = self._jobs.get()
        if first is None:
            return None
        if self._last_group > 1:
            # A lone caller never waits; callers in company do, for fewer syncs.
            time.sleep(_LINGER_SECONDS)
        group = [first, *self._waiting()]
        self._last_group = len(group)
        return group

    def _waiting(self) -> Iterator[Job]:
        for _ in range(_MAX_GROUP - 1):
            try:
                job = self._jobs.get_nowait()
            except Empty:
                return
            if job is None:
                self._jobs.put(None)
                return
            yield job

    def _work(self, group: list[Job]) -> list[Settled]:
        appends = [(work, future) for work, future in group if isinstance(work, Append)]
        reads = [(work, future) for work, future in group if not isinstance(work, Append)]
        results = [self._read(work, future) for work, future in reads]
        if appends:
            outcomes = self._commit([work for work, _ in appends])
            futures = [future for _, future in appends]
            results += [
                (each, None, outcome) for each, outcome in zip(futures, outcomes, strict=True)
            ]
        return results

    def _read(self, read: Read, future: "Future[Any]") -> Settled:
        try:
            return future, read(self._connection), None
        except BaseException as error:
            return future, None, error

    def _commit(self, group: Sequence[Append]) -> list[BaseException | None]:
        """Write a group in one transaction; what fails is tried again one by one."""
        if not self._is_kept():
            return [storage_unavailable()] * len(group)
        try:
            return self._transaction(group)
        except Exception as error:
            if len(group) > 1:
                return [self._commit([append])[0] for append in group]
            return [self._translated(error)]

    def _transaction(self, group: Sequence[Append]) -> list[BaseException | None]:
        self._reach("before_begin")
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            refused = dict(self._refusals(group))
            accepted = [each for place, each in enumerate(group) if place not in refused]
            self._insert(accepted)
            self._reach("before_commit")
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise
        if self._committed is not None:
            self._committed(len(accepted))
        self._reach("after_commit")
        return [refused.get(place) for place in range(len(group))]

    def _refusals(self, group: Sequence[Append]) -> Iterator[tuple[int, BaseException]]:
        claims = (_claim(place, append) for place, append in enumerate(group))
        for place, is_taken in self._connection.executemany(_CONFLICTS_SQL, claims):
            yield place, RequestTakenError() if is_taken else VersionConflictError()

    def _insert(self, group: Sequence[Append]) -> None:
        entries = (entry_row(entry) for append in group for entry in append.entries)
        self._connection.executemany(_ENTRIES_SQL, entries)
        self._reach("after_insert")
        acted = [append.after for append in group if _only_acts(append)]
        news = (news_row(each) for append in group for each in append.news)
        self._connection.executemany(_NEWS_SQL, news)
        others = [append.after for append in group if not _only_acts(append)]
        self._connection.executemany(_ACTED_SQL, map(acted_row, acted))
        self._connection.executemany(_MATCHES_SQL, map(match_row, others))
        if any(append.after.standing.store_time is not None for append in group):
            self._clock.note(self._connection)

    def _reach(self, point: FaultPoint) -> None:
        if self._faults is not None:
            self._faults.reach(point)

    def _translated(self, error: Exception) -> BaseException:
        no_room = self._connection.system_errno == errno.ENOSPC
        if isinstance(error, apsw.FullError) or (isinstance(error, apsw.IOError) and no_room):
            return storage_full()
        log.error("append failed", exc_info=error)
        if isinstance(error, apsw.CorruptError | apsw.ConstraintError):
            return log_damaged()
        return storage_unavailable()


def _only_acts(append: Append) -> bool:
    """Whether an append is game actions only, after which the match still runs."""
    acts = all(entry.draft.change is MatchChange.ACTION for entry in append.entries)
    return acts and append.after.standing.phase is MatchPhase.RUNNING


def _claim(place: int, append: Append) -> Row:
    first = append.entries[0]
    request = first.stamp.request
    return place, first.match_id, first.version - 1, request.key if request else None
