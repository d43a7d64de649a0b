"""The feed between nodes: PostgreSQL's notifications, and a poll for those that are lost.

Whoever commits tells the others afterwards which matches have reached which versions; what
happened there they read for themselves.
"""

import asyncio
import logging
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

import asyncpg

from tablestate_service.adapters.local_feed import LocalFeed
from tablestate_service.adapters.postgres_database import LOST, Database, connect

log = logging.getLogger(__name__)

CHANNEL = "tablestate"
POLL_SECONDS = 1.0
_COALESCE_SECONDS = 0.008
"""How long news wait for company: every notification is a transaction."""
_MAX_PAYLOAD = 7900
"""PostgreSQL takes less than 8000 bytes."""
_MAX_POLLED = 5000
"""How many matches one query of the poll asks about."""


class PostgresFeed(LocalFeed):
    """Fulfils `MatchFeed` for all nodes on a database."""

    def __init__(self, database: Database, listen_url: str, max_watches: int) -> None:
        """Listen on a connection of its own, to a URL that leads through no pooler."""
        super().__init__(max_watches)
        self._database = database
        self._listen_url = listen_url
        self._untold: dict[str, int] = {}
        self._telling: asyncio.Task[None] | None = None
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begin to listen and to poll."""
        keep = (self._keep_listening(), self._keep_polling())
        self._tasks = [asyncio.ensure_future(each) for each in keep]

    async def stop(self) -> None:
        """Listen and poll no more, and tell nothing more."""
        tasks = [*self._tasks, *([self._telling] if self._telling else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def publish(self, match_id: str, version: int) -> None:
        """Wake all who watch a match, here at once, on other nodes some milliseconds later."""
        super().publish(match_id, version)
        self._untold[match_id] = version
        if self._telling is None:
            self._telling = asyncio.ensure_future(self._tell())

    async def _tell(self) -> None:
        while self._untold:
            await asyncio.sleep(_COALESCE_SECONDS)
            untold, self._untold = self._untold, {}
            with suppress(*LOST, asyncpg.PostgresError):  # The poll finds what gets lost.
                for payload in payloads(untold):
                    await self._database.send(f"NOTIFY {CHANNEL}, '{payload}'")
        self._telling = None

    def _heard(self, _connection: Any, _pid: int, _channel: str, payload: str) -> None:
        for told in payload.split():
            match_id, _, version = told.partition(":")
            super().publish(match_id, int(version))

    async def _keep_listening(self) -> None:
        while True:
            try:
                await self._listen()
            except (*LOST, asyncpg.PostgresError) as error:
                log.warning("not listening to other nodes", extra={"error": type(error).__name__})
            await asyncio.sleep(POLL_SECONDS)

    async def _listen(self) -> None:
        """Listen until the connection is lost; raises what shows it."""
        connection = await connect(self._listen_url)
        try:
            await connection.add_listener(CHANNEL, self._heard)
            while True:
                await asyncio.sleep(POLL_SECONDS)
                # A connection that is lost silently hears nothing and shows nothing.
                await connection.execute("SELECT 1")
        finally:
            connection.terminate()

    async def _keep_polling(self) -> None:
        while True:
            await asyncio.sleep(POLL_SECONDS)
            with suppress(*LOST, asyncpg.PostgresError):
                await self._poll()

    async def _poll(self) -> None:
        watched = self.watched()
        for start in range(0, len(watched), _MAX_POLLED):
            found = await self._database.head_versions(watched[start : start + _MAX_POLLED])
            for match_id, version in found.items():
                super().publish(match_id, version)


def payloads(news: Mapping[str, int]) -> Iterator[str]:
    """The texts of as few notifications as hold all news."""
    texts: list[str] = []
    size = 0
    for match_id, version in news.items():
        text = f"{match_id}:{version}"
        if size + len(text) >= _MAX_PAYLOAD:
            yield " ".join(texts)
            texts, size = [], 0
        texts.append(text)
        size += len(text) + 1
    yield " ".join(texts)
