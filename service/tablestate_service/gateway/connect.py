"""The Connect protocol: https://connectrpc.com/docs/protocol."""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import grpc
from aiohttp import web
from google.protobuf import any_pb2, json_format, symbol_database
from google.protobuf.message import Message
from google.rpc import status_pb2

from tablestate_service.gateway import compression
from tablestate_service.gateway.envelope import enveloped
from tablestate_service.gateway.exchange import EnvelopedExchange, Exchange, digits
from tablestate_service.gateway.metadata import headers_of, packed, text_of
from tablestate_service.gateway.methods import Method
from tablestate_service.gateway.status import Metadata, ProtocolError, Status

_END = 0x02
_VERSION = "connect-protocol-version"
_TIMEOUT = "connect-timeout-ms"
_TIMEOUT_DIGITS = 10
_SPOKEN = "1"


class ConnectUnary(Exchange):
    """A unary call, whose body is the message and whose status is that of HTTP."""

    encoding_header = "content-encoding"
    _answer = b""

    def suits(self, method: Method) -> bool:
        """Streams have a content type of their own."""
        return not (method.takes_stream or method.gives_stream)

    def seconds(self) -> float | None:
        """See Exchange."""
        return _seconds(self.request)

    @property
    def room(self) -> int:
        """See Exchange."""
        return self.limit

    def check(self) -> None:
        """See Exchange."""
        _require_version(self.request)
        super().check()

    def message(self, body: bytes) -> bytes:
        """The body, which may be compressed as a whole."""
        is_plain = self.encoding == compression.IDENTITY or not body
        return body if is_plain else compression.decompressed(body, self.limit)

    async def start(self, metadata: Metadata) -> None:
        """Keep them: nothing goes out before it is known how the call ends."""
        self.initial = metadata

    async def send(self, message: bytes) -> None:
        """Keep it."""
        self._answer = await self.encoded(message)

    async def finish(self, status: Status) -> web.StreamResponse:
        """Answer."""
        headers = self.headers.copy()
        headers.extend(headers_of(self.initial))
        headers.extend(headers_of(status.trailing, "trailer-"))
        if status.code is not grpc.StatusCode.OK:
            headers["content-type"] = "application/json"
            body = json.dumps(_error(status)).encode()
            return web.Response(status=status.http_code, headers=headers, body=body)
        headers["content-type"] = f"application/{self.codec.name}"
        body, accepted = self._answer, self.request.headers.get("accept-encoding", "")
        if compression.is_worth_it(body) and compression.accepts_gzip(accepted):
            headers["content-encoding"] = compression.GZIP
            body = await compression.compressed(body)
        return web.Response(headers=headers, body=body)


class ConnectStream(EnvelopedExchange):
    """A call with a stream of answers."""

    encoding_header = "connect-content-encoding"
    accepts_header = "connect-accept-encoding"

    def suits(self, method: Method) -> bool:
        """Unary calls have a content type of their own."""
        return method.takes_stream or method.gives_stream

    def seconds(self) -> float | None:
        """See Exchange."""
        return _seconds(self.request)

    def check(self) -> None:
        """See Exchange."""
        _require_version(self.request)
        super().check()

    def last(self, status: Status) -> bytes:
        """What follows the last message, as JSON."""
        end: dict[str, Any] = {}
        if status.code is not grpc.StatusCode.OK:
            end["error"] = _error(status)
        if status.trailing:
            end["metadata"] = _grouped(status.trailing)
        return enveloped(json.dumps(end).encode(), _END)


def _require_version(request: web.BaseRequest) -> None:
    """Refuse other versions; tools such as curl need not name any."""
    if request.headers.get(_VERSION, _SPOKEN) != _SPOKEN:
        raise ProtocolError(
            grpc.StatusCode.INVALID_ARGUMENT, f"{_VERSION} is not known, expected {_SPOKEN}"
        )


def _seconds(request: web.BaseRequest) -> float | None:
    text = request.headers.get(_TIMEOUT)
    return None if text is None else digits(text, _TIMEOUT_DIGITS) / 1000


def _grouped(metadata: Metadata) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = defaultdict(list)
    for key, value in metadata:
        groups[key].append(text_of(value))
    return groups


def _error(status: Status) -> dict[str, Any]:
    """An error as Connect writes it; `debug` is for people, who cannot read the bytes."""
    error: dict[str, Any] = {"code": status.connect_name, "message": status.message}
    if details := list(_details(status_pb2.Status.FromString(status.details).details)):
        error["details"] = details
    return error


def _details(details: Sequence[any_pb2.Any]) -> Iterator[dict[str, Any]]:
    for each in details:
        name = each.type_url.rpartition("/")[2]
        shown: dict[str, Any] = {"type": name, "value": packed(each.value)}
        if (kind := _known(name)) is not None:
            shown["debug"] = json_format.MessageToDict(kind.FromString(each.value))
        yield shown


def _known(name: str) -> type[Message] | None:
    try:
        kind: type[Message] = symbol_database.Default().GetSymbol(name)
    except KeyError:
        return None
    return kind
