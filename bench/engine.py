"""The engine on one thread: perft, and random plies beside OpenSpiel."""

import json
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from importlib.util import find_spec

from bench import native
from bench.figures import Figure, Target, at_least
from bench.machine import QUIET_CORES, busy_seconds, wait_for_quiet
from bench.settings import Settings

CASES = ("mask", "list", "perft")
_PERFT_DEPTH = 5
_MEASURE = native.ROOT / "target" / "release" / "examples" / "measure"
_BUILD = "cargo build --quiet --release --locked -p tablestate-rules --example measure"
_PEER = [sys.executable, "-m", "bench.openspiel"]

Run = tuple[float, float]
"""What a program did a second, and the cores that others used meanwhile."""


def measure(names: Sequence[str], settings: Settings) -> list[Figure]:
    """Measure the cases of these names, interleaved; raises CalledProcessError."""
    cases = [name for name in CASES if name in names]
    if not cases:
        return []
    settings.tell("building the engine's example `measure`")
    subprocess.run(_BUILD.split(), cwd=native.ROOT, check=True)
    peers: list[Run] = []
    runs: dict[str, list[Run]] = {name: [] for name in cases}
    for number in range(settings.rounds):
        settings.tell(f"round {number + 1} of {settings.rounds}: {', '.join(cases)}")
        if has_peer():
            peers.append(_undisturbed([*_PEER, str(settings.seconds)], settings))
        for name in cases:
            runs[name].append(_undisturbed(_command(name, settings), settings))
    return [_figure(name, runs[name], peers) for name in cases]


def has_peer() -> bool:
    """Whether OpenSpiel is installed (requirements/bench.txt)."""
    return find_spec("pyspiel") is not None


def _command(name: str, settings: Settings) -> list[str]:
    argument = str(_PERFT_DEPTH) if name == "perft" else str(settings.seconds)
    return [str(_MEASURE), name, argument]


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


def _figure(name: str, runs: Sequence[Run], peers: Sequence[Run]) -> Figure:
    rates = [rate for rate, _ in runs]
    foreign = [each for _, each in (*runs, *peers)]
    middle = sorted(rates)[len(rates) // 2]
    if name == "perft":
        values = [rate / 1e6 for rate in rates]
        title, target = f"perft {_PERFT_DEPTH}: million leaves/s", at_least(300)
        return Figure(title, values, target, f"{middle / 1e6:.0f} M/s", foreign=foreign)
    title = f"random plies/s, chosen from the {name}"
    ours = f"{middle / 1e6:.2f} M/s"
    if not peers:
        values = [rate / 1e6 for rate in rates]
        return Figure(f"{title}: millions", values, None, ours, "OpenSpiel is not installed")
    ratios = [rate / peer for rate, (peer, _) in zip(rates, peers, strict=True)]
    peer = sorted(rate for rate, _ in peers)[len(peers) // 2]
    return Figure(
        f"{title} ÷ OpenSpiel",
        ratios,
        _TARGETS[name],
        ours,
        f"breakthrough {peer / 1e6:.3f} M/s",
        foreign=foreign,
    )


_TARGETS: dict[str, Target] = {"mask": at_least(25), "list": at_least(14)}
