"""What players do about one another's time."""

from functools import partial

from tablestate_service.domain import deadlines
from tablestate_service.domain.entry import Request
from tablestate_service.domain.hashing import token_hash
from tablestate_service.domain.match import Transition
from tablestate_service.usecases.matches import Matches


async def claim_timeout(
    matches: Matches, request: Request, *, match_id: str, seat_token: bytes
) -> tuple[Transition, ...]:
    """Have the seat that is out of time timed out."""
    return await matches.change(
        match_id, request, partial(deadlines.claim_timeout, token_hash=token_hash(seat_token))
    )
