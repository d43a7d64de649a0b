"""What the engine's RPCs cost others: their calls while it is busy, and memory when it is not."""

import contextlib
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import grpc

from bench import matches
from bench.batch_requests import SEED
from bench.figures import Figure, at_most
from bench.load_run import Reading, Shape, drive, write_bodies
from bench.machine import QUIET_CORES, resident_bytes, wait_for_quiet
from bench.servers import Server, service
from bench.settings import Settings
from tablestate import Client
from tablestate.v1 import engine_service_pb2, engine_service_pb2_grpc

CASES = ("busy-engine", "dropped-batches")
_ONE = Shape(connections=1, streams=1)
_PLAYOUTS = 4
"""Calls that are under way at once, more than the service has threads for them."""
_MOST_GAMES = 10_000_000
_BATCHES = 1000
_SIZE = 1024
_STEPS = 2
_MIB = 1 << 20


class Pair(NamedTuple):
    """GetView without playouts, and with them."""

    quiet: Reading
    busy: Reading

    @property
    def foreign(self) -> float:
        """What others used of the machine, in cores."""
        return max(self.quiet.foreign, self.busy.foreign)


def measure(names: Sequence[str], settings: Settings) -> list[Figure]:
    """Measure the cases of these names; raises LoadError, ServerError."""
    figures = [_beside_playouts(settings)] if CASES[0] in names else []
    return figures + ([_dropped(settings)] if CASES[1] in names else [])


def _beside_playouts(settings: Settings) -> Figure:
    pairs = []
    for number in range(settings.rounds):
        settings.tell(f"round {number + 1} of {settings.rounds}: {CASES[0]}")
        with _stage(settings) as (server, bodies):
            tries: list[Pair] = []
            for _ in range(settings.tries):
                tries.append(_pair(server, bodies, settings))
                if tries[-1].foreign < QUIET_CORES:
                    break
            pairs.append(min(tries, key=lambda pair: pair.foreign))
    quiet, busy = (median(reading.p99 for reading in each) for each in zip(*pairs, strict=True))
    cpu = median(pair.quiet.cpu for pair in pairs)
    return Figure(
        name="GetView alone, while playouts fill the pool ÷ without: p99",
        rounds=[pair.busy.p99 / pair.quiet.p99 for pair in pairs],
        target=at_most(3),
        ours=f"p99 {busy:.0f} µs beside playouts, {quiet:.0f} µs without",
        cpu=f"{cpu:.0f} without",
        foreign=[pair.foreign for pair in pairs],
    )


@contextlib.contextmanager
def _stage(settings: Settings) -> Iterator[tuple[Server, Path]]:
    """A service with a match, and the request that asks for its view."""
    with tempfile.TemporaryDirectory(dir=settings.directory) as name:
        bodies = Path(name) / "bodies"
        with service(Path(name) / "data") as server:
            with matches.api(server) as api:
                write_bodies(bodies, [[matches.get_view(api.started())]])
            yield server, bodies


def _pair(server: Server, bodies: Path, settings: Settings) -> Pair:
    wait_for_quiet(settings.wait_seconds)
    path = f"{matches.SERVICE}/GetView"
    quiet = drive(server, path, bodies, _ONE, settings.seconds)
    with _playouts(server):
        busy = drive(server, path, bodies, _ONE, settings.seconds)
    return Pair(quiet, busy)


@contextlib.contextmanager
def _playouts(server: Server) -> Iterator[None]:
    request = engine_service_pb2.PlayoutRequest(
        options=matches.OPTIONS, games=_MOST_GAMES, seed=SEED
    )
    with grpc.insecure_channel(server.address) as channel:
        stub: Any = engine_service_pb2_grpc.EngineServiceStub(channel)
        calls = [stub.Playout.future(request) for _ in range(_PLAYOUTS)]
        yield
        for call in calls:
            if not call.cancel():
                raise RuntimeError(f"playouts ended while they were needed: {call}")


def _dropped(settings: Settings) -> Figure:
    """One round is enough: memory does not depend on what else the machine does."""
    count = min(_BATCHES, settings.match_count)
    settings.tell(f"opening and dropping {count} batches")
    with tempfile.TemporaryDirectory(dir=settings.directory) as name, service(Path(name)) as server:
        _open_and_drop(server, 1)
        first = resident_bytes(server.pid)
        _open_and_drop(server, count // 2)
        half = resident_bytes(server.pid)
        _open_and_drop(server, count - count // 2)
        whole = resident_bytes(server.pid)
    sizes = ", ".join(f"{each / _MIB:.1f}" for each in (first, half, whole))
    return Figure(
        name=f"RSS growth over the last half of {count} batches opened and dropped: per cent",
        rounds=[(whole / half - 1) * 100],
        target=at_most(3),
        ours=f"{sizes} MiB after the first, {count // 2} and {count}",
    )


def _open_and_drop(server: Server, count: int) -> None:
    """Each on a stream of its own, stepped a little."""
    with Client(server.address) as client:
        for number in range(count):
            with client.batch("offboard", _SIZE, seed=number, auto_reset=True) as batch:
                for _ in range(_STEPS):
                    batch.step([0] * _SIZE, "draw")
