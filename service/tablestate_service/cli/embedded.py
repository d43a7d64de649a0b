"""A service of one's own for the time of a command."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO

from tablestate_service.cli.arguments import CommandError

_STOP_SECONDS = 15
_SHARED = ("TABLESTATE_STORE", "TABLESTATE_STORE_LISTEN")


@contextmanager
def embedded_service() -> Iterator[str]:
    """Run a service on a free port over an empty store; yields its "host:port".

    Raises CommandError if it does not come up.
    """
    with (
        TemporaryDirectory(prefix="tablestate-") as folder,
        service(Path(folder, "data")) as target,
    ):
        yield target


@contextmanager
def service(data_dir: Path, port: int = 0) -> Iterator[str]:
    """Run a service over a data directory; yields its "host:port".

    It is a process of its own: a service wants the signals and the event loop of its
    process for itself. Raises CommandError if it does not come up.
    """
    with TemporaryFile("w+") as log:
        process = _start(data_dir, port, log)
        try:
            yield _target(process, log)
        finally:
            _stop(process)


def _start(data_dir: Path, port: int, log: IO[str]) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tablestate_service", "serve", "--log-level", "warning"]
    arguments = ["--port", str(port), "--data-dir", str(data_dir)]
    # It is one's own, whatever store others share.
    environment = {name: value for name, value in os.environ.items() if name not in _SHARED}
    return subprocess.Popen(
        command + arguments,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=log,
        text=True,
        start_new_session=True,  # so that Ctrl-C reaches the command only
    )


def _target(process: subprocess.Popen[str], log: IO[str]) -> str:
    """Read where the service listens: its first line says so."""
    first_line = process.stdout.readline() if process.stdout else ""
    found = re.search(r"listens on (\S+)", first_line)
    if found is None:
        log.seek(0)
        raise CommandError(f"the service did not start:\n{log.read()}")
    return found[1]


def _stop(process: subprocess.Popen[str]) -> None:
    process.terminate()
    try:
        process.wait(_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdout:
        process.stdout.close()
