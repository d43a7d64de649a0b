"""Games of two bots, each deal played twice with the seats swapped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tablestate_service.arena.ratings import PairScore
from tablestate_service.engine import Contest, GameState, Stop, contests, seeds

MAX_PLIES = 5_000
"""A game of so many actions is a draw."""
_OPENING = 6
"""Random actions before the bots begin, in games that always start from the same position."""


@dataclass(frozen=True, slots=True)
class Duel:
    """A deal played twice: first with `first` on seat 0, then with `second` there."""

    first: str
    second: str
    games: tuple[Contest, Contest]

    @property
    def pair(self) -> PairScore:
        """What the first player got of both."""
        ahead, behind = self.games
        return PairScore(self.first, self.second, (ahead.shares[0] + behind.shares[1]) / 2)

    def thinking(self, name: str) -> list[float]:
        """The milliseconds of each decision of a player that had a choice."""
        found: list[float] = []
        for game, order in zip(self.games, self._orders, strict=True):
            for seat, choices, taken in zip(
                game.seats, game.choices, game.nanoseconds, strict=True
            ):
                if order[seat] == name and choices > 1:
                    found.append(taken / 1e6)
        return found

    @property
    def _orders(self) -> tuple[tuple[str, str], tuple[str, str]]:
        return (self.first, self.second), (self.second, self.first)


def duels(
    options: bytes,
    first: str,
    second: str,
    deals: Sequence[int],
    *,
    opening: int,
    threads: int,
    stop: Stop,
) -> list[Duel] | None:
    """Play every deal, given by its seed, twice; None if `stop` was set.

    `options` are of a game for two. Before the bots begin, `opening` actions are drawn at random,
    the same in both games. Raises CoreError for bad options and ValueError for unknown bots.
    """
    bots = [[first, second], [second, first]] * len(deals)
    each = [deal for deal in deals for _ in range(2)]
    played = contests(
        options,
        bots,
        each,
        opening=opening,
        max_plies=MAX_PLIES,
        threads=threads,
        stop=stop,
    )
    if played is None:
        return None
    pairs = zip(played[::2], played[1::2], strict=True)
    return [Duel(first, second, games) for games in pairs]


def deals_of(seed: int, count: int) -> list[int]:
    """So many seeds of deals that follow from one."""
    return seeds(seed, count)


def default_opening(options: bytes) -> int:
    """How many random actions make games differ: none where the set-up already does."""
    return 0 if GameState.start(options, bytes(32)).draws else _OPENING
