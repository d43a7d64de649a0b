"""`tablestate import`."""

from __future__ import annotations

import argparse
from pathlib import Path

from tablestate_service.cli.arguments import CommandError
from tablestate_service.cli.offline import (
    FILE_HELP,
    add_where,
    describe,
    read_file,
    require_ended,
    shown_where,
    verify,
    with_store,
)
from tablestate_service.ports import (
    Append,
    MatchStore,
    RequestTakenError,
    VersionConflictError,
)

DESCRIPTION = """\
Check a match file and put its match into a data directory on which no service runs, or into a
PostgreSQL database.
Only matches that have ended can be put there, and none that is there already.

examples:
  tablestate import match.jsonl
  tablestate import match.jsonl --data-dir /var/lib/tablestate
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("file", type=Path, metavar="FILE", help=FILE_HELP)
    add_where(parser)


def run(args: argparse.Namespace) -> int:
    """Check the file and store its match."""
    file = read_file(args.file)
    match = verify(args.file, file)
    require_ended(args.file, match)

    async def store(store: MatchStore) -> None:
        await store.append(Append(tuple(file.entries), match))

    try:
        with_store(args, store, may_be_new=True)
    except (VersionConflictError, RequestTakenError):
        raise CommandError(f"the match is in {shown_where(args)} already") from None
    print(describe(match))
    return 0
