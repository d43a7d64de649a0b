"""Calls of the service beside the same calls of a no-op echo.

In every round both are started anew and put under the same load, one after the other; a
figure is the median over the rounds of what compares the two within a round.
"""

import contextlib
import random
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from bench import matches
from bench.figures import Figure, Target, at_least, at_most
from bench.load_run import LoadError, Reading, Shape, drive, write_bodies
from bench.machine import QUIET_CORES, wait_for_quiet
from bench.matches import Api
from bench.servers import Server, echo, service
from bench.settings import Settings
from bench.sync_record import SyncRecord

_TABLES = 64
_MANY = Shape(connections=8, streams=8)
_ONE = Shape(connections=1, streams=1)
_MANY_ONCE = replace(_MANY, once=True)
_ONE_ONCE = replace(_ONE, once=True)
_MAX_PLIES = 400
_MOST_ACTIONS_A_SECOND = 6000
"""No service on grpc.aio is faster, so that scripts for so many suffice."""

Scripts = Sequence[Sequence[bytes]]


@dataclass(frozen=True, slots=True)
class Pair:
    """The echo and the service under the same load, and the syncs of the service meanwhile."""

    echo: Reading
    ours: Reading
    sync_count: int
    sync_median: float

    @property
    def foreign(self) -> float:
        """What others used of the machine, in cores."""
        return max(self.echo.foreign, self.ours.foreign)


@dataclass(frozen=True, slots=True)
class Measure:
    """A figure that compares the two."""

    name: str
    target: Target
    of: Callable[[Pair], float]
    ours: Callable[[Pair], str]
    peer: Callable[[Pair], str]


@dataclass(frozen=True, slots=True)
class Case:
    """A load: what is called how, and what is made of the readings."""

    name: str
    method: str
    shape: Shape
    scripts: Callable[[Api, Settings], Scripts]
    measures: Sequence[Measure]


@dataclass(frozen=True, slots=True)
class Stage:
    """Both servers of a round, ready for calls."""

    service: Server
    echo: Server
    syncs: SyncRecord
    directory: Path


def _views(api: Api, _settings: Settings) -> Scripts:
    return [[matches.get_view(api.started())] for _ in range(_TABLES)]


def _lists(api: Api, _settings: Settings) -> Scripts:
    return [[matches.list_legal_actions(api.started())] for _ in range(_TABLES)]


def submissions(api: Api, settings: Settings) -> Scripts:
    """Whole games of legal actions, enough of them for the time."""
    chance = random.Random(settings.seed)
    wanted = int(settings.seconds * _MOST_ACTIONS_A_SECOND)
    scripts: list[Sequence[bytes]] = []
    while len(scripts) < 2 * _TABLES or sum(map(len, scripts)) < wanted:
        course = matches.random_course(chance, _MAX_PLIES)
        scripts.append(matches.submissions(api.started(), course))
    return scripts


def _rates(bound: float) -> Measure:
    return Measure(
        "calls/s ÷ echo",
        at_least(bound),
        lambda pair: pair.ours.rate / pair.echo.rate,
        lambda pair: f"{pair.ours.rate:.0f}/s, p99 {pair.ours.p99 / 1000:.2f} ms",
        lambda pair: f"{pair.echo.rate:.0f}/s, p99 {pair.echo.p99 / 1000:.2f} ms",
    )


_P99 = Measure(
    "p99 ÷ echo's",
    at_most(1.5),
    lambda pair: pair.ours.p99 / pair.echo.p99,
    lambda pair: f"p50 {pair.ours.p50:.0f} µs, p99 {pair.ours.p99:.0f} µs",
    lambda pair: f"p50 {pair.echo.p50:.0f} µs, p99 {pair.echo.p99:.0f} µs",
)
_SYNCS = Measure(
    "syncs ÷ actions",
    at_most(1 / 8),
    lambda pair: pair.sync_count / pair.ours.calls,
    lambda pair: f"{pair.sync_count} syncs, {pair.ours.calls} actions",
    lambda _pair: "",
)
_SYNCED_P99 = Measure(
    "p99 ÷ (echo's + 3 syncs)",
    at_most(1),
    lambda pair: pair.ours.p99 / (pair.echo.p99 + 3 * pair.sync_median),
    lambda pair: f"p99 {pair.ours.p99 / 1000:.2f} ms",
    lambda pair: f"{pair.echo.p99 / 1000:.2f} + 3 * {pair.sync_median / 1000:.2f} ms",
)

CASES = (
    Case("get-view", "GetView", _MANY, _views, [_rates(0.80)]),
    Case("list-legal-actions", "ListLegalActions", _MANY, _lists, [_rates(0.75)]),
    Case("get-view-alone", "GetView", _ONE, _views, [_P99]),
    Case(
        "submit-action",
        "SubmitAction",
        _MANY_ONCE,
        submissions,
        [_rates(0.45), _SYNCS, _SYNCED_P99],
    ),
    Case("submit-action-alone", "SubmitAction", _ONE_ONCE, submissions, [_SYNCED_P99]),
)


def measure(names: Sequence[str], settings: Settings) -> list[Figure]:
    """Measure the cases of these names, interleaved; raises LoadError, ServerError."""
    cases = [case for case in CASES if case.name in names]
    pairs: dict[str, list[Pair]] = {case.name: [] for case in cases}
    for number in range(settings.rounds if cases else 0):
        with _stage(cases, settings) as stage:
            for case in cases:
                settings.tell(f"round {number + 1} of {settings.rounds}: {case.name}")
                pairs[case.name].append(_undisturbed(case, stage, settings, number))
    return [_figure(case, each, pairs[case.name]) for case in cases for each in case.measures]


@contextlib.contextmanager
def _stage(cases: Sequence[Case], settings: Settings) -> Iterator[Stage]:
    with tempfile.TemporaryDirectory(dir=settings.directory) as name:
        directory = Path(name)
        syncs = SyncRecord(directory / "syncs")
        with service(directory / "data", syncs.path) as ours:
            with matches.api(ours) as api:
                replies = _replies(cases, api)
            with echo(replies) as peer:
                yield Stage(ours, peer, syncs, directory)


def _replies(cases: Sequence[Case], api: Api) -> dict[str, bytes]:
    """What the service answers, for the echo to answer the same."""
    table = api.started()
    opening = matches.random_course(random.Random(0), 1)
    bodies = {
        "GetView": matches.get_view(table),
        "ListLegalActions": matches.list_legal_actions(table),
        "SubmitAction": matches.submissions(table, opening)[0],
    }
    methods = {case.method for case in cases}
    return {
        f"{matches.SERVICE}/{method}": api.reply(method, body)
        for method, body in bodies.items()
        if method in methods
    }


def _undisturbed(case: Case, stage: Stage, settings: Settings, number: int) -> Pair:
    """The least disturbed of a few tries."""
    best: Pair | None = None
    for _ in range(settings.tries):
        pair = _pair(case, stage, settings, echo_first=number % 2 == 0)
        if best is None or pair.foreign < best.foreign:
            best = pair
        if best.foreign < QUIET_CORES:
            break
    assert best is not None
    return best


def _pair(case: Case, stage: Stage, settings: Settings, *, echo_first: bool) -> Pair:
    bodies = stage.directory / "bodies"
    # Anew for every try: an action can be taken once only.
    with matches.api(stage.service) as api:
        write_bodies(bodies, case.scripts(api, settings))
    wait_for_quiet(settings.wait_seconds)
    before = stage.syncs.count()
    # To the echo a request that comes again is as good as a new one.
    repeated = replace(case.shape, once=False)
    if echo_first:
        peer = _drive(case, repeated, stage.echo, bodies, settings)
    ours = _drive(case, case.shape, stage.service, bodies, settings)
    if not echo_first:
        peer = _drive(case, repeated, stage.echo, bodies, settings)
    return Pair(peer, ours, stage.syncs.count() - before, stage.syncs.median_since(before))


def _drive(case: Case, shape: Shape, server: Server, bodies: Path, settings: Settings) -> Reading:
    reading = drive(server, f"{matches.SERVICE}/{case.method}", bodies, shape, settings.seconds)
    if reading.ran_out:
        raise LoadError(f"{case.name}: the scripts were too short for {settings.seconds} s")
    return reading


def _figure(case: Case, each: Measure, pairs: Sequence[Pair]) -> Figure:
    values = [each.of(pair) for pair in pairs]
    # The absolute figures of the round in the middle, so that they fit the ratio.
    middle = pairs[values.index(sorted(values)[len(values) // 2])]
    ours, peer = (median(of) for of in zip(*((p.ours.cpu, p.echo.cpu) for p in pairs), strict=True))
    return Figure(
        name=f"{case.name}: {each.name}",
        rounds=values,
        target=each.target,
        ours=each.ours(middle),
        peer=each.peer(middle),
        cpu=f"{ours:.0f}, echo {peer:.0f}",
        foreign=[pair.foreign for pair in pairs],
    )
