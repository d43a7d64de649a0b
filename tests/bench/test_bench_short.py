"""The benchmarks in their shortest form: they run, and what they report can be."""

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from bench.native import ROOT

SHORT = "--rounds 1 --secs 0.3 --wait 0 --tries 1 --matches 120"
RATIOS = (0.01, 100.0)
HAS_PEER = find_spec("pyspiel") is not None
PLAUSIBLE = {
    "get-view: calls/s ÷ echo": RATIOS,
    "list-legal-actions: calls/s ÷ echo": RATIOS,
    "get-view-alone: p99 ÷ echo's": RATIOS,
    "submit-action: calls/s ÷ echo": RATIOS,
    "submit-action: syncs ÷ actions": (0.001, 3.0),
    "submit-action: p99 ÷ (echo's + 3 syncs)": RATIOS,
    "submit-action-alone: p99 ÷ (echo's + 3 syncs)": RATIOS,
    "perft 5: million leaves/s": (1.0, 10_000.0),
    "start on a store of 120 matches: seconds": (0.05, 60.0),
    "RSS growth over 120 matches of 50 plies: MiB": (0.0, 100.0),
}


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Any:
    written = tmp_path_factory.mktemp("bench") / "report.json"
    command = [sys.executable, "-m", "bench", *SHORT.split(), "--json", str(written)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=280)
    assert done.returncode == 0, done.stderr
    found = json.loads(written.read_text())
    for figure in found["figures"]:
        assert f"| {figure['name']} " in done.stdout
    return found


def figure(report: Any, name: str) -> Any:
    return next(each for each in report["figures"] if each["name"].startswith(name))


@pytest.mark.parametrize("name", PLAUSIBLE)
def test_every_figure_is_measured_and_plausible(report: Any, name: str) -> None:
    least, most = PLAUSIBLE[name]
    assert least <= figure(report, name)["value"] <= most


@pytest.mark.parametrize("source", ["mask", "list"])
def test_the_engine_is_compared_only_with_a_peer_that_is_there(report: Any, source: str) -> None:
    found = figure(report, f"random plies/s, chosen from the {source}")
    assert found["value"] > 0.001
    assert ("÷ OpenSpiel" in found["name"]) == HAS_PEER
    assert (found["peer"] == "OpenSpiel is not installed") != HAS_PEER


def test_the_report_tells_the_machine_and_what_else_it_did(report: Any) -> None:
    assert "cores" in report["machine"]
    called = [each for each in report["figures"] if "echo" in each["name"]]
    assert all(len(each["foreign"]) == 1 and each["foreign"][0] >= 0 for each in called)
    assert all("echo" in each["cpu"] for each in called)


def test_an_unknown_case_is_refused(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "bench", "--only", "nothing", "--dir", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert "get-view" in done.stderr
