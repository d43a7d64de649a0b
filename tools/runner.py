"""Run named steps one after the other and sum up: passed, failed, left out."""

import shutil
import subprocess
import time
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from tools import postgres
from tools.sources import ROOT


class Step(NamedTuple):
    """A shell command with a name, and what it needs: programs, or C headers (`x/y.h`)."""

    name: str
    command: str
    needs: tuple[str, ...] = ()


def is_there(need: str) -> bool:
    """Whether a program is on the path or one of PostgreSQL, or the C compiler finds a header."""
    if not need.endswith(".h"):
        return (shutil.which(need) or postgres.program(need)) is not None
    probe = ["cc", "-E", "-include", need, "-x", "c", "/dev/null"]
    return is_there("cc") and subprocess.run(probe, capture_output=True).returncode == 0


def run_step(step: Step) -> tuple[str, str]:
    """Run a step; say how it went, in a word and in more words."""
    if missing := [need for need in step.needs if not is_there(need)]:
        return "LEFT OUT", f"this machine has no {', '.join(missing)}"
    print(f"\n--- {step.name}: {step.command}", flush=True)
    start = time.monotonic()
    code = subprocess.run(step.command, cwd=ROOT, shell=True).returncode
    return "FAILED" if code else "passed", f"{time.monotonic() - start:.0f} s"


def run_steps(steps: Sequence[Step], *, whole: bool) -> int:
    """Run all steps and print the summary.

    The exit code is 0 if none failed and, if `whole` is asked for, none was left out.
    """
    results = [(step.name, *run_step(step)) for step in steps]
    print()
    for name, word, more in results:
        print(f"{word}: {name} ({more})")
    count = Counter(word for _, word, _ in results)
    return 1 if count["FAILED"] or (whole and count["LEFT OUT"]) else 0
