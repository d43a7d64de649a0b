"""The loop of the simulation is an event loop, and its lines are nodes."""

import asyncio
import random
from collections.abc import Coroutine
from typing import Any

import pytest

from simulation.loop import Line, simulated_loop


class Faults:
    """Notes what is wrong."""

    def __init__(self) -> None:
        self.violations: list[str] = []

    def violate(self, text: str) -> None:
        self.violations.append(text)


def run(main: Coroutine[Any, Any, None], seed: int = 0, seconds: float = 100.0) -> list[str]:
    """Run a task; what was wrong."""
    faults = Faults()
    simulated_loop(random.Random(seed)).run(main, seconds, faults)
    return faults.violations


async def write(written: list[str], name: str, count: int) -> None:
    for number in range(count):
        written.append(f"{name}{number}")
        await asyncio.sleep(0)


def written_by_lines(seed: int) -> list[str]:
    written: list[str] = []

    async def main() -> None:
        loop = asyncio.get_running_loop()
        tasks = []
        for line in [Line(name) for name in "ab"]:
            for name in (line.name, line.name.upper()):
                writing = write(written, name, 8)
                tasks.append(loop.create_task(writing, context=line.context))
        await asyncio.gather(*tasks)

    assert not run(main(), seed)
    return written


@pytest.mark.parametrize("seed", range(5))
def test_a_line_keeps_its_order_whatever_the_seed(seed: int) -> None:
    written = written_by_lines(seed)
    for name in "ab":
        of_line = [each for each in written if each[0].lower() == name]
        assert of_line == [f"{each}{n}" for n in range(8) for each in (name, name.upper())]


def test_the_seed_decides_how_lines_alternate() -> None:
    assert written_by_lines(1) == written_by_lines(1)
    assert len({tuple(written_by_lines(seed)) for seed in range(10)}) > 5


def test_waiting_takes_no_time_and_keeps_its_order() -> None:
    woken: list[tuple[int, float]] = []

    async def main() -> None:
        async def wake(after: int) -> None:
            await asyncio.sleep(after)
            woken.append((after, asyncio.get_running_loop().time()))

        await asyncio.gather(*(wake(after) for after in (30, 10, 20)))

    assert not run(main())
    assert woken == [(10, 10.0), (20, 20.0), (30, 30.0)]


def test_what_is_cut_never_goes_on() -> None:
    written: list[str] = []

    async def main() -> None:
        line = Line("node")
        lock = asyncio.Lock()

        async def hold() -> None:
            async with lock:
                written.append("held")
                await asyncio.sleep(1)
                written.append("went on")

        asyncio.get_running_loop().create_task(hold(), context=line.context)
        await asyncio.sleep(0.5)
        line.cut()
        await asyncio.sleep(5)
        assert lock.locked()

    assert not run(main())
    assert written == ["held"]


def test_what_never_ends_and_what_nobody_catches_is_told() -> None:
    async def wait() -> None:
        await asyncio.sleep(200)

    async def fail() -> None:
        raise ValueError("wrong")

    assert run(wait()) == ["it never becomes quiet"]
    assert run(fail()) == ["a client fails: ValueError('wrong')"]
