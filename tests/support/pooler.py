"""A pooler of transactions before PostgreSQL, as pgbouncer is one in its mode `transaction`.

Every transaction goes to another connection than the one before, so that nothing holds that a
client leaves behind on its connection: prepared statements, settings, LISTEN.
"""

from __future__ import annotations

import asyncio
import struct
from contextlib import suppress
from typing import NamedTuple, Self
from urllib.parse import urlsplit

_BACKENDS = 5
_PROTOCOL = 196608
_SSL_REQUEST = 80877103
_END_OF_REQUEST = b"QS"
_FAREWELL = b"X"
_READY, _AUTHENTICATION, _PARAMETER = b"Z", b"R", b"S"
_IDLE = b"I"


class Message(NamedTuple):
    """A message of PostgreSQL's protocol."""

    kind: bytes
    body: bytes

    def packed(self) -> bytes:
        """As it is sent."""
        return self.kind + struct.pack(">I", 4 + len(self.body)) + self.body


class Backend(NamedTuple):
    """A connection to PostgreSQL, and what it told when it was made."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    greeting: bytes


class Pooler:
    """Listens on a port of 127.0.0.1 for clients of one database, whatever they say they want."""

    def __init__(self, url: str) -> None:
        """Lead to a database."""
        self._url = urlsplit(url)
        self._free: asyncio.Queue[Backend] = asyncio.Queue()
        self._serving: set[asyncio.Task[None]] = set()
        self.transactions = 0

    @property
    def url(self) -> str:
        """How to connect through it."""
        return f"postgresql://{self._url.username}@127.0.0.1:{self._port}{self._url.path}"

    async def __aenter__(self) -> Self:
        """Connect and listen."""
        for _ in range(_BACKENDS):
            self._free.put_nowait(await self._connect())
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self._port: int = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        """Cut everything."""
        self._server.close()
        for task in self._serving:
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)
        while not self._free.empty():
            self._free.get_nowait().writer.close()

    async def _connect(self) -> Backend:
        reader, writer = await asyncio.open_connection(self._url.hostname, self._url.port)
        wanted = f"user\0{self._url.username}\0database\0{self._url.path[1:]}\0\0".encode()
        start = struct.pack(">I", _PROTOCOL) + wanted
        password = Message(b"p", f"{self._url.password}\0".encode())
        writer.write(struct.pack(">I", 4 + len(start)) + start + password.packed())
        greeting = b""
        while (message := await _read(reader)).kind != _READY:
            if message.kind == _PARAMETER:
                greeting += message.packed()
        return Backend(reader, writer, greeting)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)
        try:
            with suppress(asyncio.IncompleteReadError, asyncio.CancelledError, OSError):
                await self._serve(reader, writer)
        finally:
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        (size,) = struct.unpack(">I", await reader.readexactly(4))
        start = await reader.readexactly(size - 4)
        if struct.unpack(">I", start[:4]) == (_SSL_REQUEST,):
            writer.write(b"N")
            await self._serve(reader, writer)
            return
        writer.write(Message(_AUTHENTICATION, bytes(4)).packed())
        backend = await self._free.get()
        self._free.put_nowait(backend)
        writer.write(backend.greeting + Message(_READY, _IDLE).packed())
        while (message := await _read(reader)).kind != _FAREWELL:
            await self._transaction(message, reader, writer)

    async def _transaction(
        self, message: Message, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Pass on from a first message until the backend is idle again."""
        backend = await self._free.get()
        self.transactions += 1
        state = b""
        answering = asyncio.ensure_future(_answer(backend, writer))
        try:
            while True:
                backend.writer.write(message.packed())
                if message.kind in _END_OF_REQUEST:
                    if (state := await answering) == _IDLE:
                        return
                    answering = asyncio.ensure_future(_answer(backend, writer))
                message = await _read(reader)
        finally:
            if state == _IDLE:
                self._free.put_nowait(backend)
            else:
                answering.cancel()
                backend.writer.close()
                self._free.put_nowait(await self._connect())


async def _answer(backend: Backend, writer: asyncio.StreamWriter) -> bytes:
    """Pass an answer on; the state that the backend is in after it."""
    while True:
        message = await _read(backend.reader)
        writer.write(message.packed())
        if message.kind == _READY:
            await writer.drain()
            return message.body


async def _read(reader: asyncio.StreamReader) -> Message:
    kind = await reader.readexactly(1)
    (size,) = struct.unpack(">I", await reader.readexactly(4))
    return Message(kind, await reader.readexactly(size - 4))
