"""A gRPC server that answers from a script and keeps what it was sent."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Self, TypeAlias

import grpc
from google.protobuf import any_pb2
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2

_STREAMING = {"WatchMatches", "GetReplay", "WatchFeed"}


@dataclass(frozen=True)
class Fault:
    """A failure as the service reports it, or, without a reason, as the transport does."""

    code: grpc.StatusCode
    reason: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)
    violations: tuple[tuple[str, str], ...] = ()

    def trailer(self) -> bytes:
        """Return the value of grpc-status-details-bin."""
        details = []
        if self.reason:
            details.append(
                error_details_pb2.ErrorInfo(
                    reason=self.reason, domain="tablestate", metadata=self.metadata
                )
            )
        if self.violations:
            fields = [
                error_details_pb2.BadRequest.FieldViolation(field=name, description=text)
                for name, text in self.violations
            ]
            details.append(error_details_pb2.BadRequest(field_violations=fields))
        status = status_pb2.Status(code=self.code.value[0], message="as scripted")
        for detail in details:
            packed = any_pb2.Any()
            packed.Pack(detail)
            status.details.append(packed)
        serialized: bytes = status.SerializeToString()
        return serialized


Part: TypeAlias = Message | Fault | Callable[[], object]
"""A message or a failure to send, or something to do at this point of a stream."""


class FakeServer(grpc.GenericRpcHandler):
    """Answers each call of a method with the next scripted parts; the last ones stay."""

    def __init__(self) -> None:
        """Make a server that has no script and does not listen yet."""
        self.requests: defaultdict[str, list[bytes]] = defaultdict(list)
        """The bytes of every request, by method."""
        self.headers: list[Mapping[str, str]] = []
        """The headers of every call."""
        self._script: defaultdict[str, deque[tuple[Part, ...]]] = defaultdict(deque)
        self._server = grpc.server(ThreadPoolExecutor(8), handlers=[self])
        self.target = f"127.0.0.1:{self._server.add_insecure_port('127.0.0.1:0')}"

    def __enter__(self) -> Self:
        """Listen."""
        self._server.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop."""
        self._server.stop(None).wait()

    def answer(self, method: str, *parts: Part) -> None:
        """Add the answer to one further call of a method."""
        self._script[method].append(parts)

    def service(self, details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler[Any, Any]:
        """Find the handler of a call."""
        method = details.method.rpartition("/")[2]
        self.headers.append({str(k): str(v) for k, v in details.invocation_metadata})

        def stream(request: bytes, context: grpc.ServicerContext) -> Iterator[bytes]:
            return self._parts(method, request, context)

        def unary(request: bytes, context: grpc.ServicerContext) -> bytes:
            return next(self._parts(method, request, context))

        if method in _STREAMING:
            return grpc.unary_stream_rpc_method_handler(stream)
        return grpc.unary_unary_rpc_method_handler(unary)

    def _parts(self, method: str, request: bytes, context: grpc.ServicerContext) -> Iterator[bytes]:
        self.requests[method].append(request)
        script = self._script[method]
        for part in script.popleft() if len(script) > 1 else script[0]:
            if isinstance(part, Fault):
                context.set_trailing_metadata((("grpc-status-details-bin", part.trailer()),))
                context.abort(part.code, "as scripted")
            elif isinstance(part, Message):
                yield part.SerializeToString()
            else:
                part()
