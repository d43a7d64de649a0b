"""The clock, the entropy and the threads of the machine."""

import asyncio
import os
import secrets
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from tablestate_service.domain.errors import shutting_down

T = TypeVar("T")


# The times of entries are public: how long a bot thought must not tell what it thought about.
_RESOLUTION = 1_000_000


class SystemClock:
    """The machine's clock."""

    def now(self) -> int:
        """Nanoseconds since 1970, UTC, in whole milliseconds."""
        return time.time_ns() // _RESOLUTION * _RESOLUTION


class SystemEntropy:
    """The operating system's generator."""

    def token_bytes(self, size: int) -> bytes:
        """Unpredictable bytes."""
        return secrets.token_bytes(size)


class ThreadWorkers:
    """A bounded pool of threads."""

    def __init__(self, threads: int, name: str, niceness: int = 0) -> None:
        """Start at most that many threads, when they are needed.

        With a niceness the others of the process go first, where the system can do that.
        """
        self._pool = ThreadPoolExecutor(threads, name, _yield_to_others, (niceness,))
        self._is_closed = False

    async def run(self, work: Callable[[], T]) -> T:
        """Do it on a thread of the pool; refuses SHUTTING_DOWN once that is closed."""
        if self._is_closed:
            raise shutting_down()
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, work)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if self._is_closed and (task is None or task.cancelling() == 0):
                raise shutting_down() from None  # It had not begun when the pool was closed.
            raise

    def close(self) -> None:
        """Forget what has not begun, and do not wait for the rest."""
        self._is_closed = True
        self._pool.shutdown(wait=False, cancel_futures=True)


def _yield_to_others(niceness: int) -> None:
    # On Linux alone a thread has a niceness of its own.
    if niceness and sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), niceness)
