"""What seats add to the chance of their matches, revealed when it is due."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing

from tablestate import _methods as methods
from tablestate._aio.transport import AsyncTransport
from tablestate._arguments import message
from tablestate.credentials import Intent, SeatCredential
from tablestate.errors import PreconditionError
from tablestate.v1.match_pb2 import MatchUpdate
from tablestate.v1.match_service_pb2 import RevealEntropyRequest


async def revealing(
    transport: AsyncTransport,
    seats: Sequence[SeatCredential],
    updates: AsyncGenerator[MatchUpdate, None],
) -> AsyncGenerator[MatchUpdate, None]:
    """Yield updates, and before each reveal what the seats have promised and it calls for."""
    async with aclosing(updates):
        async for update in updates:
            for credential in seats:
                await reveal_if_due(transport, credential, update)
            yield update


async def learning(
    updates: AsyncGenerator[MatchUpdate, None], learn: Callable[[MatchUpdate], None]
) -> AsyncGenerator[MatchUpdate, None]:
    """Yield updates, each after `learn` has seen it."""
    async with aclosing(updates):
        async for update in updates:
            learn(update)
            yield update


async def reveal_if_due(
    transport: AsyncTransport, credential: SeatCredential, update: MatchUpdate
) -> None:
    """Reveal what a seat has promised, if an update of its match calls for it."""
    if credential.match_id == update.match_id and credential.seat in update.entropy_awaited:
        await reveal(transport, credential, None)


async def reveal(
    transport: AsyncTransport, credential: SeatCredential, timeout: float | None
) -> None:
    """Reveal what a seat has promised, unless it has promised nothing or it is not due."""
    if not credential.entropy:
        return
    intent = Intent()
    request = message(
        RevealEntropyRequest,
        request_id=intent.request_id,
        match_id=credential.match_id,
        seat_token=credential.token,
        entropy=credential.entropy,
    )
    try:
        await transport.mutate(methods.REVEAL_ENTROPY, request, intent, timeout)
    except PreconditionError as error:
        # A watch tells of what is long over, too.
        if error.reason not in ("ENTROPY_NOT_DUE", "MATCH_ENDED"):
            raise
