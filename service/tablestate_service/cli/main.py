"""The command line: which commands there are, and how they end."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import Protocol

from tablestate import TablestateError
from tablestate_service import __version__
from tablestate_service.cli import (
    archive,
    arena,
    backup,
    demo,
    export,
    forget,
    import_,
    join,
    key,
    list_,
    perft,
    play,
    playout,
    purge,
    restore,
    search,
    selfplay,
    serve,
    verify,
    watch,
)
from tablestate_service.cli.arguments import CommandError
from tablestate_service.cli.output import allow_any_output

DESCRIPTION = """\
Tablestate keeps the state of turn-based tabletop games: it knows their rules, stores their
matches, and serves them over gRPC.

start here:
  tablestate demo                 see whole matches played, bots against bots
  tablestate play offboard        play one yourself
  tablestate serve                run the service
  tablestate COMMAND --help       more about a command, with examples
"""


class _Command(Protocol):
    """A module that is a command."""

    DESCRIPTION: str

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the arguments."""

    def run(self, args: argparse.Namespace) -> int:
        """Do it; returns the exit status."""


_COMMANDS: Sequence[tuple[str, str, _Command]] = (
    ("serve", "run the service", serve),
    ("key", "make an API key", key),
    ("play", "play a match in the terminal", play),
    ("demo", "show a match of every game between bots", demo),
    ("list", "list the matches of a service", list_),
    ("join", "take a seat of a match and play it", join),
    ("watch", "follow a match", watch),
    ("export", "write a match that has ended to a file", export),
    ("import", "put the match of a file into a data directory or database", import_),
    ("archive", "write old matches to files and remove them", archive),
    ("purge", "remove old matches", purge),
    ("forget", "erase a player's names from matches that have ended", forget),
    ("backup", "copy the database of a data directory, beside a service", backup),
    ("restore", "put such a copy into a data directory", restore),
    ("verify", "check a match file", verify),
    ("perft", "count the decision sequences of a game", perft),
    ("playout", "play games to their ends and add up the results", playout),
    ("search", "rank the actions of a seat, from what it sees", search),
    ("arena", "let bots play against each other and rate them", arena),
    ("selfplay", "write games of bots as data to learn from", selfplay),
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; returns its exit status, 1 if it could not do what was asked."""
    allow_any_output()
    args = argument_parser().parse_args(argv)
    run: Callable[[argparse.Namespace], int] = args.run
    try:
        return run(args)
    except (CommandError, TablestateError) as error:
        print(f"tablestate: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def argument_parser() -> argparse.ArgumentParser:
    """The commands and their arguments."""
    parser = argparse.ArgumentParser(
        prog="tablestate",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"tablestate {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name, summary, command in _COMMANDS:
        _add(commands, name, summary, command)
    return parser


def _add(
    commands: argparse._SubParsersAction[argparse.ArgumentParser],
    name: str,
    summary: str,
    command: _Command,
) -> None:
    parser = commands.add_parser(
        name,
        help=summary,
        description=command.DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_arguments(parser)
    parser.set_defaults(run=command.run)
