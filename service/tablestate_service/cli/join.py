"""`tablestate join`."""

from __future__ import annotations

import argparse
import json
from contextlib import closing
from pathlib import Path

from rich.console import Console

from tablestate import Client, HostCredential, InvalidArgumentError
from tablestate_service.cli.absence import Absence
from tablestate_service.cli.arguments import CommandError, add_server, file_error
from tablestate_service.cli.connection import add_credentials, connected
from tablestate_service.cli.narration import Narrator
from tablestate_service.cli.table import PROMPT_HELP, Table

DESCRIPTION = f"""\
Take an open seat of a match on a running service, by the match's id, and play it in this
terminal. With --bot a bot takes the seat instead; only the host can do that, with the key
that `play --host-file` kept.

{PROMPT_HELP}
examples:
  tablestate join 0123456789abcdef0123456789abcdef
  tablestate join 0123456789abcdef0123456789abcdef --seat 1 --name Ada
  tablestate join 0123456789abcdef0123456789abcdef --bot greedy --host-file host.json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("match_id", metavar="MATCH", help="the match's id: 32 hex digits")
    parser.add_argument(
        "--seat", type=int, metavar="N", help="which seat (default: the lowest open one)"
    )
    parser.add_argument("--name", default="guest", help="the name shown (default: %(default)s)")
    parser.add_argument("--bot", metavar="NAME", help="let this bot play the seat")
    parser.add_argument(
        "--host-file",
        type=Path,
        metavar="FILE",
        help="the key to the match, as `play --host-file` wrote it; for --bot",
    )
    add_server(parser)
    add_credentials(parser)


def run(args: argparse.Namespace) -> int:
    """Seat the bot, or play until the match has ended or the person quits."""
    if (args.bot is None) != (args.host_file is None):
        raise CommandError("--bot needs --host-file, and --host-file is for --bot alone")
    with connected(args) as client:
        if args.bot is None:
            _play(client, args)
        else:
            _seat_bot(client, args)
    return 0


def _play(client: Client, args: argparse.Namespace) -> None:
    console, absence = Console(), Absence()
    narrator = Narrator(console, client.get_match(args.match_id))
    player = client.join(args.match_id, seat=args.seat, display_name=args.name, entropy=True)
    with closing(player.watch(include_view=True, on_break=absence.tell)) as updates:
        Table(console, narrator, [player], None).play(absence.ended_by(updates))


def _seat_bot(client: Client, args: argparse.Namespace) -> None:
    credential = _read(args.host_file)
    if credential.match_id != args.match_id:
        raise CommandError(f"--host-file: {args.host_file} is of match {credential.match_id}")
    seated = client.host(credential).add_bot(args.bot, seat=args.seat)
    print(f"{args.bot} plays seat {seated.seat}")


def _read(path: Path) -> HostCredential:
    try:
        return HostCredential.load(json.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise file_error("--host-file", error, "a file that `play` wrote") from None
    except InvalidArgumentError as error:
        raise CommandError(f"--host-file: {path}: {error}") from None
    except ValueError:  # Its text might show the secret.
        raise CommandError(f"--host-file: {path} is no key that `play` wrote") from None
