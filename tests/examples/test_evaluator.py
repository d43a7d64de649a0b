"""The example of an evaluator runs, and search makes it better than chance."""

import re
import subprocess
import sys

from examples import evaluator


def test_the_example_wins_against_random_play() -> None:
    command = [sys.executable, "-W", "error", str(evaluator.__file__)]
    done = subprocess.run([*command, "--games", "16"], capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stdout + done.stderr
    won = re.fullmatch(r"won ([\d.]+)% in \d+ s\n", done.stdout)
    assert won is not None and float(won[1]) > 65
