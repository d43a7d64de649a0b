"""`tablestate purge`."""

from __future__ import annotations

import argparse

from tablestate_service.cli.offline import add_older_than, add_where, sweep

DESCRIPTION = """\
Remove matches that ended long ago from the store, for good: `archive` keeps them in files.
Over PostgreSQL services may run meanwhile; on a data directory no service may.

examples:
  tablestate purge --older-than 90d
  tablestate purge --older-than 90d --store postgresql://db.example/tablestate
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_older_than(parser)
    add_where(parser)


def run(args: argparse.Namespace) -> int:
    """Remove, and tell how many."""
    print(f"removed {sweep(args, None).removed} matches")
    return 0
