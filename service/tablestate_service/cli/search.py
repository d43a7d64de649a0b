"""`tablestate search`."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.markup import escape

from tablestate.v1.game_pb2 import GameOptions, GameView
from tablestate.v1.search_pb2 import RankedAction, SearchResponse
from tablestate_service import engine
from tablestate_service.cli.arguments import CommandError, add_options, parse_options
from tablestate_service.cli.long_work import (
    add_optional_server,
    from_one,
    from_zero,
    reached,
    seed,
    stoppable,
    threads,
)
from tablestate_service.cli.view_file import example_view, read_view

DESCRIPTION = """\
Search for the best action from what a seat sees, and rank the legal actions: how many
iterations began with each, the return to expect of it from -1 to 1, and the line expected to
follow. The search is told the view and the options of the match, and nothing else.

The file holds a view as JSON: a message `GameView` of the contract in protobuf's JSON form, as
  {"offboard": {"cells": [...], "targets": [...], ...}}
`--example` prints one, of a game played at random. From a match of your own write one with
  google.protobuf.json_format.MessageToJson(player.view().view)

examples:
  tablestate search offtrack --example 12 > view.json
  tablestate search offtrack --view view.json
  tablestate search offtrack --view view.json --seconds 5 --threads 2
  tablestate search offboard --view - --iterations 100000 --server 127.0.0.1:50051
"""

_DEFAULT_ITERATIONS = 2000
_PROGRESS_SECONDS = 0.1
_PATIENCE = 3600.0
_MOST_LINE = 12
"""Actions of a line that are shown."""


class Asked(NamedTuple):
    """A search."""

    options: GameOptions
    view: GameView
    seat: int
    iterations: int | None
    seconds: float | None
    seed: int
    threads: int


Tell = Callable[[SearchResponse], None]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add = parser.add_argument
    add("game", metavar="GAME", help="the game's name, as offboard")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "--view", type=Path, metavar="FILE", help="the view to search from; - is stdin"
    )
    what.add_argument(
        "--example",
        type=from_one,
        metavar="N",
        help="search nothing, but print a view after N actions at random",
    )
    add("--seat", type=from_zero, metavar="N", help="whose view it is (default: who must decide)")
    much = parser.add_mutually_exclusive_group()
    much.add_argument(
        "--iterations",
        type=from_one,
        metavar="N",
        help=f"how much is searched (default: {_DEFAULT_ITERATIONS})",
    )
    much.add_argument("--seconds", type=float, metavar="S", help="for how long instead")
    add("--threads", type=threads, default=1, metavar="N", help="(default: 1)")
    add("--seed", type=seed, default=0, metavar="N", help="equal seeds, equal answers (default: 0)")
    add("--top", type=from_one, metavar="N", help="show the best N actions (default: all)")
    add_options(parser)
    add_optional_server(parser)


def run(args: argparse.Namespace) -> int:
    """Search and print."""
    options = parse_options(args.game, args.options)
    if args.view is None:
        print(example_view(options, args.example, args.seed))
        return 0
    asked = _asked(args, options, read_view(args.game, args.view))
    begin = time.perf_counter()
    answer = _searched(asked, args)
    seconds = time.perf_counter() - begin
    rate = answer.iterations / seconds
    print(f"{args.game}, seat {asked.seat} to act: {answer.iterations:,} iterations")
    print(f"{seconds:.2f} seconds, {rate:,.0f} iterations a second")
    _print(answer.actions[: args.top])
    return 0


def _asked(args: argparse.Namespace, options: GameOptions, view: GameView) -> Asked:
    iterations = args.iterations
    if iterations is None and args.seconds is None:
        iterations = _DEFAULT_ITERATIONS
    seat = _decider(options, view) if args.seat is None else args.seat
    return Asked(options, view, seat, iterations, args.seconds, args.seed, args.threads)


def _decider(options: GameOptions, view: GameView) -> int:
    """The seat that must decide, if the view can be its own; raises CommandError."""
    given, seen = options.SerializeToString(), view.SerializeToString()
    refusals = []
    try:
        for seat in range(engine.validate_options(given).seats):
            try:
                engine.search(given, seen, seat, iterations=1)
            except engine.CoreError as error:
                refusals.append(error)
            else:
                return seat
    except engine.CoreError as error:
        raise CommandError(str(error)) from None
    # What is wrong with the view, or else with all seats.
    told = [error for error in refusals if error.violations[0][0] != "seat"]
    raise CommandError(str((told or refusals)[0]))


def _searched(asked: Asked, args: argparse.Namespace) -> SearchResponse:
    """Search here or there; a terminal is told how it goes."""
    console = Console(stderr=True)
    status = console.status("searching") if console.is_terminal else None

    def tell(found: SearchResponse) -> None:
        if status is not None and found.actions:
            best = found.actions[0]
            told = f"{found.iterations:,} iterations, best {best.notation} {best.value:+.3f}"
            status.update(escape(told))

    with status or nullcontext():
        return _there(asked, args, tell) if args.server else _here(asked, tell)


def _here(asked: Asked, tell: Tell) -> SearchResponse:
    try:
        report = stoppable(
            lambda stop: engine.search(
                asked.options.SerializeToString(),
                asked.view.SerializeToString(),
                asked.seat,
                iterations=asked.iterations,
                seconds=asked.seconds,
                seed=asked.seed,
                threads=asked.threads,
                stop=stop,
                progress=lambda report: tell(SearchResponse.FromString(report.dump(done=False))),
                progress_seconds=_PROGRESS_SECONDS,
            )
        )
    except engine.CoreError as error:
        raise CommandError(str(error)) from None
    return SearchResponse.FromString(report.dump(done=True))


def _there(asked: Asked, args: argparse.Namespace, tell: Tell) -> SearchResponse:
    with reached(args) as client:
        return client.search(
            asked.options,
            asked.view,
            asked.seat,
            iterations=asked.iterations,
            seconds=asked.seconds,
            seed=asked.seed,
            threads=asked.threads,
            on_progress=tell,
            progress_seconds=_PROGRESS_SECONDS,
            timeout=_PATIENCE,
        )


def _print(actions: Sequence[RankedAction]) -> None:
    width = max(len(action.notation) for action in actions)
    print(f"{'action':<{width}}  {'visits':>11}  {'value':>7}  line")
    for action in actions:
        line = " ".join(action.line_notations[:_MOST_LINE])
        more = " …" if len(action.line) > min(len(action.line_notations), _MOST_LINE) else ""
        print(
            f"{action.notation:<{width}}  {action.visits:>11,}  {action.value:>+7.3f}  {line}{more}"
        )
