"""Run named steps and sum up: passed, failed, left out."""

import shutil
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NamedTuple

from tools import postgres
from tools.sources import ROOT


class Step(NamedTuple):
    """A shell command with a name, and what it needs: programs, or C headers (`x/y.h`).

    One that runs `alone` uses all of the machine by itself.
    """

    name: str
    command: str
    needs: tuple[str, ...] = ()
    alone: bool = False


def is_there(need: str) -> bool:
    """Whether a program is on the path or one of PostgreSQL, or the C compiler finds a header."""
    if not need.endswith(".h"):
        return (shutil.which(need) or postgres.program(need)) is not None
    probe = ["cc", "-E", "-include", need, "-x", "c", "/dev/null"]
    return is_there("cc") and subprocess.run(probe, capture_output=True).returncode == 0


def run_step(step: Step, run: Callable[[Step], int]) -> tuple[str, str]:
    """Run a step; say how it went, in a word and in more words."""
    if missing := [need for need in step.needs if not is_there(need)]:
        return "LEFT OUT", f"this machine has no {', '.join(missing)}"
    start = time.monotonic()
    code = run(step)
    return "FAILED" if code else "passed", f"{time.monotonic() - start:.0f} s"


def _run_shown(step: Step) -> int:
    """Run a step whose output is seen as it comes."""
    print(_heading(step), flush=True)
    return subprocess.run(step.command, cwd=ROOT, shell=True).returncode


def _run_apart(step: Step) -> int:
    """Run a step whose output must not mix with that of another: it is seen at its end."""
    done = subprocess.run(
        step.command, cwd=ROOT, shell=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    output = done.stdout.decode(errors="replace")
    print(f"{_heading(step)}\n{output}".rstrip("\n"), flush=True)
    return done.returncode


def _heading(step: Step) -> str:
    return f"\n--- {step.name}: {step.command}"


def run_steps(steps: Sequence[Step], *, whole: bool, at_once: int) -> int:
    """Run those that run alone, then the others, so many at once, and print the summary.

    The exit code is 0 if none failed and, if `whole` is asked for, none was left out.
    """
    alone = [step for step in steps if step.alone]
    others = [step for step in steps if not step.alone]
    outcomes = [run_step(step, _run_shown) for step in alone]
    with ThreadPoolExecutor(at_once) as pool:
        outcomes += pool.map(partial(run_step, run=_run_apart), others)
    print()
    for step, (word, more) in zip(alone + others, outcomes, strict=True):
        print(f"{word}: {step.name} ({more})")
    count = Counter(word for word, _ in outcomes)
    return 1 if count["FAILED"] or (whole and count["LEFT OUT"]) else 0
