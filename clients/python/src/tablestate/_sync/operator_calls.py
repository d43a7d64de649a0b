# Made from ../_aio by clients/python/tools/make_sync.py. DO NOT EDIT!
"""Calls for those who run a service for others: they need an operator's key."""

from __future__ import annotations

from tablestate import _methods as methods
from tablestate._arguments import message
from tablestate._sync.handles import SeatedPlayer
from tablestate._sync.transport import Transport
from tablestate.credentials import Intent, SeatCredential
from tablestate.v1.match_pb2 import MatchUpdate
from tablestate.v1.seat_token_pb2 import ReplaceSeatTokenRequest, RevokeSeatTokenRequest


class OperatorCalls:
    """The calls of a client that are for operators alone."""

    _transport: Transport

    def replace_seat_token(
        self,
        match_id: str,
        seat: int,
        *,
        intent: Intent | None = None,
        timeout: float | None = None,
    ) -> SeatedPlayer:
        """Give a player's seat another token, that of the intent, and return a handle with it.

        The old one is worth nothing any more, and its streams end with PermissionDeniedError.
        """
        intent = intent or Intent()
        request = message(
            ReplaceSeatTokenRequest,
            request_id=intent.request_id,
            match_id=match_id,
            seat=seat,
            new_seat_token=intent.token,
        )
        self._transport.mutate(methods.REPLACE_SEAT_TOKEN, request, intent, timeout)
        return SeatedPlayer(self._transport, SeatCredential(match_id, seat, intent.token))

    def revoke_seat_token(
        self,
        match_id: str,
        seat: int,
        *,
        intent: Intent | None = None,
        timeout: float | None = None,
    ) -> MatchUpdate:
        """Take a player's seat its token away: nobody can act for it until it gets another."""
        intent = intent or Intent()
        request = message(
            RevokeSeatTokenRequest, request_id=intent.request_id, match_id=match_id, seat=seat
        )
        answer = self._transport.mutate(methods.REVOKE_SEAT_TOKEN, request, intent, timeout)
        return answer.update
