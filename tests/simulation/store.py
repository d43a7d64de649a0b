"""The store in memory behind connections that fail, and the notifications between nodes."""

import asyncio
from collections.abc import Callable
from contextlib import suppress

from simulation.loop import Line
from simulation.weather import Weather
from support.memory_store import MemoryDatabase, MemoryStore
from tablestate_service.adapters.local_feed import LocalFeed
from tablestate_service.domain.entry import Entry, MatchChange
from tablestate_service.domain.errors import DomainError, storage_unavailable
from tablestate_service.ports import (
    CLAIM_SECONDS,
    Append,
    RequestTakenError,
    VersionConflictError,
    Writing,
)

POLL_SECONDS = 1.0


class SimulatedStore(MemoryStore):
    """A node's connection to the database.

    What was sent goes on in the database's line: the node may die meanwhile.
    """

    def __init__(
        self,
        database: MemoryDatabase,
        node: str,
        weather: Weather,
        line: Line,
        crash: Callable[[], None] = lambda: None,
        violate: Callable[[str], None] = lambda text: None,
    ) -> None:
        """Write in the line of the database; `crash` kills the node, `violate` notes a fault."""
        super().__init__(database, node)
        self._weather = weather
        self._line = line
        self._crash = crash
        self._violate = violate
        self._carrying: list[asyncio.Task[None]] = []
        self._unclaimed: dict[str, float] = {}
        """When a claim was last lost on the way, by match: a turn may then expire."""

    def append(self, append: Append) -> Writing:
        self._require_claim(append.entries[0])
        writing = Writing()
        loop = asyncio.get_running_loop()
        carrying = self._carry(append, writing)
        self._carrying.append(loop.create_task(carrying, context=self._line.context))
        return writing

    async def claim_turn(self, match_id: str, version: int) -> bool:
        try:
            return await super().claim_turn(match_id, version)
        except DomainError:
            self._unclaimed[match_id] = asyncio.get_running_loop().time()
            raise

    async def _carry(self, append: Append, writing: Writing) -> None:
        weather = self._weather
        await weather.way()
        if weather.happens("crash before commit"):
            self._crash()
        elif weather.happens("write lost"):
            writing.set_exception(storage_unavailable())
        elif weather.happens("write late"):
            # The caller has given up what the database is still about to do.
            writing.set_exception(storage_unavailable())
            await weather.pause(0.1, 3.0)
            self._commit(append)
        else:
            outcome = self._commit(append)
            if weather.happens("crash after commit"):
                self._crash()
                return
            await weather.way()
            _settle(writing, storage_unavailable() if weather.happens("write unknown") else outcome)

    def _commit(self, append: Append) -> Exception | None:
        try:
            self.database.write(append)
        except (RequestTakenError, VersionConflictError) as refused:
            return refused
        return None

    async def _way(self) -> None:
        await self._weather.way()
        if self._weather.happens("read lost"):
            raise storage_unavailable()

    def _require_claim(self, entry: Entry) -> None:
        """What a bot does is written by the node that has claimed its turn."""
        if entry.draft.change is not MatchChange.ACTION or entry.stamp.request:
            return
        turn, version = self.database.turns.get(entry.match_id), entry.version - 1
        now = asyncio.get_running_loop().time()
        lost = self._unclaimed.get(entry.match_id, -CLAIM_SECONDS)
        if (turn and turn.version > version) or now - lost < CLAIM_SECONDS:
            return
        if not turn or (turn.version, turn.node) != (version, self.node) or turn.until < now:
            self._violate(f"{self.node} plays version {version} and has not claimed it")


def _settle(writing: Writing, outcome: Exception | None) -> None:
    if outcome is None:
        writing.set_result(None)
    else:
        writing.set_exception(outcome)


class News:
    """Carries notifications from node to node, or does not."""

    def __init__(self, weather: Weather) -> None:
        self._weather = weather
        self.feeds: list[SimulatedFeed] = []

    def tell(self, teller: "SimulatedFeed", match_id: str, version: int) -> None:
        """Tell all others, some once, some twice, some late, some never."""
        for feed in self.feeds:
            if feed is teller or self._weather.happens("news lost"):
                continue
            for _ in range(2 if self._weather.happens("news doubled") else 1):
                most = 3.0 if self._weather.happens("news late") else 0.02
                delay = self._weather.chooser.uniform(0.0, most)
                loop = asyncio.get_running_loop()
                loop.call_later(delay, feed.hear, match_id, version, context=feed.line.context)


class SimulatedFeed(LocalFeed):
    """The feed of a node: news of others come as notifications, and by a poll."""

    def __init__(self, news: News, store: MemoryStore, line: Line) -> None:
        """Hear others in the line of the node."""
        super().__init__(max_watches=100)
        self._news = news
        self._store = store
        self.line = line

    def publish(self, match_id: str, version: int) -> None:
        super().publish(match_id, version)
        self._news.tell(self, match_id, version)

    def hear(self, match_id: str, version: int) -> None:
        """Another node tells that a match has reached a version."""
        super().publish(match_id, version)

    async def keep_polling(self) -> None:
        """Ask the database again and again how far the watched matches are."""
        while True:
            await asyncio.sleep(POLL_SECONDS)
            for match_id in self.watched():
                with suppress(DomainError):
                    self.hear(match_id, await self._store.head_version(match_id, 0))
