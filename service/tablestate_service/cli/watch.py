"""`tablestate watch`."""

from __future__ import annotations

import argparse
from contextlib import closing

from rich.console import Console

from tablestate_service.cli.absence import Absence
from tablestate_service.cli.arguments import add_server
from tablestate_service.cli.connection import add_credentials, connected
from tablestate_service.cli.narration import Narrator

DESCRIPTION = """\
Follow a match as a spectator until it ends: every entry of its log as a line, and the board
at the end. A broken connection is told once and taken up again where it broke.

examples:
  tablestate watch 0123456789abcdef0123456789abcdef
  tablestate watch 0123456789abcdef0123456789abcdef --board --after 12
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("match_id", metavar="MATCH", help="the match's id: 32 hex digits")
    add_server(parser)
    add_credentials(parser)
    parser.add_argument(
        "--after",
        type=int,
        default=0,
        metavar="VERSION",
        help="begin after this version (default: %(default)s, the whole match)",
    )
    parser.add_argument("--board", action="store_true", help="draw the board after every action")


def run(args: argparse.Namespace) -> int:
    """Watch until the match has ended."""
    with connected(args) as client:
        narrator = Narrator(Console(), client.get_match(args.match_id))
        absence = Absence()
        updates = client.watch(
            args.match_id, after_version=args.after, include_view=True, on_break=absence.tell
        )
        with closing(updates):
            narrator.follow(absence.ended_by(updates), board_every=1 if args.board else 0)
    return 0
