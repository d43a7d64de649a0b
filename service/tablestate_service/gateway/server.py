"""The gateway's port: which protocol a request speaks, and how it becomes a call."""

import asyncio
import logging
import ssl
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial

import grpc
from aiohttp import web

from tablestate_service.gateway.bodies import Bodies
from tablestate_service.gateway.codec import JSON, PROTO, Codec
from tablestate_service.gateway.connect import ConnectStream, ConnectUnary
from tablestate_service.gateway.connections import SERVER, Server
from tablestate_service.gateway.context import CallContext
from tablestate_service.gateway.exchange import Exchange, Request
from tablestate_service.gateway.grpc_web import GrpcWeb, GrpcWebText
from tablestate_service.gateway.metadata import metadata_of
from tablestate_service.gateway.methods import Method
from tablestate_service.gateway.origins import Origins
from tablestate_service.gateway.page import Page
from tablestate_service.gateway.status import ProtocolError, Status
from tablestate_service.settings import Limits

log = logging.getLogger(__name__)

_KINDS: Sequence[tuple[str, type[Exchange]]] = (
    ("application/grpc-web-text+", GrpcWebText),
    ("application/grpc-web+", GrpcWeb),
    ("application/connect+", ConnectStream),
    ("application/", ConnectUnary),
)
_TYPES: Mapping[str, tuple[type[Exchange], Codec]] = {
    "application/grpc-web-text": (GrpcWebText, PROTO),
    "application/grpc-web": (GrpcWeb, PROTO),
    **{kind + each.name: (exchange, each) for kind, exchange in _KINDS for each in (PROTO, JSON)},
}
"""What the content types of calls stand for."""


class Gateway:
    """Takes requests of browsers."""

    def __init__(
        self, methods: Mapping[str, Method], origins: Origins, page: Page, limits: Limits
    ) -> None:
        """Serve these methods to pages of these origins, and the page to everybody."""
        self._methods = methods
        self._origins = origins
        self._page = page
        self._limits = limits
        self._bodies = Bodies(limits.max_request_bytes)
        self._server = Server(self._answer)
        self._runner = web.ServerRunner(self._server, shutdown_timeout=limits.drain_seconds)

    async def listen(self, host: str, port: int, context: ssl.SSLContext | None) -> int:
        """Begin to take requests; the port. Raises OSError."""
        await self._runner.setup()
        await web.TCPSite(self._runner, host.strip("[]"), port, ssl_context=context).start()
        taken: int = self._runner.addresses[0][1]
        return taken

    async def close(self) -> None:
        """Take no more, and let those that run end."""
        await self._runner.cleanup()

    async def _answer(self, request: web.BaseRequest) -> web.StreamResponse:
        self._server.has_spoken(request.protocol)
        try:
            response = await self._response(request)
        except ConnectionError:
            raise
        except Exception:
            log.exception("internal error", extra={"verb": request.method})
            response = web.Response(status=500)
        if not response.prepared:
            response.headers["server"] = SERVER
        return response

    async def _response(self, request: web.BaseRequest) -> web.StreamResponse:
        if request.method in ("GET", "HEAD") and request.path not in self._methods:
            return self._page.answer(request)
        origin = request.headers.get("origin")
        is_allowed = origin is None or self._origins.allows(origin, _own_origin(request))
        if request.method == "OPTIONS" and origin is not None and is_allowed:
            return web.Response(status=204, headers=self._origins.preflight(origin))
        if request.method != "POST":
            is_asking = request.method == "OPTIONS"
            return web.Response(status=403 if is_asking else 405, headers={"allow": "POST"})
        exchange = self._exchange(request, origin if is_allowed else None)
        if exchange is None:
            return web.Response(status=415, headers={"accept-post": ", ".join(_TYPES)})
        return await self._serve(exchange, is_allowed=is_allowed)

    def _exchange(self, request: web.BaseRequest, origin: str | None) -> Exchange | None:
        """The exchange of the request's content type, if it is known and the method has it."""
        found = _TYPES.get(_without_charset(request.headers.get("content-type", "")))
        if found is None:
            return None
        kind, codec = found
        headers = self._origins.headers(origin)
        exchange = kind(request, codec, headers, self._bodies)
        method = self._methods.get(request.path)
        return exchange if method is None or exchange.suits(method) else None

    async def _serve(self, exchange: Exchange, *, is_allowed: bool) -> web.StreamResponse:
        """Carry out a call, whatever happens; only its cancellation gets out."""
        try:
            if not is_allowed:
                raise ProtocolError(
                    grpc.StatusCode.PERMISSION_DENIED, "pages of this origin may not call here"
                )
            status = await self._called(exchange)
        except ProtocolError as error:
            status = error.status
        except TimeoutError:
            status = Status(grpc.StatusCode.DEADLINE_EXCEEDED, "the time for this call is over")
        except ConnectionError:
            raise
        except Exception:
            log.exception("internal error", extra={"path": exchange.request.path})
            status = Status(grpc.StatusCode.INTERNAL, "internal error")
        try:
            async with asyncio.timeout(self._limits.slow_reader_seconds):
                return await exchange.finish(status)
        except TimeoutError:
            # What it has not taken by now it will not take.
            raise ConnectionResetError from None

    async def _called(self, exchange: Exchange) -> Status:
        method = self._method(exchange.request.path)
        request, seconds = exchange.request, exchange.seconds()
        async with asyncio.timeout(seconds):
            async with asyncio.timeout(self._limits.slow_reader_seconds):
                given = await exchange.read(method)
            metadata = metadata_of(request.headers)
            context = CallContext(
                peer_of(request), metadata, exchange.start, exchange.send, seconds
            )
            with suppress(grpc.aio.AbortError):
                await method.call(partial(_read, given, context), context)
            return context.status()

    def _method(self, path: str) -> Method:
        method = self._methods.get(path)
        if method is None:
            raise ProtocolError(grpc.StatusCode.UNIMPLEMENTED, "there is no such method", http=404)
        if method.takes_stream:
            raise ProtocolError(
                grpc.StatusCode.UNIMPLEMENTED, "streams of requests need gRPC over HTTP/2"
            )
        return method


async def _read(given: Request, context: CallContext) -> bytes:
    """The bytes of a request; ends the call if it is none."""
    try:
        return await given()
    except ProtocolError as error:
        await context.abort(error.status.code, error.status.message)


def peer_of(request: web.BaseRequest) -> str:
    """Where a request comes from, as gRPC names it."""
    transport = request.transport
    name = None if transport is None else transport.get_extra_info("peername")
    if not isinstance(name, tuple):
        return "unknown:"
    host, port = name[:2]
    return f"ipv6:[{host}]:{port}" if ":" in host else f"ipv4:{host}:{port}"


def _own_origin(request: web.BaseRequest) -> str:
    """The origin of a page that was fetched where the request goes."""
    return f"{request.scheme}://{request.host}"


def _without_charset(content_type: str) -> str:
    kind, _, parameters = content_type.lower().partition(";")
    is_usual = parameters.strip() in ("", "charset=utf-8")
    return kind.strip() if is_usual else content_type
