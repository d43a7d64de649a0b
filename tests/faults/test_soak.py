"""Mixed load for a long time, with faults all along: nothing is lost and nothing grows."""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from signal import SIGCONT, SIGSTOP
from typing import Any

import pytest

from support.cut_proxy import CutProxy
from support.faults_nodes import restart
from support.faults_process import ServiceProcess, running, start
from support.faults_report import by_form
from support.soak import PATIENT, Load, drift, weigh
from tablestate import AsyncClient
from tools.ports import free_port
from tools.postgres import FAST, IMMEDIATE, KILL, Postgres

SECONDS = by_form(40, 600)
FAULT_SECONDS = by_form(5, 15)
PLAYERS = 12
MOST_DRIFT = by_form(20, 2) / 100
"""A short run ends before all is warm."""
FILLERS = by_form(50, 1500)
LIMITS: dict[str, Any] = {"engine": "core", "loaded_matches": 200, "log_level": "error"}

Fault = Callable[[], Awaitable[str]]


async def soak(
    load: Load, weighed: ServiceProcess, faults: list[Fault], tally: Counter[str]
) -> None:
    """Bear the load; memory is looked at in the second half, when all caches are full."""
    chooser, samples = random.Random(SECONDS), list[int]()
    await load.fill_caches(FILLERS)
    load.begin(PLAYERS)
    weighing = None
    for number in range(SECONDS // FAULT_SECONDS):
        if number == SECONDS // FAULT_SECONDS // 2:
            weighing = asyncio.ensure_future(weigh(weighed, 1, samples))
        await asyncio.sleep(FAULT_SECONDS)
        load.require_alive()
        tally[await chooser.choice(faults)()] += 1
    assert weighing is not None
    weighing.cancel()
    await load.end()
    tally["KiB in the middle"], tally["KiB at the end"] = samples[0], samples[-1]
    tally["drift of memory, per mille"] = round(1000 * drift(samples))
    assert drift(samples) <= MOST_DRIFT


@asynccontextmanager
async def clients(*addresses: str) -> AsyncIterator[list[AsyncClient]]:
    """A patient client of each address."""
    async with AsyncExitStack() as stack:
        yield [
            await stack.enter_async_context(AsyncClient(address, retry=PATIENT))
            for address in addresses
        ]


def cuts(proxy: CutProxy) -> Fault:
    async def cut() -> str:
        proxy.cut()
        return "all connections cut"

    return cut


def pauses(service: ServiceProcess) -> Fault:
    async def pause() -> str:
        service.process.send_signal(SIGSTOP)
        await asyncio.sleep(1)
        service.process.send_signal(SIGCONT)
        return "paused for a second"

    return pause


async def test_one_machine_bears_a_mixed_load(tmp_path: Path, tally: Counter[str]) -> None:
    async with running(tmp_path, **LIMITS) as service:
        with CutProxy(service.address) as proxy:
            async with clients(service.address, proxy.address) as both:
                load = Load(both, tally)
                await soak(load, service, [cuts(proxy), pauses(service)], tally)


class MortalNode:
    """A node that is killed now and then, and comes back where it was."""

    def __init__(self, url: str) -> None:
        self._url, self._port = url, free_port()
        self.service: ServiceProcess

    async def start(self) -> None:
        self.service = await start(Path(), store=self._url, port=self._port, **LIMITS)

    async def kill(self) -> str:
        await self.service.kill()
        await self.start()
        return "a node killed"


def restarts(server: Postgres) -> Fault:
    ways = iter(10_000 * (FAST, IMMEDIATE, KILL))

    async def stop_and_start() -> str:
        how = next(ways)
        await restart(server, how)
        return f"PostgreSQL stopped by {how.name}"

    return stop_and_start


@pytest.mark.postgres
async def test_two_nodes_bear_a_mixed_load(
    mortal: Postgres, mortal_url: str, tally: Counter[str]
) -> None:
    dying = MortalNode(mortal_url)
    async with running(Path(), store=mortal_url, **LIMITS) as staying, AsyncExitStack() as stack:
        await dying.start()
        stack.push_async_callback(lambda: dying.service.kill())
        proxy = stack.enter_context(CutProxy(staying.address))
        addresses = (staying.address, dying.service.address, proxy.address)
        each = await stack.enter_async_context(clients(*addresses))
        faults = [cuts(proxy), pauses(staying), dying.kill, restarts(mortal)]
        await soak(Load(each, tally), staying, faults, tally)
