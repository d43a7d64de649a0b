"""The gateway does all that the Connect project's runner asks of what it is able to do."""

import os
import subprocess
import sys
from pathlib import Path

from conformance.protos import MODULE, VERSION, generate
from tools.sources import ROOT

BUILT = ROOT / "target" / f"conformance-{VERSION}"
RUNNER = BUILT / "connectconformance"
CONFIG = Path(__file__).parent / "config.yaml"
CASES = 1032
"""Fewer would mean that the configuration has lost something."""


def runner() -> Path:
    """The program, built the first time; not optimized, which would take longer than it runs."""
    if not RUNNER.exists():
        package = f"{MODULE}/cmd/connectconformance@{VERSION}"
        command = ["go", "install", "-gcflags=all=-N -l", "-ldflags=-s -w", package]
        subprocess.run(command, check=True, env=os.environ | {"GOBIN": str(BUILT)})
    return RUNNER


def test_every_case_of_the_runner_passes(tmp_path: Path) -> None:
    generate(tmp_path)
    server = [sys.executable, "-m", "conformance.server", str(tmp_path)]
    command = [str(runner()), "--mode=server", f"--conf={CONFIG}", "--", *server]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "tests")}
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{CASES} passed, 0 failed" in done.stdout + done.stderr
