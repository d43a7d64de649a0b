"""The clock, the entropy, the threads and the memory of the machine."""

import asyncio
import ctypes
import os
import secrets
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from tablestate_service.domain.entry import WHOLE_MILLISECOND
from tablestate_service.domain.errors import shutting_down

T = TypeVar("T")


_NICENESS = 10
_M_TRIM_THRESHOLD = -1
_M_MMAP_THRESHOLD = -3
_LARGE_BYTES = 8 * 1024 * 1024
"""No message is larger."""


class SystemClock:
    """The machine's clock."""

    def now(self) -> int:
        """Nanoseconds since 1970, UTC, in whole milliseconds."""
        return time.time_ns() // WHOLE_MILLISECOND * WHOLE_MILLISECOND


class SystemEntropy:
    """The operating system's generator."""

    def token_bytes(self, size: int) -> bytes:
        """Unpredictable bytes."""
        return secrets.token_bytes(size)


class ThreadWorkers:
    """A bounded pool of threads."""

    def __init__(self, threads: int, name: str, prepare: Callable[[], None] | None = None) -> None:
        """Start at most that many threads, when they are needed; each prepares itself first.

        `go_later` and `go_last` are for threads that others of the process shall go before.
        """
        self.threads = threads
        self._pool = ThreadPoolExecutor(threads, name, prepare)
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


def go_later() -> None:
    """Let this thread have less of the processors than others want of them."""
    # On Linux alone a thread has a niceness and a policy of its own.
    if sys.platform == "linux":
        thread = threading.get_native_id()
        # Whoever has started the process may have made all of it nicer.
        others = os.getpriority(os.PRIO_PROCESS, thread)
        os.setpriority(os.PRIO_PROCESS, thread, others + _NICENESS)


def go_last() -> None:
    """Let this thread run on processors that no other wants, and leave them at once.

    A thread that is merely nice keeps its processor for some milliseconds from one that wakes up
    to answer a call.
    """
    if sys.platform == "linux":
        try:
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
        except OSError:  # some sandboxes have no policies
            go_later()


def keep_freed_memory() -> None:
    """Let the allocator keep the memory of large messages for the next ones.

    By default glibc gives it back to the system at once and takes it anew, page by page: for the
    answers of a batch of a thousand games with observations a hundred page faults each.
    """
    if sys.platform == "linux":
        set_parameter = getattr(ctypes.CDLL(None), "mallopt", None)
        if set_parameter is not None:  # as with other libraries than glibc
            set_parameter(_M_MMAP_THRESHOLD, _LARGE_BYTES)
            set_parameter(_M_TRIM_THRESHOLD, 4 * _LARGE_BYTES)
