"""Long work of the engine: playouts and counts, which the caller can stop."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from tablestate_service.domain.errors import invalid_field, limit_reached
from tablestate_service.ports import (
    Beginning,
    Division,
    PlayoutSettings,
    PlayoutTally,
    Simulator,
    Stop,
    Workers,
)

T = TypeVar("T")


class Counting:
    """Does long work on a bounded pool, at most so much of it at a time."""

    def __init__(self, engine: Simulator, workers: Workers, *, most: int, seconds: float) -> None:
        """Let at most `most` callers wait at a time, each at most `seconds`."""
        self._engine = engine
        self._workers = workers
        self._most = most
        self._seconds = seconds
        self._running = 0

    async def playouts(self, beginning: Beginning, settings: PlayoutSettings) -> PlayoutTally:
        """Play games to their ends.

        Refuses INVALID_OPTIONS, INVALID_FIELD, and LIMIT_REACHED when too much is going on or
        it takes too long.
        """
        bots = self._engine.players(beginning)
        if settings.player not in bots:
            raise invalid_field("player", settings.player, f"one of {', '.join(bots)}")
        return await self._run(lambda stop: self._engine.playouts(beginning, settings, stop))

    async def perft(self, beginning: Beginning, depth: int) -> int:
        """Count sequences of decisions; refuses as `playouts`."""
        self._engine.players(beginning)
        return await self._run(lambda stop: self._engine.perft(beginning, depth, stop))

    async def divide(self, beginning: Beginning, depth: int) -> list[Division]:
        """Count them for each first action; refuses as `playouts`."""
        self._engine.players(beginning)
        return await self._run(lambda stop: self._engine.divide(beginning, depth, stop))

    async def _run(self, work: Callable[[Stop], T | None]) -> T:
        """Do it on the pool; whoever goes away, or waits too long, stops it."""
        if self._running >= self._most:
            raise limit_reached("engine_calls", self._most)
        stop = self._engine.stop()
        self._running += 1
        try:
            async with asyncio.timeout(self._seconds):
                done = await self._workers.run(lambda: work(stop))
        except TimeoutError:
            raise limit_reached("engine_seconds", round(self._seconds)) from None
        finally:
            stop.set()
            self._running -= 1
        assert done is not None, "nobody else stops it"
        return done
