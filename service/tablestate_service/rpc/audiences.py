"""The fields that say for whom a match is there."""

from tablestate.v1 import match_service_pb2 as pb
from tablestate_service.domain.audience import Audience, SpectatorPolicy, Visibility
from tablestate_service.domain.hashing import token_hash
from tablestate_service.rpc.requests import Fields, is_code

_SECOND = 1_000_000_000
MOST_DELAY = 7 * 24 * 3600 * _SECOND
"""Nanoseconds."""
_CODE = "16 to 64 letters, digits, - or _"


def audience_of(fields: Fields, request: pb.CreateMatchRequest) -> Audience:
    """What the creator of a match asks for."""
    visibility = fields.choice("visibility", request.visibility, Visibility) or Visibility.PUBLIC
    spectators = fields.choice("spectator_policy", request.spectator_policy, SpectatorPolicy)
    delay = fields.duration("spectator_delay", request.spectator_delay, 0, MOST_DELAY)
    if delay and spectators is SpectatorPolicy.REFUSED:
        given = f"{delay / _SECOND:g}s"
        fields.wrong("spectator_delay", given, "none, since spectators are refused")
    code = request.invitation_code
    if visibility is Visibility.INVITE and not is_code(code):
        fields.wrong("invitation_code", "", f"{_CODE}, for visibility INVITE")
    if visibility is not Visibility.INVITE and code:
        fields.wrong("invitation_code", "", "none, except for visibility INVITE")
    return Audience(visibility, spectators or SpectatorPolicy.ALLOWED, delay, invitation_hash(code))


def invited(fields: Fields, request: pb.JoinMatchRequest) -> bytes | None:
    """The hash of the code that a player brings."""
    if request.invitation_code and not is_code(request.invitation_code):
        fields.wrong("invitation_code", "", _CODE)
    return invitation_hash(request.invitation_code)


def invitation_hash(code: str) -> bytes | None:
    """What is kept of an invitation code."""
    return token_hash(code.encode()) if code else None
