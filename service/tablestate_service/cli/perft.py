"""`tablestate perft`."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TypeAlias

from tablestate.v1.engine_service_pb2 import PerftResponse
from tablestate_service.cli.arguments import CommandError, add_options, parse_options
from tablestate_service.cli.long_work import add_optional_server, from_one, reached, stoppable
from tablestate_service.engine import CoreError, GameState

Divisions: TypeAlias = Iterable[tuple[str, int]]

_PATIENCE = 3600.0

DESCRIPTION = """\
Count the sequences of decisions of a length from the start of a game, for every length up to
the depth. The last line is the last count alone. Such counts are known for well-tested games:
an engine that reaches them generates exactly the legal actions.

examples:
  tablestate perft offboard --depth 5
  tablestate perft offboard --depth 4 --option points_to_win=1
  tablestate perft offboard --depth 3 --divide --server 127.0.0.1:50051
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("game", metavar="GAME", help="the game's name, as offboard")
    parser.add_argument(
        "--depth", type=from_one, default=4, metavar="N", help="decisions (default: %(default)s)"
    )
    parser.add_argument(
        "--divide", action="store_true", help="list the count of each first action as well"
    )
    add_options(parser)
    add_optional_server(parser)


def run(args: argparse.Namespace) -> int:
    """Count and print."""
    options = parse_options(args.game, args.options)
    if args.server:
        with reached(args) as client:
            return _print(
                args.depth,
                lambda depth: client.perft(options, depth, timeout=_PATIENCE).sequences,
                lambda depth: _divided(
                    client.perft(options, depth, divide=True, timeout=_PATIENCE)
                ),
                args.divide,
            )
    try:
        state = GameState.start(options.SerializeToString(), bytes(32)).state
    except CoreError as error:
        raise CommandError(str(error)) from None
    return _print(
        args.depth,
        lambda depth: stoppable(lambda stop: state.perft(depth, stop)),
        lambda depth: _divide(state, depth),
        args.divide,
    )


def _print(
    most: int, count: Callable[[int], int], divide: Callable[[int], Divisions], is_divided: bool
) -> int:
    sequences = 1
    print(f"{'depth':>5}  {'sequences':>20}  {'seconds':>8}  {'a second':>14}")
    for depth in range(1, most + 1):
        begin = time.perf_counter()
        sequences = count(depth)
        seconds = time.perf_counter() - begin
        rate = sequences / seconds
        print(f"{depth:>5}  {sequences:>20,}  {seconds:>8.3f}  {rate:>14,.0f}", flush=True)
    for notation, below in divide(most) if is_divided else ():
        print(f"{notation:>12}  {below:>20,}")
    print(sequences)
    return 0


def _divide(state: GameState, depth: int) -> Iterator[tuple[str, int]]:
    divisions = stoppable(partial(state.divide, depth))
    return ((notation, sequences) for _, notation, sequences in divisions)


def _divided(answer: PerftResponse) -> Iterator[tuple[str, int]]:
    return ((each.notation, each.sequences) for each in answer.divisions)
