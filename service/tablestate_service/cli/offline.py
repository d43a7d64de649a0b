"""Work on a data directory while no service runs on it."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TypeVar

from tablestate_service import app, matchfile
from tablestate_service.cli.arguments import CommandError
from tablestate_service.domain.entry import Entry
from tablestate_service.domain.errors import DomainError
from tablestate_service.domain.match import Match, MatchPhase
from tablestate_service.ports import MatchStore

T = TypeVar("T")

_STDIN = Path("-")
FILE_HELP = "a file that `export` wrote; - is stdin"


def with_store(data_dir: Path, work: Callable[[MatchStore], Awaitable[T]]) -> T:
    """Do something with the store of a data directory; raises CommandError."""

    async def run() -> T:
        store = app.open_store(data_dir)
        try:
            return await work(store)
        finally:
            await store.close()

    try:
        return asyncio.run(run())
    except (app.StoreUnusableError, DomainError) as error:
        raise CommandError(str(error)) from None


def read_file(path: Path) -> list[Entry]:
    """Read a match file, from stdin if it is called "-"; raises CommandError."""
    is_stdin = path == _STDIN
    try:
        # A copy of the descriptor, so that stdin itself is not closed.
        source = os.dup(sys.stdin.fileno()) if is_stdin else path
        with open(source, encoding="utf-8") as lines:
            return matchfile.read(lines)
    except (OSError, UnicodeDecodeError, matchfile.MatchFileError) as error:
        raise CommandError(f"{'stdin' if is_stdin else path}: {error}") from None


def verify(source: object, entries: Sequence[Entry]) -> Match:
    """Check a log from a source to be named; raises CommandError."""
    try:
        return matchfile.verify(app.core_engine(), entries)
    except matchfile.MatchFileError as error:
        raise CommandError(f"{source}: {error}") from None


def verify_ended(source: object, entries: Sequence[Entry]) -> Match:
    """Check a log, and that the match has ended; raises CommandError.

    A match that is still running is not let out of its store: its secret tells its future.
    """
    match = verify(source, entries)
    if not match.standing.has_ended:
        raise CommandError(f"{source}: the match has not ended")
    return match


def describe(match: Match) -> str:
    """Return what a match is, in a line."""
    terms, standing = match.terms, match.standing
    phase = MatchPhase(standing.phase).name.lower()
    return (
        f"match {terms.match_id}: {terms.game} (rules {terms.rules_version}), {phase}, "
        f"{standing.version} entries, {standing.ply} actions"
    )
