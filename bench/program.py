"""Running a program that measures something, and seeing what else the machine did meanwhile.

Each prints a JSON object with `per_second`: what it did in a second. Those that call a server
print `calls` as well: how often, the warming up included.
"""

import json
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import NamedTuple

from bench import native
from bench.machine import QUIET_CORES, busy_seconds, cpu_seconds, wait_for_quiet
from bench.servers import Server
from bench.settings import Settings


class Run(NamedTuple):
    """What a program did a second.

    `foreign` is what others used of the machine, in cores; `cpu` what a call cost the server, in
    microseconds.
    """

    per_second: float
    foreign: float
    cpu: float = 0.0


def module(name: str, *arguments: object) -> list[str]:
    """The command that runs a module of Python."""
    return [sys.executable, "-m", name, *map(str, arguments)]


def undisturbed(command: Sequence[str], settings: Settings, server: Server | None = None) -> Run:
    """The least disturbed of a few tries; raises CalledProcessError."""
    tries: list[Run] = []
    for _ in range(settings.tries):
        wait_for_quiet(settings.wait_seconds)
        tries.append(_run(command, server))
        if tries[-1].foreign < QUIET_CORES:
            break
    return min(tries, key=lambda each: each.foreign)


def middle(runs: Sequence[Run]) -> float:
    """The rate of the run in the middle."""
    return sorted(run.per_second for run in runs)[len(runs) // 2]


def _run(command: Sequence[str], server: Server | None) -> Run:
    served, busy, own, begun = _cpu(server), busy_seconds(), _used(), time.monotonic()
    done = subprocess.run(command, cwd=native.ROOT, stdout=subprocess.PIPE, text=True, check=True)
    served = _cpu(server) - served
    foreign = busy_seconds() - busy - served - (_used() - own)
    found = json.loads(done.stdout.splitlines()[-1])
    return Run(
        found["per_second"],
        max(0.0, foreign / (time.monotonic() - begun)),
        served / found.get("calls", 1) * 1e6,
    )


def _cpu(server: Server | None) -> float:
    return cpu_seconds(server.pid) if server else 0.0


def _used() -> float:
    """The CPU time of the programs run so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
