"""The processes that are measured: the service, and the echo beside it."""

import contextlib
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from bench import native

_STOP_SECONDS = 30
_ADDRESS = re.compile(r"127\.0\.0\.1:(\d+)")


class ServerError(Exception):
    """A server did not start, or reported an error of its own."""


@dataclass(frozen=True, slots=True)
class Server:
    """A server that takes calls on 127.0.0.1. `start_seconds` is from spawn to readiness."""

    pid: int
    port: int
    start_seconds: float
    gateway_port: int = 0

    @property
    def address(self) -> str:
        """Where to connect to."""
        return f"127.0.0.1:{self.port}"


@contextlib.contextmanager
def service(
    data_dir: Path,
    syncs: Path | None = None,
    *,
    store: str = "",
    listen: str = "",
    has_gateway: bool = False,
) -> Iterator[Server]:
    """`tablestate serve` as users run it; with `syncs` its syncs are recorded in that file.

    With a `store` its matches are in that PostgreSQL database, and it listens on `listen`. It has a
    gateway for browsers if that is wanted.
    """
    extra = {"TABLESTATE_STORE": store, "TABLESTATE_STORE_LISTEN": listen}
    if syncs is not None:
        extra |= {"LD_PRELOAD": str(native.syncs()), "BENCH_SYNCS": str(syncs)}
    arguments = ["serve", "--port", "0", "--data-dir", str(data_dir), "--log-level", "warning"]
    if has_gateway:
        arguments += ["--gateway", "127.0.0.1:0"]
    with _running(["tablestate_service", *arguments], extra, has_gateway=has_gateway) as server:
        yield server


@contextlib.contextmanager
def echo(replies: Mapping[str, bytes], *, streams: bool = False) -> Iterator[Server]:
    """A server that does nothing but answer: a method's path tells the bytes of its reply."""
    suffix = ".stream" if streams else ""
    with tempfile.TemporaryDirectory() as directory:
        arguments = []
        for number, (path, reply) in enumerate(replies.items()):
            file = Path(directory) / f"{number}{suffix}"
            file.write_bytes(reply)
            arguments.append(f"{path}={file}")
        with _running(["bench.echo_server", *arguments], {}) as server:
            yield server


@contextlib.contextmanager
def _running(
    module: Sequence[str], extra: dict[str, str], *, has_gateway: bool = False
) -> Iterator[Server]:
    begun = time.monotonic()
    with tempfile.TemporaryFile("w+") as errors:
        with subprocess.Popen(
            [sys.executable, "-m", *module],
            cwd=native.ROOT,
            env=_environment() | extra,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        ) as process:
            try:
                port = _port_of(process, errors)
                started = time.monotonic() - begun
                gateway = _port_of(process, errors) if has_gateway else 0
                yield Server(process.pid, port, started, gateway)
            finally:
                _stop(process)
        if reported := _read(errors):
            raise ServerError(f"{module[0]} reported: {reported}")


def _stop(process: "subprocess.Popen[str]") -> None:
    process.terminate()
    try:
        process.wait(_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()


def _environment() -> dict[str, str]:
    """Ours without what would change the service's settings."""
    return {name: value for name, value in os.environ.items() if "TABLESTATE_" not in name}


def _port_of(process: "subprocess.Popen[str]", errors: IO[str]) -> int:
    assert process.stdout is not None
    line = process.stdout.readline()
    found = _ADDRESS.search(line)
    if found is None:
        raise ServerError(f"no server: {line}{_read(errors)}")
    return int(found[1])


def _read(errors: IO[str]) -> str:
    errors.seek(0)
    return errors.read(2000)
