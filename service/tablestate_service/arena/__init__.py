"""Who plays better: games between bots with seats swapped, ratings, leagues, data sets.

Importing it loads neither gRPC nor NumPy; `dataset` needs NumPy.
"""

from tablestate_service.arena.games import Duel, deals_of, default_opening, duels
from tablestate_service.arena.league import League, Member, league_of
from tablestate_service.arena.ratings import (
    PairScore,
    Rating,
    Score,
    log_likelihood_ratio,
    ratings,
    score,
    verdict,
)

__all__ = [
    "Duel",
    "League",
    "Member",
    "PairScore",
    "Rating",
    "Score",
    "deals_of",
    "default_opening",
    "duels",
    "league_of",
    "log_likelihood_ratio",
    "ratings",
    "score",
    "verdict",
]
