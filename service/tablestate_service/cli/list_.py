"""`tablestate list`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import islice

from tablestate import Match, MatchPhase, Seat, SeatOccupant
from tablestate_service.cli.arguments import add_server
from tablestate_service.cli.connection import add_credentials, connected
from tablestate_service.cli.long_work import from_one

DESCRIPTION = """\
List the matches of a running service, the newest first: id, when it was created, game, phase,
version, and who sits where. Open seats of a match that waits can be taken: see `join`.

examples:
  tablestate list
  tablestate list --game offtrack --phase waiting --phase running
  tablestate list --limit 5 --server 127.0.0.1:50051
"""

_PAGE = 100
_PREFIX = "MATCH_PHASE_"
_PHASES = {
    name.removeprefix(_PREFIX).lower(): number for name, number in MatchPhase.items() if number
}
_NOTES = {
    SeatOccupant.SEAT_OCCUPANT_BOT: " (bot)",
    SeatOccupant.SEAT_OCCUPANT_ABSENT: " (left)",
    SeatOccupant.SEAT_OCCUPANT_FORFEITED: " (forfeited)",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--game", default="", metavar="GAME", help="only this game")
    parser.add_argument(
        "--phase",
        action="append",
        default=[],
        dest="phases",
        choices=_PHASES,
        help="only this phase; may be given more than once",
    )
    parser.add_argument(
        "--limit",
        type=from_one,
        default=20,
        metavar="N",
        help="how many at most (default: %(default)s)",
    )
    add_server(parser)
    add_credentials(parser)


def run(args: argparse.Namespace) -> int:
    """List."""
    phases = [_PHASES[phase] for phase in args.phases]
    with connected(args) as client:
        found = client.list_matches(game=args.game, phases=phases, page_size=min(args.limit, _PAGE))
        for match in islice(found, args.limit):
            print("  ".join(_columns(match)))
    return 0


def _columns(match: Match) -> Iterator[str]:
    yield match.match_id
    yield f"{match.create_time.ToDatetime():%Y-%m-%d %H:%M}Z"
    yield f"{match.game:<9}"
    yield f"{MatchPhase.Name(match.phase).removeprefix(_PREFIX).lower():<7}"
    yield f"version {match.version:<5}"
    yield ", ".join(map(_occupant, match.seats))


def _occupant(seat: Seat) -> str:
    if seat.occupant == SeatOccupant.SEAT_OCCUPANT_UNSPECIFIED:
        return "open"
    return (seat.display_name or "nameless") + _NOTES.get(seat.occupant, "")
