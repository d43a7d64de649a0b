"""Runs the service as a process of its own with the faults that its environment names.

FAULTS_ENGINE=core plays the real games instead of the fake one; FAULTS_KILL=point:n kills
the process when it reaches a fault point for the n-th time. Release code reads neither.
"""

import asyncio
import os
import signal
import sys
from collections.abc import Mapping

import uvloop

from support.fake_engine import FakeEngine
from tablestate_service import logs
from tablestate_service.adapters.fault_points import FaultPoint
from tablestate_service.app import Parts, core_engine, running_service
from tablestate_service.settings import from_environment


class KillAt:
    """Kills its own process, as `kill -9` does, when a point is reached often enough."""

    def __init__(self, wanted: str) -> None:
        self._point, _, count = wanted.partition(":")
        self._left = int(count)

    def reach(self, point: FaultPoint) -> None:
        if point != self._point:
            return
        self._left -= 1
        if self._left == 0:
            os.write(sys.stdout.fileno(), f"killed {point}\n".encode())
            os.kill(os.getpid(), signal.SIGKILL)


def parts(environment: Mapping[str, str]) -> Parts:
    engine = core_engine if environment.get("FAULTS_ENGINE") == "core" else FakeEngine
    kill = environment.get("FAULTS_KILL")
    return Parts(engine=engine, faults=KillAt(kill) if kill else None)


async def main() -> None:
    settings = from_environment(os.environ, log_level="error")
    logs.set_up(settings.log_level)
    stopping = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopping.set)
    async with running_service(settings, parts(os.environ)) as running:
        print(running.address, flush=True)
        await stopping.wait()


if __name__ == "__main__":
    uvloop.run(main())
