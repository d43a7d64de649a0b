"""Calls over a gRPC channel, tried again where that helps."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

import grpc
import grpc.aio

from tablestate._backoff import Backoff, StreamBackoff
from tablestate._connection import CHANNEL_OPTIONS, ConnectionSettings
from tablestate._cursor import Cursor, OnBreak
from tablestate._dialogue import AsyncDialogue
from tablestate._methods import WATCH_FEED, WATCH_MATCHES, Method, Request, Response
from tablestate._status import to_error
from tablestate.credentials import Intent
from tablestate.errors import ClientClosedError, TablestateError
from tablestate.v1.feed_pb2 import WatchFeedRequest, WatchFeedResponse
from tablestate.v1.match_pb2 import MatchUpdate
from tablestate.v1.match_service_pb2 import WatchMatchesResponse


class AsyncTransport:
    """A channel to the server and the way calls are made on it."""

    def __init__(self, settings: ConnectionSettings) -> None:
        """Open a channel; it connects with the first call."""
        self._settings = settings
        self._channel = _open_channel(settings)
        self._is_closed = False

    @property
    def target(self) -> str:
        """Where the server is."""
        return self._settings.target

    @property
    def timeout(self) -> float:
        """Seconds a call may take, unless it is told otherwise."""
        return self._settings.timeout

    async def close(self) -> None:
        """Close the channel; calls still open end with ClientClosedError."""
        self._is_closed = True
        await self._channel.close()

    async def mutate(
        self,
        method: Method[Request, Response],
        request: Request,
        intent: Intent,
        timeout: float | None,
    ) -> Response:
        """Call a method that changes something; an error tells the intent to repeat it with."""
        try:
            return await self.unary(method, request, timeout)
        except TablestateError as error:
            error.intent = intent
            raise

    async def unary(
        self, method: Method[Request, Response], request: Request, timeout: float | None
    ) -> Response:
        """Call a method with one answer; raises TablestateError."""
        call: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = self._channel.unary_unary(
            method.path
        )
        # Deterministic, so that a call that is repeated with its intent has the same bytes too.
        body, backoff = request.SerializeToString(deterministic=True), self._backoff(timeout)
        while True:
            self._require_open()
            try:
                limit = backoff.attempt_timeout(is_long=method.is_long)
                answer = await call(body, timeout=limit, metadata=self._metadata())
            except grpc.RpcError as error:
                await asyncio.sleep(backoff.delay_after(to_error(error)))
            except asyncio.CancelledError:
                self._require_not_closed_meanwhile()
                raise
            else:
                return method.response.FromString(answer)

    async def collect(
        self,
        method: Method[Request, Response],
        request: Request,
        timeout: float | None,
        on_part: Callable[[Response], object] | None = None,
    ) -> list[Response]:
        """Call a method that streams a finite answer, and return all of it.

        `on_part` is called with each part when it comes; if the call is tried again, with those
        of the new stream too.
        """
        call: grpc.aio.UnaryStreamMultiCallable[bytes, bytes] = self._channel.unary_stream(
            method.path
        )
        body, backoff = request.SerializeToString(), self._backoff(timeout)
        while True:
            self._require_open()
            limit = backoff.attempt_timeout(is_long=True)
            stream = call(body, timeout=limit, metadata=self._metadata())
            parts = []
            try:
                async for part in stream:
                    parts.append(method.response.FromString(part))
                    if on_part is not None:
                        on_part(parts[-1])
            except grpc.RpcError as error:
                await asyncio.sleep(backoff.delay_after(to_error(error)))
            except asyncio.CancelledError:
                self._require_not_closed_meanwhile()
                raise
            else:
                return parts
            finally:
                stream.cancel()  # also when `on_part` raises

    async def watch(
        self, cursor: Cursor, timeout: float | None, on_break: OnBreak
    ) -> AsyncGenerator[MatchUpdate, None]:
        """Yield every update after the cursor once, in order, over as many streams as it takes."""
        backoff = self.stream_backoff(timeout)
        while not cursor.done:
            try:
                async with aclosing(self._stream(cursor, backoff.open())) as stream:
                    async for update in stream:
                        if cursor.accept(update):
                            backoff.reset()
                            yield update
            except TablestateError as error:
                delay = backoff.delay_after(error)
                if on_break is not None:
                    on_break(error)
                await asyncio.sleep(delay)
            else:
                return  # the server says that all matches have ended

    async def _stream(
        self, cursor: Cursor, timeout: float | None
    ) -> AsyncGenerator[MatchUpdate, None]:
        parts = self._parts(WATCH_MATCHES.path, cursor.request(), timeout)
        async with aclosing(parts) as stream:
            async for part in stream:
                yield WatchMatchesResponse.FromString(part).update

    async def _parts(
        self, path: str, request: bytes, timeout: float | None
    ) -> AsyncGenerator[bytes, None]:
        call: grpc.aio.UnaryStreamMultiCallable[bytes, bytes] = self._channel.unary_stream(path)
        self._require_open()
        stream = call(request, timeout=timeout, metadata=self._metadata())
        try:
            async for part in stream:
                yield part
        except grpc.RpcError as error:
            raise to_error(error) from error
        except asyncio.CancelledError:
            self._require_not_closed_meanwhile()
            raise
        finally:
            stream.cancel()  # also when the caller stops watching early

    async def watch_feed(
        self, request: WatchFeedRequest, timeout: float | None, on_break: OnBreak
    ) -> AsyncGenerator[WatchFeedResponse, None]:
        """Yield all news after the request's cursor once, over as many streams as it takes."""
        backoff = self.stream_backoff(timeout)
        while True:
            parts = self._parts(WATCH_FEED.path, request.SerializeToString(), backoff.open())
            try:
                async with aclosing(parts) as stream:
                    async for part in stream:
                        news = WatchFeedResponse.FromString(part)
                        request.cursor = news.cursor
                        backoff.reset()
                        yield news
            except TablestateError as error:
                delay = backoff.delay_after(error)
                if on_break is not None:
                    on_break(error)
                await asyncio.sleep(delay)
            else:
                return

    def dialogue(self, path: str, timeout: float | None = None) -> AsyncDialogue:
        """Open a stream of requests and answers, for so many seconds at most."""
        self._require_open()
        return AsyncDialogue(self._channel.stream_stream(path), self._metadata(), timeout)

    def stream_backoff(self, timeout: float | None) -> StreamBackoff:
        """The pauses of a stream that is opened anew whenever it breaks."""
        return StreamBackoff(self._settings.retry, timeout)

    def _require_open(self) -> None:
        if self._is_closed:
            raise ClientClosedError

    def _require_not_closed_meanwhile(self) -> None:
        """Tell the closing of the channel, which cancels its calls, from the caller's own."""
        task = asyncio.current_task()
        if task is None or task.cancelling() == 0:
            self._require_open()

    def _backoff(self, timeout: float | None) -> Backoff:
        return Backoff(self._settings.retry, self._settings.patience(timeout))

    def _metadata(self) -> tuple[tuple[str, str], ...]:
        return tuple(self._settings.metadata)


def _open_channel(settings: ConnectionSettings) -> grpc.aio.Channel:
    if settings.credentials is None:
        return grpc.aio.insecure_channel(settings.target, options=CHANNEL_OPTIONS)
    return grpc.aio.secure_channel(settings.target, settings.credentials, options=CHANNEL_OPTIONS)
