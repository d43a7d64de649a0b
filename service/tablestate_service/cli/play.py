"""`tablestate play`."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from io import StringIO
from pathlib import Path
from typing import IO

from rich.console import Console

from tablestate import Client, HostedMatch, SeatedPlayer, TablestateError
from tablestate_service.cli.absence import Absence
from tablestate_service.cli.arguments import (
    CommandError,
    SeatSpec,
    add_options,
    file_error,
    parse_options,
    parse_seats,
)
from tablestate_service.cli.connection import add_credentials, connected
from tablestate_service.cli.embedded import embedded_service
from tablestate_service.cli.keyboard import Keyboard
from tablestate_service.cli.narration import Narrator
from tablestate_service.cli.table import PROMPT_HELP, Table

DESCRIPTION = f"""\
Play a match in the terminal against bots, or several persons at one terminal. A service is
started for it, unless --server names one that is running. Where a game hides something from
the others, such as a hand, the screen is cleared before the keyboard goes to another person.

Open seats wait for somebody who joins by the match's id, which is told: see `join`.

{PROMPT_HELP}
examples:
  tablestate play offboard
  tablestate play offboard --seats bot:random,human
  tablestate play offboard --seats human,human --option points_to_win=3
  tablestate play offtrack --seats human,bot:greedy,bot:random --option scoring=LOW
  tablestate play offboard --seats human,open --server 127.0.0.1:50051
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("game", metavar="GAME", help="the game's name, as offboard")
    parser.add_argument(
        "--seats",
        type=parse_seats,
        metavar="SEAT,SEAT,...",
        help="who sits where, from seat 0 on: 'human', 'bot:NAME' or 'open'; their number is the "
        "option seats of games that have it (default: human, and bot:greedy on all other seats)",
    )
    add_options(parser)
    parser.add_argument(
        "--name", default="you", help="the name shown for persons (default: %(default)s)"
    )
    parser.add_argument(
        "--server",
        metavar="HOST:PORT",
        help="a running service (default: one is started, and gone afterwards)",
    )
    add_credentials(parser)
    parser.add_argument(
        "--host-file",
        type=Path,
        metavar="FILE",
        help="a new file for the key to the match, with which `join --bot` puts bots on open "
        "seats; keep it secret (default: the key is not kept)",
    )


def run(args: argparse.Namespace) -> int:
    """Play until the match has ended or the person quits."""
    options = parse_options(args.game, args.options, args.seats)
    with (
        _service(args.server) as target,
        connected(args, target) as client,
        _key(args.host_file) as key,
    ):
        host = client.create_match(args.game, getattr(options, args.game))
        key.write(json.dumps(host.credential.save()))
        key.flush()
        print(f"Match {host.match_id} on {target}", flush=True)
        try:
            players = _seat_all(host, args.seats, args.name)
        except (TablestateError, CommandError):
            host.abort()
            raise
        _play(client, host, players)
    return 0


def _play(client: Client, host: HostedMatch, players: list[SeatedPlayer]) -> None:
    console, absence = Console(), Absence()
    narrator = Narrator(console, host.get())
    if len(players) == 1:
        (player,) = players
        table = Table(console, narrator, players, None)
        updates = player.watch(include_view=True, on_break=absence.tell)
    else:
        table = Table(console, narrator, players, Keyboard(console, narrator, client))
        updates = host.watch(include_view=True, on_break=absence.tell)
    # Whoever leaves early ends the stream before the connection is closed.
    with closing(updates):
        table.play(absence.ended_by(updates))


@contextmanager
def _key(path: Path | None) -> Iterator[IO[str]]:
    """Open a file that is for its owner only; raises CommandError if it is there already."""
    try:
        where = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600) if path else None
    except OSError as error:
        raise file_error("--host-file", error, "a file that is not there yet") from None
    with open(where, "w", encoding="utf-8") if where is not None else StringIO() as file:
        yield file


@contextmanager
def _service(server: str | None) -> Iterator[str]:
    if server is not None:
        yield server
        return
    with embedded_service() as target:
        yield target


def _seat_all(host: HostedMatch, specs: Sequence[SeatSpec] | None, name: str) -> list[SeatedPlayer]:
    """Fill the seats and return the persons' ones; raises CommandError."""
    seats = len(host.get().seats)
    specs = specs or [SeatSpec(None), *[SeatSpec("greedy")] * (seats - 1)]
    if len(specs) != seats or not any(spec.is_human for spec in specs):
        raise CommandError(
            f"--seats: {len(specs)} given; expected {seats}, at least one of them 'human'"
        )
    players = []
    for seat, spec in enumerate(specs):
        if spec.is_human:
            players.append(host.join(seat=seat, display_name=name))
        elif spec.bot is not None:
            host.add_bot(spec.bot, seat=seat)
    return players
