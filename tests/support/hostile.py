"""Connections that mean no good: a process of its own, until its input ends.

`python hostile.py HOST PORT CONNECTIONS` makes so many and keeps them up; at the end it prints
how often it did what.
"""

import asyncio
import itertools
import random
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
PAUSE = 1.0
"""Seconds between two things that a connection does."""
_DATA, _HEADERS, _SETTINGS = 0, 1, 4
_END_STREAM, _END_HEADERS = 1, 4
_METHODS = ("GetMatch", "GetView", "SubmitAction", "ListMatches", "WatchMatches")

Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Deed = Callable[[Stream, random.Random, Counter[str]], Awaitable[None]]


def frame(kind: int, flags: int, stream: int, content: bytes) -> bytes:
    """A frame of HTTP/2."""
    head = len(content).to_bytes(3, "big") + bytes((kind, flags)) + stream.to_bytes(4, "big")
    return head + content


def begin() -> bytes:
    """What every client says first."""
    return PREFACE + frame(_SETTINGS, 0, 0, b"")


def headers(stream: int, method: str, credential: str) -> bytes:
    """The headers of a call, none of them compressed."""
    fields = {
        ":method": "POST",
        ":scheme": "http",
        ":path": f"/tablestate.v1.MatchService/{method}",
        ":authority": "hostile",
        "content-type": "application/grpc",
        "te": "trailers",
        "authorization": f"Bearer {credential}",
    }
    block = b"".join(
        b"\x00" + bytes((len(name),)) + name.encode() + bytes((len(value),)) + value.encode()
        for name, value in fields.items()
    )
    return frame(_HEADERS, _END_HEADERS, stream, block)


def message(stream: int, length: int, content: bytes) -> bytes:
    """A message that says to be of a length, whatever comes then."""
    return frame(_DATA, _END_STREAM, stream, b"\x00" + length.to_bytes(4, "big") + content)


def stream_ids() -> Iterator[int]:
    """The ids that a client gives its streams."""
    return itertools.count(1, 2)


async def malformed(stream: Stream, chooser: random.Random, done: Counter[str]) -> None:
    """Send what is no HTTP/2, or stops to be."""
    _, writer = stream
    noise = chooser.randbytes(chooser.randint(1, 4096))
    writer.write(chooser.choice((noise, b"GET / HTTP/1.1\r\n\r\n", begin() + noise)))
    await writer.drain()
    done["malformed"] += 1
    await asyncio.sleep(PAUSE)


async def oversized(stream: Stream, chooser: random.Random, done: Counter[str]) -> None:
    """Announce messages that are larger than any may be."""
    _, writer = stream
    writer.write(begin())
    for number in stream_ids():
        method, length = chooser.choice(_METHODS), chooser.choice((1 << 21, (1 << 32) - 1))
        content = bytes(chooser.choice((0, 16_000)))
        writer.write(headers(number, method, "tsk_x") + message(number, length, content))
        await writer.drain()
        done["oversized"] += 1
        await asyncio.sleep(PAUSE)


async def wrong_tokens(stream: Stream, chooser: random.Random, done: Counter[str]) -> None:
    """Guess keys."""
    _, writer = stream
    writer.write(begin())
    for number in stream_ids():
        guess = chooser.choice((f"tsk_{chooser.randbytes(16).hex()}", "e30.e30.e30", ""))
        writer.write(headers(number, chooser.choice(_METHODS), guess) + message(number, 0, b""))
        await writer.drain()
        done["wrong tokens"] += 1
        await asyncio.sleep(PAUSE)


async def slow(stream: Stream, chooser: random.Random, done: Counter[str]) -> None:
    """Send a call byte by byte, and read nothing."""
    _, writer = stream
    call = begin() + headers(1, "GetMatch", "tsk_slow") + message(1, 64, bytes(64))
    for place in range(len(call)):
        writer.write(call[place : place + 1])
        await writer.drain()
        done["slow bytes"] += 1
        await asyncio.sleep(PAUSE / 2)


DEEDS: tuple[Deed, ...] = (malformed, oversized, wrong_tokens, slow)


async def keep_up(host: str, port: int, number: int, done: Counter[str]) -> None:
    """Do no good over one connection after the other."""
    chooser, deed = random.Random(number), DEEDS[number % len(DEEDS)]
    while True:
        await asyncio.sleep(chooser.random() * PAUSE)
        with suppress(OSError):
            reader, writer = await asyncio.open_connection(host, port)
            done["connections"] += 1
            reading = asyncio.ensure_future(_discard(reader, deed is not slow))
            try:
                await deed((reader, writer), chooser, done)
            finally:
                reading.cancel()
                writer.transport.abort()


async def _discard(reader: asyncio.StreamReader, is_read: bool) -> None:
    while is_read and await reader.read(1 << 16):
        pass


async def main(host: str, port: int, count: int) -> None:
    """Keep them up until the input ends."""
    done: Counter[str] = Counter()
    tasks = [asyncio.ensure_future(keep_up(host, port, each, done)) for each in range(count)]
    await asyncio.to_thread(sys.stdin.read)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    for what, times in sorted(done.items()):
        print(f"{what}={times}", flush=True)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
