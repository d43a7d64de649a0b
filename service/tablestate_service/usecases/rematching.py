"""Rematches: the same players once more, with the seats moved on by one.

The id of a rematch follows from the match before it, so that all its players find it, whoever
calls first; from its secret too, or spectators who see the match later could look whether there is
a rematch, and so whether the match has ended. Nobody else can join: it asks for an invitation that
nobody has, and those who show the token of a seat of the old match need none.
"""

from contextlib import suppress
from dataclasses import replace
from functools import partial

from tablestate_service.domain import decide, errors, fairness
from tablestate_service.domain.audience import Visibility
from tablestate_service.domain.clocks import TimeControl
from tablestate_service.domain.entry import Request, Stamp
from tablestate_service.domain.errors import DomainError, Reason
from tablestate_service.domain.hashing import digest, token_hash
from tablestate_service.domain.match import Match, Transition
from tablestate_service.domain.seats import OPEN_SEAT, Occupant
from tablestate_service.domain.standing import MatchPhase
from tablestate_service.domain.terms import StartPolicy, Terms
from tablestate_service.ports import Clock, Engine, Entropy, VersionConflictError
from tablestate_service.usecases.matches import Matches
from tablestate_service.usecases.playing import join_match

WAITING_LIMIT = 3600 * 1_000_000_000
"""How many nanoseconds a rematch waits for the others, if the match before had no limit."""
_ID = b"tablestate/rematch/v1"
_ID_BYTES = 16
MOST_ABORTED = 16
"""How many rematches of a match may be aborted, until there is no other one."""
_OTHERS_WERE_FIRST = (Reason.SEAT_TAKEN, Reason.MATCH_ALREADY_STARTED, Reason.MATCH_ENDED)


async def rematch(
    matches: Matches,
    engine: Engine,
    clock: Clock,
    entropy: Entropy,
    request: Request,
    *,
    match_id: str,
    seat_token: bytes,
    new_seat_token: bytes,
    new_host_token: bytes,
    default: TimeControl | None,
) -> tuple[Transition, ...]:
    """Take one's seat in the rematch of a match, which is made if it is not there yet.

    It is played with the `default` if the match before had no time control.
    Refuses MATCH_NOT_ENDED, and SEATS_OPEN if it could never start.
    """
    if answered := await matches.answered(request):
        return answered
    old = (await matches.current(match_id)).match
    seat = decide.require_seat(old, token_hash(seat_token))
    if not old.standing.has_ended:
        raise errors.match_not_ended(old.standing.phase.name)
    if empty := _without_player(old):
        raise errors.seats_without_player(empty)
    match_id = await _next_id(matches, old)
    terms = _terms(old, match_id, clock, entropy, token_hash(new_host_token), default)
    with suppress(VersionConflictError):  # Another player was first.
        await matches.create(terms, None)
    await _seat_bots(matches, engine, old, terms.match_id)
    player = old.standing.seats[seat]
    new = (await matches.get(terms.match_id)).match
    return await join_match(
        matches,
        engine,
        request,
        match_id=terms.match_id,
        seat_token=new_seat_token,
        seat=_moved(old, seat),
        display_name=player.display_name,
        player_id=player.player_id,
        invitation_hash=new.terms.audience.invitation_hash,
    )


def _without_player(old: Match) -> list[int]:
    """The seats that nobody can take again: no bot has them, and no token."""
    seats = enumerate(old.standing.seats)
    return [n for n, each in seats if each.occupant is not Occupant.BOT and not each.token_hash]


async def _next_id(matches: Matches, old: Match) -> str:
    """The id of the first rematch that was not aborted, whether there is one already or not."""
    for number in range(MOST_ABORTED):
        match_id = _id(old, number)
        try:
            standing = (await matches.current(match_id)).match.standing
        except DomainError as refusal:
            if refusal.reason is not Reason.MATCH_NOT_FOUND:
                raise
            return match_id
        if standing.phase is not MatchPhase.ABORTED:
            return match_id
    raise errors.limit_reached("aborted_rematches", MOST_ABORTED)


def _id(old: Match, number: int) -> str:
    again = (b"%d" % number,) if number else ()
    return digest((_ID, old.terms.match_id.encode(), old.terms.secret, *again))[:_ID_BYTES].hex()


def _terms(
    old: Match,
    match_id: str,
    clock: Clock,
    entropy: Entropy,
    host_hash: bytes,
    default: TimeControl | None,
) -> Terms:
    secret = entropy.token_bytes(fairness.SECRET_BYTES)
    audience = replace(
        old.terms.audience,
        visibility=Visibility.INVITE,
        invitation_hash=token_hash(entropy.token_bytes(fairness.SECRET_BYTES)),
    )
    # It starts when all have come, and not at the word of whoever came first.
    policies = replace(old.terms.policies, start=StartPolicy.WHEN_FULL)
    return replace(
        old.terms,
        match_id=match_id,
        policies=policies,
        host_token_hash=host_hash,
        secret=secret,
        commitment=fairness.commitment(match_id, secret),
        create_time=clock.now(),
        fork=None,
        audience=audience,
        waiting_limit=old.terms.waiting_limit or WAITING_LIMIT,
        time_control=old.terms.time_control or default,
        rematch_of=old.terms.match_id,
    )


async def _seat_bots(matches: Matches, engine: Engine, old: Match, match_id: str) -> None:
    """Put the bots of the match before on their seats, unless that is done."""
    for seat, player in enumerate(old.standing.seats):
        new, moved = (await matches.get(match_id)).match, _moved(old, seat)
        if player.occupant is Occupant.BOT and new.standing.seats[moved] == OPEN_SEAT:
            bring = partial(_add_bot, engine=engine, bot=player.display_name, seat=moved)
            try:
                await matches.change(match_id, None, bring)
            except DomainError as refusal:
                if refusal.reason not in _OTHERS_WERE_FIRST:
                    raise


def _add_bot(
    match: Match, stamp: Stamp, *, engine: Engine, bot: str, seat: int
) -> tuple[Transition, ...]:
    host_hash = match.terms.host_token_hash
    return decide.add_bot(match, engine, stamp, host_hash=host_hash, bot=bot, seat=seat)


def _moved(old: Match, seat: int) -> int:
    return (seat + 1) % old.terms.seats
