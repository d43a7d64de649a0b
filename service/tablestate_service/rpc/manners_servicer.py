"""The part of MatchService by which players settle things between them."""

from tablestate.v1 import match_service_pb2 as pb
from tablestate_service.domain.entry import Request
from tablestate_service.domain.hashing import token_hash
from tablestate_service.domain.match import Transition
from tablestate_service.domain.seats import seat_of
from tablestate_service.domain.standing import ProposalKind
from tablestate_service.rpc.match_servicer import World
from tablestate_service.rpc.messages import match_bytes, update_bytes
from tablestate_service.rpc.requests import Fields, mutating_request
from tablestate_service.rpc.wire import delimited, tag
from tablestate_service.usecases import manners
from tablestate_service.usecases.rematching import rematch

_FIRST = tag(1)
_SECOND = tag(2)


class MannersServicer:
    """One method per RPC: request and its bytes in, bytes of the response out."""

    def __init__(self, world: World) -> None:
        """Work with these."""
        self._world = world
        self._matches = world.matches
        self._take_backs = manners.TakeBacks(world.matches)

    async def claim_timeout(self, request: pb.ClaimTimeoutRequest) -> bytes:
        """Time a seat out on another player's word."""
        fields = Fields()
        call = _request(fields, "ClaimTimeout", request)
        claimed = await manners.claim_timeout(
            self._matches, call, match_id=request.match_id, seat_token=request.seat_token
        )
        return _update(claimed, request.seat_token)

    async def propose(self, request: pb.ProposeRequest) -> bytes:
        """Propose something."""
        fields = Fields()
        kind = fields.choice("kind", request.kind, ProposalKind)
        if request.kind == 0:
            fields.wrong("kind", "", "DRAW, UNDO or PAUSE")
        if request.HasField("undo_to") and kind is not ProposalKind.UNDO:
            fields.wrong("undo_to", request.undo_to, "nothing, unless the kind is UNDO")
        call = _request(fields, "Propose", request)
        proposed = await manners.propose(
            self._matches,
            self._take_backs,
            call,
            match_id=request.match_id,
            seat_token=request.seat_token,
            kind=kind or ProposalKind.DRAW,
            undo_to=request.undo_to if request.HasField("undo_to") else None,
        )
        return _update(proposed, request.seat_token)

    async def respond(self, request: pb.RespondRequest) -> bytes:
        """Answer what was proposed."""
        call = _request(Fields(), "Respond", request)
        answered = await manners.respond(
            self._matches,
            self._take_backs,
            call,
            match_id=request.match_id,
            seat_token=request.seat_token,
            version=request.proposal_version,
            accept=request.accept,
        )
        return _update(answered, request.seat_token)

    async def resume_match(self, request: pb.ResumeMatchRequest) -> bytes:
        """End a pause."""
        call = _request(Fields(), "ResumeMatch", request)
        resumed = await manners.resume_match(
            self._matches, call, match_id=request.match_id, seat_token=request.seat_token
        )
        return _update(resumed, request.seat_token)

    async def rematch(self, request: pb.RematchRequest) -> bytes:
        """Play a match again."""
        fields = Fields()
        new_seat_token = fields.token("new_seat_token", request.new_seat_token)
        new_host_token = fields.token("new_host_token", request.new_host_token)
        call = _request(fields, "Rematch", request)
        world = self._world
        joined = await rematch(
            world.matches,
            world.engine,
            world.clock,
            world.entropy,
            call,
            match_id=request.match_id,
            seat_token=request.seat_token,
            new_seat_token=new_seat_token,
            new_host_token=new_host_token,
            default=world.time_defaults.time_control,
        )
        match = joined[-1].match
        shown = match_bytes(match.terms, match.standing, for_host=False)
        seat = seat_of(joined[-1].match.standing.seats, token_hash(new_seat_token))
        return pb.RematchResponse(seat=seat or 0).SerializeToString() + delimited(_SECOND, shown)


def _request(
    fields: Fields,
    method: str,
    request: pb.ClaimTimeoutRequest
    | pb.ProposeRequest
    | pb.RespondRequest
    | pb.ResumeMatchRequest
    | pb.RematchRequest,
) -> Request:
    """What all these requests have; refuses INVALID_FIELD."""
    token = fields.token("seat_token", request.seat_token)
    match_id = fields.match_id(request.match_id)
    fields.request_id(request.request_id)
    fields.check()
    return mutating_request(method, match_id, token, request.request_id, request)


def _update(transitions: tuple[Transition, ...], seat_token: bytes) -> bytes:
    """The entry that answers a call, as the holder of a seat may know it."""
    viewer = seat_of(transitions[0].match.standing.seats, token_hash(seat_token))
    return delimited(_FIRST, update_bytes(transitions[0], viewer))
