"""`tablestate verify`."""

from __future__ import annotations

import argparse
from pathlib import Path

from tablestate_service.cli.offline import FILE_HELP, describe, read_file, verify

DESCRIPTION = """\
Check a match file: that each entry's hash covers it and the entry before, that the secret is
the one committed to before anybody joined, that every draw follows from it, and that playing
the match again leads where the log says. Exits with 0 if all of it holds, and otherwise names
the first entry that does not fit.

examples:
  tablestate verify match.jsonl
  tablestate export 0123456789abcdef0123456789abcdef | tablestate verify -
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("file", type=Path, metavar="FILE", help=FILE_HELP)


def run(args: argparse.Namespace) -> int:
    """Check and tell."""
    match = verify(args.file, read_file(args.file))
    print(describe(match))
    print(f"head hash {match.head_hash.hex()}")
    print("All of it holds.")
    return 0
