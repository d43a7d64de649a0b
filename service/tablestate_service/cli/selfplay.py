"""`tablestate selfplay`."""

from __future__ import annotations

import argparse
from pathlib import Path

from tablestate_service import arena
from tablestate_service.cli.arguments import CommandError, add_options, parse_options
from tablestate_service.cli.long_work import from_zero, games, seed, stoppable, threads
from tablestate_service.engine import CoreError, Stop, bots, validate_options

DESCRIPTION = """\
Let bots play games and write them to a directory as data to learn from: NPZ files, a row for each
decision with what the seat saw, what was legal, what the search found, and how the game ended. The
columns are described in docs/players.md. Equal seeds write equal files.

Needs NumPy: pip install tablestate-service[engine]

examples:
  tablestate selfplay offboard --out data/offboard --games 100 --player hard --threads 2
  tablestate selfplay offtrack --out data/offtrack --player easy --option seats=3
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add = parser.add_argument
    add("game", metavar="GAME", help="the game's name, as offboard")
    add("--out", type=Path, required=True, metavar="DIR", help="where the files go")
    add("--games", type=games, default=32, metavar="N", help="(default: %(default)s)")
    add("--player", default="normal", metavar="BOT", help="on every seat (default: %(default)s)")
    add("--seed", type=seed, default=0, metavar="N", help="of all chance (default: 0)")
    add(
        "--opening",
        type=from_zero,
        metavar="N",
        help="actions drawn at random before the bots begin (default: 6 if the set-up is always "
        "the same, else 0)",
    )
    add("--threads", type=threads, default=1, metavar="N", help="(default: %(default)s)")
    add_options(parser)


def run(args: argparse.Namespace) -> int:
    """Play, write and tell of each file."""
    options = parse_options(args.game, args.options).SerializeToString()
    if args.player not in bots(args.game):
        known = ", ".join(bots(args.game))
        raise CommandError(f"--player: {args.player!r}; expected one of {known}")
    try:
        seats = validate_options(options).seats
    except CoreError as error:
        raise CommandError(str(error)) from None
    if args.out.is_dir() and any(args.out.glob("*.npz")):
        raise CommandError(f"--out: {args.out}; expected a directory without NPZ files")
    stoppable(lambda stop: _write(args, options, seats, stop))
    return 0


def _write(args: argparse.Namespace, options: bytes, seats: int, stop: Stop) -> bool:
    try:
        from tablestate_service.arena.dataset import write_dataset
    except ImportError:
        raise CommandError("NumPy is missing: pip install tablestate-service[engine]") from None
    opening = arena.default_opening(options) if args.opening is None else args.opening
    files = write_dataset(
        options,
        [args.player] * seats,
        args.games,
        args.out,
        seed=args.seed,
        opening=opening,
        threads=args.threads,
        stop=stop,
    )
    try:
        for path in files:
            print(path, flush=True)
    except OSError as error:
        where = error.filename or args.out
        raise CommandError(f"--out: {where}: {error.strerror}") from None
    return True
