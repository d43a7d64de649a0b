"""Sending on a stream to readers of all kinds."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, cast

import pytest

from tablestate_service.rpc.sender import Sender, SlowReaderError

SECONDS = 0.2


class Reader:
    """Takes messages when `take` is done."""

    def __init__(self, take: Callable[[], Awaitable[object]]) -> None:
        self.take = take
        self.taken: list[bytes] = []

    async def write(self, message: bytes) -> None:
        await self.take()
        self.taken.append(message)


def sender(reader: Reader, seconds: float = SECONDS) -> Sender:
    return Sender(cast(Any, reader), seconds)


async def never() -> None:
    await asyncio.Event().wait()


async def test_a_reader_may_take_its_time_over_all_messages_together() -> None:
    reader = Reader(lambda: asyncio.sleep(SECONDS * 0.6))
    with sender(reader) as sending:
        for message in (b"one", b"two", b"three"):
            await sending.send(message)
    assert reader.taken == [b"one", b"two", b"three"]


async def test_a_reader_that_takes_too_long_over_one_is_given_up() -> None:
    reader, loop = Reader(lambda: asyncio.sleep(0)), asyncio.get_running_loop()
    with sender(reader) as sending:
        await sending.send(b"one")
        await asyncio.sleep(SECONDS * 0.6)
        reader.take, begun = never, loop.time()
        with pytest.raises(SlowReaderError):
            await sending.send(b"two")
        assert SECONDS * 0.9 <= loop.time() - begun < SECONDS * 1.9
    task = asyncio.current_task()
    assert task is not None
    assert task.cancelling() == 0
    await asyncio.sleep(0)


async def test_one_who_cancels_the_call_cancels_it() -> None:
    reader = Reader(never)

    async def call() -> None:
        with sender(reader) as sending:
            await sending.send(b"one")

    task = asyncio.create_task(call())
    await asyncio.sleep(SECONDS / 4)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
