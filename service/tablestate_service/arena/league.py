"""Reference leagues: for each game bots that stay as they are, and their ratings.

A rating means something only against players who do not change. So a league has a version in its
name, its members are known by a digest of how they play, and a test fails as soon as one of them
plays otherwise: then a new version of the league is due.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tablestate_service.arena.games import default_opening
from tablestate_service.arena.ratings import PairScore, Rating, ratings
from tablestate_service.engine import Stop, contests, default_options, seeds

_FILES = Path(__file__).with_name("leagues")
_ANCHOR = "random"
_DIGESTED_GAMES = 4
_DIGESTED_PLIES = 24


@dataclass(frozen=True, slots=True)
class Member:
    """A bot of a league; `digest` is what `digest_of` gives as long as it plays the same."""

    id: str
    bot: str
    rating: Rating
    digest: str


@dataclass(frozen=True, slots=True)
class League:
    """Players of a game with its default options who do not change.

    `pairs` deals of each pairing were played for the ratings, each twice.
    """

    id: str
    game: str
    rules_version: int
    pairs: int
    members: tuple[Member, ...]

    def rate(self, name: str, scores: Sequence[tuple[str, float]]) -> Rating:
        """The rating of a player who is no member, from its mean score of pairs.

        `scores` has for each deal that was played twice, with the seats swapped, the bot it was
        played against and the player's mean share of the victory, 0 to 1. Raises ValueError for
        a bot that is not in the league, a score out of range, and no scores.
        """
        fixed = {member.bot: member.rating.elo for member in self.members}
        for bot, score in scores:
            if bot not in fixed:
                raise ValueError(f"scores: {bot!r}; expected one of {', '.join(fixed)}")
            if not 0 <= score <= 1:
                raise ValueError(f"scores: {score}; expected 0 to 1")
        if not scores or name in fixed:
            raise ValueError("scores and name: expected some scores of a player of another name")
        pairs = [PairScore(name, bot, score) for bot, score in scores]
        return ratings(pairs, anchor=_ANCHOR, fixed=fixed)[name]


def league_of(game: str) -> League:
    """The latest reference league of a game; raises KeyError if there is none."""
    files = sorted(_FILES.glob(f"{game}-v*.json"), key=lambda path: int(path.stem.split("-v")[1]))
    if not files:
        raise KeyError(game)
    stored = json.loads(files[-1].read_text())
    members = [
        Member(each["id"], each["bot"], Rating(*each["rating"]), each["digest"])
        for each in stored.pop("members")
    ]
    return League(members=tuple(members), **stored)


def digest_of(game: str, bot: str) -> str:
    """SHA-256 over the actions of a bot in the beginnings of some games against itself."""
    options = default_options(game)
    played = contests(
        options,
        [[bot, bot]] * _DIGESTED_GAMES,
        seeds(0, _DIGESTED_GAMES),
        opening=default_opening(options),
        max_plies=_DIGESTED_PLIES,
        threads=1,
        stop=Stop(),
    )
    assert played is not None, "nobody stops it"
    text = json.dumps([(each.opening, each.actions) for each in played])
    return hashlib.sha256(text.encode()).hexdigest()
