"""What players settle between them: time, draws, actions taken back, pauses."""

from functools import partial

from tablestate_service.domain import deadlines, proposals
from tablestate_service.domain.decide import require_player
from tablestate_service.domain.entry import Request
from tablestate_service.domain.errors import DomainError
from tablestate_service.domain.hashing import token_hash
from tablestate_service.domain.match import Match, Transition
from tablestate_service.domain.proposals import TakeBack
from tablestate_service.domain.standing import ProposalKind
from tablestate_service.usecases.matches import Matches


async def claim_timeout(
    matches: Matches, request: Request, *, match_id: str, seat_token: bytes
) -> tuple[Transition, ...]:
    """Have the seat that is out of time timed out."""
    return await matches.change(
        match_id, request, partial(deadlines.claim_timeout, token_hash=token_hash(seat_token))
    )


async def propose(
    matches: Matches,
    request: Request,
    *,
    match_id: str,
    seat_token: bytes,
    kind: ProposalKind,
    undo_to: int | None,
) -> tuple[Transition, ...]:
    """Propose something to the other players."""
    hashed, undo = token_hash(seat_token), None
    if kind is ProposalKind.UNDO:
        try:
            match = (await matches.current(match_id)).match
            seat = require_player(match, hashed)
            undo = await _take_back(matches, match, seat, undo_to)
        except DomainError:
            if answered := await matches.answered(request):
                return answered
            raise
    return await matches.change(
        match_id, request, partial(proposals.propose, token_hash=hashed, kind=kind, undo=undo)
    )


async def respond(
    matches: Matches,
    request: Request,
    *,
    match_id: str,
    seat_token: bytes,
    version: int,
    accept: bool,
) -> tuple[Transition, ...]:
    """Accept or decline what was proposed."""
    match = (await matches.current(match_id)).match
    proposal, undo = match.standing.proposal, None
    if accept and proposal is not None and proposal.undo_to is not None:
        undo = await _take_back(matches, match, proposal.seat, proposal.undo_to)
    return await matches.change(
        match_id,
        request,
        partial(
            proposals.respond,
            token_hash=token_hash(seat_token),
            version=version,
            accept=accept,
            undo=undo,
        ),
    )


async def resume_match(
    matches: Matches, request: Request, *, match_id: str, seat_token: bytes
) -> tuple[Transition, ...]:
    """End a pause."""
    return await matches.change(
        match_id, request, partial(proposals.resume, token_hash=token_hash(seat_token))
    )


async def _take_back(matches: Matches, match: Match, seat: int, version: int | None) -> TakeBack:
    """What a seat would have taken back; refuses CANNOT_UNDO."""
    course: list[Transition] = []
    async for batch in matches.history(match.terms.match_id, 0, match.standing.version):
        course.extend(batch)
    return proposals.chosen(proposals.take_backs(course), seat, version)
