"""The command `tablestate` as a process of its own."""

import os
import signal
import subprocess
import sys

_COMMAND = (sys.executable, "-m", "tablestate_service")
_TIMEOUT_SECONDS = 120


def run(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Run it to its end; one that hangs tells where."""
    process = start(*arguments)
    try:
        stdout, stderr = process.communicate(stdin, timeout=_TIMEOUT_SECONDS)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGABRT)
        stdout, stderr = process.communicate()
        raise AssertionError(f"{arguments} hangs\n{stdout}\n{stderr}") from None
    return subprocess.CompletedProcess(process.args, process.returncode, stdout, stderr)


def start(*arguments: str) -> subprocess.Popen[str]:
    """Start it, to be spoken to while it runs."""
    command, pipe = [*_COMMAND, *arguments], subprocess.PIPE
    environment = {**os.environ, "PYTHONFAULTHANDLER": "1"}
    return subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=environment
    )
