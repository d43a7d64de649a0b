"""Work that would keep the event loop from everything else."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

_LONG = 16_384
"""Bytes from which on it takes about a millisecond to read or write them."""


async def offloaded(data: bytes, work: Callable[[bytes], T]) -> T:
    """What comes of some bytes; worked out on another thread if they are many.

    Python takes turns between threads every few milliseconds, so others are served meanwhile.
    """
    return await asyncio.to_thread(work, data) if len(data) >= _LONG else work(data)
