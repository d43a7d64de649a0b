"""`python -m bench`: run the benchmarks and print the table of their figures."""

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path

from bench import (
    boards,
    browsers,
    calls,
    engine,
    engine_load,
    memory,
    native,
    nodes,
    page,
    playouts,
    simulate,
)
from bench.figures import Figure, table
from bench.load_run import LoadError
from bench.machine import describe
from bench.native import MissingToolError
from bench.servers import ServerError
from bench.settings import Settings
from tools.postgres import PostgresError

NAMES = (
    *(case.name for case in calls.CASES),
    *engine.CASES,
    *simulate.CASES,
    *boards.CASES,
    *playouts.CASES,
    *engine_load.CASES,
    *nodes.CASES,
    *browsers.CASES,
    *page.CASES,
    *memory.CASES,
)


def main() -> int:
    """Run; 0 if everything could be measured, whether or not the targets were met."""
    arguments = _parser().parse_args()
    names = tuple(arguments.only or NAMES)
    try:
        native.grpcload()
        native.syncs()
        figures = _measure(names, _settings(arguments))
    except (
        MissingToolError,
        LoadError,
        ServerError,
        PostgresError,
        subprocess.CalledProcessError,
    ) as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    machine = describe(arguments.dir)
    print(f"{machine}\n{arguments.rounds} rounds of {arguments.secs:g} s\n\n{table(figures)}")
    if arguments.json:
        found = {"machine": machine, "figures": [each.as_json() for each in figures]}
        arguments.json.write_text(json.dumps(found, indent=1))
    return 0


def _measure(names: tuple[str, ...], settings: Settings) -> list[Figure]:
    figures = calls.measure(names, settings)
    figures += engine.measure(names, settings)
    figures += simulate.measure(names, settings)
    figures += boards.measure(names, settings)
    figures += playouts.measure(names, settings)
    figures += engine_load.measure(names, settings)
    figures += nodes.measure(names, settings)
    figures += browsers.measure(names, settings)
    figures += page.measure(names, settings)
    return figures + memory.measure(names, settings)


def _settings(arguments: argparse.Namespace) -> Settings:
    begun = time.monotonic()

    def tell(what: str) -> None:
        print(f"{time.monotonic() - begun:6.0f} s  {what}", file=sys.stderr, flush=True)

    return Settings(
        rounds=arguments.rounds,
        seconds=arguments.secs,
        wait_seconds=arguments.wait,
        tries=arguments.tries,
        match_count=arguments.matches,
        store=arguments.store,
        directory=arguments.dir,
        seed=1,
        tell=tell,
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bench",
        description="Measure the service beside a no-op echo, and the engine beside its peers. "
        "Every figure is the median of rounds that are interleaved in one run.",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    add = parser.add_argument
    add("--only", action="append", choices=NAMES, metavar="CASE", help=f"of {', '.join(NAMES)}")
    add("--rounds", type=_positive, default=5, help="how many")
    add("--secs", type=float, default=1.5, help="of each measurement in a round")
    add("--wait", type=float, default=8, help="seconds to wait for a quiet machine")
    add("--tries", type=_positive, default=3, help="of a measurement that others disturb")
    add("--matches", type=int, default=100_000, help="in the store of `open` and `memory`")
    add("--store", type=Path, help="keep that store here, and use it if it is there")
    add("--dir", type=Path, default=native.BUILT, help="where data goes; not in memory")
    add("--json", type=Path, help="write everything to this file as well")
    return parser


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("expected at least 1")
    return value


if __name__ == "__main__":
    sys.exit(main())
