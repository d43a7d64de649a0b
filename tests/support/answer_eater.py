"""A proxy before PostgreSQL that loses an answer, or a request, and the connection with it."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Self

_CHUNK = 1 << 16


class AnswerEater:
    """Passes bytes on until told to eat."""

    def __init__(self, port: int) -> None:
        """Lead to a port of 127.0.0.1."""
        self._target = port
        self._marker: bytes | None = None
        self._with_request = False
        self._passing: set[asyncio.Task[None]] = set()
        self.eaten = 0

    async def __aenter__(self) -> Self:
        """Listen."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port: int = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        """Cut everything."""
        self._server.close()
        for task in self._passing:
            task.cancel()
        await asyncio.gather(*self._passing, return_exceptions=True)

    def eat(self, marker: bytes, *, with_request: bool) -> None:
        """Lose the answer to the next request that holds these bytes, or the request itself."""
        self._marker, self._with_request = marker, with_request

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._passing.add(task)
        task.add_done_callback(self._passing.discard)
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._target)
        there = asyncio.ensure_future(self._requests(reader, far_writer))
        back = asyncio.ensure_future(_pass_on(far_reader, writer))
        try:
            await asyncio.wait((there, back), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for each in (there, back):
                each.cancel()
            await asyncio.gather(there, back, return_exceptions=True)
            for end in (writer, far_writer):
                end.close()

    async def _requests(self, near: asyncio.StreamReader, far: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await near.read(_CHUNK):
                if self._marker is not None and self._marker in data:
                    self._marker = None
                    self.eaten += 1
                    await self._lose(far, data)
                    return
                far.write(data)
                await far.drain()

    async def _lose(self, far: asyncio.StreamWriter, data: bytes) -> None:
        if not self._with_request:
            far.write(data)
            await far.drain()
            far.write(b"X\0\0\0\x04")  # A farewell, so that the server ends when it is done.
            await far.drain()


async def _pass_on(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await source.read(_CHUNK):
            sink.write(data)
            await sink.drain()
