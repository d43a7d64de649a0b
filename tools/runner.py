"""Run named steps and sum up: passed, failed, left out."""

import os
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NamedTuple

from tools import postgres
from tools.sources import ROOT

# What failed is told again at the end, so that nobody has to look for it in all the rest.
LAST_LINES = 60
LAST_BYTES = 10_000


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


class Outcome(NamedTuple):
    """How a step went, in a word and in more words, and the last of what it printed."""

    word: str
    more: str
    last_lines: Sequence[str] = ()


Ended = tuple[int, Sequence[str]]
"""An exit code, and the last lines that were printed."""


def run_step(step: Step, run: Callable[[Step], Ended]) -> Outcome:
    """Run a step, unless something it needs is missing."""
    if missing := [need for need in step.needs if not is_there(need)]:
        return Outcome("LEFT OUT", f"this machine has no {', '.join(missing)}")
    start = time.monotonic()
    code, last_lines = run(step)
    return Outcome("FAILED" if code else "passed", f"{time.monotonic() - start:.0f} s", last_lines)


def _run_shown(step: Step) -> Ended:
    """Run a step whose output is seen as it comes."""
    print(_heading(step), flush=True)
    output = b""
    with _started(step) as process:
        assert process.stdout is not None
        while some := os.read(process.stdout.fileno(), 65536):
            sys.stdout.buffer.write(some)
            sys.stdout.buffer.flush()
            output = (output + some)[-LAST_BYTES:]
    return process.returncode, _last_lines(output)


def _run_apart(step: Step) -> Ended:
    """Run a step whose output must not mix with that of another: it is seen at its end."""
    with _started(step) as process:
        output, _ = process.communicate()
    text = output.decode(errors="replace")
    print(f"{_heading(step)}\n{text}".rstrip("\n"), flush=True)
    return process.returncode, _last_lines(output)


def _started(step: Step) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        step.command, cwd=ROOT, shell=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )


def _last_lines(output: bytes) -> Sequence[str]:
    return output[-LAST_BYTES:].decode(errors="replace").splitlines()[-LAST_LINES:]


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
    named = list(zip(alone + others, outcomes, strict=True))
    for step, outcome in named:
        if outcome.word == "FAILED":
            print(f"\n--- the last of what failed: {step.name}", *outcome.last_lines, sep="\n")
    print()
    for step, outcome in named:
        print(f"{outcome.word}: {step.name} ({outcome.more})")
    count = Counter(outcome.word for outcome in outcomes)
    return 1 if count["FAILED"] or (whole and count["LEFT OUT"]) else 0
