"""A stream of requests that are answered in order, large ones two at a time."""

import asyncio
import time
from collections import deque
from itertools import islice
from typing import Any

from tablestate.v1 import engine_service_pb2 as pb
from tablestate_service.ports import Workers
from tablestate_service.rpc.simulation import Simulation
from tablestate_service.rpc.wrapper import Reader, Send

_IN_FLIGHT = 2
_SMALL = 64
"""Slots of a batch that is stepped at once, without asking how long it took before."""
_QUICK_SECONDS = 0.002
"""A batch that takes no longer is stepped on the event loop, where other calls wait for it: handing
a batch of a thousand games to a thread and back costs about as much as stepping it.
"""


class Dialogue:
    """Answers the requests of one stream."""

    def __init__(
        self,
        simulation: Simulation,
        workers: Workers,
        reader: Reader[pb.SimulateRequest],
        send: Send,
    ) -> None:
        """Answer `reader`'s requests by `send`."""
        self._simulation = simulation
        self._workers = workers
        self._reader = reader
        self._send = send
        self._pending: deque[tuple[set[int], asyncio.Future[bytes]]] = deque()
        self._seconds: dict[int, float] = {}

    async def run(self) -> None:
        """Answer until the caller sends no more."""
        reading: asyncio.Future[pb.SimulateRequest | None] | None = None
        try:
            while True:
                if not self._pending and reading is None:
                    request = await self._unlike_before()
                else:
                    reading = reading or asyncio.ensure_future(self._reader())
                    if not await self._is_next(reading):
                        continue
                    request, reading = reading.result(), None
                if request is None:
                    break
                await self._take(request)
            await self._answer_all()
        finally:
            if reading is not None:
                reading.cancel()
            await self._finish()

    async def _unlike_before(self) -> pb.SimulateRequest | None:
        """Step on while requests differ in their actions alone; the next one that differs more.

        Quick batches are stepped here again and again: what a request says is looked at once.
        """
        while (data := await self._reader.data()) is not None:
            begun = time.thread_time()
            answer = self._simulation.answer_alike(data)
            if answer is None:
                return await self._reader.request(data)
            if time.thread_time() - begun >= _QUICK_SECONDS:
                self._simulation.forget_steps()
            await self._send(answer)
        return None

    async def _is_next(self, reading: "asyncio.Future[pb.SimulateRequest | None]") -> bool:
        """Wait for a request or an answer; answer, or say that a request may be taken."""
        if len(self._pending) < _IN_FLIGHT:
            waiting: list[asyncio.Future[Any]] = [reading]
            waiting += [work for _, work in islice(self._pending, 1)]
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        if self._pending and (len(self._pending) == _IN_FLIGHT or self._pending[0][1].done()):
            await self._answer_one()
            return False
        return True

    async def _take(self, request: pb.SimulateRequest) -> None:
        """Answer at once what is quick, and begin what is not."""
        touched = _touched(request)
        if any(touched & others for others, _ in self._pending):
            await self._answer_all()
        if self._is_quick(request):
            # First, so that a fault is told after the answers to what came before it.
            if self._pending:
                await self._answer_all()
            await self._send(self._timed(request))
            if request.step.actions and self._is_quick(request):
                self._simulation.remember(request)
            return
        work = asyncio.ensure_future(self._workers.run(lambda: self._timed(request)))
        self._pending.append((touched, work))

    def _is_quick(self, request: pb.SimulateRequest) -> bool:
        if self._simulation.may_be_slow(request):
            return False
        seconds = self._seconds.get(request.batch)
        if seconds is None or request.WhichOneof("operation") != "step":
            return self._simulation.slots(request) <= _SMALL
        return seconds < _QUICK_SECONDS

    def _timed(self, request: pb.SimulateRequest) -> bytes:
        # Of the thread alone: waiting for others does not make a batch a large one.
        begun = time.thread_time()
        answer = self._simulation.answer(request)
        if request.step.actions:
            self._seconds[request.batch] = time.thread_time() - begun
        elif request.WhichOneof("operation") == "close":
            self._seconds.pop(request.batch, None)
        return answer

    async def _answer_one(self) -> None:
        _, work = self._pending[0]
        # Whoever is cancelled here must not take the work for done: `_finish` waits for it.
        await asyncio.wait([work])
        self._pending.popleft()
        await self._send(work.result())

    async def _answer_all(self) -> None:
        while self._pending:
            await self._answer_one()

    async def _finish(self) -> None:
        """The batches may be forgotten only when no thread works on them any more."""
        self._simulation.stop()
        if self._pending:
            await asyncio.wait([work for _, work in self._pending])


def _touched(request: pb.SimulateRequest) -> set[int]:
    """The batches that a request reads or changes."""
    is_copy = request.WhichOneof("operation") == "copy"
    return {request.batch, request.copy.source} if is_copy else {request.batch}
