"""Calls over a gRPC channel, tried again where that helps."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

import grpc
import grpc.aio

from tablestate._backoff import Backoff, StreamBackoff
from tablestate._connection import CHANNEL_OPTIONS, ConnectionSettings
from tablestate._cursor import Cursor
from tablestate._methods import WATCH_MATCHES, Method, Request, Response
from tablestate._status import to_error
from tablestate.errors import TablestateError
from tablestate.v1.match_pb2 import MatchUpdate
from tablestate.v1.match_service_pb2 import WatchMatchesResponse


class AsyncTransport:
    """A channel to the server and the way calls are made on it."""

    def __init__(self, settings: ConnectionSettings) -> None:
        """Open a channel; it connects with the first call."""
        self._settings = settings
        self._channel = _open_channel(settings)

    async def close(self) -> None:
        """Close the channel; calls still open end with an error."""
        await self._channel.close()

    async def unary(
        self, method: Method[Request, Response], request: Request, timeout: float | None
    ) -> Response:
        """Call a method with one answer; raises TablestateError."""
        call: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = self._channel.unary_unary(
            method.path
        )
        body, backoff = request.SerializeToString(), self._backoff(timeout)
        while True:
            try:
                answer = await call(
                    body, timeout=backoff.attempt_timeout(), metadata=self._metadata()
                )
            except grpc.RpcError as error:
                await asyncio.sleep(backoff.delay_after(to_error(error)))
            else:
                return method.response.FromString(answer)

    async def collect(
        self, method: Method[Request, Response], request: Request, timeout: float | None
    ) -> list[Response]:
        """Call a method that streams a finite answer, and return all of it."""
        call: grpc.aio.UnaryStreamMultiCallable[bytes, bytes] = self._channel.unary_stream(
            method.path
        )
        body, backoff = request.SerializeToString(), self._backoff(timeout)
        while True:
            try:
                stream = call(body, timeout=backoff.attempt_timeout(), metadata=self._metadata())
                return [method.response.FromString(part) async for part in stream]
            except grpc.RpcError as error:
                await asyncio.sleep(backoff.delay_after(to_error(error)))

    async def watch(
        self, cursor: Cursor, timeout: float | None
    ) -> AsyncGenerator[MatchUpdate, None]:
        """Yield every update after the cursor once, in order, over as many streams as it takes."""
        backoff = StreamBackoff(self._settings.retry, timeout)
        while not cursor.done:
            try:
                async with aclosing(self._stream(cursor, backoff.open())) as stream:
                    async for update in stream:
                        if cursor.accept(update):
                            backoff.reset()
                            yield update
            except TablestateError as error:
                await asyncio.sleep(backoff.delay_after(error))
            else:
                return  # the server says that all matches have ended

    async def _stream(
        self, cursor: Cursor, timeout: float | None
    ) -> AsyncGenerator[MatchUpdate, None]:
        call: grpc.aio.UnaryStreamMultiCallable[bytes, bytes] = self._channel.unary_stream(
            WATCH_MATCHES.path
        )
        stream = call(cursor.request(), timeout=timeout, metadata=self._metadata())
        try:
            async for part in stream:
                yield WatchMatchesResponse.FromString(part).update
        except grpc.RpcError as error:
            raise to_error(error) from error
        finally:
            stream.cancel()  # also when the caller stops watching early

    def _backoff(self, timeout: float | None) -> Backoff:
        return Backoff(self._settings.retry, self._settings.timeout if timeout is None else timeout)

    def _metadata(self) -> tuple[tuple[str, str], ...]:
        return tuple(self._settings.metadata)


def _open_channel(settings: ConnectionSettings) -> grpc.aio.Channel:
    if settings.credentials is None:
        return grpc.aio.insecure_channel(settings.target, options=CHANNEL_OPTIONS)
    return grpc.aio.secure_channel(settings.target, settings.credentials, options=CHANNEL_OPTIONS)
