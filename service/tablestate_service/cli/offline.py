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
from tablestate_service.matchfile import MatchFile
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


def read_file(path: Path) -> MatchFile:
    """Read a match file, from stdin if it is called "-"; raises CommandError."""
    is_stdin = path == _STDIN
    try:
        # A copy of the descriptor, so that stdin itself is not closed.
        source = os.dup(sys.stdin.fileno()) if is_stdin else path
        with open(source, "rb") as lines:
            return matchfile.read(lines)
    except (OSError, matchfile.MatchFileError) as error:
        raise CommandError(f"{'stdin' if is_stdin else path}: {error}") from None


def verify(source: object, file: MatchFile) -> Match:
    """Check a match file from a source to be named; raises CommandError."""
    try:
        return matchfile.verify(app.core_engine(), file)
    except matchfile.MatchFileError as error:
        raise CommandError(f"{source}: {error}") from None


def record(source: object, entries: Sequence[Entry]) -> tuple[MatchFile, Match]:
    """Check a log, and make a match file of it; raises CommandError."""
    try:
        return matchfile.record(app.core_engine(), entries)
    except matchfile.MatchFileError as error:
        raise CommandError(f"{source}: {error}") from None


def require_ended(source: object, match: Match) -> None:
    """Raise CommandError unless a match has ended.

    One that is still running is not let out of its store: its secret tells its future.
    """
    if not match.standing.has_ended:
        raise CommandError(f"{source}: the match has not ended")


def describe(match: Match) -> str:
    """Return what a match is, in a line."""
    terms, standing = match.terms, match.standing
    phase = MatchPhase(standing.phase).name.lower()
    return (
        f"match {terms.match_id}: {terms.game} (rules {terms.rules_version}), {phase}, "
        f"{standing.version} entries, {standing.ply} actions"
    )
