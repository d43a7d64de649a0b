"""`tablestate playout`."""

from __future__ import annotations

import argparse
import time

from tablestate.v1.engine_service_pb2 import PlayoutResponse
from tablestate.v1.game_pb2 import GameOptions
from tablestate_service.cli.arguments import CommandError, add_options, parse_options
from tablestate_service.cli.long_work import (
    add_optional_server,
    from_one,
    reached,
    seed,
    stoppable,
    threads,
)
from tablestate_service.engine import CoreError, PlayoutTally, bots, playouts

DESCRIPTION = """\
Play games to their ends, the same player on every seat, and add up the results.

examples:
  tablestate playout offboard --games 10000
  tablestate playout offtrack --games 200 --player greedy --option seats=4
  tablestate playout offtrack --games 1000 --server 127.0.0.1:50051
"""

_PATIENCE = 3600.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add = parser.add_argument
    add("game", metavar="GAME", help="the game's name, as offboard")
    add("--games", type=from_one, default=1000, metavar="N", help="(default: %(default)s)")
    add("--player", default="random", metavar="BOT", help="on every seat (default: %(default)s)")
    add("--seed", type=seed, default=0, metavar="N", help="equal seeds, equal games (default: 0)")
    add(
        "--max-plies",
        type=from_one,
        default=100_000,
        metavar="N",
        help="actions after which a game is left unfinished (default: %(default)s)",
    )
    add("--threads", type=threads, default=1, metavar="N", help="(default: %(default)s)")
    add_options(parser)
    add_optional_server(parser)


def run(args: argparse.Namespace) -> int:
    """Play and print."""
    options = parse_options(args.game, args.options)
    begin = time.perf_counter()
    tally: PlayoutTally | PlayoutResponse
    tally = _there(args, options) if args.server else _here(args, options)
    seconds = time.perf_counter() - begin
    games = tally.finished + tally.unfinished
    print(f"{games:,} games, {tally.plies:,} actions ({tally.plies / games:.1f} a game)")
    print(f"{seconds:.2f} seconds, {tally.plies / seconds:,.0f} actions a second")
    for seat, (wins, returns) in enumerate(zip(tally.wins, tally.returns, strict=True)):
        print(f"seat {seat}: {wins / games:7.2%} won, mean return {returns / games:+.4f}")
    print(f"drawn: {tally.ties / games:.2%}, unfinished: {tally.unfinished / games:.2%}")
    return 0


def _here(args: argparse.Namespace, options: GameOptions) -> PlayoutTally:
    if args.player not in bots(args.game):
        known = ", ".join(bots(args.game))
        raise CommandError(f"--player: {args.player!r}; expected one of {known}")
    try:
        return stoppable(
            lambda stop: playouts(
                options.SerializeToString(),
                args.games,
                args.seed,
                args.player,
                args.max_plies,
                stop,
                args.threads,
            )
        )
    except CoreError as error:
        raise CommandError(str(error)) from None


def _there(args: argparse.Namespace, options: GameOptions) -> PlayoutResponse:
    with reached(args) as client:
        return client.playout(
            options,
            games=args.games,
            seed=args.seed,
            player=args.player,
            max_plies=args.max_plies,
            threads=args.threads,
            timeout=_PATIENCE,
        )
