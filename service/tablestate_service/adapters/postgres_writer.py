"""Writing to PostgreSQL: whatever was asked for meanwhile goes into one transaction."""

import asyncio
import logging
from asyncio import Future
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

import asyncpg

from tablestate_service.adapters.fault_points import FaultPoint, FaultPoints
from tablestate_service.adapters.grouping import Settled, rounds, settle
from tablestate_service.adapters.postgres_database import Database
from tablestate_service.adapters.postgres_rows import (
    PLACES_SQL,
    TAKEN_SQL,
    append_statement,
)
from tablestate_service.domain.errors import (
    DomainError,
    log_damaged,
    storage_full,
    storage_unavailable,
)
from tablestate_service.ports import Append, RequestTakenError, VersionConflictError

log = logging.getLogger(__name__)

Job: TypeAlias = tuple[Append, "Future[None]"]

_MAX_GROUP = 256
_LINGER_SECONDS = 0.0008
"""How long a group waits for company, for each append that the group before had."""
_MOST_LINGER_SECONDS = 0.012


class Writer:
    """Commits groups of appends, in a task of its own: no caller can cancel it."""

    def __init__(
        self,
        database: Database,
        faults: FaultPoints | None,
        committed: Callable[[int], None] | None,
    ) -> None:
        """Work on the event loop it is made on.

        `committed` is told how many appends each transaction held.
        """
        self._database = database
        self._faults = faults
        self._committed = committed
        self._jobs: deque[Job] = deque()
        self._writing: asyncio.Task[None] | None = None
        self._is_finishing = False

    def submit(self, append: Append, writing: "Future[None]") -> None:
        """Queue an append."""
        if self._is_finishing:
            writing.set_exception(storage_unavailable())
            return
        self._jobs.append((append, writing))
        if self._writing is None:
            self._writing = asyncio.ensure_future(self._write_all())

    async def finish(self) -> None:
        """Write what is queued, and take no more."""
        self._is_finishing = True
        if self._writing is not None:
            await self._writing

    async def _write_all(self) -> None:
        # One transaction at a time: the longer one takes, the more the next one holds.
        group: list[Job] = []
        while self._jobs:
            if len(group) > 1:
                # A lone caller never waits; callers in company do, for fewer transactions.
                await asyncio.sleep(min(_LINGER_SECONDS * len(group), _MOST_LINGER_SECONDS))
            group = [self._jobs.popleft() for _ in range(min(len(self._jobs), _MAX_GROUP))]
            for ready in rounds(group):
                # In one order in every transaction, or two could wait for each other.
                ready.sort(key=lambda job: job[0].entries[0].match_id)
                results = await self._write(ready)
                self._reach("before_reply")
                settle(results)
        self._writing = None

    async def _write(self, group: Sequence[Job]) -> list[Settled]:
        """Write a group; what fails is tried again one by one."""
        appends = [append for append, _ in group]
        outcomes: Sequence[BaseException | None]
        try:
            outcomes = await self._database.patiently(partial(self._commit, appends))
        except DomainError as refusal:
            outcomes = [refusal] * len(group)
        except Exception as error:
            if len(group) > 1:
                return [(await self._write([job]))[0] for job in group]
            outcomes = [_translated(error)]
        return [(job[1], None, outcome) for job, outcome in zip(group, outcomes, strict=True)]

    async def _commit(self, group: Sequence[Append], is_again: bool) -> list[BaseException | None]:
        """Write those that can be written; why the others were not."""
        self._reach("before_begin")
        # One statement, and so one transaction.
        rows = await self._database.fetch(*append_statement(group))
        self._reach("after_commit")
        written = {match_id for (match_id,) in rows}
        if self._committed is not None:
            self._committed(len(written))
        lost = [append for append in group if append.entries[0].match_id not in written]
        refused = await self._refusals(lost, is_again) if lost else {}
        return [refused.get(append.entries[0].match_id) for append in group]

    async def _refusals(
        self, lost: Sequence[Append], is_again: bool
    ) -> dict[str, BaseException | None]:
        """Why appends were not written, by match."""
        firsts = [append.entries[0] for append in lost]
        places = [each.match_id for each in firsts], [each.version for each in firsts]
        there = dict(await self._database.fetch(PLACES_SQL, *places)) if is_again else {}
        keys = [each.stamp.request.key for each in firsts if each.stamp.request]
        taken = {key for (key,) in await self._database.fetch(TAKEN_SQL, keys)}
        refused: dict[str, BaseException | None] = {}
        for first in firsts:
            request = first.stamp.request
            if there.get(first.match_id) == first.hash:
                # The connection was lost as this was committed: it is our own entry.
                refused[first.match_id] = None
            elif request and request.key in taken:
                refused[first.match_id] = RequestTakenError()
            else:
                refused[first.match_id] = VersionConflictError()
        return refused

    def _reach(self, point: FaultPoint) -> None:
        if self._faults is not None:
            self._faults.reach(point)


def _translated(error: Exception) -> BaseException:
    if isinstance(error, asyncpg.DiskFullError):
        return storage_full()
    # PostgreSQL's own words may quote the row, and with it a seed.
    own = None if isinstance(error, asyncpg.PostgresError) else error
    log.error("append failed", exc_info=own, extra={"error": type(error).__name__})
    if isinstance(error, asyncpg.IntegrityConstraintViolationError | asyncpg.InternalServerError):
        return log_damaged()
    return storage_unavailable()
