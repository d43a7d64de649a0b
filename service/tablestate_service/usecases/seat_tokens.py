"""What an operator does with the tokens of seats."""

from functools import partial

from tablestate_service.domain import seat_tokens
from tablestate_service.domain.entry import Request
from tablestate_service.domain.hashing import token_hash
from tablestate_service.domain.match import Transition
from tablestate_service.usecases.matches import Matches


async def replace_seat_token(
    matches: Matches, request: Request, *, match_id: str, seat: int, seat_token: bytes
) -> tuple[Transition, ...]:
    """Give a seat another token."""
    decide = partial(seat_tokens.replace_token, seat=seat, token_hash=token_hash(seat_token))
    return await matches.change(match_id, request, decide)


async def revoke_seat_token(
    matches: Matches, request: Request, *, match_id: str, seat: int
) -> tuple[Transition, ...]:
    """Take a seat its token away."""
    return await matches.change(match_id, request, partial(seat_tokens.revoke_token, seat=seat))
