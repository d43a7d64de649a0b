"""What players settle between them: time, draws, actions taken back, pauses."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial

from tablestate_service.domain import deadlines, proposals
from tablestate_service.domain.entry import Request, Stamp
from tablestate_service.domain.errors import DomainError
from tablestate_service.domain.hashing import token_hash
from tablestate_service.domain.match import Match, Transition
from tablestate_service.domain.proposals import TakeBack
from tablestate_service.domain.seats import seat_of
from tablestate_service.domain.standing import ProposalKind
from tablestate_service.usecases.matches import Decide, Matches

_MATCHES_KNOWN = 16


async def claim_timeout(
    matches: Matches, request: Request, *, match_id: str, seat_token: bytes
) -> tuple[Transition, ...]:
    """Have the seat that is out of time timed out."""
    return await matches.change(
        match_id, request, partial(deadlines.claim_timeout, token_hash=token_hash(seat_token))
    )


class TakeBacks:
    """What can be taken back in the matches that were asked about last.

    To know it a log is folded from its beginning; so that is done once for each entry that a log
    gets, however often and by how many callers it is asked for.
    """

    def __init__(self, matches: Matches) -> None:
        """Know nothing yet."""
        self._matches = matches
        self._known: OrderedDict[str, tuple[int, asyncio.Task[list[TakeBack]]]] = OrderedDict()

    async def find(self, match: Match, seat: int, version: int | None) -> TakeBack:
        """What a seat would have taken back; refuses CANNOT_UNDO."""
        return proposals.chosen(await self._of(match), seat, version)

    async def _of(self, match: Match) -> list[TakeBack]:
        match_id, version = match.terms.match_id, match.standing.version
        known = self._known.get(match_id)
        if known is None or known[0] != version or _has_failed(known[1]):
            known = version, asyncio.ensure_future(self._fold(match_id, version))
            self._known[match_id] = known
        self._known.move_to_end(match_id)
        while len(self._known) > _MATCHES_KNOWN:
            self._known.popitem(last=False)
        return await asyncio.shield(known[1])

    async def _fold(self, match_id: str, version: int) -> list[TakeBack]:
        found: list[TakeBack] = []
        last: Transition | None = None
        async for batch in self._matches.history(match_id, 0, version):
            for transition in batch:
                if last is not None:
                    found = proposals.followed(found, last.match, transition)
                last = transition
        return found


def _has_failed(task: asyncio.Task[list[TakeBack]]) -> bool:
    return task.done() and (task.cancelled() or task.exception() is not None)


async def propose(
    matches: Matches,
    take_backs: TakeBacks,
    request: Request,
    *,
    match_id: str,
    seat_token: bytes,
    kind: ProposalKind,
    undo_to: int | None,
) -> tuple[Transition, ...]:
    """Propose something to the other players."""
    hashed = token_hash(seat_token)

    async def find(match: Match) -> TakeBack | None:
        if kind is not ProposalKind.UNDO:
            return None
        seat = proposals.require_proposer(match, hashed)
        return await take_backs.find(match, seat, undo_to)

    decide = partial(proposals.propose, token_hash=hashed, kind=kind)
    return await _change_by(matches, match_id, request, find, decide)


async def respond(
    matches: Matches,
    take_backs: TakeBacks,
    request: Request,
    *,
    match_id: str,
    seat_token: bytes,
    version: int,
    accept: bool,
) -> tuple[Transition, ...]:
    """Accept or decline what was proposed."""
    hashed = token_hash(seat_token)

    async def find(match: Match) -> TakeBack | None:
        proposal = match.standing.proposal
        if not accept or proposal is None or proposal.undo_to is None:
            return None
        if seat_of(match.standing.seats, hashed) is None:
            return None
        return await take_backs.find(match, proposal.seat, proposal.undo_to)

    decide = partial(proposals.respond, token_hash=hashed, version=version, accept=accept)
    return await _change_by(matches, match_id, request, find, decide)


class _MovedOnError(Exception):
    """The match has got another entry since it was looked at."""


async def _change_by(
    matches: Matches,
    match_id: str,
    request: Request,
    find: Callable[[Match], Awaitable[TakeBack | None]],
    decide: Callable[..., tuple[Transition, ...]],
) -> tuple[Transition, ...]:
    """Change a match by what can be taken back, which is found for the very version decided on.

    It takes a fold of the log to know it, and an entry that comes meanwhile may forbid it.
    """
    while True:
        match = (await matches.current(match_id)).match
        try:
            undo = await find(match)
        except DomainError:
            if answered := await matches.answered(request):
                return answered
            raise
        decide_then = _at(match.standing.version, partial(decide, undo=undo))
        with suppress(_MovedOnError):
            return await matches.change(match_id, request, decide_then)


def _at(version: int, decide: Decide) -> Decide:
    """Decide on a match of a version, and raise on any other."""

    def decide_then(match: Match, stamp: Stamp) -> tuple[Transition, ...]:
        if match.standing.version != version:
            raise _MovedOnError
        return decide(match, stamp)

    return decide_then


async def resume_match(
    matches: Matches, request: Request, *, match_id: str, seat_token: bytes
) -> tuple[Transition, ...]:
    """End a pause."""
    return await matches.change(
        match_id, request, partial(proposals.resume, token_hash=token_hash(seat_token))
    )
