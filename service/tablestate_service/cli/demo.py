"""`tablestate demo`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import cycle, islice

from rich.console import Console

from tablestate import (
    Client,
    GameInfo,
    Match,
    MatchChange,
    MatchPhase,
    MatchUpdate,
    Replay,
)
from tablestate_service.cli.embedded import embedded_service
from tablestate_service.cli.narration import Narrator
from tablestate_service.domain import fairness

DESCRIPTION = """\
Start a service on a free port with an empty store, play a whole match of every game that it
lists, bots against each other, watch each over gRPC, and show its course and its result.
Afterwards each match is read back and checked against what was seen. Exits with 0 if all
is well.

examples:
  tablestate demo
  tablestate demo --board-every 1
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "--board-every",
        type=int,
        default=20,
        metavar="PLIES",
        help="draw the board after so many actions, and at the end (default: %(default)s)",
    )
    parser.add_argument(
        "--timeout",
        type=float,
        default=120.0,
        metavar="SECONDS",
        help="how long a match may take (default: %(default)s)",
    )


def run(args: argparse.Namespace) -> int:
    """Play and check a match of every game."""
    console, found = Console(), 0
    with embedded_service() as target, Client(target) as client:
        for info in client.games():
            faults = _show_match(console, client, info, args)
            found += len(faults)
            for fault in faults:
                console.print(f"NOT AS IT SHOULD BE: {fault}", style="bold red")
    console.print(f"{found} faults found." if found else "All as it should be.")
    return 1 if found else 0


def _show_match(
    console: Console, client: Client, info: GameInfo, args: argparse.Namespace
) -> list[str]:
    """Play a match, show it, and return what was wrong with it."""
    host = client.create_match(info.game)
    seats = host.get().seats
    bots = list(islice(cycle(info.bots), len(seats)))
    console.rule(f"{info.title}: {' against '.join(bots)}")
    for bot in bots:
        host.add_bot(bot)
    watched = host.watch(include_view=True, timeout=args.timeout)
    updates = Narrator(console, host.get()).follow(watched, args.board_every)
    return faults(client.get_match(host.match_id), updates, client.replay(host.match_id))


def faults(match: Match, updates: Sequence[MatchUpdate], replay: Replay) -> list[str]:
    """Compare what was watched with what is stored."""
    actions = sum(update.change == MatchChange.MATCH_CHANGE_ACTION for update in updates)
    outcome = updates[-1].outcome if updates else None
    checks = {
        "the match is not over": match.phase == MatchPhase.MATCH_PHASE_OVER,
        "the watch has a gap or a repeat": _versions(updates) == list(range(1, match.version + 1)),
        "the number of actions is another": actions == match.ply,
        "the watch told another outcome": outcome == match.outcome,
        "the shares of the victory do not sum to 1": abs(sum(match.outcome.shares) - 1) < 1e-9,
        "the replay is not what was watched": _told(replay.updates) == _told(updates),
        "the record is not complete": len(replay.entries) == match.version,
        "the secret does not fit the commitment": _keeps_commitment(replay),
    }
    return [fault for fault, holds in checks.items() if not holds]


def _versions(updates: Sequence[MatchUpdate]) -> list[int]:
    return [update.version for update in updates]


def _told(updates: Sequence[MatchUpdate]) -> list[object]:
    return [(u.version, u.change, u.seat, list(u.events), u.phase) for u in updates]


def _keeps_commitment(replay: Replay) -> bool:
    if replay.secrets is None:
        return False
    match, secret = replay.match, replay.secrets.secret
    return fairness.commitment(match.match_id, secret) == match.commitment
