"""Calls for those who run a service for others: they need an operator's key."""

from __future__ import annotations

from tablestate import _methods as methods
from tablestate._aio.handles import AsyncSeatedPlayer
from tablestate._aio.transport import AsyncTransport
from tablestate._arguments import message
from tablestate.credentials import Intent, SeatCredential
from tablestate.v1.match_pb2 import MatchUpdate
from tablestate.v1.seat_token_pb2 import ReplaceSeatTokenRequest, RevokeSeatTokenRequest


class AsyncOperatorCalls:
    """The calls of a client that are for operators alone."""

    _transport: AsyncTransport

    async def replace_seat_token(
        self,
        match_id: str,
        seat: int,
        *,
        intent: Intent | None = None,
        timeout: float | None = None,
    ) -> AsyncSeatedPlayer:
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
        await self._transport.mutate(methods.REPLACE_SEAT_TOKEN, request, intent, timeout)
        return AsyncSeatedPlayer(self._transport, SeatCredential(match_id, seat, intent.token))

    async def revoke_seat_token(
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
        answer = await self._transport.mutate(methods.REVOKE_SEAT_TOKEN, request, intent, timeout)
        return answer.update
