"""`python -m tools.parity [NAME ...]`: run the runners, and print the table of parity."""

import argparse
import asyncio
import sys
import time
from collections.abc import Mapping, Sequence

from tools.parity import table
from tools.parity.contract import VECTORS, read_vectors
from tools.parity.harness import Harness
from tools.parity.runners import RUNNERS, Runner

_SHOWN_FAULTS = 20


def arguments() -> argparse.Namespace:
    """What is asked for."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.parity",
        description="Run runners of SDKs against a service, and print what each SDK can do.",
    )
    parser.add_argument("name", nargs="*", help="a runner of the table; all by default")
    parser.add_argument("--command", help="run this program instead, here, as a runner")
    parser.add_argument("--whole", action="store_true", help="fail if one is left out")
    parser.add_argument("--write", action="store_true", help="keep the table in docs/sdks.md")
    return parser.parse_args()


def chosen(asked: argparse.Namespace) -> Sequence[Runner]:
    """The runners that are asked for; exits if there is none of a name."""
    if asked.command:
        return [Runner("command", "command", ".", asked.command)]
    if unknown := set(asked.name) - {each.name for each in RUNNERS}:
        names = ", ".join(each.name for each in RUNNERS)
        raise SystemExit(f"no runner {', '.join(sorted(unknown))}, expected {names}")
    return [each for each in RUNNERS if each.name in asked.name or not asked.name]


def tell(runner: Runner, faults: Sequence[str], seconds: float) -> None:
    """Say how a run went."""
    print(f"{'FAILED' if faults else 'passed'}: {runner.title} ({seconds:.0f} s)")
    for fault in faults[:_SHOWN_FAULTS]:
        print(f"    {fault}")
    if len(faults) > _SHOWN_FAULTS:
        print(f"    and {len(faults) - _SHOWN_FAULTS} more")


async def run_all(runners: Sequence[Runner]) -> tuple[Mapping[str, table.Column], int, int]:
    """Run those that can be; their columns, how many failed and how many were left out."""
    harness, columns = Harness(read_vectors(VECTORS)), dict[str, table.Column]()
    failed = left_out = 0
    for runner in runners:
        if missing := runner.missing():
            print(f"LEFT OUT: {runner.title} (this machine has no {', '.join(missing)})")
            left_out += 1
            continue
        start = time.monotonic()
        result = await harness.run(runner)
        tell(runner, result.faults(), time.monotonic() - start)
        columns[runner.title] = table.column(runner, result)
        failed += bool(result.faults())
    return columns, failed, left_out


def kept(asked: argparse.Namespace, columns: Mapping[str, table.Column], failed: int) -> bool:
    """Whether the documents say what was seen; what has failed is not written there."""
    if asked.command or failed or not table.DOCUMENT.exists():
        return True
    if asked.write:
        table.write_document(columns)
    if table.is_in_step(columns):
        return True
    print("docs/sdks.md is out of step: python -m tools.parity --write")
    return False


def main() -> int:
    """Run what is asked for; 0 if all passed and, if asked for, none was left out."""
    asked = arguments()
    columns, failed, left_out = asyncio.run(run_all(chosen(asked)))
    if columns:
        print(f"\n{table.text_table(columns)}\n")
    in_step = kept(asked, columns, failed)
    return 1 if failed or not in_step or (asked.whole and left_out) else 0


if __name__ == "__main__":
    sys.exit(main())
