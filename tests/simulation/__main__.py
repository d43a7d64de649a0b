"""`python -m simulation`: run seeds, and print those that fail as commands."""

import argparse
import gc
import sys
from collections import Counter

import pytest

from simulation.planted import PLANTED
from simulation.run import Outcome, simulate

_COMMAND = "PYTHONPATH=tests .venv/bin/python -m simulation --trace --seed"
_BY_NAME = {plant.__name__: plant for plant in PLANTED}


def main() -> int:
    arguments = parse()
    gc.freeze()
    with pytest.MonkeyPatch.context() as patch:
        if arguments.planted:
            _BY_NAME[arguments.planted](patch)
        return run(arguments)


def run(arguments: argparse.Namespace) -> int:
    """Run the seeds; 1 if any failed."""
    faults: Counter[str] = Counter()
    failed = 0
    for seed in range(arguments.seed, arguments.seed + arguments.count):
        outcome = simulate(seed)
        faults += outcome.faults
        failed += bool(outcome.violations)
        tell(outcome, arguments)
    print(f"{arguments.count - failed} of {arguments.count} seeds passed")
    for fault, count in sorted(faults.items()):
        print(f"    {fault:20}{count:>9,}")
    return 1 if failed else 0


def tell(outcome: Outcome, arguments: argparse.Namespace) -> None:
    """Print what a seed has shown, and how to see it again."""
    if arguments.trace:
        print("\n".join(outcome.trace))
    for violation in outcome.violations:
        print(f"seed {outcome.seed}: {violation}")
    if outcome.violations:
        planted = f" --planted {arguments.planted}" if arguments.planted else ""
        print(f"{_COMMAND} {outcome.seed}{planted}", flush=True)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m simulation")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--count", type=int, default=1, help="how many seeds to run")
    parser.add_argument("--trace", action="store_true", help="print what happens")
    parser.add_argument("--planted", choices=_BY_NAME, help="plant a fault that is to be found")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
