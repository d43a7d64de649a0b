"""Sending on a stream, to a reader that may be slow."""

import asyncio
from types import TracebackType
from typing import Self

import grpc


class SlowReaderError(Exception):
    """The reader of a stream has not taken a message in time."""


class Sender:
    """Sends the messages of a stream. A context: leaving it ends the watch over the reader.

    One timer watches over all messages: a timeout for each costs CPU that streams of small
    batches notice.
    """

    def __init__(self, context: "grpc.aio.ServicerContext[bytes, bytes]", seconds: float) -> None:
        """Send on the context of a call; the reader may take so long over a message."""
        self._context = context
        self._seconds = seconds
        self._loop = asyncio.get_running_loop()
        task = asyncio.current_task()
        assert task is not None, "a handler runs in a task"
        self._task = task
        self._begun: float | None = None
        self._is_late = False

    def __enter__(self) -> Self:
        """Begin to watch."""
        self._timer = self._loop.call_later(self._seconds, self._look)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Watch no more."""
        self._timer.cancel()

    async def send(self, message: bytes) -> None:
        """Send a message; raises SlowReaderError if the reader does not take it in time."""
        self._begun = self._loop.time()
        try:
            await self._context.write(message)
        except asyncio.CancelledError:
            # If somebody else has cancelled the call as well, that counts.
            if self._is_late and self._task.uncancel() == 0:
                raise SlowReaderError from None
            raise
        finally:
            self._begun = None

    def _look(self) -> None:
        """Give up the message that is under way for too long, or look again when it would be."""
        now = self._loop.time()
        due = (now if self._begun is None else self._begun) + self._seconds
        if due > now:
            self._timer = self._loop.call_at(due, self._look)
        else:
            self._is_late = True
            self._task.cancel()
