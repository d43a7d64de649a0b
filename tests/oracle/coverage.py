"""The counter of rule events seen in play, for any game."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from .common import Event

S = TypeVar("S")


@dataclass(frozen=True)
class Step(Generic[S]):
    """One action as the oracle saw it."""

    before: S
    action: str
    events: list[Event]
    after: S


class Coverage(Generic[S]):
    """Counts the rule events by name, and the distinct games that each was seen in."""

    def __init__(
        self,
        expected: Iterable[str],
        names: Callable[[Step[S]], Iterable[str]],
    ) -> None:
        """Take the names that must occur, and what names a step's rule events."""
        self.expected = tuple(expected)
        self.names = names
        self.games = 0
        self.steps = 0
        self.counts: Counter[str] = Counter()
        self.games_of: defaultdict[str, set[int]] = defaultdict(set)

    def begin_game(self) -> None:
        """Start the next game."""
        self.games += 1

    def note(self, step: Step[S]) -> None:
        """Count the rule events of a step."""
        self.steps += 1
        for name in self.names(step):
            self.counts[name] += 1
            self.games_of[name].add(self.games)

    def table(self) -> str:
        """Write the counts, the rarest first."""
        lines = [(self.counts[name], len(self.games_of[name]), name) for name in self.expected]
        return "\n".join(
            f"{count:6} in {games:5} games  {name}" for count, games, name in sorted(lines)
        )

    def summary(self) -> str:
        """Write in one line how much was seen, and what of it least."""
        count = min(self.counts[name] for name in self.expected)
        games = min(len(self.games_of[name]) for name in self.expected)
        return (
            f"{self.steps} decisions of {self.games} games; each of {len(self.expected)} rule"
            f" events at least {count} times, from at least {games} games"
        )


Reports = dict[str, Coverage[Any]]
"""By game what its comparison has seen."""


def missing(coverage: Coverage[S], floor: int = 100, games: int = 30) -> list[str]:
    """List the expected rule events seen too rarely, or in too few distinct games."""
    return [
        name
        for name in coverage.expected
        if coverage.counts[name] < floor or len(coverage.games_of[name]) < games
    ]
