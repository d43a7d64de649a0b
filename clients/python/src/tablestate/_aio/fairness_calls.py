"""Calls for those who want to see that all was fair, or to play on from where others stood."""

from __future__ import annotations

from typing import Unpack

from tablestate import _methods as methods
from tablestate._aio.handles import AsyncHostedMatch
from tablestate._aio.transport import AsyncTransport
from tablestate._arguments import message
from tablestate._settings import MatchSettings, create_request
from tablestate.credentials import HostCredential, Intent
from tablestate.v1.match_pb2 import MatchVersion
from tablestate.v1.match_service_pb2 import (
    ForkMatchRequest,
    VerifyReplayRequest,
    VerifyReplayResponse,
)


class AsyncFairnessCalls:
    """The calls of a client that look at what has been played."""

    _transport: AsyncTransport

    async def fork_match(
        self,
        match_id: str,
        version: int,
        *,
        intent: Intent | None = None,
        timeout: float | None = None,
        **settings: Unpack[MatchSettings],
    ) -> AsyncHostedMatch:
        """Create a match that begins where another stood at a version; return the host's handle.

        Game and options are those of the source; `settings` are those of `create_match`. Raises
        PreconditionError (POSITION_HIDDEN) for a position that hides something, unless the source
        has ended and reveals its secret, and MatchPhaseError for one where nobody has to decide.
        """
        intent = intent or Intent()
        source = message(MatchVersion, match_id=match_id, version=version)
        request = ForkMatchRequest(source=source, match=create_request(intent, None, **settings))
        answer = await self._transport.mutate(methods.FORK_MATCH, request, intent, timeout)
        return AsyncHostedMatch(
            self._transport, HostCredential(answer.match.match_id, intent.token)
        )

    async def verify_replay(
        self, match_id: str, *, timeout: float | None = None
    ) -> VerifyReplayResponse:
        """Have the server check the stored log of a match, and return how far it holds.

        All of it does if the `flaw` is REPLAY_FLAW_UNSPECIFIED. Who does not trust the server
        checks an exported match with `tablestate.verifier`, or `replay` as `docs/chance.md` says.
        """
        request = message(VerifyReplayRequest, match_id=match_id)
        return await self._transport.unary(methods.VERIFY_REPLAY, request, timeout)
