"""The boards of the page, by their own tests."""

import subprocess

from tools import node


def test_the_unit_tests_pass() -> None:
    done = subprocess.run(
        node.command("npm", "run", "test", "--silent"),
        cwd=node.CLIENTS / "web",
        env={**node.environment(), "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "passed" in done.stdout
