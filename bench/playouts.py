"""Playouts and searches with an evaluator outside: over the wire beside the same in process."""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from bench.figures import Figure, Target, at_least
from bench.program import Run, middle, module, undisturbed
from bench.servers import Server, service
from bench.settings import Settings


class Side(NamedTuple):
    """Work of a program in process or over the wire, on so many threads."""

    program: str
    is_served: bool
    threads: int


class Case(NamedTuple):
    """What one side does a second ÷ what the other does."""

    title: str
    target: Target | None
    ours: Side
    peer: Side


_PLAYOUTS = "bench.playout_program"
_EVALUATOR = "bench.evaluator_program"
_CASES = {
    "playouts": Case(
        "Playout of Offboard, random: games/s ÷ in process",
        at_least(0.9),
        Side(_PLAYOUTS, is_served=True, threads=1),
        Side(_PLAYOUTS, is_served=False, threads=1),
    ),
    "playout-threads": Case(
        "Playout of Offboard, random, two threads ÷ one: games/s",
        at_least(1.7),
        Side(_PLAYOUTS, is_served=True, threads=2),
        Side(_PLAYOUTS, is_served=True, threads=1),
    ),
    "evaluate": Case(
        "Evaluate, 256 trees of Offboard, 8 leaves each: leaves/s ÷ in process",
        None,
        Side(_EVALUATOR, is_served=True, threads=1),
        Side(_EVALUATOR, is_served=False, threads=1),
    ),
}
CASES = tuple(_CASES)


def measure(names: Sequence[str], settings: Settings) -> list[Figure]:
    """Measure the cases of these names, interleaved; raises CalledProcessError, ServerError."""
    cases = [name for name in CASES if name in names]
    sides = sorted({side for name in cases for side in (_CASES[name].ours, _CASES[name].peer)})
    runs: dict[Side, list[Run]] = {side: [] for side in sides}
    for number in range(settings.rounds if cases else 0):
        settings.tell(f"round {number + 1} of {settings.rounds}: {', '.join(cases)}")
        with (
            tempfile.TemporaryDirectory(dir=settings.directory) as name,
            service(Path(name) / "data") as server,
        ):
            for side in sides:
                runs[side].append(_run(side, server, settings))
    return [_figure(_CASES[name], runs) for name in cases]


def _run(side: Side, server: Server, settings: Settings) -> Run:
    where = server.address if side.is_served else "here"
    command = module(side.program, where, side.threads, settings.seconds)
    return undisturbed(command, settings, server if side.is_served else None)


def _figure(case: Case, runs: dict[Side, list[Run]]) -> Figure:
    ours, peers = runs[case.ours], runs[case.peer]
    return Figure(
        name=case.title,
        rounds=[run.per_second / peer.per_second for run, peer in zip(ours, peers, strict=True)],
        target=case.target,
        ours=f"{middle(ours):,.0f}/s",
        peer=f"{middle(peers):,.0f}/s",
        foreign=[run.foreign for run in (*ours, *peers)],
    )
