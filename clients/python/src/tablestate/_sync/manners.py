# Made from ../_aio by clients/python/tools/make_sync.py. DO NOT EDIT!
"""What players settle between them."""

from __future__ import annotations

from tablestate import _methods as methods
from tablestate._arguments import message
from tablestate._sync.transport import Transport
from tablestate.credentials import Intent, SeatCredential
from tablestate.v1.match_pb2 import MatchUpdate
from tablestate.v1.match_service_pb2 import ClaimTimeoutRequest


class Manners:
    """The calls of a player that are about the match and no action of the game."""

    _transport: Transport
    _credential: SeatCredential

    def claim_timeout(
        self, *, intent: Intent | None = None, timeout: float | None = None
    ) -> MatchUpdate:
        """Say that the seat which must decide is out of time.

        For matches whose time control is BY_CLAIM. Raises PreconditionError (TIME_LEFT) if it is
        not.
        """
        intent = intent or Intent()
        request = message(
            ClaimTimeoutRequest,
            request_id=intent.request_id,
            match_id=self._credential.match_id,
            seat_token=self._credential.token,
        )
        return (self._transport.mutate(methods.CLAIM_TIMEOUT, request, intent, timeout)).update
