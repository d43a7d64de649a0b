"""The one table from reasons to gRPC status codes, and the details of a status."""

import math
from typing import NamedTuple

import grpc
from google.protobuf.any_pb2 import Any
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2

from tablestate_service.domain.errors import MAX_VIOLATIONS, DomainError, Reason

DOMAIN = "tablestate"

CODES: dict[Reason, grpc.StatusCode] = {
    Reason.MALFORMED_REQUEST: grpc.StatusCode.INVALID_ARGUMENT,
    Reason.INVALID_FIELD: grpc.StatusCode.INVALID_ARGUMENT,
    Reason.INVALID_OPTIONS: grpc.StatusCode.INVALID_ARGUMENT,
    Reason.MATCH_NOT_FOUND: grpc.StatusCode.NOT_FOUND,
    Reason.GAME_NOT_FOUND: grpc.StatusCode.NOT_FOUND,
    Reason.WRONG_HOST_TOKEN: grpc.StatusCode.PERMISSION_DENIED,
    Reason.WRONG_SEAT_TOKEN: grpc.StatusCode.PERMISSION_DENIED,
    Reason.ILLEGAL_ACTION: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.NOT_THE_ACTOR: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.MATCH_NOT_STARTED: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.MATCH_ALREADY_STARTED: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.MATCH_ENDED: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.SEAT_TAKEN: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.SEATS_OPEN: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.SEAT_TOKEN_IN_USE: grpc.StatusCode.ALREADY_EXISTS,
    Reason.REQUEST_ID_REUSED: grpc.StatusCode.ALREADY_EXISTS,
    Reason.STALE_VERSION: grpc.StatusCode.ABORTED,
    Reason.VERSION_NOT_REACHED: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.WATCHER_TOO_SLOW: grpc.StatusCode.RESOURCE_EXHAUSTED,
    Reason.STORAGE_FULL: grpc.StatusCode.RESOURCE_EXHAUSTED,
    Reason.LIMIT_REACHED: grpc.StatusCode.RESOURCE_EXHAUSTED,
    Reason.LOG_DAMAGED: grpc.StatusCode.DATA_LOSS,
    Reason.RULES_VERSION_UNSUPPORTED: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.SHUTTING_DOWN: grpc.StatusCode.UNAVAILABLE,
    Reason.INTERNAL: grpc.StatusCode.INTERNAL,
    Reason.STORAGE_UNAVAILABLE: grpc.StatusCode.UNAVAILABLE,
    Reason.WRONG_FEED_SECRET: grpc.StatusCode.PERMISSION_DENIED,
    Reason.WRONG_KEY: grpc.StatusCode.UNAUTHENTICATED,
    Reason.NOT_PERMITTED: grpc.StatusCode.PERMISSION_DENIED,
    Reason.POSITION_HIDDEN: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.TIME_IS_UP: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.TIME_LEFT: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.ENTROPY_DUE: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.ENTROPY_NOT_DUE: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.WRONG_ENTROPY: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.WRONG_INVITATION: grpc.StatusCode.PERMISSION_DENIED,
    Reason.SPECTATORS_REFUSED: grpc.StatusCode.PERMISSION_DENIED,
    Reason.SEAT_NOT_HELD: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.TOO_MANY_CALLS: grpc.StatusCode.RESOURCE_EXHAUSTED,
    Reason.NO_PROPOSAL: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.CANNOT_UNDO: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.MATCH_PAUSED: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.NOT_PAUSED: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.MATCH_NOT_ENDED: grpc.StatusCode.FAILED_PRECONDITION,
}

# In bytes. gRPC carries details in headers, as base64, beside the message, of which any byte
# may take three; many peers replace the status when the headers pass 8 KiB.
_MAX_DETAILS = 4096
_MAX_MESSAGE = 512
_MAX_TEXT = 128
_PACKING = 64
_MAX_METADATA = 64


class RpcStatus(NamedTuple):
    """A status as gRPC sends it; `details` is a serialized `google.rpc.Status`."""

    code: grpc.StatusCode
    message: str
    details: bytes


def status_of(refusal: DomainError) -> RpcStatus:
    """The status of a refusal."""
    code = CODES[refusal.reason]
    message = _printable(refusal.message, _MAX_MESSAGE)
    number: int = code.value[0]
    status = status_pb2.Status(code=number, message=message, details=[_error_info(refusal)])
    if refusal.violations:
        room = _MAX_DETAILS - status.ByteSize() - _PACKING
        status.details.append(_bad_request(refusal, room))
    if refusal.retry_seconds is not None:
        status.details.append(_retry_info(refusal.retry_seconds))
    return RpcStatus(code, message, status.SerializeToString(deterministic=True))


def _error_info(refusal: DomainError) -> Any:
    metadata = list(refusal.metadata.items())[:_MAX_METADATA]
    info = error_details_pb2.ErrorInfo(
        reason=refusal.reason.name,
        domain=DOMAIN,
        metadata={key: _printable(value, _MAX_TEXT) for key, value in metadata},
    )
    return _packed(info)


def _bad_request(refusal: DomainError, room: int) -> Any:
    """The faults of a request, as many of them as there is room for."""
    request = error_details_pb2.BadRequest()
    for field, value, expected in refusal.violations[:MAX_VIOLATIONS]:
        shown = f"'{_printable(value, _MAX_TEXT)}': " if value else ""
        request.field_violations.add(
            field=_printable(field, _MAX_TEXT),
            description=f"{shown}expected {_printable(expected, _MAX_TEXT)}",
            reason=refusal.reason.name,
        )
        if request.ByteSize() > room:
            del request.field_violations[-1]
            break
    return _packed(request)


def _retry_info(seconds: float) -> Any:
    # Up, or a caller that comes at that very moment would come too early.
    delay = Duration()
    delay.FromMilliseconds(math.ceil(seconds * 1000))
    return _packed(error_details_pb2.RetryInfo(retry_delay=delay))


def _packed(message: Message) -> Any:
    packed = Any()
    packed.Pack(message)
    return packed


def _printable(text: str, limit: int) -> str:
    """The text without characters that could mislead its reader, at most so many bytes long."""
    # No more characters than that are looked at: the text may be as long as a request.
    escaped = (char if char.isprintable() else ascii(char)[1:-1] for char in text[: limit + 1])
    shown = "".join(escaped).encode()
    if len(shown) <= limit:
        return shown.decode()
    return shown[: limit - len("…".encode())].decode(errors="ignore") + "…"
