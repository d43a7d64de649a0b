"""The programs, and how they are called."""

import asyncio
import json
from asyncio.subprocess import PIPE
from pathlib import Path
from typing import Any, NamedTuple

from support.go_tools import go_tool

GRPCURL = ("github.com/fullstorydev/grpcurl/cmd/grpcurl", "v1.9.4")
HEALTH_PROBE = ("github.com/grpc-ecosystem/grpc-health-probe", "v0.4.63")
SECONDS = 60


class Done(NamedTuple):
    """What became of a program."""

    code: int
    out: str
    error: str


async def run(tool: tuple[str, str], *arguments: str) -> Done:
    """Run a program to its end."""
    program: Path = await asyncio.to_thread(go_tool, *tool)
    process = await asyncio.create_subprocess_exec(program, *arguments, stdout=PIPE, stderr=PIPE)
    async with asyncio.timeout(SECONDS):
        out, error = await process.communicate()
    return Done(process.returncode or 0, out.decode(), error.decode())


class Grpcurl:
    """Calls by JSON to an address, with the protos given or learned by reflection."""

    def __init__(self, address: str, *flags: str) -> None:
        self._address = address
        self._flags = ("-plaintext", *flags)

    async def __call__(self, *arguments: str, data: Any = None) -> Done:
        given = () if data is None else ("-d", json.dumps(data))
        return await run(GRPCURL, *self._flags, *given, self._address, *arguments)

    async def answer(self, method: str, data: Any) -> Any:
        """The answer of a call that is not refused."""
        done = await self(f"tablestate.v1.{method}", data=data)
        assert done.code == 0, done.error
        return json.loads(done.out)
