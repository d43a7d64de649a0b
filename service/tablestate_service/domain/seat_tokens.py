"""What an operator may do with the tokens of seats, when they are lost or known to others."""

import json

from tablestate_service.domain import errors
from tablestate_service.domain.entry import Draft, MatchChange, Stamp
from tablestate_service.domain.match import Match, Transition, advance
from tablestate_service.domain.seats import Occupant, seat_of


def replace_token(
    match: Match, stamp: Stamp, *, seat: int, token_hash: bytes
) -> tuple[Transition, ...]:
    """Give a player's seat another token."""
    _require_player_on(match, seat)
    if seat_of(match.standing.seats, token_hash) is not None:
        raise errors.seat_token_in_use()
    payload = json.dumps({"token_hash": token_hash.hex()})
    draft = Draft(MatchChange.SEAT_TOKEN_REPLACED, seat, payload=payload)
    return (advance(match, draft, stamp),)


def revoke_token(match: Match, stamp: Stamp, *, seat: int) -> tuple[Transition, ...]:
    """Take a player's seat its token away."""
    _require_player_on(match, seat)
    return (advance(match, Draft(MatchChange.SEAT_TOKEN_REVOKED, seat), stamp),)


def _require_player_on(match: Match, seat: int) -> None:
    if match.standing.has_ended:
        raise errors.match_ended(match.standing.phase.name)
    seats = match.standing.seats
    if seat >= len(seats):
        raise errors.invalid_field("seat", seat, f"0 to {len(seats) - 1}")
    if seats[seat].occupant is not Occupant.PLAYER:
        raise errors.seat_not_held(seat)
