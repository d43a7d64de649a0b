"""One HTTP request that is a call: what its protocols have in common."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from typing import ClassVar, TypeAlias

import grpc
from aiohttp import web
from multidict import CIMultiDict

from tablestate_service.gateway import compression
from tablestate_service.gateway.bodies import Bodies
from tablestate_service.gateway.codec import Codec
from tablestate_service.gateway.connections import SERVER, Connection
from tablestate_service.gateway.envelope import COMPRESSED, PREFIX_BYTES, enveloped, only_message
from tablestate_service.gateway.metadata import headers_of
from tablestate_service.gateway.methods import Method
from tablestate_service.gateway.offload import offloaded
from tablestate_service.gateway.sockets import keep_little
from tablestate_service.gateway.status import Metadata, ProtocolError, Status

Request: TypeAlias = Callable[[], Awaitable[bytes]]
"""Makes the bytes of a request, when the caller has been let in."""


class Exchange(ABC):
    """A call and its answer, over HTTP."""

    encoding_header: ClassVar[str]
    """Tells how the request is compressed."""

    def __init__(
        self, request: web.BaseRequest, codec: Codec, headers: CIMultiDict[str], bodies: Bodies
    ) -> None:
        """`headers` go out with every answer; `bodies` receives what comes in."""
        self.request = request
        self.codec = codec
        self.headers = headers
        self.limit = bodies.limit
        self._bodies = bodies
        self.initial: Metadata = ()
        self.encoding = compression.IDENTITY
        self._method: Method | None = None

    @abstractmethod
    def suits(self, method: Method) -> bool:
        """Whether the protocol's content type is one of such a method."""

    @abstractmethod
    def seconds(self) -> float | None:
        """How long the caller waits; raises ProtocolError."""

    @property
    @abstractmethod
    def room(self) -> int:
        """How many bytes the body of a request may have."""

    def check(self) -> None:
        """Look at the headers of the request; raises ProtocolError."""
        header = self.request.headers.get(self.encoding_header, "")
        self.encoding = compression.require_known(header)

    @abstractmethod
    def message(self, body: bytes) -> bytes:
        """The one message in the body of the request; raises ProtocolError."""

    @abstractmethod
    async def start(self, metadata: Metadata) -> None:
        """Begin to answer; raises ConnectionError."""

    @abstractmethod
    async def send(self, message: bytes) -> None:
        """Send a message, of a stream at once; raises ConnectionError."""

    @abstractmethod
    async def finish(self, status: Status) -> web.StreamResponse:
        """Send how the call has ended; raises ConnectionError."""

    async def read(self, method: Method) -> Request:
        """Receive the request; raises ProtocolError.

        What its body holds is found out only when the caller has been let in.
        """
        self._method = method
        self.check()
        body = await self._bodies.receive(self.request, self.room)

        async def request() -> bytes:
            return await self.codec.read(await offloaded(body, self.message), method.request)

        return request

    async def encoded(self, message: bytes) -> bytes:
        """An answer as the caller wants it."""
        assert self._method is not None, "there is an answer only to a request"
        return await self.codec.write(message, self._method.response)


class EnvelopedExchange(Exchange):
    """A call whose messages have envelopes, of which the last tells how it ended."""

    accepts_header: ClassVar[str]

    def __init__(
        self, request: web.BaseRequest, codec: Codec, headers: CIMultiDict[str], bodies: Bodies
    ) -> None:
        """See Exchange."""
        super().__init__(request, codec, headers, bodies)
        self._accepts_gzip = compression.accepts_gzip(request.headers.get(self.accepts_header, ""))
        self._response: web.StreamResponse | None = None
        self._waiting: list[bytes] = []

    @abstractmethod
    def last(self, status: Status) -> bytes:
        """The envelope that ends a stream."""

    def armoured(self, part: bytes) -> bytes:
        """A part of the body as it goes out."""
        return part

    @property
    def room(self) -> int:
        """See Exchange."""
        return self.limit + PREFIX_BYTES

    def message(self, body: bytes) -> bytes:
        """What is in the request's one envelope."""
        return only_message(body, self.encoding, self.limit)

    async def start(self, metadata: Metadata) -> None:
        """Send the headers."""
        self.initial = metadata
        keep_little(self.request.transport)
        self._connection().begin_stream()
        response = web.StreamResponse(headers=self._headers())
        response.headers["server"] = SERVER
        await response.prepare(self.request)
        self._response = response

    async def send(self, message: bytes) -> None:
        """Send a message; the answer of a unary call waits for the end, to go out in one piece."""
        data, flags = await self.encoded(message), 0
        if self._accepts_gzip and compression.is_worth_it(data):
            data, flags = await compression.compressed(data), COMPRESSED
        part = self.armoured(enveloped(data, flags))
        if self._response is None:
            self._waiting.append(part)
        else:
            await self._response.write(part)

    async def finish(self, status: Status) -> web.StreamResponse:
        """Send the last envelope."""
        self._connection().end_stream()
        part = self.armoured(self.last(status))
        if self._response is None:
            return web.Response(body=b"".join((*self._waiting, part)), headers=self._headers())
        await self._response.write(part)
        await self._response.write_eof()
        return self._response

    def _connection(self) -> Connection:
        connection = self.request.protocol
        assert isinstance(connection, Connection), "the gateway makes no others"
        return connection

    def _headers(self) -> CIMultiDict[str]:
        headers = self.headers.copy()
        headers.extend(headers_of(self.initial))
        headers["content-type"] = self.request.headers["content-type"]
        if self._accepts_gzip:
            headers[self.encoding_header] = compression.GZIP
        return headers


def digits(text: str, most: int) -> int:
    """The number of a header that tells a timeout; refuses what is none of so many digits."""
    if not (text.isascii() and text.isdecimal() and len(text) <= most):
        raise ProtocolError(
            grpc.StatusCode.INVALID_ARGUMENT, f"the timeout is not a number of 1 to {most} digits"
        )
    return int(text)
