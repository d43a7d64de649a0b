"""Connections of browsers: when they end, and what is said to those that speak no HTTP."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any

from aiohttp import web

from tablestate_service.gateway.sockets import ask_whether_it_is_there

SERVER = "tablestate"
"""Of what it is made is nobody's business."""
IDLE_SECONDS = 75.0
"""How long a connection may ask for nothing."""

_unheard = logging.getLogger(f"{__name__}.unheard")
"""What the library would log: the bytes of requests that are no HTTP, which may hold a token."""
_unheard.disabled = True


class Connection(web.RequestHandler):
    """Also ends a stream behind which something else is asked for.

    The library stops reading when enough has been asked for, and then never sees that the caller
    has gone: its watch would stay open for ever. No browser asks before it has been answered.
    """

    __slots__ = ("_is_streaming",)

    def __init__(self, *args: Any, **options: Any) -> None:
        """See the library."""
        super().__init__(*args, **options)
        self._is_streaming = False

    def begin_stream(self) -> None:
        """Send a stream from now on, and read on so as to see that the caller goes."""
        self._is_streaming = True
        if self.transport is not None:
            self.transport.resume_reading()

    def end_stream(self) -> None:
        """Take requests again."""
        self._is_streaming = False

    def data_received(self, data: bytes) -> None:
        """Take what has come."""
        if data and self._is_streaming and self.transport is not None:
            self.transport.abort()
        else:
            super().data_received(data)

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """The answer to what is no HTTP; the library's own would quote it, a token perhaps."""
        if request.writer.output_size > 0:
            raise ConnectionResetError
        is_request = status != HTTPStatus.BAD_REQUEST
        text = "internal error" if is_request else "this is no request of HTTP/1.1"
        response = web.Response(status=status, text=f"{text}\n", headers={"server": SERVER})
        response.force_close()
        return response


class Server(web.Server):
    """Also ends connections that ask for nothing; the library does so from the first answer on."""

    def __init__(self, answer: Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]) -> None:
        """Have requests answered so."""
        super().__init__(answer, handler_cancellation=True)
        self._silent: dict[web.RequestHandler, asyncio.TimerHandle] = {}

    def __call__(self) -> web.RequestHandler:
        """What serves a connection."""
        return Connection(
            self,
            loop=asyncio.get_running_loop(),
            access_log=None,
            auto_decompress=False,  # A little could become very much.
            keepalive_timeout=IDLE_SECONDS,
            logger=_unheard,
        )

    def connection_made(self, handler: web.RequestHandler, transport: asyncio.Transport) -> None:
        """Give it some time."""
        super().connection_made(handler, transport)
        loop = asyncio.get_running_loop()
        self._silent[handler] = loop.call_later(IDLE_SECONDS, transport.abort)
        ask_whether_it_is_there(transport)

    def connection_lost(
        self, handler: web.RequestHandler, exc: BaseException | None = None
    ) -> None:
        """Forget it."""
        self.has_spoken(handler)
        super().connection_lost(handler, exc)

    def has_spoken(self, handler: web.RequestHandler) -> None:
        """Wait no longer for its first request."""
        if (timer := self._silent.pop(handler, None)) is not None:
            timer.cancel()
