"""MatchService: the calls of an operator about the tokens of seats."""

from tablestate.v1 import seat_token_pb2 as pb
from tablestate_service.domain.entry import Request
from tablestate_service.rpc import messages
from tablestate_service.rpc.match_servicer import World
from tablestate_service.rpc.requests import Fields, mutating_request
from tablestate_service.rpc.wire import delimited, tag
from tablestate_service.usecases import seat_tokens

_UPDATE = tag(1)
_NO_CREDENTIAL = b""
"""The request has none: the caller's key is no part of it, and may be another at a retry."""


class SeatTokenServicer:
    """One method per RPC: request and its bytes in, bytes of the response out."""

    def __init__(self, world: World) -> None:
        """Work with this."""
        self._matches = world.matches

    async def replace_seat_token(self, request: pb.ReplaceSeatTokenRequest) -> bytes:
        """Give a seat another token."""
        fields = Fields()
        token = fields.token("new_seat_token", request.new_seat_token)
        call = _call(fields, "ReplaceSeatToken", request)
        replaced = await seat_tokens.replace_seat_token(
            self._matches, call, match_id=request.match_id, seat=request.seat, seat_token=token
        )
        return delimited(_UPDATE, messages.update_bytes(replaced[0], None))

    async def revoke_seat_token(self, request: pb.RevokeSeatTokenRequest) -> bytes:
        """Take a seat its token away."""
        call = _call(Fields(), "RevokeSeatToken", request)
        revoked = await seat_tokens.revoke_seat_token(
            self._matches, call, match_id=request.match_id, seat=request.seat
        )
        return delimited(_UPDATE, messages.update_bytes(revoked[0], None))


def _call(
    fields: Fields,
    method: str,
    request: pb.ReplaceSeatTokenRequest | pb.RevokeSeatTokenRequest,
) -> Request:
    """What makes it the same call when it is sent again; refuses INVALID_FIELD."""
    match_id = fields.match_id(request.match_id)
    fields.request_id(request.request_id)
    if not request.HasField("seat"):
        fields.wrong("seat", "not set", "the seat's number")
    fields.check()
    return mutating_request(method, match_id, _NO_CREDENTIAL, request.request_id, request)
