"""Long work of the engine: playouts, counts and searches, which the caller can stop."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TypeVar

from tablestate_service.domain.errors import invalid_field, limit_reached
from tablestate_service.ports import Pool
from tablestate_service.ports.simulator import (
    Beginning,
    Division,
    PlayoutSettings,
    PlayoutTally,
    SearchReport,
    SearchSettings,
    Simulator,
    Stop,
)

T = TypeVar("T")


class Counting:
    """Does long work on a bounded pool, at most so much of it at a time."""

    def __init__(self, engine: Simulator, workers: Pool, *, most: int, seconds: float) -> None:
        """Let at most `most` callers wait at a time, each at most `seconds`.

        Work that wants several threads waits until so many of the workers' are free.
        """
        self._engine = engine
        self._workers = workers
        self._threads = workers.threads
        self._most = most
        self._seconds = seconds
        self._running = 0
        self._free = asyncio.Semaphore(workers.threads)
        self._turn = asyncio.Lock()

    @property
    def running(self) -> int:
        """How many callers wait for their work."""
        return self._running

    async def playouts(self, beginning: Beginning, settings: PlayoutSettings) -> PlayoutTally:
        """Play games to their ends, on as many threads as are wanted, if there are.

        Refuses INVALID_OPTIONS, INVALID_FIELD, and LIMIT_REACHED when too much is going on or
        it takes too long.
        """
        bots = self._engine.players(beginning)
        if settings.player not in bots:
            raise invalid_field("player", settings.player, f"one of {', '.join(bots)}")
        shared = replace(settings, threads=min(settings.threads, self._threads))
        return await self._run(
            lambda stop: self._engine.playouts(beginning, shared, stop), shared.threads
        )

    async def perft(self, beginning: Beginning, depth: int) -> int:
        """Count sequences of decisions; refuses as `playouts`."""
        self._engine.players(beginning)
        return await self._run(lambda stop: self._engine.perft(beginning, depth, stop))

    async def divide(self, beginning: Beginning, depth: int) -> list[Division]:
        """Count them for each first action; refuses as `playouts`."""
        self._engine.players(beginning)
        return await self._run(lambda stop: self._engine.divide(beginning, depth, stop))

    async def search(
        self, settings: SearchSettings, tell: Callable[[bytes], Awaitable[None]]
    ) -> bytes:
        """Search from what a seat sees, and give the answer; refuses as `playouts`.

        `tell` is awaited with what has been found so far: with the newest, if it takes longer
        than the next takes to come.
        """
        shared = replace(settings, threads=min(settings.threads, self._threads))
        loop, news = asyncio.get_running_loop(), _Newest()

        def progress(report: SearchReport) -> None:
            loop.call_soon_threadsafe(news.put, report.dump(done=False))

        searching = asyncio.ensure_future(
            self._run(lambda stop: self._engine.search(shared, stop, progress), shared.threads)
        )
        searching.add_done_callback(lambda _: news.put(None))
        try:
            while (report := await news.get()) is not None:
                await tell(report)
            return (await searching).dump(done=True)
        finally:
            searching.cancel()

    async def _run(self, work: Callable[[Stop], T | None], threads: int = 1) -> T:
        """Do it on the pool; whoever goes away, or waits too long, stops it."""
        if self._running >= self._most:
            raise limit_reached("engine_calls", self._most)
        stop = self._engine.stop()
        self._running += 1
        try:
            async with asyncio.timeout(self._seconds), self._lent(threads):
                done = await self._workers.run(lambda: work(stop))
        except TimeoutError:
            raise limit_reached("engine_seconds", round(self._seconds)) from None
        finally:
            stop.set()
            self._running -= 1
        assert done is not None, "nobody else stops it"
        return done

    @asynccontextmanager
    async def _lent(self, threads: int) -> AsyncGenerator[None, None]:
        """So many threads, lent in the order in which they are asked for."""
        lent = 0
        try:
            async with self._turn:
                while lent < threads:
                    await self._free.acquire()
                    lent += 1
            yield
        finally:
            for _ in range(lent):
                self._free.release()


class _Newest:
    """What was put last; None, which ends it, stays."""

    def __init__(self) -> None:
        """Nothing yet."""
        self._values: list[bytes | None] = []
        self._is_there = asyncio.Event()

    def put(self, value: bytes | None) -> None:
        """Put it in the place of what was not got."""
        self._values = [value]
        self._is_there.set()

    async def get(self) -> bytes | None:
        """Wait for something, and take it."""
        await self._is_there.wait()
        self._is_there.clear()
        return self._values.pop()
