"""The command `tablestate` as a process of its own."""

import subprocess
import sys

_COMMAND = (sys.executable, "-m", "tablestate_service")
_TIMEOUT_SECONDS = 180


def run(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Run it to its end."""
    return subprocess.run(
        [*_COMMAND, *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=_TIMEOUT_SECONDS,
        check=False,
    )


def start(*arguments: str) -> subprocess.Popen[str]:
    """Start it, to be spoken to while it runs."""
    command, pipe = [*_COMMAND, *arguments], subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
