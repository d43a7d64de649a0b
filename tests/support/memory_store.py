"""A store in memory, held to the same contract as the real ones."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tablestate_service.domain.entry import WHOLE_MILLISECOND, Entry, MatchChange
from tablestate_service.domain.match import Match
from tablestate_service.domain.persons import forgotten
from tablestate_service.domain.seats import players_on
from tablestate_service.domain.standing import MatchPhase
from tablestate_service.ports import (
    CLAIM_SECONDS,
    EVERYBODYS,
    Append,
    Ended,
    Listed,
    Log,
    RequestTakenError,
    Scope,
    StoredRequest,
    Told,
    VersionConflictError,
    Writing,
)


@dataclass(frozen=True)
class Turn:
    """A turn that a node has claimed, until a time of the event loop."""

    version: int
    node: str
    until: float


class MemoryDatabase:
    """What the stores of all nodes share."""

    def __init__(self) -> None:
        self.logs: dict[str, list[Entry]] = {}
        self.heads: dict[str, Match] = {}
        self.numbers: dict[str, int] = {}
        self.requests: dict[bytes, StoredRequest] = {}
        self.turns: dict[str, Turn] = {}
        self.told: list[Told] = []
        self.last_number = 0
        self.passed = 0
        """Nanoseconds that a test lets pass at once."""
        self.hooks: dict[str, int] = {}
        """How far each webhook has got."""

    def write(self, append: Append) -> None:
        """Write all entries or none; raises RequestTakenError, VersionConflictError."""
        first = append.entries[0]
        self.require_new(first)
        self.require_next(first)
        self.logs.setdefault(first.match_id, []).extend(append.entries)
        self.heads[first.match_id] = append.after
        self.numbers.setdefault(first.match_id, len(self.numbers) + 1)
        numbered = enumerate(append.news, start=self.last_number + 1)
        self.told.extend(Told(number, news) for number, news in numbered)
        self.last_number += len(append.news)
        for entry in append.entries:
            if answered := entry.stamp.request:
                self.requests[answered.key] = StoredRequest(
                    entry.match_id, entry.version, answered.content_hash
                )

    def require_new(self, first: Entry) -> None:
        """Refuse what was written before; raises RequestTakenError."""
        if first.stamp.request and first.stamp.request.key in self.requests:
            raise RequestTakenError

    def require_next(self, first: Entry) -> None:
        """Refuse what does not come next in its log; raises VersionConflictError."""
        if len(self.logs.get(first.match_id, ())) != first.version - 1:
            raise VersionConflictError

    def claim(self, match_id: str, version: int, node: str) -> bool:
        """Claim a turn, unless another node has claimed it or any node a later one."""
        now, turn = asyncio.get_running_loop().time(), self.turns.get(match_id)
        is_ours = turn and (turn.version, turn.node) == (version, node)
        if turn and turn.until >= now and turn.version >= version and not is_ours:
            return False
        self.turns[match_id] = Turn(version, node, now + CLAIM_SECONDS)
        return True

    def is_claimed(self, match_id: str, version: int) -> bool:
        """Whether any node has claimed a turn."""
        turn = self.turns.get(match_id)
        now = asyncio.get_running_loop().time()
        return turn is not None and turn.version == version and turn.until > now


class MemoryStore:
    """Fulfils `MatchStore`. Appends take effect one turn of the event loop later."""

    def __init__(self, database: MemoryDatabase | None = None, node: str = "") -> None:
        self.database = database or MemoryDatabase()
        self.logs, self.heads = self.database.logs, self.database.heads
        self.requests = self.database.requests
        self.told, self.hooks = self.database.told, self.database.hooks
        self.lost_hooks: set[str] = set()
        """Webhooks that another node has claimed."""
        self.node = node
        self.reads = 0

    def append(self, append: Append) -> Writing:
        writing = Writing()
        asyncio.get_running_loop().call_soon(self._append, append, writing)
        return writing

    def _append(self, append: Append, writing: Writing) -> None:
        try:
            self.database.write(append)
        except (RequestTakenError, VersionConflictError) as refused:
            writing.set_exception(refused)
        else:
            writing.set_result(None)

    async def load(self, match_id: str, after: int = 0, limit: int | None = None) -> Log | None:
        await self._way()
        self.reads += 1
        if match_id not in self.logs:
            return None
        head = self.heads[match_id]
        entries = self.logs[match_id][after:][:limit]
        return Log(entries, head.standing.version, head.head_hash)

    async def find_request(self, key: bytes) -> StoredRequest | None:
        await self._way()
        return self.requests.get(key)

    async def tenant_of(self, match_id: str) -> str | None:
        await self._way()
        head = self.heads.get(match_id)
        return head.terms.tenant if head else None

    async def number_of(self, match_id: str, tenant: str | None) -> int | None:
        await self._way()
        head = self.heads.get(match_id)
        if head is None or tenant not in (None, head.terms.tenant):
            return None
        return list(self.heads).index(match_id) + 1

    async def list_matches(
        self,
        game: str | None,
        phases: Sequence[MatchPhase],
        before: int | None,
        limit: int,
        scope: Scope = EVERYBODYS,
    ) -> Sequence[Listed]:
        await self._way()
        numbered = [
            Listed(number, head.terms, head.standing)
            for number, head in enumerate(self.heads.values(), start=1)
            if (scope.are_all_shown or scope.player_id or head.is_listed)
            and scope.tenant in (None, head.terms.tenant)
            and (not scope.player_id or scope.player_id in players_on(head.standing.seats))
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
        await self._way()
        later = (each for each in self.told if each.number > after)
        return [each for each in later if each.news.tenant == tenant][:limit]

    async def last_news(self) -> int:
        await self._way()
        return self.database.last_number

    async def claim_hook(self, name: str) -> int | None:
        await self._way()
        if name in self.lost_hooks:
            return None
        return self.hooks.setdefault(name, self.told[-1].number if self.told else 0)

    async def move_hook(self, name: str, number: int) -> bool:
        await self._way()
        if name in self.lost_hooks:
            return False
        self.hooks[name] = number
        return True

    async def head_version(self, match_id: str, known: int) -> int:
        await self._way()
        return len(self.logs.get(match_id, ()))

    async def automatic_matches(self) -> Sequence[str]:
        await self._way()
        return [
            key
            for key, head in self.heads.items()
            if head.standing.is_automatic
            and not self.database.is_claimed(key, head.standing.version)
        ]

    async def claim_turn(self, match_id: str, version: int) -> bool:
        await self._way()
        return self.database.claim(match_id, version, self.node)

    async def ended(self, before: int, after: int, limit: int) -> Sequence[Ended]:
        await self._way()
        found = [
            Ended(number, key)
            for key, number in self.database.numbers.items()
            if number > after and (head := self.heads.get(key)) and _is_past(head, before)
        ]
        return found[:limit]

    async def remove(self, match_ids: Sequence[str], before: int) -> Sequence[str]:
        await self._way()
        removed = [key for key in match_ids if key in self.heads]
        removed = [key for key in removed if _is_past(self.heads[key], before)]
        for key in removed:
            del self.heads[key], self.logs[key]
        for taken in [key for key, each in self.requests.items() if each.match_id in removed]:
            del self.requests[taken]
        return removed

    async def remove_news(self, before: int, limit: int) -> int:
        await self._way()
        old = [each for each in self.told[:limit] if each.news.time < before]
        self.told[:] = [each for each in self.told if each not in old]
        return len(old)

    async def joined_matches(self, text: str) -> Sequence[str]:
        await self._way()
        return [key for key, log in self.logs.items() if any(_mentions(e, text) for e in log)]

    async def forget(self, match: Match, versions: Sequence[int]) -> None:
        await self._way()
        log = self.logs[match.terms.match_id]
        log[:] = [forgotten(each) if each.version in versions else each for each in log]
        self.heads[match.terms.match_id] = match

    async def forget_in_news(self, tenant: str, player_id: str, but_for: Sequence[str]) -> None:
        await self._way()
        for place, told in enumerate(self.told):
            news = told.news
            is_theirs = (news.tenant, news.player_id) == (tenant, player_id)
            if is_theirs and news.match_id not in but_for:
                self.told[place] = Told(told.number, replace(news, player_id=""))

    async def check(self) -> None:
        await self._way()

    async def time(self) -> int:
        await self._way()
        milliseconds = int(asyncio.get_running_loop().time() * 1e3)
        return self.database.passed + milliseconds * WHOLE_MILLISECOND

    async def deadlines(self, limit: int) -> Sequence[tuple[str, int]]:
        await self._way()
        found = [(key, head.standing.deadline) for key, head in self.heads.items()]
        due = [(deadline, key) for key, deadline in found if deadline is not None]
        return [(key, deadline) for deadline, key in sorted(due)[:limit]]

    async def close(self) -> None:
        self.logs.clear()

    async def _way(self) -> None:
        """Go to the database."""
        await asyncio.sleep(0)


def _is_past(head: Match, before: int) -> bool:
    return head.standing.has_ended and head.standing.time < before


def _mentions(entry: Entry, text: str) -> bool:
    draft = entry.draft
    return draft.change is MatchChange.JOINED and text in (draft.personal or draft.payload)
