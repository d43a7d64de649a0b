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
    Told,
    VersionConflictError,
    Writing,
)


class MemoryStore:
    """Fulfils `MatchStore`. Appends take effect one turn of the event loop later."""

    def __init__(self) -> None:
        self.logs: dict[str, list[Entry]] = {}
        self.heads: dict[str, Match] = {}
        self.requests: dict[bytes, StoredRequest] = {}
        self.claims: dict[str, int] = {}
        """Turns that another node has claimed, by match."""
        self.hooks: dict[str, int] = {}
        """How far each webhook has got."""
        self.lost_hooks: set[str] = set()
        """Webhooks that another node has claimed."""
        self.reads = 0
        self.told: list[Told] = []

    def append(self, append: Append) -> Writing:
        writing = Writing()
        asyncio.get_running_loop().call_soon(self._append, append, writing)
        return writing

    def _append(self, append: Append, writing: Writing) -> None:
        first = append.entries[0]
        request = first.stamp.request
        if request and request.key in self.requests:
            writing.set_exception(RequestTakenError())
        elif len(self.logs.get(first.match_id, [])) != first.version - 1:
            writing.set_exception(VersionConflictError())
        else:
            self._write(append)
            writing.set_result(None)

    def _write(self, append: Append) -> None:
        match_id = append.entries[0].match_id
        self.logs.setdefault(match_id, []).extend(append.entries)
        self.heads[match_id] = append.after
        numbered = enumerate(append.news, start=len(self.told) + 1)
        self.told.extend(Told(number, news) for number, news in numbered)
        for entry in append.entries:
            if answered := entry.stamp.request:
                self.requests[answered.key] = StoredRequest(
                    match_id, entry.version, answered.content_hash
                )

    async def load(self, match_id: str, after: int = 0, limit: int | None = None) -> Log | None:
        await asyncio.sleep(0)
        self.reads += 1
        if match_id not in self.logs:
            return None
        head = self.heads[match_id]
        entries = self.logs[match_id][after:][:limit]
        return Log(entries, head.standing.version, head.head_hash)

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

    async def news(self, tenant: str, after: int, limit: int) -> Sequence[Told]:
        await asyncio.sleep(0)
        return [each for each in self.told[after:] if each.news.tenant == tenant][:limit]

    async def claim_hook(self, name: str) -> int | None:
        await asyncio.sleep(0)
        if name in self.lost_hooks:
            return None
        return self.hooks.setdefault(name, len(self.told))

    async def move_hook(self, name: str, number: int) -> bool:
        if name in self.lost_hooks:
            return False
        self.hooks[name] = number
        return True

    async def head_version(self, match_id: str, known: int) -> int:
        await asyncio.sleep(0)
        return len(self.logs.get(match_id, ())) or known

    async def automatic_matches(self) -> Sequence[str]:
        return [
            key
            for key, head in self.heads.items()
            if head.standing.is_automatic and self.claims.get(key) != head.standing.version
        ]

    async def claim_turn(self, match_id: str, version: int) -> bool:
        return self.claims.get(match_id) != version

    async def close(self) -> None:
        self.logs.clear()
