"""How strong players are, by the games they played against each other.

Ratings are Elo's: 400 points are odds of ten to one, and a draw is half a win. The two games of
a deal, with the seats swapped, are one observation, since what the deal favours cancels out in it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, pvariance

_ELO_OF_TEN = 400.0
_ROUNDS = 5_000
_NEAR = 1e-9
_RISK = 0.05
"""Of a sequential test: how often it may take either answer for the other."""
_QUANTILE = 1.96
_LEAST_VARIANCE = 1e-3
"""Of pair scores: that the first pairs went alike does not mean that all will."""


@dataclass(frozen=True, slots=True)
class PairScore:
    """What came of a deal played twice: the first player's share of both games, 0 to 1."""

    first: str
    second: str
    score: float


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating in Elo points, and the interval that holds it with 95 %."""

    elo: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Score:
    """A mean score from 0 to 1, and the interval that holds it with 95 %."""

    mean: float
    low: float
    high: float


def score(pairs: Sequence[float]) -> Score:
    """The mean of pair scores with its interval, from the spread of the pairs."""
    mean = fmean(pairs)
    margin = _QUANTILE * math.sqrt(max(pvariance(pairs), _LEAST_VARIANCE) / len(pairs))
    return Score(mean, max(0.0, mean - margin), min(1.0, mean + margin))


def expected(elo: float) -> float:
    """The expected score of a player who is so many points stronger."""
    return 1 / (1 + 10 ** (-elo / _ELO_OF_TEN))


def ratings(
    pairs: Sequence[PairScore], anchor: str, fixed: Mapping[str, float] | None = None
) -> dict[str, Rating]:
    """The ratings of all players; the anchor has 0, and those of `fixed` what it says.

    The ratings make what was seen most likely; each pairing is given one drawn pair more, so that
    who won everything is not infinitely strong. The intervals are those of games without draws,
    as wide as the information in the games allows: draws can only make them safer.
    """
    stays = fixed or {anchor: 0.0}
    won, met = _sums(pairs)
    elos = _fitted(won, met, stays)
    free = [name for name in elos if name not in stays]
    deviations = _deviations(elos, met, free)
    margins = {name: _QUANTILE * deviations.get(name, 0.0) for name in elos}
    return {
        name: Rating(elo, elo - margins[name], elo + margins[name]) for name, elo in elos.items()
    }


def log_likelihood_ratio(pairs: Sequence[float], elo0: float, elo1: float) -> float:
    """How much better a lead of `elo1` points explains the pair scores than one of `elo0`.

    The generalized test of pairs, with the normal approximation: a sequential test goes on until
    `verdict` has an answer.
    """
    if not pairs:
        return 0.0
    score0, score1 = expected(elo0), expected(elo1)
    variance = max(pvariance(pairs), _LEAST_VARIANCE)
    lead = 2 * fmean(pairs) - score0 - score1
    return len(pairs) * (score1 - score0) * lead / (2 * variance)


def verdict(ratio: float) -> bool | None:
    """Whether the second hypothesis of a sequential test holds; None: go on."""
    bound = math.log((1 - _RISK) / _RISK)
    return None if abs(ratio) < bound else ratio > 0


def _fitted(
    won: Mapping[str, float], met: Mapping[str, Mapping[str, float]], stays: Mapping[str, float]
) -> dict[str, float]:
    """Bradley and Terry's strengths, by minorization and maximization, as Elo points."""
    # A rating is the logarithm of a strength.
    strength = {name: 10 ** (stays.get(name, 0.0) / _ELO_OF_TEN) for name in won}
    free = [name for name in won if name not in stays]
    for _ in range(_ROUNDS):
        before = dict(strength)
        for name in free:
            hoped = sum(
                count / (strength[name] + strength[other]) for other, count in met[name].items()
            )
            strength[name] = won[name] / hoped
        if all(math.isclose(strength[name], before[name], rel_tol=_NEAR) for name in free):
            break
    return {name: _ELO_OF_TEN * math.log10(each) for name, each in strength.items()}


def _deviations(
    elos: Mapping[str, float], met: Mapping[str, Mapping[str, float]], free: Sequence[str]
) -> dict[str, float]:
    """The standard deviations of the free ratings, from the information in the games."""
    information = [[0.0] * len(free) for _ in free]
    for row, name in enumerate(free):
        for other, count in met[name].items():
            hope = expected(elos[name] - elos[other])
            known = 2 * count * hope * (1 - hope) * (math.log(10) / _ELO_OF_TEN) ** 2
            information[row][row] += known
            if other in free:
                information[row][free.index(other)] -= known
    return {
        name: math.sqrt(column[row])
        for row, (name, column) in enumerate(zip(free, _inverse(information), strict=True))
    }


def _inverse(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """By Gauss and Jordan; the matrix must be symmetric and positive definite."""
    size = len(matrix)
    rows = [[*row, *(float(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    for pivot in range(size):
        head = rows[pivot][pivot]
        rows[pivot] = [each / head for each in rows[pivot]]
        for other in range(size):
            if other != pivot:
                factor = rows[other][pivot]
                pairs = zip(rows[other], rows[pivot], strict=True)
                rows[other] = [mine - factor * theirs for mine, theirs in pairs]
    return [row[size:] for row in rows]


def _sums(
    pairs: Sequence[PairScore],
) -> tuple[dict[str, float], dict[str, dict[str, float]]]:
    """What each player won, and how often it met each other, one drawn pair a pairing added."""
    won: dict[str, float] = {}
    met: dict[str, dict[str, float]] = {}
    drawn = {PairScore(pair.first, pair.second, 0.5) for pair in pairs}
    for pair in (*pairs, *drawn):
        won[pair.first] = won.get(pair.first, 0.0) + pair.score
        won[pair.second] = won.get(pair.second, 0.0) + 1 - pair.score
        for name, other in ((pair.first, pair.second), (pair.second, pair.first)):
            opponents = met.setdefault(name, {})
            opponents[other] = opponents.get(other, 0.0) + 1
    return won, met
