"""Work on a store without a service: a data directory that none runs on, or PostgreSQL."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TypeVar

from tablestate_service import app, matchfile
from tablestate_service.cli.arguments import CommandError, add_data_dir, file_error
from tablestate_service.domain.entry import Entry
from tablestate_service.domain.errors import DomainError
from tablestate_service.domain.match import Match
from tablestate_service.domain.standing import MatchPhase
from tablestate_service.matchfile import MatchFile
from tablestate_service.ports import Archive, MatchStore
from tablestate_service.settings import SettingsError, duration, from_environment, shown_store
from tablestate_service.usecases.retention import Retention, Swept

T = TypeVar("T")

_STDIN = Path("-")
FILE_HELP = "a file that `export` wrote; - is stdin"


def add_where(parser: argparse.ArgumentParser) -> None:
    """Add `--store` and `--data-dir`."""
    parser.add_argument(
        "--store",
        metavar="URL",
        help="the PostgreSQL database with the matches; a password is better given by "
        "TABLESTATE_STORE, which is the default, or in a passfile",
    )
    add_data_dir(parser, default=None)


def add_older_than(parser: argparse.ArgumentParser) -> None:
    """Add `--older-than`."""
    parser.add_argument(
        "--older-than",
        required=True,
        metavar="TIME",
        help="how long ago a match must have ended: 30d, 12h, 90m, 3600s",
    )


def where(args: argparse.Namespace) -> tuple[Path, str]:
    """The data directory, and the URL of a store in its place, if there is one."""
    try:
        chosen = from_environment(os.environ, data_dir=args.data_dir, store=args.store)
    except SettingsError as error:
        raise CommandError(str(error)) from None
    # A directory that was named comes before a database that was not.
    url = chosen.store if args.store or args.data_dir is None else ""
    return chosen.data_dir, url


def data_directory(args: argparse.Namespace) -> Path:
    """The data directory, for a command that has nothing to do with PostgreSQL; raises CommandError
    if the matches are there.
    """
    try:
        chosen = from_environment(os.environ, data_dir=args.data_dir)
    except SettingsError as error:
        raise CommandError(str(error)) from None
    if chosen.store and args.data_dir is None:
        raise CommandError(
            "the matches are in PostgreSQL, as TABLESTATE_STORE says: use pg_dump and pg_restore "
            "(docs/operations.md), or name a --data-dir"
        )
    return chosen.data_dir


def shown_where(args: argparse.Namespace) -> str:
    """The same, to be shown."""
    data_dir, url = where(args)
    return shown_store(url) if url else str(data_dir)


def with_store(
    args: argparse.Namespace,
    work: Callable[[MatchStore], Awaitable[T]],
    *,
    may_be_new: bool = False,
) -> T:
    """Do something with the store that was named; raises CommandError.

    A data directory must be there, unless it `may_be_new`.
    """
    data_dir, url = where(args)
    if not url and not may_be_new and not data_dir.is_dir():
        raise CommandError(f"--data-dir: {data_dir} is no directory")

    async def run() -> T:
        store = await app.open_store(data_dir, url)
        try:
            return await work(store)
        finally:
            await store.close()

    try:
        return asyncio.run(run())
    except (app.StoreUnusableError, DomainError) as error:
        raise CommandError(str(error)) from None


def sweep(args: argparse.Namespace, archive: Archive | None) -> Swept:
    """Remove what is older than was said; raises CommandError."""
    try:
        before = time.time_ns() - int(duration("--older-than", args.older_than) * 1_000_000_000)
        return with_store(args, lambda store: Retention(store, archive).sweep(before))
    except SettingsError as error:
        raise CommandError(str(error)) from None
    except OSError as error:
        raise file_error("archive", error, "a directory that can be written") from None


def read_file(path: Path) -> MatchFile:
    """Read a match file, from stdin if it is called "-"; raises CommandError."""
    is_stdin = path == _STDIN
    try:
        # A copy of the descriptor, so that stdin itself is not closed.
        source = os.dup(sys.stdin.fileno()) if is_stdin else path
        with open(source, "rb") as lines:
            return matchfile.read(lines)
    except OSError as error:
        raise CommandError(f"{'stdin' if is_stdin else path}: {error.strerror}") from None
    except matchfile.MatchFileError as error:
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
