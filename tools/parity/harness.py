"""Run a runner, and check what it has done."""

import asyncio
import json
import os
import signal
import tempfile
from asyncio.subprocess import PIPE, STDOUT
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import tablestate
from tablestate import MatchPhase
from tools.parity.contract import METHODS, VECTORS, Vector
from tools.parity.roundtrips import PASSED, RoundTrips
from tools.parity.runners import Runner
from tools.parity.service import Served, parity_service
from tools.sources import ROOT

RUN_SECONDS = 300
BUILD_SECONDS = 900
MISSING = "missing"
ABSENT = "not in the report"


class Result(NamedTuple):
    """What became of a run; each value is `passed` or says what is wrong."""

    fault: str
    """What is wrong with the run as a whole; empty if nothing is."""
    version: str
    calls: Mapping[str, str]
    vectors: Mapping[str, str]
    round_trips: Mapping[str, str]

    def faults(self) -> list[str]:
        """Everything that is wrong."""
        if self.fault:
            return [self.fault]
        parts = {"call": self.calls, "vector": self.vectors, "round trip": self.round_trips}
        return [
            f"{part} {name}: {how}"
            for part, results in parts.items()
            for name, how in results.items()
            if how != PASSED
        ]


class Harness:
    """Runs runners, each against a service of its own, and checks what they have done."""

    def __init__(self, vectors: Sequence[Vector]) -> None:
        """Let all replay these."""
        self._vectors = vectors
        self._round_trips = RoundTrips(vectors)
        self._built = {"": ""}

    async def run(self, runner: Runner) -> Result:
        """Build a runner, run it, and check what it has done."""
        if fault := await self._build(runner.build):
            return _nothing(fault, [each.name for each in self._vectors])
        with tempfile.TemporaryDirectory(prefix="tablestate-parity-") as folder:
            return await self._run(runner, Path(folder))

    async def _build(self, command: str) -> str:
        """Build what several runners may share; what is wrong with it, if anything is."""
        if command not in self._built:
            code, output = await _shell(command, {}, BUILD_SECONDS)
            self._built[command] = f"it cannot be built:\n{output}" if code else ""
        return self._built[command]

    async def _run(self, runner: Runner, folder: Path) -> Result:
        out = folder / "out"
        out.mkdir()
        async with parity_service(folder, self._vectors) as served:
            code, output = await _shell(runner.command, _environment(served, out), RUN_SECONDS)
            played = await _played(served, self._vectors)
        failure = f"exit code {code}\n{output}" if code else ""
        result = _checked(runner, served, played, out, failure)
        return result._replace(round_trips=self._round_trips.check_all(out / "json"))


def _environment(served: Served, out: Path) -> dict[str, str]:
    """What a runner is told."""
    return {
        "TABLESTATE_TARGET": served.running.address,
        "TABLESTATE_GATEWAY": served.running.page.rstrip("/"),
        "TABLESTATE_KEY": served.key,
        "TABLESTATE_OPERATOR_KEY": served.operator_key,
        "TABLESTATE_VECTORS": str(VECTORS),
        "TABLESTATE_OUT": str(out),
    }


async def _shell(command: str, environment: Mapping[str, str], seconds: float) -> tuple[int, str]:
    """The exit code and the output of a command; it is killed when its time is up."""
    process = await asyncio.create_subprocess_shell(
        command,
        cwd=ROOT,
        env={**os.environ, **environment},
        stdout=PIPE,
        stderr=STDOUT,
        start_new_session=True,
    )
    try:
        async with asyncio.timeout(seconds):
            output, _ = await process.communicate()
    except TimeoutError:
        os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
        return 1, f"it took longer than {seconds:g} s"
    return process.returncode or 0, output.decode(errors="replace")


async def _played(served: Served, vectors: Sequence[Vector]) -> dict[str, str]:
    """What the service itself says of the matches of the vectors."""
    metadata = [("authorization", f"Bearer {served.operator_key}")]
    async with tablestate.AsyncClient(served.running.address, metadata=metadata) as client:
        return {each.name: await _ending(client, each) for each in vectors}


async def _ending(client: tablestate.AsyncClient, vector: Vector) -> str:
    try:
        match = await client.get_match(vector.match_id)
    except tablestate.NotFoundError:
        return "the service has no match of its id"
    if match.phase != MatchPhase.MATCH_PHASE_OVER:
        return "its match was not played to the end"
    return PASSED if match.outcome == vector.outcome else "its match has another outcome"


def _checked(
    runner: Runner,
    served: Served,
    played: Mapping[str, str],
    out: Path,
    failure: str,
) -> Result:
    """What a run has shown; it failed if there is a `failure`, and must have said why."""
    try:
        report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return _nothing(f"it has written no report:\n{failure}", played)
    told, calls = report.get("vectors", {}), report.get("calls", {})
    result = Result(
        "",
        str(report.get("version", "")),
        {each: _call(runner, each, calls.get(each, ABSENT), served) for each in METHODS},
        {each: _first(told.get(each, ABSENT), how) for each, how in played.items()},
        {},
    )
    if failure and not result.faults():
        return result._replace(fault=f"it has failed:\n{failure}")
    return result


def _call(runner: Runner, method: str, told: str, served: Served) -> str:
    if method in runner.cannot:
        return PASSED if told == MISSING else f"{told}, expected {MISSING}"
    if told == PASSED and not served.calls.answered[method]:
        return "the service has answered no such call"
    return told


def _first(*results: str) -> str:
    """The first that is not as it should be."""
    return next((each for each in results if each != PASSED), PASSED)


def _nothing(fault: str, vectors: Iterable[str]) -> Result:
    none = dict.fromkeys(vectors, ABSENT)
    return Result(fault, "", dict.fromkeys(METHODS, ABSENT), none, none)
