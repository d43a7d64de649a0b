"""Nodes over PostgreSQL: actions beside what the database and the transport give alone, and
how soon watchers hear of an action, on the node where it was taken and on another.
"""

import contextlib
import json
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

from bench import calls, matches, native
from bench.figures import Figure, at_least, at_most
from bench.load_run import LoadError, Reading, Shape, drive, write_bodies
from bench.machine import wait_for_quiet
from bench.program import Run, module, undisturbed
from bench.servers import Server, echo, service
from bench.settings import Settings
from tools.postgres import Postgres, running_postgres

CASES = ("nodes-submit", "nodes-watch")
_WRITERS = 32
_SHAPE = Shape(connections=8, streams=4, once=True)
_RATE = 200
_P99 = 0.99
_PATHS = {
    "on the same node": ("first", 20),
    "on another node": ("second", 60),
    "on a node that hears no notification": ("deaf", 1500),
}


def measure(names: Sequence[str], settings: Settings) -> list[Figure]:
    """Measure the cases of these names; raises LoadError, ServerError, PostgresError."""
    if not set(CASES) & set(names):
        return []
    with running_postgres(settings.directory) as postgres:
        figures = [_submissions(postgres, settings)] if CASES[0] in names else []
        return figures + (_delays(postgres, settings) if CASES[1] in names else [])


def _submissions(postgres: Postgres, settings: Settings) -> Figure:
    rounds = []
    for number in range(settings.rounds):
        settings.tell(f"round {number + 1} of {settings.rounds}: {CASES[0]}")
        rounds.append(_round(postgres, settings))
    values = [ours.rate / min(raw.per_second, peer.rate) for ours, raw, peer in rounds]
    ours, raw, peer = rounds[values.index(sorted(values)[len(values) // 2])]
    return Figure(
        name=f"SubmitAction by {_WRITERS} writers over PostgreSQL ÷ min(raw commits, echo)",
        rounds=values,
        target=at_least(0.45),
        ours=f"{ours.rate:.0f}/s, p99 {ours.p99 / 1000:.1f} ms",
        peer=f"{raw.per_second:.0f} commits/s, echo {peer.rate:.0f}/s",
        cpu=f"{median(each.cpu for each, _, _ in rounds):.0f}, echo {peer.cpu:.0f}",
        # Of the echo's turn: while nodes write, PostgreSQL is no foreigner.
        foreign=[each.foreign for _, _, each in rounds],
    )


def _round(postgres: Postgres, settings: Settings) -> tuple[Reading, Run, Reading]:
    """The service, commits of single rows, and the echo, one after the other."""
    url = postgres.url(postgres.create_database())
    with tempfile.TemporaryDirectory(dir=settings.directory) as name:
        bodies = Path(name) / "bodies"
        with service(Path(name) / "data", store=url) as ours:
            with matches.api(ours) as api:
                scripts = calls.submissions(api, settings)
                write_bodies(bodies, scripts)
                method = f"{matches.SERVICE}/SubmitAction"
                reply = api.reply("SubmitAction", scripts[0][0])
            wait_for_quiet(settings.wait_seconds)
            reading = drive(ours, method, bodies, _SHAPE, settings.seconds)
        if reading.ran_out:
            raise LoadError(f"{CASES[0]}: the scripts were too short")
        raw = undisturbed(module("bench.raw_commits", url, _WRITERS, settings.seconds), settings)
        with echo({method: reply}) as peer:
            repeated = Shape(_SHAPE.connections, _SHAPE.streams)
            return reading, raw, drive(peer, method, bodies, repeated, settings.seconds)


def _delays(postgres: Postgres, settings: Settings) -> list[Figure]:
    found: dict[str, list[list[float]]] = {path: [] for path in _PATHS}
    for number in range(settings.rounds):
        settings.tell(f"round {number + 1} of {settings.rounds}: {CASES[1]}")
        with _nodes(postgres) as nodes:
            for path, (node, _) in _PATHS.items():
                found[path].append(_heard(nodes["first"], nodes[node], settings))
    return [_delay(path, found[path]) for path in _PATHS]


@contextlib.contextmanager
def _nodes(postgres: Postgres) -> Iterator[dict[str, Server]]:
    url, elsewhere = postgres.url(postgres.create_database()), postgres.url()
    none = Path()
    with (
        service(none, store=url) as first,
        service(none, store=url) as second,
        # Notifications are of one database: of another it hears nothing.
        service(none, store=url, listen=elsewhere) as deaf,
    ):
        yield {"first": first, "second": second, "deaf": deaf}


def _heard(to: Server, listening: Server, settings: Settings) -> list[float]:
    wait_for_quiet(settings.wait_seconds)
    command = module(
        "bench.watch_delays", to.address, listening.address, _RATE, max(1.0, settings.seconds)
    )
    done = subprocess.run(command, cwd=native.ROOT, stdout=subprocess.PIPE, text=True, check=True)
    delays: list[float] = json.loads(done.stdout)["delays"]
    return delays


def _delay(path: str, rounds: Sequence[Sequence[float]]) -> Figure:
    p99 = [_at(each, _P99) for each in rounds]
    middle = rounds[p99.index(sorted(p99)[len(p99) // 2])]
    return Figure(
        name=f"watch delay at {_RATE} actions/s, {path}: p99, ms",
        rounds=p99,
        target=at_most(_PATHS[path][1]),
        ours=f"p50 {_at(middle, 0.5):.1f} ms, of {len(middle)} actions from call to update",
    )


def _at(values: Sequence[float], share: float) -> float:
    return values[min(len(values) - 1, int(share * len(values)))]
