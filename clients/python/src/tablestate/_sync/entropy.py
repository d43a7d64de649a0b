# Made from ../_aio by clients/python/tools/make_sync.py. DO NOT EDIT!
"""What seats add to the chance of their matches, revealed when it is due."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import closing

from tablestate import _methods as methods
from tablestate._arguments import message
from tablestate._sync.transport import Transport
from tablestate.credentials import Intent, SeatCredential
from tablestate.errors import PreconditionError
from tablestate.v1.match_pb2 import MatchUpdate
from tablestate.v1.match_service_pb2 import RevealEntropyRequest


def revealing(
    transport: Transport,
    seats: Sequence[SeatCredential],
    updates: Generator[MatchUpdate, None, None],
) -> Generator[MatchUpdate, None, None]:
    """Yield updates, and before each reveal what the seats have promised and it calls for."""
    with closing(updates):
        for update in updates:
            for credential in seats:
                reveal_if_due(transport, credential, update)
            yield update


def learning(
    updates: Generator[MatchUpdate, None, None], learn: Callable[[MatchUpdate], None]
) -> Generator[MatchUpdate, None, None]:
    """Yield updates, each after `learn` has seen it."""
    with closing(updates):
        for update in updates:
            learn(update)
            yield update


def reveal_if_due(transport: Transport, credential: SeatCredential, update: MatchUpdate) -> None:
    """Reveal what a seat has promised, if an update of its match calls for it."""
    if credential.match_id == update.match_id and credential.seat in update.entropy_awaited:
        reveal(transport, credential, None)


def reveal(transport: Transport, credential: SeatCredential, timeout: float | None) -> None:
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
        transport.mutate(methods.REVEAL_ENTROPY, request, intent, timeout)
    except PreconditionError as error:
        # A watch tells of what is long over, too.
        if error.reason not in ("ENTROPY_NOT_DUE", "MATCH_ENDED"):
            raise
