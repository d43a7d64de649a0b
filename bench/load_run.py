"""Running the load generator against a server and seeing what that cost."""

import json
import resource
import struct
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench import native
from bench.machine import busy_seconds, cpu_seconds
from bench.servers import Server

_number = struct.Struct(">I").pack
_SLACK_SECONDS = 60
METADATA = ("grpc-timeout:30S", "x-client:bench")
"""Sent with every call: a deadline, as the SDKs send it, and one entry more."""


class LoadError(Exception):
    """The load generator could not do its work, or calls failed."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How many calls are in flight, and whether each script is played once only."""

    connections: int
    streams: int
    once: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """What one run gave. Times in microseconds; `foreign` is the CPU that others used, in cores."""

    rate: float
    p50: float
    p99: float
    cpu: float
    foreign: float
    calls: int
    reply_bytes: float
    ran_out: bool


def write_bodies(path: Path, scripts: Sequence[Sequence[bytes]]) -> None:
    """Write scripts of requests, all of one method, in the form that `grpcload.c` tells."""
    method, uncompressed = _number(0), bytes(1)
    with path.open("wb") as file:
        for script in scripts:
            file.write(_number(len(script)))
            for body in script:
                file.write(method + uncompressed + _number(len(body)) + body)


def drive(server: Server, method: str, bodies: Path, shape: Shape, seconds: float) -> Reading:
    """Put load on a server; raises LoadError if a call fails."""
    cpu, busy, own, begun = cpu_seconds(server.pid), busy_seconds(), _own_cpu(), time.monotonic()
    found = _run(server, method, bodies, shape, seconds)
    taken = time.monotonic() - begun
    cpu = cpu_seconds(server.pid) - cpu
    foreign = busy_seconds() - busy - cpu - (_own_cpu() - own)
    return Reading(
        rate=found["rate"],
        p50=found["p50_us"],
        p99=found["p99_us"],
        cpu=cpu / found["all_calls"] * 1e6,
        foreign=max(0.0, foreign / taken),
        calls=int(found["all_calls"]),
        reply_bytes=found["reply_bytes"],
        ran_out=bool(found["ran_out"]),
    )


def _run(
    server: Server, method: str, bodies: Path, shape: Shape, seconds: float
) -> dict[str, float]:
    command = [native.grpcload(), "-p", server.port, "-m", method, "-b", bodies, "-t", seconds]
    command += ["-c", shape.connections, "-s", shape.streams] + ["-o"] * shape.once
    for entry in METADATA:
        command += ["-H", entry]
    done = subprocess.run(
        [str(part) for part in command],
        capture_output=True,
        text=True,
        timeout=seconds + _SLACK_SECONDS,
    )
    if done.returncode:
        raise LoadError(f"{method}: {done.stderr}{done.stdout}")
    found: dict[str, float] = json.loads(done.stdout)
    return found


def _own_cpu() -> float:
    """The CPU time of this process and of the load generators it has run."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)
