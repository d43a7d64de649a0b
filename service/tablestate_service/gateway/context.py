"""What a handler sees of a call that came by the gateway: the same as of one that came by gRPC."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import NoReturn

import grpc

from tablestate_service.gateway.status import DETAILS_KEY, Metadata, Status


class CallContext:
    """The part of `grpc.aio.ServicerContext` that handlers use.

    The call runs in one task; cancelling that task is how it learns that its caller has gone.
    """

    def __init__(
        self,
        peer: str,
        metadata: Metadata,
        start: Callable[[Metadata], Awaitable[None]],
        send: Callable[[bytes], Awaitable[None]],
        seconds: float | None = None,
    ) -> None:
        """`start` sends the first metadata, `send` a message; both raise ConnectionError.

        The caller waits for so many seconds, or for as long as it takes.
        """
        task = asyncio.current_task()
        assert task is not None, "a handler runs in a task"
        self._task = task
        self._peer = peer
        self._metadata = metadata
        self._start = start
        self._send = send
        self._loop = asyncio.get_running_loop()
        self._due = None if seconds is None else self._loop.time() + seconds
        self._code: grpc.StatusCode | None = None
        self._message = ""
        self._trailing: Metadata = ()

    def peer(self) -> str:
        """Where the call comes from, as gRPC writes it."""
        return self._peer

    def invocation_metadata(self) -> Metadata:
        """What the caller has sent beside its request."""
        return self._metadata

    async def send_initial_metadata(self, metadata: Metadata) -> None:
        """Begin to answer."""
        await self._while_there(self._start(metadata))

    async def write(self, message: bytes) -> None:
        """Send a message; waits while the reader does not take what was sent before."""
        await self._while_there(self._send(message))

    async def abort(
        self, code: grpc.StatusCode, details: str = "", trailing_metadata: Metadata = ()
    ) -> NoReturn:
        """End the call with a status."""
        self._code, self._message = code, details
        self._trailing = (*self._trailing, *trailing_metadata)
        raise grpc.aio.AbortError

    def set_trailing_metadata(self, metadata: Metadata) -> None:
        """Say what follows the last message."""
        self._trailing = tuple(metadata)

    def time_remaining(self) -> float | None:
        """The seconds for which the caller still waits; None if it waits for ever."""
        return None if self._due is None else max(0.0, self._due - self._loop.time())

    def code(self) -> grpc.StatusCode | None:
        """The code that was set."""
        return self._code

    def cancelled(self) -> bool:
        """Whether the caller has gone, or does not wait any longer."""
        return self._code is None and self._task.cancelling() > 0

    def status(self) -> Status:
        """How the call has ended."""
        details = b"".join(
            value
            for key, value in self._trailing
            if key == DETAILS_KEY and isinstance(value, bytes)
        )
        rest = [(key, value) for key, value in self._trailing if key != DETAILS_KEY]
        return Status(self._code or grpc.StatusCode.OK, self._message, details, rest)

    async def _while_there(self, sending: Awaitable[None]) -> None:
        """Await; when the connection is lost that is a cancellation, and no fault."""
        try:
            await sending
        except ConnectionError:
            self._task.cancel()
            await asyncio.sleep(0)
            raise
