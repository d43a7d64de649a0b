"""The comparison of an engine with an oracle, for any game.

A game brings its rules (which are an `EngineUnderTest` themselves), its policies and the names
that its coverage counts.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Generic, NamedTuple, NoReturn, Protocol, TypeVar

from .common import Event, Outcome
from .coverage import Coverage, Step, missing

O_contra = TypeVar("O_contra", contravariant=True)
S_contra = TypeVar("S_contra", contravariant=True)
Opt = TypeVar("Opt")
S = TypeVar("S")
E = TypeVar("E")
T = TypeVar("T")


class EngineUnderTest(Protocol[O_contra, S]):
    """What an engine, or an oracle, must answer to be compared.

    `start` and `apply` refuse by raising ValueError (or a subclass) and leave the old state alone.
    """

    def start(self, options: O_contra, /) -> S:
        """Start a match; raises ValueError for a set-up that is refused."""

    def legal(self, state: S, /) -> list[str]:
        """List the legal actions in notation, in index order; none when the game is over."""

    def apply(self, state: S, notation: str, /) -> tuple[S, list[Event]]:
        """Do an action and report its events; raises ValueError when it is not legal."""

    def position(self, state: S, /) -> str:
        """Write the position."""

    def actor(self, state: S, /) -> int | None:
        """Give the seat that must decide, None when the game is over."""

    def outcome(self, state: S, /) -> Outcome | None:
        """Give the outcome, None while the game goes on."""

    def default_action(self, state: S, /) -> str:
        """Give the default action; asked only while the game goes on."""


class Policy(Protocol[S_contra]):
    """Biased play of one game: what to do, and what to try that is most likely not legal."""

    def choose(self, state: S_contra, legal: list[str], rng: random.Random, /) -> str:
        """Choose one of the legal actions."""

    def stray(self, rng: random.Random, /) -> str:
        """Give some action text, well-formed or not, without regard to the state."""


@dataclass(frozen=True)
class Setup(Generic[Opt, S]):
    """One game to play: the bias it is for, its options and policy and its longest walk.

    A game with chance may go on from a position instead of beginning at the start.
    """

    kind: str
    options: Opt
    policy: Policy[S]
    limit: int = 200
    position: str | None = None


@dataclass(frozen=True)
class Difference:
    """The first difference of a game: what differs, and how to get there."""

    what: str
    expected: object
    found: object
    options: object
    actions: tuple[str, ...]

    def __str__(self) -> str:
        """Describe the difference for a reader."""
        played = " ".join(self.actions) or "(none)"
        return (
            f"{self.what} differs after {len(self.actions)} actions\n"
            f"  by the rules: {self.expected}\n"
            f"  by the engine: {self.found}\n"
            f"  options: {self.options}\n"
            f"  actions: {played}"
        )


class View(NamedTuple):
    """All that can be read of a state."""

    position: str
    actor: int | None
    outcome: Outcome | None
    legal: list[str]
    default_action: str | None


def view(side: EngineUnderTest[Opt, S], state: S) -> View:
    """Read all that can be read of a state."""
    actor, legal = side.actor(state), side.legal(state)
    default = side.default_action(state) if actor is not None and legal else None
    return View(side.position(state), actor, side.outcome(state), legal, default)


class Found(Exception):
    """Carries the first difference out of a walk."""

    def __init__(self, difference: Difference) -> None:
        super().__init__(difference.what)
        self.difference = difference


class Judge(Generic[Opt]):
    """Notes the actions of one game and raises `Found` at the first difference."""

    def __init__(self, options: Opt) -> None:
        """Take the options, for the difference to tell."""
        self.options = options
        self.actions: list[str] = []

    def ask(self, what: str, question: Callable[[], T]) -> T:
        """Ask the engine; whatever it raises is a difference."""
        try:
            return question()
        except Exception as error:
            self.differ(f"answer to {what}", "an answer", repr(error))

    def compare(self, what: str, expected: object, found: object) -> None:
        """Stop the walk when two answers differ."""
        if expected != found:
            self.differ(what, expected, found)

    def differ(self, what: str, expected: object, found: object) -> NoReturn:
        """Stop the walk with a difference."""
        raise Found(Difference(what, expected, found, self.options, tuple(self.actions)))


class _Walk(Judge[Opt], Generic[Opt, E, S]):
    """One game walked by both sides; raises `Found` at the first difference."""

    def __init__(
        self, engine: EngineUnderTest[Opt, E], rules: EngineUnderTest[Opt, S], options: Opt
    ) -> None:
        super().__init__(options)
        self.engine = engine
        self.rules = rules

    def play(
        self, policy: Policy[S], rng: random.Random, coverage: Coverage[S], limit: int
    ) -> None:
        """Walk the game to its end, or as far as the limit."""
        begun = self.begin()
        if begun is None:
            return
        theirs, ours = begun
        for _ in range(limit):
            legal = self.compare_views(theirs, ours)
            self.compare_stray(theirs, ours, self.stray(policy, legal, rng))
            if self.rules.actor(ours) is None:
                return
            action = policy.choose(ours, legal, rng)
            theirs, step = self.advance(theirs, ours, action)
            coverage.note(step)
            ours = step.after
        self.compare_views(theirs, ours)

    def begin(self) -> tuple[E, S] | None:
        """Start on both sides; None when both refuse."""
        ours = unless_refused(lambda: self.rules.start(self.options))
        theirs = self.ask("start", lambda: unless_refused(self.start_theirs))
        if ours is None or theirs is None:
            self.compare("refusal of the set-up", ours is None, theirs is None)
            return None
        return theirs, ours

    def start_theirs(self) -> E:
        """Start on the engine's side."""
        return self.engine.start(self.options)

    def compare_views(self, theirs: E, ours: S) -> list[str]:
        """Compare all that can be read; give the legal actions."""
        expected = view(self.rules, ours)
        found = self.ask("view", lambda: view(self.engine, theirs))
        for what, one, other in zip(View._fields, expected, found, strict=True):
            self.compare(what.replace("_", " "), one, other)
        if expected.actor is not None and not expected.legal:
            self.differ("choice", "an action for the seat to act", "no legal action on either side")
        return expected.legal

    def compare_stray(self, theirs: E, ours: S, stray: str | None) -> None:
        """Compare that an illegal action is refused by both."""
        if stray is None:
            return
        expected = unless_refused(lambda: self.rules.apply(ours, stray)) is None
        found = self.ask(
            f"refusal of {stray!r}",
            lambda: unless_refused(lambda: self.engine.apply(theirs, stray)) is None,
        )
        self.compare(f"refusal of {stray!r}", True, expected and found)

    def stray(self, policy: Policy[S], legal: list[str], rng: random.Random) -> str | None:
        """Find an action that is not in the legal list."""
        tries = (policy.stray(rng) for _ in range(20))
        return next((text for text in tries if text not in legal), None)

    def advance(self, theirs: E, ours: S, action: str) -> tuple[E, Step[S]]:
        """Do a legal action on both sides and compare the events."""
        self.actions.append(action)
        after, expected = self.rules.apply(ours, action)
        following, found = self.ask("apply", lambda: self.engine.apply(theirs, action))
        self.compare("list of events", expected, found)
        return following, Step(ours, action, expected, after)


def unless_refused(question: Callable[[], T]) -> T | None:
    """Give the answer, or None when it is refused."""
    try:
        return question()
    except ValueError:
        return None


def compare_game(
    engine: EngineUnderTest[Opt, E],
    rules: EngineUnderTest[Opt, S],
    options: Opt,
    policy: Policy[S],
    rng: random.Random,
    coverage: Coverage[S],
    limit: int = 200,
) -> Difference | None:
    """Walk one game, compare everything at every ply, and give the first difference."""
    coverage.begin_game()
    try:
        _Walk(engine, rules, options).play(policy, rng, coverage, limit)
    except Found as found:
        return found.difference
    return None


def compare_games(
    engine: EngineUnderTest[Opt, E],
    rules: EngineUnderTest[Opt, S],
    setups: Iterable[Setup[Opt, S]],
    rng: random.Random,
    coverage: Coverage[S],
) -> Difference | None:
    """Walk many games and give the first difference."""
    for setup in setups:
        difference = compare_game(
            engine, rules, setup.options, setup.policy, rng, coverage, setup.limit
        )
        if difference is not None:
            return difference
    return None


def compare_until_covered(
    engine: EngineUnderTest[Opt, E],
    rules: EngineUnderTest[Opt, S],
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
