"""`tablestate perft`."""

from __future__ import annotations

import argparse
import time
from concurrent.futures import ThreadPoolExecutor

from tablestate_service.cli.arguments import CommandError, add_options, parse_options
from tablestate_service.engine import CoreError, GameState, Stop

DESCRIPTION = """\
Count the sequences of decisions of a length from the start of a game, for every length up to
the depth. The last line is the last count alone. Such counts are known for well-tested games:
an engine that reaches them generates exactly the legal actions.

examples:
  tablestate perft offboard --depth 5
  tablestate perft offboard --depth 4 --option points_to_win=1
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("game", metavar="GAME", help="the game's name, as offboard")
    parser.add_argument(
        "--depth", type=_depth, default=4, metavar="N", help="decisions (default: %(default)s)"
    )
    add_options(parser)


def run(args: argparse.Namespace) -> int:
    """Count and print."""
    options = parse_options(args.game, args.options).SerializeToString()
    try:
        state = GameState.start(options, bytes(32)).state
    except CoreError as error:
        raise CommandError(str(error)) from None
    count = 1
    print(f"{'depth':>5}  {'sequences':>20}  {'seconds':>8}  {'a second':>14}")
    for depth in range(1, args.depth + 1):
        begin = time.perf_counter()
        count = _count(state, depth)
        seconds = time.perf_counter() - begin
        print(f"{depth:>5}  {count:>20,}  {seconds:>8.3f}  {count / seconds:>14,.0f}", flush=True)
    print(count)
    return 0


def _count(state: GameState, depth: int) -> int:
    """Count in a thread, so that Ctrl-C is heeded meanwhile."""
    stop = Stop()
    with ThreadPoolExecutor(1) as pool:
        counting = pool.submit(state.perft, depth, stop)
        try:
            count = counting.result()
        finally:
            stop.set()
    assert count is not None, "nobody else stops it"
    return count


def _depth(text: str) -> int:
    depth = int(text) if text.isdecimal() else 0
    if depth < 1:
        raise argparse.ArgumentTypeError(f"{text!r}; expected a whole number from 1 on")
    return depth
