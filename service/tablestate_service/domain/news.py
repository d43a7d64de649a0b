"""News of matches: what an operator is told of without watching each of them.

It holds nothing of the game but whose turn it is and how it ended, which all may know.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from tablestate_service.domain.entry import MatchChange
from tablestate_service.domain.match import Match, Transition
from tablestate_service.domain.seats import Occupant
from tablestate_service.domain.standing import MatchPhase


class NewsKind(IntEnum):
    """What happened; the numbers are those of `FeedKind`."""

    CREATED = 1
    TURN = 2
    OVER = 3
    ABORTED = 4
    ENTROPY_DUE = 5


@dataclass(frozen=True, slots=True)
class News:
    """What happened to a match at a version, at a time in nanoseconds since 1970.

    `seat` and `player_id` are of the player whose turn it is, at TURN; `outcome` is of OVER.
    """

    kind: NewsKind
    tenant: str
    game: str
    match_id: str
    version: int
    time: int
    seat: int | None = None
    player_id: str = ""
    outcome: bytes | None = None


def news_of(before: Match | None, transitions: Sequence[Transition]) -> tuple[News, ...]:
    """The news in what was written behind a match; None: before it was created."""
    after = transitions[-1].match
    if before is None:
        return (_news(NewsKind.CREATED, after),)
    if after.standing.phase is MatchPhase.OVER:
        return (_news(NewsKind.OVER, after, outcome=after.standing.outcome),)
    if after.standing.phase is MatchPhase.ABORTED:
        return (_news(NewsKind.ABORTED, after),)
    if transitions[-1].entry.draft.change is MatchChange.ENTROPY_DUE:
        return (_news(NewsKind.ENTROPY_DUE, after),)
    return tuple(_turn(after, seat) for seat in _awaited(before, after))


def _awaited(before: Match, after: Match) -> list[int]:
    """The seats of players who must decide and did not have to before."""
    actors = set(after.standing.actors) - set(before.standing.actors)
    seats = after.standing.seats
    return sorted(seat for seat in actors if seats[seat].occupant is Occupant.PLAYER)


def _turn(match: Match, seat: int) -> News:
    player_id = match.standing.seats[seat].player_id
    return _news(NewsKind.TURN, match, seat=seat, player_id=player_id)


def _news(
    kind: NewsKind,
    match: Match,
    *,
    seat: int | None = None,
    player_id: str = "",
    outcome: bytes | None = None,
) -> News:
    terms, standing = match.terms, match.standing
    return News(
        kind,
        terms.tenant,
        terms.game,
        terms.match_id,
        standing.version,
        standing.time,
        seat,
        player_id,
        outcome,
    )
