"""How strong players are, by the games they played against each other.

Ratings are Elo's: 400 points are odds of ten to one, and a draw is half a win. The two games of
a deal, with the seats swapped, are one observation, since what the deal favours cancels out in it.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, pvariance

_ELO_OF_TEN = 400.0
_ROUNDS = 400
_NEAR = 1e-6
_RESAMPLES = 200
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
    who won everything is not infinitely strong. The intervals come from drawing the pairs anew, by
    a fixed seed.
    """
    chance = random.Random(0)
    best = _fitted(pairs, anchor, fixed or {})
    drawn = [_fitted(_redrawn(pairs, chance), anchor, fixed or {}) for _ in range(_RESAMPLES)]
    low, high = int(0.025 * _RESAMPLES), int(0.975 * _RESAMPLES)
    found = {}
    for name, elo in best.items():
        spread = sorted(each[name] for each in drawn)
        found[name] = Rating(elo, spread[low], spread[high])
    return found


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


def _redrawn(pairs: Sequence[PairScore], chance: random.Random) -> list[PairScore]:
    """As many pairs of each pairing, each drawn from those that were played and one drawn pair:
    that all went alike does not mean that all always would.
    """
    pairings: dict[tuple[str, str], list[PairScore]] = {}
    for pair in pairs:
        pairings.setdefault((pair.first, pair.second), []).append(pair)
    redrawn: list[PairScore] = []
    for (first, second), each in pairings.items():
        redrawn += chance.choices([*each, PairScore(first, second, 0.5)], k=len(each))
    return redrawn


def _fitted(
    pairs: Sequence[PairScore], anchor: str, fixed: Mapping[str, float]
) -> dict[str, float]:
    """Bradley and Terry's strengths, by minorization and maximization, as Elo points."""
    won, met = _sums(pairs)
    # A rating is the logarithm of a strength.
    strength = {name: 10 ** (fixed.get(name, 0.0) / _ELO_OF_TEN) for name in won}
    free = [name for name in won if name not in fixed]
    for _ in range(_ROUNDS):
        before = dict(strength)
        for name in free:
            hoped = sum(
                count / (strength[name] + strength[other]) for other, count in met[name].items()
            )
            strength[name] = won[name] / hoped
        if not fixed:
            unit = strength[anchor]
            strength = {name: each / unit for name, each in strength.items()}
        if all(math.isclose(strength[name], before[name], rel_tol=_NEAR) for name in free):
            break
    return {name: _ELO_OF_TEN * math.log10(each) for name, each in strength.items()}


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
