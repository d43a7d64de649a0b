"""The benchmarks in their shortest form: they run, and what they report can be."""

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from bench.native import ROOT

SHORT = "--rounds 1 --secs 0.15 --wait 0 --tries 1 --matches 120"
RATIOS = (0.01, 100.0)
HAS_PEER = find_spec("pyspiel") is not None
PEERS = {"pyspiel": "OpenSpiel, ", "envpool": "EnvPool, ", "pgx": "pgx, ", "abalone": "Abalone-"}
PARTS = ("mask", "mask and observation")
WAYS = ("one in flight", "two in flight", "by the SDK, one", "by the SDK, two")
PLAUSIBLE = {
    "get-view: calls/s ÷ echo": RATIOS,
    "list-legal-actions: calls/s ÷ echo": RATIOS,
    "get-view-alone: p99 ÷ echo's": RATIOS,
    "submit-action: calls/s ÷ echo": RATIOS,
    "submit-action: syncs ÷ actions": (0.001, 3.0),
    "submit-action: p99 ÷ (echo's + 3 syncs)": RATIOS,
    "submit-action-alone: p99 ÷ (echo's + 3 syncs)": RATIOS,
    "perft 5: million leaves/s": (1.0, 10_000.0),
    "alpha-beta of Offboard: million nodes/s": (0.01, 100.0),
    "mask of the empty board of Off the Rails: ns": (10.0, 10_000.0),
    "list of the empty board of Off the Rails: ns": (10.0, 100_000.0),
    **{
        f"Simulate, {size} of Offboard, {parts}, {way}: steps/s ÷": RATIOS
        for size in (256, 1024)
        for parts in PARTS
        for way in WAYS
    },
    "Simulate, 1024 of Offboard, mask, one in flight: million steps/s": (0.01, 100.0),
    "Simulate, 1024 of Offboard, mask, two in flight: million steps/s": (0.01, 100.0),
    "Simulate, 1024 of Offboard, mask ÷ a stream of one game: steps/s": (5.0, 2000.0),
    **{
        f"{size} of offboard {where}, {parts}: million steps/s": (0.0001, 100.0)
        for size in (1, 64, 256, 1024)
        for where in ("in process", "over Simulate")
        for parts in PARTS
    },
    "Playout of Offboard, random: games/s ÷ in process": RATIOS,
    "Playout of Offboard, random, two threads ÷ one: games/s": RATIOS,
    "Evaluate, 256 trees of Offboard, 8 leaves each: leaves/s ÷ in process": RATIOS,
    "GetView alone, while playouts fill the pool ÷ without: p99": RATIOS,
    "RSS growth over the last half of 120 batches opened and dropped: per cent": (-50.0, 50.0),
    "SubmitAction by 32 writers over PostgreSQL ÷ min(raw commits, echo)": RATIOS,
    **{
        f"watch delay at 200 actions/s, {where}: p99, ms": (0.1, 20_000.0)
        for where in (
            *("on the same node", "on another node"),
            "on a node that hears no notification",
        )
    },
    "GetView by the gateway less by gRPC, one at a time: p50, ms": (-100.0, 100.0),
    "first load of the list: kB": (10.0, 100.0),
    "first load of a match: kB": (10.0, 200.0),
    "from an entry's time to its frame on the page: p95, ms": (1.0, 10_000.0),
    "longest frame while a long replay is scrubbed: ms": (1.0, 5_000.0),
    "RSS growth over 500 watches of browsers: MiB": (1.0, 100.0),
    "start on a store of 120 matches: seconds": (0.05, 60.0),
    "RSS growth over 120 matches of 50 plies: MiB": (0.0, 100.0),
}


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Any:
    written = tmp_path_factory.mktemp("bench") / "report.json"
    command = [sys.executable, "-m", "bench", *SHORT.split(), "--json", str(written)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=800)
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


@pytest.mark.parametrize(("package", "title"), PEERS.items())
def test_the_table_has_the_peers_that_are_there(report: Any, package: str, title: str) -> None:
    rows = [each for each in report["figures"] if each["name"].startswith(title)]
    assert bool(rows) == (find_spec(package) is not None)
    assert all(each["value"] > 0 and each["ours"].startswith("chosen by") for each in rows)


def test_batches_are_compared_only_with_a_peer_that_is_there(report: Any) -> None:
    found = figure(report, "1024 of Offboard, mask and observation, two threads")
    assert found["value"] > 0.001
    assert ("÷ EnvPool" in found["name"]) == (find_spec("envpool") is not None)


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
