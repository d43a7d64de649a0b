"""From a gRPC error to a typed exception."""

from __future__ import annotations

from typing import cast

import grpc
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2, status_pb2

from tablestate.errors import DOMAIN, TablestateError, Violation, error_class
from tablestate.v1.play_pb2 import PlayRefusal

_DETAILS_KEY = "grpc-status-details-bin"
_CODES = {code.value[0]: code for code in grpc.StatusCode}


def to_error(error: grpc.RpcError) -> TablestateError:
    """Read the status code, the text and the details of a failed call."""
    call = cast(grpc.Call, error)
    return _error(call.code(), call.details() or "", _status(call))


def refusal_error(refusal: PlayRefusal) -> TablestateError:
    """Read a refusal that came as an answer on a stream."""
    code = _CODES.get(refusal.code, grpc.StatusCode.UNKNOWN)
    return _error(code, refusal.message, _parsed(refusal.status))


def _error(code: grpc.StatusCode, message: str, status: status_pb2.Status) -> TablestateError:
    info, violations = _details(status)
    kind = error_class(info.reason, code)
    return kind(
        message,
        code=code,
        reason=info.reason,
        metadata=info.metadata,
        violations=violations,
        retry_after=_retry_after(status),
    )


def _retry_after(status: status_pb2.Status) -> float | None:
    for detail in status.details:
        info = error_details_pb2.RetryInfo()
        if detail.Unpack(info):
            return max(0.0, float(info.retry_delay.ToMilliseconds()) / 1000)
    return None


def _details(
    status: status_pb2.Status,
) -> tuple[error_details_pb2.ErrorInfo, tuple[Violation, ...]]:
    """Return the service's ErrorInfo (empty if there is none) and the violations."""
    found, bad_request = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
    for detail in status.details:
        info = error_details_pb2.ErrorInfo()
        if detail.Unpack(info) and info.domain == DOMAIN:
            found = info
        detail.Unpack(bad_request)
    violations = (Violation(v.field, v.description) for v in bad_request.field_violations)
    return found, tuple(violations)


def _status(call: grpc.Call) -> status_pb2.Status:
    for key, value in call.trailing_metadata() or ():
        if key == _DETAILS_KEY:
            return _parsed(cast(bytes, value))
    return status_pb2.Status()


def _parsed(details: bytes) -> status_pb2.Status:
    try:
        return status_pb2.Status.FromString(details)
    except DecodeError:  # a proxy cut it: code and text still hold
        return status_pb2.Status()
