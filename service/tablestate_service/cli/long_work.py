"""Work of the core that Ctrl-C stops."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TypeVar

from tablestate_service.engine import Stop

T = TypeVar("T")

_TURN_SECONDS = 0.2


def stoppable(work: Callable[[Stop], T | None]) -> T:
    """Do it in a thread, so that Ctrl-C is heeded meanwhile."""
    stop = Stop()
    with ThreadPoolExecutor(1) as pool:
        doing = pool.submit(work, stop)
        try:
            # A signal that comes just before the wait does not end it: wait in short turns.
            while not wait([doing], _TURN_SECONDS).done:
                pass
            done = doing.result()
        finally:
            stop.set()
    assert done is not None, "nobody else stops it"
    return done


def add_optional_server(parser: argparse.ArgumentParser) -> None:
    """Add `--server` for what is done here without it."""
    parser.add_argument(
        "--server", metavar="HOST:PORT", help="let this service do it (default: done here)"
    )


def from_one(text: str) -> int:
    """Read a number; raises ArgumentTypeError that says what is wrong."""
    return _from(1, text)


def from_zero(text: str) -> int:
    """Read a number that may be 0; raises ArgumentTypeError that says what is wrong."""
    return _from(0, text)


def _from(least: int, text: str) -> int:
    number = int(text) if text.isdecimal() else -1
    if number < least:
        raise argparse.ArgumentTypeError(f"{text!r}; expected a whole number from {least} on")
    return number


def seed(text: str) -> int:
    """Read a seed; raises ArgumentTypeError that says what is wrong."""
    number = int(text) if text.isdecimal() else -1
    if not 0 <= number < 1 << 64:
        raise argparse.ArgumentTypeError(f"{text!r}; expected a whole number of 64 bits")
    return number
