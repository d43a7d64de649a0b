"""`tablestate archive`."""

from __future__ import annotations

import argparse
from pathlib import Path

from tablestate_service import app
from tablestate_service.cli.offline import add_older_than, add_where, sweep

DESCRIPTION = """\
Write matches that ended long ago into files of an archive, each checked by its hashes, and
remove them from the store. Over PostgreSQL services may run meanwhile; on a data directory no
service may: there `serve --retention` does it. The files are those of `export`: they hold the
secrets of the matches.

Afterwards these matches are unknown to the service, and so are the request ids of their calls.

examples:
  tablestate archive --older-than 30d --out /var/archive
  tablestate archive --older-than 12h --out archive --store postgresql://db.example/tablestate
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_older_than(parser)
    parser.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="the directory to write into"
    )
    add_where(parser)


def run(args: argparse.Namespace) -> int:
    """Archive, remove, and tell how many."""
    swept = sweep(args, app.open_archive(args.out))
    print(f"archived {swept.archived} matches, removed {swept.removed}, left {swept.left}")
    return 1 if swept.left else 0
