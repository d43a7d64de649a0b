"""Doing what is due: the time of a match ends, though no client calls."""

import asyncio
import logging
import math
from collections.abc import Iterable
from functools import partial

from tablestate_service.domain.deadlines import expire
from tablestate_service.domain.errors import DomainError, Reason
from tablestate_service.ports import Engine, MatchStore
from tablestate_service.usecases.matches import Matches

log = logging.getLogger(__name__)

_LOOK_SECONDS = 1.0
"""How long a deadline that another node has set may stay unseen, and how soon what did not
succeed is tried again."""
_AT_ONCE = 64
_LOOKS_SET_ASIDE = 60
"""For how many looks a match stays set aside after it has failed."""
_NANOSECONDS = 1_000_000_000
_TRANSIENT = (Reason.STALE_VERSION, Reason.STORAGE_FULL, Reason.STORAGE_UNAVAILABLE)


class Timekeeper:
    """Waits for the nearest deadline in the store, and lets the domain decide what is due.

    Every node does so, and needs no claim for it: of two that write the same, one is told that
    the match has moved on. Time is the store's alone: the time of day decides nothing.
    """

    def __init__(self, matches: Matches, engine: Engine, store: MatchStore) -> None:
        """Keep the time of these."""
        self._matches = matches
        self._expire_by = partial(expire, rules=engine)
        self._store = store
        self._nearest = math.inf
        self._is_nearer = asyncio.Event()
        self._set_aside: dict[str, int] = {}
        matches.on_deadline = self._noted

    def _noted(self, deadline: int) -> None:
        if deadline < self._nearest:
            self._nearest = deadline
            self._is_nearer.set()

    async def run(self) -> None:
        """Keep the time until cancelled; what is being written then still is."""
        while True:
            seconds = _LOOK_SECONDS
            try:
                seconds = await self._look()
            except DomainError as refusal:
                if refusal.reason not in _TRANSIENT:
                    log.error("cannot tell what is due", extra={"reason": refusal.reason.name})
            except Exception:
                # Whatever it is: nobody else keeps this node's time.
                log.exception("timekeeper failed")
            self._is_nearer.clear()
            try:
                async with asyncio.timeout(seconds):
                    await self._is_nearer.wait()
            except TimeoutError:
                continue

    async def _look(self) -> float:
        """Do what is due; after how many seconds to look again."""
        self._nearest = math.inf
        self._count_down()
        found = await self._store.deadlines(_AT_ONCE + len(self._set_aside))
        now = await self._store.time()
        waiting = [each for each in found if each[0] not in self._set_aside]
        due = [match_id for match_id, deadline in waiting if deadline <= now]
        done = await asyncio.gather(*map(self._expire, due))
        if len(due) >= _AT_ONCE and any(done):
            return 0.0
        later = (deadline for _, deadline in waiting if deadline > now)
        return self._seconds_until(now, later)

    def _seconds_until(self, now: int, deadlines: Iterable[int]) -> float:
        # What was noted meanwhile may be in no list yet.
        self._nearest = min(self._nearest, min(deadlines, default=math.inf))
        return max(0.0, min(_LOOK_SECONDS, (self._nearest - now) / _NANOSECONDS))

    async def _expire(self, match_id: str) -> bool:
        """Do what is due in a match; whether that is done."""
        try:
            await self._matches.change(match_id, None, self._expire_by)
            return True
        except DomainError as refusal:
            if refusal.reason not in _TRANSIENT:
                self._put_aside(match_id, refusal.reason.name)
        except BaseException as error:
            if isinstance(error, asyncio.CancelledError):
                raise
            # A panic of the core is no Exception, and must not end the timekeeper either.
            log.exception("timekeeper failed", extra={"match_id": match_id})
            self._put_aside(match_id, type(error).__name__)
        return False

    def _put_aside(self, match_id: str, reason: str) -> None:
        self._set_aside[match_id] = _LOOKS_SET_ASIDE
        log.error("deadline passed over", extra={"match_id": match_id, "reason": reason})

    def _count_down(self) -> None:
        counts = ((match_id, count - 1) for match_id, count in self._set_aside.items())
        self._set_aside = {match_id: count for match_id, count in counts if count}
