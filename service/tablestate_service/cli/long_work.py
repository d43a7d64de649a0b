"""Work of the core that Ctrl-C stops."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import TypeVar

from tablestate import Client
from tablestate_service.cli.connection import add_credentials, connected
from tablestate_service.engine import Stop

T = TypeVar("T")

ANSWERS_WITHIN = 10.0
"""Seconds that a service has to answer before it is given long work."""
_TURN_SECONDS = 0.2
_MOST = (1 << 32) - 1
_MOST_GAMES = 1_000_000
_MOST_THREADS = 1024
"""The core starts no more either."""


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
    add_credentials(parser)


@contextmanager
def reached(args: argparse.Namespace) -> Iterator[Client]:
    """A client of the service of `--server`.

    One that is away is not waited for as long work is: it must answer first.
    Raises TablestateError.
    """
    with connected(args) as client:
        client.games(timeout=ANSWERS_WITHIN)
        yield client


def from_one(text: str) -> int:
    """Read a number; raises ArgumentTypeError that says what is wrong."""
    return _whole(text, 1, _MOST)


def from_zero(text: str) -> int:
    """Read a number that may be 0; raises ArgumentTypeError that says what is wrong."""
    return _whole(text, 0, _MOST)


def games(text: str) -> int:
    """Read how many games are played of which each is kept; raises ArgumentTypeError."""
    return _whole(text, 1, _MOST_GAMES)


def threads(text: str) -> int:
    """Read a number of threads; raises ArgumentTypeError that says what is wrong."""
    return _whole(text, 1, _MOST_THREADS)


def seed(text: str) -> int:
    """Read a seed; raises ArgumentTypeError that says what is wrong."""
    return _whole(text, 0, (1 << 64) - 1)


def _whole(text: str, least: int, most: int) -> int:
    is_short = len(text) <= len(str(most))
    number = int(text) if text.isdecimal() and is_short else -1
    if not least <= number <= most:
        expected = f"expected a whole number from {least} to {most}"
        raise argparse.ArgumentTypeError(f"{text!r}; {expected}")
    return number
