"""The engine on one thread: perft, and random plies beside OpenSpiel."""

import json
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from importlib.util import find_spec
from typing import NamedTuple

from bench import native
from bench.figures import Figure, Target, at_least
from bench.machine import QUIET_CORES, busy_seconds, wait_for_quiet
from bench.settings import Settings

_PERFT_DEPTH = 5
_MEASURE = native.ROOT / "target" / "release" / "examples" / "measure"
_BUILD = "cargo build --quiet --release --locked -p tablestate-rules --example measure"
_PEER = [sys.executable, "-m", "bench.openspiel"]


class Case(NamedTuple):
    """Random decisions of ours beside those of a game of OpenSpiel."""

    ours: tuple[str, ...]
    peer: str
    title: str
    target: Target


_BESIDE = {
    "mask": Case(
        ("offboard", "mask"), "breakthrough", "random plies/s, chosen from the mask", at_least(25)
    ),
    "list": Case(
        ("offboard", "list"), "breakthrough", "random plies/s, chosen from the list", at_least(14)
    ),
    "offtrack": Case(
        ("offtrack", "mask"), "gin_rummy", "random decisions/s of OffTrack", at_least(150)
    ),
}
CASES = (*_BESIDE, "perft")

Run = tuple[float, float]
"""What a program did a second, and the cores that others used meanwhile."""


def measure(names: Sequence[str], settings: Settings) -> list[Figure]:
    """Measure the cases of these names, interleaved; raises CalledProcessError."""
    cases = [name for name in CASES if name in names]
    if not cases:
        return []
    settings.tell("building the engine's example `measure`")
    subprocess.run(_BUILD.split(), cwd=native.ROOT, check=True)
    played = sorted({_BESIDE[name].peer for name in cases if name in _BESIDE})
    peers: dict[str, list[Run]] = {name: [] for name in played}
    runs: dict[str, list[Run]] = {name: [] for name in cases}
    for number in range(settings.rounds):
        settings.tell(f"round {number + 1} of {settings.rounds}: {', '.join(cases)}")
        for peer in played if has_peer() else ():
            peers[peer].append(_undisturbed([*_PEER, peer, str(settings.seconds)], settings))
        for name in cases:
            runs[name].append(_undisturbed(_command(name, settings), settings))
    return [
        _figure(_BESIDE[name], runs[name], peers[_BESIDE[name].peer])
        if name in _BESIDE
        else _perft_figure(runs[name])
        for name in cases
    ]


def has_peer() -> bool:
    """Whether OpenSpiel is installed (requirements/bench.txt)."""
    return find_spec("pyspiel") is not None


def _command(name: str, settings: Settings) -> list[str]:
    if name == "perft":
        return [str(_MEASURE), name, str(_PERFT_DEPTH)]
    return [str(_MEASURE), *_BESIDE[name].ours, str(settings.seconds)]


def _undisturbed(command: Sequence[str], settings: Settings) -> Run:
    """The least disturbed of a few tries."""
    tries: list[Run] = []
    for _ in range(settings.tries):
        wait_for_quiet(settings.wait_seconds)
        tries.append(_run(command))
        if tries[-1][1] < QUIET_CORES:
            break
    return min(tries, key=lambda each: each[1])


def _run(command: Sequence[str]) -> Run:
    busy, own, begun = busy_seconds(), _used(), time.monotonic()
    output = subprocess.run(
        command, cwd=native.ROOT, check=True, capture_output=True, text=True
    ).stdout
    foreign = busy_seconds() - busy - (_used() - own)
    return json.loads(output)["per_second"], max(0.0, foreign / (time.monotonic() - begun))


def _used() -> float:
    """The CPU time of the programs run so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _perft_figure(runs: Sequence[Run]) -> Figure:
    values = [rate / 1e6 for rate, _ in runs]
    title = f"perft {_PERFT_DEPTH}: million leaves/s"
    foreign = [each for _, each in runs]
    return Figure(title, values, at_least(300), f"{_middle(runs) / 1e6:.0f} M/s", foreign=foreign)


def _figure(case: Case, runs: Sequence[Run], peers: Sequence[Run]) -> Figure:
    ours = f"{_middle(runs) / 1e6:.2f} M/s"
    if not peers:
        values = [rate / 1e6 for rate, _ in runs]
        return Figure(f"{case.title}: millions", values, None, ours, "OpenSpiel is not installed")
    return Figure(
        f"{case.title} ÷ OpenSpiel",
        [rate / peer for (rate, _), (peer, _) in zip(runs, peers, strict=True)],
        case.target,
        ours,
        f"{case.peer} {_middle(peers) / 1e6:.3f} M/s",
        foreign=[each for _, each in (*runs, *peers)],
    )


def _middle(runs: Sequence[Run]) -> float:
    return sorted(rate for rate, _ in runs)[len(runs) // 2]
