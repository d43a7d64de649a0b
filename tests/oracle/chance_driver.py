"""The comparison of an engine with an oracle, for a game with chance, hidden content and seats.

The engine plays first and tells what it drew; the oracle is fed with these numbers.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Generic, NamedTuple, Protocol, TypeVar

from .chance import Draw, Draws, DrawsDiffer
from .common import Event, Outcome
from .coverage import Coverage, Step, missing
from .driver import Difference, Found, Judge, Setup, unless_refused

O_contra = TypeVar("O_contra", contravariant=True)
S_contra = TypeVar("S_contra", contravariant=True)
Opt = TypeVar("Opt")
S = TypeVar("S")
E = TypeVar("E")
T = TypeVar("T")


class Readable(Protocol[S_contra]):
    """What an engine and an oracle must answer about a state alike."""

    def choices(self, state: S_contra, /) -> list[tuple[int, str]]:
        """List the legal actions as index and notation, rising; none when the game is over."""

    def position(self, state: S_contra, /) -> str:
        """Write the position."""

    def actor(self, state: S_contra, /) -> int | None:
        """Give the seat that must decide, None when the game is over."""

    def outcome(self, state: S_contra, /) -> Outcome | None:
        """Give the outcome, None while the game goes on."""

    def returns(self, state: S_contra, /) -> tuple[Fraction, ...] | None:
        """Give the returns, None while the game goes on."""

    def default_action(self, state: S_contra, /) -> str:
        """Give the default action; asked only while the game goes on."""

    def views(self, state: S_contra, /) -> dict[int | None, dict[str, object]]:
        """Give all that each viewer may know: the seats and, as None, the spectator."""


class Rulebook(Readable[S], Protocol[O_contra, S]):
    """An oracle of a game with chance: it is fed with the numbers drawn."""

    def start(self, options: O_contra, draws: Draws, /) -> tuple[S, list[Event]]:
        """Start a match; raises ValueError for a set-up that is refused."""

    def load(self, options: O_contra, position: str, /) -> S:
        """Go on from a position."""

    def apply(self, state: S, notation: str, draws: Draws, /) -> tuple[S, list[Event]]:
        """Do an action; raises ValueError when it is not legal."""

    def viewers(self, state: S, /) -> list[int | None]:
        """List the seats and, as None, the spectator."""

    def shown(self, event: Event, viewer: int | None, /) -> Event:
        """Tell an event to a viewer."""


@dataclass(frozen=True)
class Played(Generic[S]):
    """What one step of an engine gave: the state, what happened, what was told, what was drawn."""

    state: S
    events: list[Event]
    told: dict[int | None, list[Event]]
    draws: list[Draw]


class ChanceEngine(Protocol[O_contra, S]):
    """An engine with chance of its own; `start` and `apply` refuse by raising ValueError."""

    @property
    def reading(self) -> Readable[S]:
        """Give what answers about the engine's states."""

    def start(self, options: O_contra, seed: int, /) -> Played[S]:
        """Start a match; the same seed and actions give the same match."""

    def load(self, options: O_contra, position: str, seed: int, /) -> S:
        """Go on from a position; the same seed and actions give the same match."""

    def apply(self, state: S, notation: str, /) -> Played[S]:
        """Do an action and leave the old state alone."""


class AsEngine(Generic[Opt, S]):
    """An oracle that stands in for an engine, one match after another."""

    def __init__(self, rules: Rulebook[Opt, S]) -> None:
        """Take the oracle."""
        self.rules = rules
        self.rng = random.Random(0)

    @property
    def reading(self) -> Readable[S]:
        """The oracle answers about its states."""
        return self.rules

    def start(self, options: Opt, seed: int) -> Played[S]:
        """Start a match."""
        self.rng = random.Random(seed)
        draws = Draws.random(self.rng)
        return played(self.rules, *self.rules.start(options, draws), draws)

    def load(self, options: Opt, position: str, seed: int) -> S:
        """Go on from a position."""
        self.rng = random.Random(seed)
        return self.rules.load(options, position)

    def apply(self, state: S, notation: str) -> Played[S]:
        """Do an action."""
        draws = Draws.random(self.rng)
        return played(self.rules, *self.rules.apply(state, notation, draws), draws)


def played(rules: Rulebook[Opt, S], state: S, events: list[Event], draws: Draws) -> Played[S]:
    """Put together what a step of an oracle gave."""
    told = {
        viewer: [rules.shown(event, viewer) for event in events] for viewer in rules.viewers(state)
    }
    return Played(state, events, told, draws.record)


class Reading(NamedTuple):
    """All that can be read of a state."""

    position: str
    actor: int | None
    outcome: Outcome | None
    returns: tuple[Fraction, ...] | None
    choices: list[tuple[int, str]]
    default_action: str | None
    views: dict[int | None, dict[str, object]]


def read(side: Readable[S], state: S) -> Reading:
    """Read all that can be read of a state."""
    actor = side.actor(state)
    return Reading(
        side.position(state),
        actor,
        side.outcome(state),
        side.returns(state),
        side.choices(state),
        None if actor is None else side.default_action(state),
        side.views(state),
    )


class _ChanceWalk(Judge[object], Generic[Opt, E, S]):
    """One game walked by both sides; raises `Found` at the first difference."""

    def __init__(
        self,
        engine: ChanceEngine[Opt, E],
        rules: Rulebook[Opt, S],
        setup: Setup[Opt, S],
        rng: random.Random,
    ) -> None:
        self.seed = rng.getrandbits(64)
        begun = f" from {setup.position}" if setup.position else ""
        super().__init__(f"{setup.options} with seed {self.seed}{begun}")
        self.engine = engine
        self.rules = rules
        self.setup = setup
        self.rng = rng

    def play(self, coverage: Coverage[S]) -> None:
        """Walk the game to its end, or as far as the limit."""
        position = self.setup.position
        begun = self.begin() if position is None else self.load(position)
        if begun is None:
            return
        theirs, ours = begun
        for _ in range(self.setup.limit):
            legal = self.compare_readings(theirs, ours)
            self.compare_stray(theirs, ours, legal)
            if self.rules.actor(ours) is None:
                return
            action = self.setup.policy.choose(ours, legal, self.rng)
            theirs, step = self.advance(theirs, ours, action)
            coverage.note(step)
            ours = step.after
        self.compare_readings(theirs, ours)

    def begin(self) -> tuple[E, S] | None:
        """Start on both sides; None when both refuse."""
        options = self.setup.options
        found = self.ask(
            "start", lambda: unless_refused(lambda: self.engine.start(options, self.seed))
        )
        draws = Draws.fed([] if found is None else [draw.value for draw in found.draws])
        expected = self.feed(lambda: unless_refused(lambda: self.rules.start(options, draws)))
        if expected is None or found is None:
            self.compare("refusal of the set-up", expected is None, found is None)
            return None
        self.compare_steps(played(self.rules, *expected, draws), found)
        return found.state, expected[0]

    def load(self, position: str) -> tuple[E, S]:
        """Go on from a position on both sides."""
        options = self.setup.options
        found = self.ask("load", lambda: self.engine.load(options, position, self.seed))
        return found, self.rules.load(options, position)

    def feed(self, question: Callable[[], T]) -> T:
        """Ask the oracle; when the numbers do not fit, that is a difference."""
        try:
            return question()
        except DrawsDiffer as error:
            self.differ("chance", str(error), "other draws")

    def compare_steps(self, expected: Played[S], found: Played[E]) -> None:
        """Compare what happened, what was told to whom, and every draw with its n."""
        self.compare("list of events", expected.events, found.events)
        self.compare("list of draws", expected.draws, found.draws)
        for viewer, events in expected.told.items():
            self.compare(f"what {viewer} is told", events, found.told.get(viewer))

    def compare_readings(self, theirs: E, ours: S) -> list[str]:
        """Compare all that can be read; give the legal actions."""
        expected = read(self.rules, ours)
        found = self.ask("reading", lambda: read(self.engine.reading, theirs))
        for what, one, other in zip(Reading._fields, expected, found, strict=True):
            self.compare(what.replace("_", " "), one, other)
        legal = [notation for _, notation in expected.choices]
        if expected.actor is not None and expected.default_action not in legal:
            self.differ("choice", "a legal default action", expected.default_action)
        return legal

    def compare_stray(self, theirs: E, ours: S, legal: list[str]) -> None:
        """Compare that an illegal action is refused by both."""
        tries = (self.setup.policy.stray(self.rng) for _ in range(20))
        stray = next((text for text in tries if text not in legal), None)
        if stray is None:
            return
        refused = unless_refused(lambda: self.rules.apply(ours, stray, Draws.fed([]))) is None
        found = self.ask(
            f"refusal of {stray!r}",
            lambda: unless_refused(lambda: self.engine.apply(theirs, stray)) is None,
        )
        self.compare(f"refusal of {stray!r}", True, refused and found)

    def advance(self, theirs: E, ours: S, action: str) -> tuple[E, Step[S]]:
        """Do a legal action on the engine's side, then feed the oracle with what was drawn."""
        self.actions.append(action)
        found = self.ask("apply", lambda: self.engine.apply(theirs, action))
        draws = Draws.fed(draw.value for draw in found.draws)
        after, events = self.feed(lambda: self.rules.apply(ours, action, draws))
        self.compare_steps(played(self.rules, after, events, draws), found)
        return found.state, Step(ours, action, events, after)


def begin_alone(rules: Rulebook[Opt, S], setup: Setup[Opt, S], rng: random.Random) -> S | None:
    """Begin a game by the oracle alone; None when the set-up is refused."""
    if setup.position is not None:
        return rules.load(setup.options, setup.position)
    begun = unless_refused(lambda: rules.start(setup.options, Draws.random(rng)))
    return None if begun is None else begun[0]


def walk_alone(
    rules: Rulebook[Opt, S], setup: Setup[Opt, S], rng: random.Random
) -> Iterator[Step[S]]:
    """Play one game by the oracle alone, step by step; none when the set-up is refused."""
    state = begin_alone(rules, setup, rng)
    for _ in range(setup.limit):
        if state is None or rules.actor(state) is None:
            return
        legal = [notation for _, notation in rules.choices(state)]
        action = setup.policy.choose(state, legal, rng)
        after, events = rules.apply(state, action, Draws.random(rng))
        yield Step(state, action, events, after)
        state = after


def cover_alone(
    rules: Rulebook[Opt, S],
    setups: Iterator[Setup[Opt, S]],
    rng: random.Random,
    coverage: Coverage[S],
    most: int,
) -> None:
    """Play by the oracle alone until nothing is missing, but not many more games than `most`."""
    while missing(coverage) and coverage.games < most:
        for setup in islice(setups, 20):
            coverage.begin_game()
            for step in walk_alone(rules, setup, rng):
                coverage.note(step)


def compare_game(
    engine: ChanceEngine[Opt, E],
    rules: Rulebook[Opt, S],
    setup: Setup[Opt, S],
    rng: random.Random,
    coverage: Coverage[S],
) -> Difference | None:
    """Walk one game, compare everything at every ply, and give the first difference."""
    coverage.begin_game()
    try:
        _ChanceWalk(engine, rules, setup, rng).play(coverage)
    except Found as found:
        return found.difference
    return None


def compare_games(
    engine: ChanceEngine[Opt, E],
    rules: Rulebook[Opt, S],
    setups: Iterable[Setup[Opt, S]],
    rng: random.Random,
    coverage: Coverage[S],
) -> Difference | None:
    """Walk many games and give the first difference."""
    for setup in setups:
        difference = compare_game(engine, rules, setup, rng, coverage)
        if difference is not None:
            return difference
    return None


def compare_until_covered(
    engine: ChanceEngine[Opt, E],
    rules: Rulebook[Opt, S],
    setups: Iterator[Setup[Opt, S]],
    rng: random.Random,
    coverage: Coverage[S],
    most: int,
) -> Difference | None:
    """Walk games until nothing is missing from the coverage, but not many more than `most`."""
    while missing(coverage) and coverage.games < most:
        difference = compare_games(engine, rules, islice(setups, 50), rng, coverage)
        if difference is not None:
            return difference
    return None
