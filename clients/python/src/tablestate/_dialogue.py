"""A stream of requests and answers, for either client."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, cast

import grpc
import grpc.aio

from tablestate._status import to_error
from tablestate.errors import TablestateError

Open = Callable[..., Any]


class AsyncDialogue:
    """A stream of the asynchronous client."""

    def __init__(self, open_stream: Open, metadata: object, timeout: float | None = None) -> None:
        """Open it, for so many seconds at most."""
        self._call = open_stream(metadata=metadata, timeout=timeout)

    async def send(self, request: bytes) -> None:
        """Send a request; raises TablestateError if the stream has ended."""
        try:
            await self._call.write(request)
        except grpc.RpcError as error:
            raise to_error(error) from error
        except asyncio.InvalidStateError:
            raise await self._end() from None

    async def receive(self) -> bytes:
        """Wait for an answer; raises TablestateError if the stream ends instead."""
        try:
            answer = await self._call.read()
        except grpc.RpcError as error:
            raise to_error(error) from error
        except asyncio.InvalidStateError:
            raise await self._end() from None
        if answer is grpc.aio.EOF:
            raise await self._end()
        return cast(bytes, answer)

    async def close(self) -> None:
        """End it."""
        self._call.cancel()

    async def _end(self) -> TablestateError:
        status = grpc.aio.AioRpcError(
            await self._call.code(),
            await self._call.initial_metadata(),
            await self._call.trailing_metadata(),
            await self._call.details(),
        )
        return to_error(status)


class Dialogue:
    """A stream of the synchronous client."""

    def __init__(self, open_stream: Open, metadata: object, timeout: float | None = None) -> None:
        """Open it, for so many seconds at most."""
        self._requests: SimpleQueue[bytes | None] = SimpleQueue()
        requests = iter(self._requests.get, None)
        self._answers = open_stream(requests, metadata=metadata, timeout=timeout)
        self._end: TablestateError | None = None

    def send(self, request: bytes) -> None:
        """Send a request."""
        self._requests.put(request)

    def receive(self) -> bytes:
        """Wait for an answer; raises TablestateError if the stream ends instead."""
        if self._end is not None:
            raise self._end
        try:
            return cast(bytes, next(self._answers))
        except StopIteration:
            raise to_error(self._answers) from None
        except grpc.RpcError as error:
            raise to_error(error) from error

    def close(self) -> None:
        """End it."""
        if self._end is not None:
            return
        self._requests.put(None)
        self._answers.cancel()
        self._end = to_error(self._answers)
        # The call takes a lock when it is deleted. At the end of the program a thread that is no
        # more may hold it: so the call goes now.
        self._answers = None
