"""`tablestate restore`."""

from __future__ import annotations

import argparse
from pathlib import Path

from tablestate_service import app
from tablestate_service.cli.arguments import CommandError, add_data_dir, file_error
from tablestate_service.cli.offline import data_directory

DESCRIPTION = """\
Put a file that `backup` wrote into a data directory that has no database and on which no service
runs. What was played after the backup is gone: those who played it are told that they know more
than the service does.

examples:
  tablestate restore /var/backups/tablestate-monday.db --data-dir /var/lib/tablestate
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("file", type=Path, metavar="FILE", help="a file that `backup` wrote")
    add_data_dir(parser, default=None)


def run(args: argparse.Namespace) -> int:
    """Copy, check, and tell how many matches there are."""
    data_dir = data_directory(args)
    try:
        matches = app.restore(args.file, data_dir)
    except OSError as error:
        raise file_error("restore", error, "a file that `backup` wrote") from None
    except app.StoreUnusableError as error:
        raise CommandError(str(error)) from None
    print(f"restored {matches} matches to {data_dir}")
    return 0
