"""The part of MatchService by which players settle time between them."""

from tablestate.v1 import match_service_pb2 as pb
from tablestate_service.domain.hashing import token_hash
from tablestate_service.domain.match import Match, Transition
from tablestate_service.domain.seats import seat_of
from tablestate_service.rpc.match_servicer import World
from tablestate_service.rpc.messages import update_bytes
from tablestate_service.rpc.requests import Fields, mutating_request
from tablestate_service.rpc.wire import delimited, tag
from tablestate_service.usecases import manners

_FIRST = tag(1)


class MannersServicer:
    """One method per RPC: request and its bytes in, bytes of the response out."""

    def __init__(self, world: World) -> None:
        """Work with these."""
        self._matches = world.matches

    async def claim_timeout(self, request: pb.ClaimTimeoutRequest, data: bytes) -> bytes:
        """Time a seat out on another player's word."""
        fields = Fields()
        token = fields.token("seat_token", request.seat_token)
        match_id = fields.match_id(request.match_id)
        fields.request_id(request.request_id)
        fields.check()
        call = mutating_request("ClaimTimeout", match_id, token, request.request_id, data)
        claimed = await manners.claim_timeout(
            self._matches, call, match_id=match_id, seat_token=token
        )
        return _update(claimed, token)


def _update(transitions: tuple[Transition, ...], seat_token: bytes) -> bytes:
    """The entry that answers a call, as the holder of a seat may know it."""
    return delimited(
        _FIRST, update_bytes(transitions[0], _viewer(transitions[0].match, seat_token))
    )


def _viewer(match: Match, seat_token: bytes) -> int | None:
    return seat_of(match.standing.seats, token_hash(seat_token))
