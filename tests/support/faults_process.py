"""The service as a process that a test can kill, stop, and look at from outside."""

import asyncio
import contextlib
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LAUNCHER = Path(__file__).with_name("faults_launcher.py")
TESTS = Path(__file__).parents[1]
_START_SECONDS = 60


@dataclass
class ServiceProcess:
    """A running service."""

    process: Process
    address: str

    @property
    def pid(self) -> int:
        return self.process.pid

    def rss(self) -> int:
        """Its resident memory in KiB."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        return next(int(line.split()[1]) for line in status.splitlines() if "VmRSS" in line)

    async def last_words(self) -> str:
        """What it printed after its address, once it has ended."""
        assert self.process.stdout is not None
        async with asyncio.timeout(60):
            printed = await self.process.stdout.read()
            await self.process.wait()
        return printed.decode().strip()

    async def kill(self) -> None:
        """Kill it as a machine's owner would."""
        if self.process.returncode is None:
            self.process.kill()
        await self.process.wait()

    async def stop(self) -> int:
        """Tell it to stop; its exit status."""
        self.process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(60):
            return await self.process.wait()


async def start(
    directory: Path,
    *,
    kill: str | None = None,
    engine: str = "fake",
    wrapper: Sequence[str] = (),
    **limits: Any,
) -> ServiceProcess:
    """Start a service; `wrapper` is a command that runs the one behind it."""
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join([str(TESTS), *filter(None, [os.environ.get("PYTHONPATH")])]),
        "TABLESTATE_PORT": "0",
        "TABLESTATE_DATA_DIR": str(directory),
        "FAULTS_ENGINE": engine,
        **({"FAULTS_KILL": kill} if kill else {}),
        **{f"TABLESTATE_{name.upper()}": str(value) for name, value in limits.items()},
    }
    process = await asyncio.create_subprocess_exec(
        *wrapper, sys.executable, str(LAUNCHER), stdout=PIPE, env=environment
    )
    assert process.stdout is not None
    async with asyncio.timeout(_START_SECONDS):
        address = (await process.stdout.readline()).decode().strip()
    assert address, "the service did not start"
    return ServiceProcess(process, address)


@contextlib.asynccontextmanager
async def running(directory: Path, **settings: Any) -> AsyncIterator[ServiceProcess]:
    """A service that is gone when the test is over."""
    started = await start(directory, **settings)
    try:
        yield started
    finally:
        await started.kill()
