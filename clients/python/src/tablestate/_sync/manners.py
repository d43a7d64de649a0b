# Made from ../_aio by clients/python/tools/make_sync.py. DO NOT EDIT!
"""What players settle between them."""

from __future__ import annotations

from tablestate import _methods as methods
from tablestate._arguments import message
from tablestate._sync.transport import Transport
from tablestate.credentials import Intent, SeatCredential
from tablestate.v1.match_pb2 import MatchUpdate, ProposalKind
from tablestate.v1.match_service_pb2 import (
    ClaimTimeoutRequest,
    ProposeRequest,
    RespondRequest,
    ResumeMatchRequest,
)


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

    def propose(
        self,
        kind: ProposalKind.ValueType | str,
        *,
        undo_to: int | None = None,
        intent: Intent | None = None,
        timeout: float | None = None,
    ) -> MatchUpdate:
        """Propose a draw, taking actions back, or a pause; return the entry, whose version counts.

        UNDO goes back to the version before one's own last action, or to `undo_to`. Raises
        PreconditionError (CANNOT_UNDO) if somebody has learned something since.
        """
        intent = intent or Intent()
        request = message(
            ProposeRequest,
            request_id=intent.request_id,
            match_id=self._credential.match_id,
            seat_token=self._credential.token,
            kind=kind,  # type: ignore[arg-type]  # Short names are made long.
            undo_to=undo_to,
        )
        return (self._transport.mutate(methods.PROPOSE, request, intent, timeout)).update

    def respond(
        self,
        proposal_version: int,
        *,
        accept: bool,
        intent: Intent | None = None,
        timeout: float | None = None,
    ) -> MatchUpdate:
        """Accept or decline what was proposed, or withdraw what one has proposed oneself.

        Raises PreconditionError (NO_PROPOSAL) if it was answered or has lapsed.
        """
        intent = intent or Intent()
        request = message(
            RespondRequest,
            request_id=intent.request_id,
            match_id=self._credential.match_id,
            seat_token=self._credential.token,
            proposal_version=proposal_version,
            accept=accept,
        )
        return (self._transport.mutate(methods.RESPOND, request, intent, timeout)).update

    def resume(self, *, intent: Intent | None = None, timeout: float | None = None) -> MatchUpdate:
        """End a pause; raises PreconditionError (NOT_PAUSED) if there is none."""
        intent = intent or Intent()
        request = message(
            ResumeMatchRequest,
            request_id=intent.request_id,
            match_id=self._credential.match_id,
            seat_token=self._credential.token,
        )
        return (self._transport.mutate(methods.RESUME_MATCH, request, intent, timeout)).update
