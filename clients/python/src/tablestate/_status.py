"""From a gRPC error to a typed exception."""

from __future__ import annotations

from typing import cast

import grpc
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2, status_pb2

from tablestate.errors import DOMAIN, TablestateError, Violation, error_class

_DETAILS_KEY = "grpc-status-details-bin"


def to_error(error: grpc.RpcError) -> TablestateError:
    """Read the status code, the text and the details of a failed call."""
    call = cast(grpc.Call, error)
    code, message = call.code(), call.details() or ""
    info, violations = _details(call)
    kind = error_class(info.reason, code)
    return kind(
        message, code=code, reason=info.reason, metadata=info.metadata, violations=violations
    )


def _details(call: grpc.Call) -> tuple[error_details_pb2.ErrorInfo, tuple[Violation, ...]]:
    """Return the service's ErrorInfo (empty if there is none) and the violations."""
    found, bad_request = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
    for detail in _status(call).details:
        info = error_details_pb2.ErrorInfo()
        if detail.Unpack(info) and info.domain == DOMAIN:
            found = info
        detail.Unpack(bad_request)
    violations = (Violation(v.field, v.description) for v in bad_request.field_violations)
    return found, tuple(violations)


def _status(call: grpc.Call) -> status_pb2.Status:
    for key, value in call.trailing_metadata() or ():
        if key == _DETAILS_KEY:
            try:
                return status_pb2.Status.FromString(cast(bytes, value))
            except DecodeError:  # a proxy cut it: code and text still hold
                break
    return status_pb2.Status()
