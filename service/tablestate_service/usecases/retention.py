"""Matches that ended long ago: archived, and removed from the store."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tablestate_service.domain.entry import GENESIS_HASH, is_intact
from tablestate_service.domain.errors import DomainError
from tablestate_service.ports import Archive, Clock, Log, MatchStore

log = logging.getLogger(__name__)

_SWEEP_SECONDS = 3600.0
_AT_ONCE = 16
"""How many matches go in one transaction: the writing of others waits for it."""
_PAUSE_SECONDS = 0.05
"""What is left to others after each."""
_NEWS_AT_ONCE = 1000
_NANOSECONDS = 1_000_000_000


@dataclass(slots=True)
class Swept:
    """What was done with matches: `left` are those that cannot be read or archived."""

    archived: int = 0
    removed: int = 0
    left: int = 0


class Retention:
    """Removes matches and news from the store when they are old.

    Several nodes may do it at the same time: each match is removed once, and archived before.
    """

    def __init__(
        self,
        store: MatchStore,
        archive: Archive | None = None,
        on_removed: Callable[[str], None] = lambda match_id: None,
    ) -> None:
        """Archive first, if there is an archive; `on_removed` is told of each match removed."""
        self._store = store
        self._archive = archive
        self._on_removed = on_removed

    async def run(self, clock: Clock, seconds: float) -> None:
        """Remove what ended longer ago than so many seconds, every hour, until cancelled."""
        while True:
            try:
                swept = await self.sweep(clock.now() - int(seconds * _NANOSECONDS))
            except Exception as error:
                log.error("retention failed", extra={"error": type(error).__name__})
            else:
                numbers = {"archived": swept.archived, "removed": swept.removed}
                log.info("retention", extra={**numbers, "left": swept.left})
            await asyncio.sleep(_SWEEP_SECONDS)

    async def sweep(self, before: int) -> Swept:
        """Remove what ended before a time in nanoseconds since 1970.

        Raises OSError if it cannot be archived; refuses STORAGE_UNAVAILABLE.
        """
        swept, after = Swept(), 0
        while found := await self._store.ended(before, after, _AT_ONCE):
            after = found[-1].number
            await self._remove([each.match_id for each in found], before, swept)
            await asyncio.sleep(_PAUSE_SECONDS)
        while await self._store.remove_news(before, _NEWS_AT_ONCE) == _NEWS_AT_ONCE:
            await asyncio.sleep(_PAUSE_SECONDS)
        return swept

    async def _remove(self, match_ids: Sequence[str], before: int, swept: Swept) -> None:
        ready = [each for each in match_ids if await self._is_kept(each, swept)]
        for match_id in await self._store.remove(ready, before):
            swept.removed += 1
            self._on_removed(match_id)

    async def _is_kept(self, match_id: str, swept: Swept) -> bool:
        """Archive a match; False if it is damaged, and so is best left where it is."""
        if self._archive is None:
            return True
        try:
            stored = await self._store.load(match_id)
        except DomainError as refusal:
            log.error("not archived", extra={"match_id": match_id, "reason": refusal.reason.name})
            swept.left += 1
            return False
        if stored is None:
            return False  # Another node was quicker.
        if not is_whole(stored):
            log.error("not archived", extra={"match_id": match_id, "reason": "LOG_DAMAGED"})
            swept.left += 1
            return False
        await self._archive.keep(stored)
        swept.archived += 1
        return True


def is_whole(stored: Log) -> bool:
    """Whether a log has all its entries, chained, up to where the store says that it ends."""
    previous = GENESIS_HASH
    for version, entry in enumerate(stored.entries, start=1):
        if entry.version != version or not is_intact(entry, previous):
            return False
        previous = entry.hash
    return (len(stored.entries), previous) == (stored.head_version, stored.head_hash)
