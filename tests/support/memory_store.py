"""A store in memory, held to the same contract as the real one."""

import asyncio
from collections.abc import Sequence

from tablestate_service.domain.entry import Entry
from tablestate_service.domain.match import Match, MatchPhase
from tablestate_service.ports import (
    Append,
    Listed,
    Log,
    RequestTakenError,
    StoredRequest,
    VersionConflictError,
)


class MemoryStore:
    """Fulfils `MatchStore`. Appends take effect one turn of the event loop later."""

    def __init__(self) -> None:
        self.logs: dict[str, list[Entry]] = {}
        self.heads: dict[str, Match] = {}
        self.requests: dict[bytes, StoredRequest] = {}
        self.reads = 0

    def append(self, append: Append) -> asyncio.Future[None]:
        return asyncio.ensure_future(self._append(append))

    async def _append(self, append: Append) -> None:
        await asyncio.sleep(0)
        first = append.entries[0]
        request = first.stamp.request
        if request and request.key in self.requests:
            raise RequestTakenError
        if len(self.logs.get(first.match_id, [])) != first.version - 1:
            raise VersionConflictError
        self.logs.setdefault(first.match_id, []).extend(append.entries)
        self.heads[first.match_id] = append.after
        for entry in append.entries:
            if answered := entry.stamp.request:
                self.requests[answered.key] = StoredRequest(
                    entry.match_id, entry.version, answered.content_hash
                )

    async def load(self, match_id: str) -> Log | None:
        await asyncio.sleep(0)
        self.reads += 1
        if match_id not in self.logs:
            return None
        head = self.heads[match_id]
        return Log(tuple(self.logs[match_id]), head.standing.version, head.head_hash)

    async def find_request(self, key: bytes) -> StoredRequest | None:
        await asyncio.sleep(0)
        return self.requests.get(key)

    async def list_matches(
        self, game: str | None, phases: Sequence[MatchPhase], before: int | None, limit: int
    ) -> Sequence[Listed]:
        numbered = [
            Listed(number, head.terms, head.standing)
            for number, head in enumerate(self.heads.values(), start=1)
        ]
        wanted = [
            each
            for each in reversed(numbered)
            if each.standing.phase in phases
            and game in (None, each.terms.game)
            and (before is None or each.number < before)
        ]
        return wanted[:limit]

    async def automatic_matches(self) -> Sequence[str]:
        return [key for key, head in self.heads.items() if head.standing.is_automatic]

    async def close(self) -> None:
        self.logs.clear()
