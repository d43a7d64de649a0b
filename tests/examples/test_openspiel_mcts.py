"""OpenSpiel's own search plays a whole match through the adapter against ours."""

import re
import subprocess
import sys
from pathlib import Path

from examples import openspiel_mcts

EXAMPLE = Path(openspiel_mcts.__file__)


def test_openspiels_search_plays_against_ours_and_loses() -> None:
    arguments = ["--games", "2", "--simulations", "8", "--iterations", "3000", "--points", "2"]
    command = [sys.executable, str(EXAMPLE), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stdout + done.stderr
    (share,) = re.findall(r"our share: ([\d.]+)% of 2 games", done.stdout)
    assert float(share) == 100
