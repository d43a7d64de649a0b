"""`tablestate forget`."""

from __future__ import annotations

import argparse
import time

from tablestate_service import app
from tablestate_service.cli.arguments import CommandError
from tablestate_service.cli.offline import add_where, with_store
from tablestate_service.domain.texts import MAX_PLAYER_ID
from tablestate_service.ports import MatchStore
from tablestate_service.usecases.forgetting import Forgotten, forget_player

DESCRIPTION = """\
Erase the display names and the id of a player from all matches that have ended. Logs stay whole,
and can be verified as before: they hold a salted hash of names, which nobody can turn back. Over
PostgreSQL services may run meanwhile, and show the names for a minute at most; on a data directory
no service may.

Matches that still run are left as they are: do it again when they have ended. So are logs of
earlier versions, which hold names in what their hashes cover; --remove removes these matches.
Exits with 1 if any are left.

examples:
  tablestate forget --player-id 4711
  tablestate forget --player-id 4711 --remove --store postgresql://db.example/tablestate
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "--player-id", required=True, metavar="ID", help="as it was given when joining"
    )
    parser.add_argument(
        "--tenant", default="", metavar="TENANT", help="whose player it is (default: nobody's)"
    )
    parser.add_argument(
        "--remove",
        action="store_true",
        help="remove matches that have ended and cannot forget",
    )
    add_where(parser)


def run(args: argparse.Namespace) -> int:
    """Forget, and tell in how many matches, and which are left."""
    if not 1 <= len(args.player_id) <= MAX_PLAYER_ID:
        # All who gave no id would be meant by an empty one.
        raise CommandError(
            f"--player-id: {args.player_id!r}: expected 1 to {MAX_PLAYER_ID} characters"
        )

    async def forget(store: MatchStore) -> tuple[Forgotten, int]:
        done = await forget_player(store, app.core_engine(), args.tenant, args.player_id)
        removed = await store.remove(done.chained, time.time_ns()) if args.remove else ()
        done.chained = [each for each in done.chained if each not in removed]
        return done, len(removed)

    done, removed = with_store(args, forget)
    print(f"forgotten in {len(done.forgotten)} matches, {removed} removed")
    kinds = {"runs": done.running, "cannot forget": done.chained, "is damaged": done.damaged}
    for why, match_ids in kinds.items():
        for match_id in match_ids:
            print(f"left: match {match_id} {why}")
    return 1 if any(kinds.values()) else 0
