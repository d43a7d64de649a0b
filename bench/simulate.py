"""Batches over `Simulate`, beside what the transport and the engine would take one after the other.

T is the rate of an echo of the same bytes with the same client, one message in flight; E the rate
of `engine.Batch` in one process on one thread. If every step paid for both, the rate would be
1/(1/T + 1/E). With two batches in flight one may be on its way while the other is stepped.
"""

import contextlib
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

from bench.batch_requests import SIMULATE, Shape, reply
from bench.figures import Figure, Target, at_least
from bench.program import Run, middle, module, undisturbed
from bench.servers import Server, echo, service
from bench.settings import Settings

CASES = ("simulate",)
_MASK = ("masks",)
_BOTH = ("masks", "observations")
_SHAPES = [Shape(size, parts) for parts in (_MASK, _BOTH) for size in (256, 1024)]
_ONE_ITEM = Shape(1, _MASK)
_LARGE = Shape(1024, _MASK)
_ECHO = "/bench.Echo/"
_SDK = "sdk"


class Way(NamedTuple):
    """A way to step batches: what the client calls, and how many it has in flight."""

    title: str
    path: str
    batches: int
    target: Target | None = None


_WAYS = (
    Way("one in flight", SIMULATE, 1, at_least(0.80)),
    Way("two in flight", SIMULATE, 2, at_least(1.0)),
    Way("by the SDK, one", _SDK, 1),
    Way("by the SDK, two", _SDK, 2),
)
_ONE, _TWO = _WAYS[:2]
_TRANSPORT = Way("echo", _ECHO, 1)

Runs = dict[tuple[str, Shape], list[Run]]
"""By the way and the shape, a run for each round. E goes by the name of `_ENGINE`."""
_ENGINE = "engine"


class Stage(NamedTuple):
    """The servers of a round."""

    service: Server
    echo: Server


def measure(names: Sequence[str], settings: Settings) -> list[Figure]:
    """Measure, interleaved; raises CalledProcessError, ServerError."""
    if CASES[0] not in names:
        return []
    runs: Runs = defaultdict(list)
    for number in range(settings.rounds):
        with _stage(settings) as stage:
            for shape in _SHAPES:
                settings.tell(f"round {number + 1} of {settings.rounds}: simulate, {_title(shape)}")
                _round(runs, shape, stage, settings, echo_first=number % 2 == 0)
            runs[_ONE.title, _ONE_ITEM].append(_client(_ONE, _ONE_ITEM, stage, settings))
    compared = [_compared(way, shape, runs) for shape in _SHAPES for way in _WAYS]
    return [*compared, _rate(_ONE, runs), _rate(_TWO, runs), _gain(runs)]


@contextlib.contextmanager
def _stage(settings: Settings) -> Iterator[Stage]:
    with (
        tempfile.TemporaryDirectory(dir=settings.directory) as name,
        service(Path(name)) as ours,
    ):
        replies = {_ECHO + _name(shape): reply(ours, shape) for shape in _SHAPES}
        with echo(replies, streams=True) as peer:
            yield Stage(ours, peer)


def _round(runs: Runs, shape: Shape, stage: Stage, settings: Settings, *, echo_first: bool) -> None:
    ways = (_TRANSPORT, *_WAYS) if echo_first else (*_WAYS, _TRANSPORT)
    for way in ways:
        runs[way.title, shape].append(_client(way, shape, stage, settings))
    parts = ",".join(shape.parts)
    arguments = ("offboard", shape.size, parts, 1, "draws", settings.seconds)
    runs[_ENGINE, shape].append(undisturbed(module("bench.batch_program", *arguments), settings))


def _client(way: Way, shape: Shape, stage: Stage, settings: Settings) -> Run:
    server = stage.echo if way.path == _ECHO else stage.service
    path = _ECHO + _name(shape) if way.path == _ECHO else way.path
    parts = ",".join(shape.parts)
    arguments = (server.address, path, shape.size, parts, way.batches, settings.seconds)
    return undisturbed(module("bench.stream_client", *arguments), settings, server)


def _compared(way: Way, shape: Shape, runs: Runs) -> Figure:
    """The rate ÷ what transport and engine would give one after the other."""
    ours, echoed, alone = (runs[name, shape] for name in (way.title, _TRANSPORT.title, _ENGINE))
    ratios = [
        run.per_second * (1 / transport.per_second + 1 / engine.per_second)
        for run, transport, engine in zip(ours, echoed, alone, strict=True)
    ]
    return Figure(
        name=f"Simulate, {_title(shape)}, {way.title}: steps/s ÷ 1/(1/T + 1/E)",
        rounds=ratios,
        target=way.target,
        ours=_millions(ours),
        peer=f"T {_millions(echoed)}, E {_millions(alone)}",
        cpu=f"{_cpu(ours):.0f}, echo {_cpu(echoed):.0f}",
        foreign=[run.foreign for run in (*ours, *echoed, *alone)],
    )


def _rate(way: Way, runs: Runs) -> Figure:
    ours = runs[way.title, _LARGE]
    return Figure(
        name=f"Simulate, {_title(_LARGE)}, {way.title}: million steps/s",
        rounds=[run.per_second / 1e6 for run in ours],
        target=at_least(1.5),
        ours=_millions(ours),
        foreign=[run.foreign for run in ours],
    )


def _gain(runs: Runs) -> Figure:
    many, one = runs[_ONE.title, _LARGE], runs[_ONE.title, _ONE_ITEM]
    return Figure(
        name=f"Simulate, {_title(_LARGE)} ÷ a stream of one game: steps/s",
        rounds=[
            large.per_second / small.per_second for large, small in zip(many, one, strict=True)
        ],
        target=at_least(50),
        ours=_millions(many),
        peer=f"{middle(one):.0f}/s",
        cpu=f"{_cpu(many):.0f}, of one {_cpu(one):.0f}",
        foreign=[run.foreign for run in (*many, *one)],
    )


def _title(shape: Shape) -> str:
    return f"{shape.size} of Offboard, {' and '.join(part.rstrip('s') for part in shape.parts)}"


def _name(shape: Shape) -> str:
    return f"{'-'.join(shape.parts)}-{shape.size}"


def _millions(runs: Sequence[Run]) -> str:
    return f"{middle(runs) / 1e6:.2f} M/s"


def _cpu(runs: Sequence[Run]) -> float:
    return median(run.cpu for run in runs)
