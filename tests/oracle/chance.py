"""The numbers that a game with chance draws, fed to an oracle and recorded."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import NamedTuple


class Draw(NamedTuple):
    """One draw: a number of 0 to n - 1."""

    n: int
    value: int


class DrawsDiffer(Exception):
    """The oracle needs a number where none was drawn, or one that its n does not allow."""


class Draws:
    """A source of numbers that keeps what was drawn from it."""

    def __init__(self, pick: Callable[[int], int]) -> None:
        """Take what gives a number of 0 to n - 1 for each n."""
        self.pick = pick
        self.record: list[Draw] = []

    def draw(self, n: int) -> int:
        """Draw a number of 0 to n - 1; raises DrawsDiffer when the source gives another."""
        value = self.pick(n)
        if not 0 <= value < n:
            raise DrawsDiffer(f"draw {len(self.record)}: {value} of {n}")
        self.record.append(Draw(n, value))
        return value

    @classmethod
    def random(cls, rng: random.Random) -> Draws:
        """Draw from a random generator."""
        return cls(rng.randrange)

    @classmethod
    def fed(cls, values: Iterable[int]) -> Draws:
        """Draw numbers that are known already."""
        left = iter(values)

        def pick(n: int) -> int:
            for value in left:
                return value
            raise DrawsDiffer(f"no number left for a draw of {n}")

        return cls(pick)
