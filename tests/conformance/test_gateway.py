"""The gateway does all that the Connect project's runner asks of what it is able to do."""

import os
import subprocess
import sys
from pathlib import Path

from conformance.protos import MODULE, VERSION, generate
from support.go_tools import go_tool
from tools.sources import ROOT

CONFIG = Path(__file__).parent / "config.yaml"
CASES = 1032
"""Fewer would mean that the configuration has lost something."""


def test_every_case_of_the_runner_passes(tmp_path: Path) -> None:
    generate(tmp_path)
    server = [sys.executable, "-m", "conformance.server", str(tmp_path)]
    runner = go_tool(f"{MODULE}/cmd/connectconformance", VERSION)
    command = [str(runner), "--mode=server", f"--conf={CONFIG}", "--", *server]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "tests")}
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{CASES} passed, 0 failed" in done.stdout + done.stderr
