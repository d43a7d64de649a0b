"""Steps batches of Offboard over a stream and tells how many games it stepped a second.

`python -m bench.stream_client ADDRESS PATH SIZE PARTS BATCHES SECONDS`: PARTS is a list with
commas; of BATCHES (1 or 2) each has a step in flight. With `sdk` for PATH the SDK's own batches
are stepped. Else prepared requests are sent and the answers are not looked at, so that the client
costs what gRPC costs and the service and the echo are asked alike.
"""

import asyncio
import itertools
import json
import sys
import time
from collections.abc import Sequence
from typing import Any, Protocol

import grpc
import uvloop

from bench.batch_requests import SEED, Shape, draws, opening, steps
from tablestate import AsyncClient
from tablestate._aio.batches import AsyncBatch

_WARM_UP = 0.2
"""The share of the time that is not counted."""


class Stepped(Protocol):
    """A batch that is stepped in two halves, as the SDK's is."""

    async def begin(self) -> None:
        """Send a step."""

    async def finish(self) -> None:
        """Wait for its answer."""


class Prepared:
    """A batch that is stepped by bytes."""

    def __init__(self, call: Any, shape: Shape, number: int) -> None:
        """A batch on a stream; `open` makes it."""
        self._call = call
        self._opening = opening(shape, number)
        self._steps = itertools.cycle(steps(shape, number))

    async def open(self) -> None:
        """Make it."""
        await self._call.write(self._opening)
        await self.finish()

    async def begin(self) -> None:
        """Send a step."""
        await self._call.write(next(self._steps))

    async def finish(self) -> None:
        """Wait for the answer."""
        if await self._call.read() is grpc.aio.EOF:
            raise ConnectionError(f"the stream has ended: {await self._call.details()}")


class OfSdk:
    """A batch of the SDK."""

    def __init__(self, batch: AsyncBatch) -> None:
        """Step this one."""
        self._batch = batch
        self._draws = itertools.cycle(draws(batch.size))

    async def begin(self) -> None:
        """Send a step."""
        await self._batch.begin(next(self._draws), "draw")

    async def finish(self) -> None:
        """Wait for the answer."""
        await self._batch.finish()


async def measure(batches: Sequence[Stepped], size: int, seconds: float) -> dict[str, float]:
    """Step each as soon as it has been answered."""
    calls, counted, begun = 0, 0, time.perf_counter()
    start, end = begun + seconds * _WARM_UP, begun + seconds
    for batch in batches:
        await batch.begin()
    while (now := time.perf_counter()) < end:
        for batch in batches:
            await batch.finish()
            await batch.begin()
        calls += len(batches)
        if now < start:
            counted, begun = calls, time.perf_counter()
    taken = time.perf_counter() - begun
    for batch in batches:
        await batch.finish()
    return {"per_second": (calls - counted) * size / taken, "calls": calls + len(batches)}


async def by_bytes(
    address: str, path: str, shape: Shape, count: int, seconds: float
) -> dict[str, float]:
    """Send prepared requests."""
    async with grpc.aio.insecure_channel(address) as channel:
        call: Any = channel.stream_stream(path)()
        batches = [Prepared(call, shape, number) for number in range(1, count + 1)]
        for batch in batches:
            await batch.open()
        found = await measure(batches, shape.size, seconds)
        call.cancel()
    return found


async def by_sdk(address: str, shape: Shape, count: int, seconds: float) -> dict[str, float]:
    """Step batches of the SDK."""
    size, parts = shape
    async with AsyncClient(address) as client, client.simulation() as simulation:
        batches = [
            OfSdk(await simulation.batch("offboard", size, seed=SEED, auto_reset=True, parts=parts))
            for _ in range(count)
        ]
        return await measure(batches, size, seconds)


async def main(address: str, path: str, size: str, parts: str, count: str, seconds: str) -> None:
    """Measure and print."""
    shape = Shape(int(size), tuple(parts.split(",")))
    if path == "sdk":
        found = await by_sdk(address, shape, int(count), float(seconds))
    else:
        found = await by_bytes(address, path, shape, int(count), float(seconds))
    print(json.dumps(found))


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main(*sys.argv[1:]))
