"""`tablestate backup`."""

from __future__ import annotations

import argparse
from pathlib import Path

from tablestate_service import app
from tablestate_service.cli.arguments import CommandError, add_data_dir, file_error
from tablestate_service.cli.offline import data_directory

DESCRIPTION = """\
Copy the database of a data directory into a file, while a service runs on it or not. The copy is of
one moment and is checked; `restore` puts it back. It holds the secrets of all matches. PostgreSQL
has its own programs for this: see docs/operations.md.

examples:
  tablestate backup /var/backups/tablestate-monday.db
  tablestate backup copy.db --data-dir /var/lib/tablestate
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("file", type=Path, metavar="FILE", help="the file to write, a new one")
    add_data_dir(parser, default=None)


def run(args: argparse.Namespace) -> int:
    """Copy, check, and tell how many matches there are."""
    data_dir = data_directory(args)
    try:
        matches = app.back_up(data_dir, args.file)
    except OSError as error:
        raise file_error("backup", error, "a file that can be written") from None
    except app.StoreUnusableError as error:
        raise CommandError(str(error)) from None
    print(f"copied {matches} matches to {args.file}")
    return 0
