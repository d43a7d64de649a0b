"""The engine on one thread: perft, and random plies beside OpenSpiel."""

import subprocess
from collections.abc import Sequence
from importlib.util import find_spec
from typing import NamedTuple

from bench import native
from bench.figures import Figure, Target, at_least, at_most
from bench.program import Run, middle, module, undisturbed
from bench.settings import Settings

_PERFT_DEPTH = 5
_MEASURE = native.ROOT / "target" / "release" / "examples" / "measure"
_NODES = native.ROOT / "target" / "release" / "examples" / "nodes"
_BUILDS = (
    "cargo build --quiet --release --locked -p tablestate-rules --example measure",
    "cargo build --quiet --release --locked -p tablestate-search --example nodes",
)


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
    "eternitium": Case(
        ("eternitium", "mask"), "gin_rummy", "random decisions/s of Eternitium", at_least(150)
    ),
    "off_the_rails": Case(
        ("off_the_rails", "mask"),
        "breakthrough",
        "random decisions/s of Off the Rails",
        at_least(15),
    ),
}
_FIRST = {
    "first-mask": ("mask of the empty board of Off the Rails: ns", at_most(100)),
    "first-list": ("list of the empty board of Off the Rails: ns", at_most(600)),
}
CASES = (*_BESIDE, *_FIRST, "perft", "alphabeta")


def measure(names: Sequence[str], settings: Settings) -> list[Figure]:
    """Measure the cases of these names, interleaved; raises CalledProcessError."""
    cases = [name for name in CASES if name in names]
    if not cases:
        return []
    settings.tell("building the engine's examples `measure` and `nodes`")
    for build in _BUILDS:
        subprocess.run(build.split(), cwd=native.ROOT, check=True)
    played = sorted({_BESIDE[name].peer for name in cases if name in _BESIDE})
    peers: dict[str, list[Run]] = {name: [] for name in played}
    runs: dict[str, list[Run]] = {name: [] for name in cases}
    for number in range(settings.rounds):
        settings.tell(f"round {number + 1} of {settings.rounds}: {', '.join(cases)}")
        for peer in played if has_peer() else ():
            command = module("bench.openspiel", peer, settings.seconds)
            peers[peer].append(undisturbed(command, settings))
        for name in cases:
            runs[name].append(undisturbed(_command(name, settings), settings))
    return [
        _figure(_BESIDE[name], runs[name], peers[_BESIDE[name].peer])
        if name in _BESIDE
        else _figure_alone(name, runs[name])
        for name in cases
    ]


def has_peer() -> bool:
    """Whether OpenSpiel is installed (requirements/bench.txt)."""
    return find_spec("pyspiel") is not None


def _command(name: str, settings: Settings) -> list[str]:
    if name == "perft":
        return [str(_MEASURE), name, str(_PERFT_DEPTH)]
    if name == "alphabeta":
        return [str(_NODES), str(settings.seconds)]
    if name in _FIRST:
        return [str(_MEASURE), "off_the_rails", name, str(settings.seconds)]
    return [str(_MEASURE), *_BESIDE[name].ours, str(settings.seconds)]


def _figure_alone(name: str, runs: Sequence[Run]) -> Figure:
    if name in _FIRST:
        return _first_figure(name, runs)
    return _perft_figure(runs) if name == "perft" else _nodes_figure(runs)


def _first_figure(name: str, runs: Sequence[Run]) -> Figure:
    title, target = _FIRST[name]
    values = [1e9 / run.per_second for run in runs]
    foreign = [run.foreign for run in runs]
    return Figure(title, values, target, f"{1e9 / middle(runs):.0f} ns", foreign=foreign)


def _perft_figure(runs: Sequence[Run]) -> Figure:
    values = [run.per_second / 1e6 for run in runs]
    title = f"perft {_PERFT_DEPTH}: million leaves/s"
    foreign = [run.foreign for run in runs]
    return Figure(title, values, at_least(300), f"{middle(runs) / 1e6:.0f} M/s", foreign=foreign)


def _figure(case: Case, runs: Sequence[Run], peers: Sequence[Run]) -> Figure:
    ours = f"{middle(runs) / 1e6:.2f} M/s"
    if not peers:
        values = [run.per_second / 1e6 for run in runs]
        return Figure(f"{case.title}: millions", values, None, ours, "OpenSpiel is not installed")
    return Figure(
        f"{case.title} ÷ OpenSpiel",
        [run.per_second / peer.per_second for run, peer in zip(runs, peers, strict=True)],
        case.target,
        ours,
        f"{case.peer} {middle(peers) / 1e6:.3f} M/s",
        foreign=[run.foreign for run in (*runs, *peers)],
    )


def _nodes_figure(runs: Sequence[Run]) -> Figure:
    values = [run.per_second / 1e6 for run in runs]
    title = "alpha-beta of Offboard: million nodes/s"
    foreign = [run.foreign for run in runs]
    return Figure(title, values, at_least(2), f"{middle(runs) / 1e6:.1f} M/s", foreign=foreign)
