"""The service on several nodes in thousands of simulations, and faults that they find."""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from simulation.planted import PLANTED
from simulation.run import simulate
from simulation.weather import MOST
from support.faults_report import by_form

TESTS = Path(__file__).parents[1]
SEEDS = by_form(1_500, 100_000)
SEEDS_AT_A_TIME = 250
PROCESSES = os.cpu_count() or 1
SEEDS_TO_FIND_A_FAULT = 500


def start(*arguments: object, **environment: str) -> "subprocess.Popen[str]":
    """`python -m simulation` with these arguments."""
    paths = os.pathsep.join([str(TESTS), *filter(None, [os.environ.get("PYTHONPATH")])])
    return subprocess.Popen(
        [sys.executable, "-m", "simulation", *map(str, arguments)],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": paths} | environment,
    )


def faults_of(report: str) -> Counter[str]:
    """The faults that a run has counted."""
    lines = [line.rsplit(maxsplit=1) for line in report.splitlines() if line.startswith("    ")]
    return Counter({fault.strip(): int(count.replace(",", "")) for fault, count in lines})


@pytest.mark.parametrize("first", range(0, SEEDS, SEEDS_AT_A_TIME))
def test_nothing_is_lost_doubled_stale_or_stuck_in_any_simulation(first: int) -> None:
    share = -(-SEEDS_AT_A_TIME // PROCESSES)
    running = [
        start("--seed", first + number * share, "--count", share) for number in range(PROCESSES)
    ]
    reports = [process.communicate()[0] for process in running]
    failed = [
        report for process, report in zip(running, reports, strict=True) if process.returncode != 0
    ]
    assert not failed, "\n".join(failed)
    happened = sum((faults_of(report) for report in reports), Counter())
    assert set(happened) == set(MOST)


def test_a_seed_brings_about_the_same_in_every_process() -> None:
    runs = [start("--seed", 5, "--trace", PYTHONHASHSEED=number) for number in "12"]
    first, second = (process.communicate()[0] for process in runs)
    assert first == second
    assert "SubmitAction" in first


@pytest.mark.parametrize("plant", PLANTED, ids=lambda plant: plant.__name__)
def test_a_planted_fault_is_found(
    plant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    assert any(simulate(seed).violations for seed in range(SEEDS_TO_FIND_A_FAULT))


def test_a_failure_is_told_as_one_command(capfd: pytest.CaptureFixture[str]) -> None:
    process = start("--seed", 0, "--planted", "cursor_one_too_low")
    report, _ = process.communicate()
    assert process.returncode == 1
    assert "python -m simulation --trace --seed 0 --planted cursor_one_too_low" in report
