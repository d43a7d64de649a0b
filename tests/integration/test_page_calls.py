"""What the page shows of its calls can be run as it stands, against a service.

The programs are those that `programs.test.ts` in `clients/web/src/lib/snippets` compares the page's
with.
"""

import json
import os
import runpy
import shutil
import socket
import subprocess
import sysconfig
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import tablestate
from tablestate_service.cli.embedded import embedded_service

ROOT = Path(__file__).parents[2]
PROGRAMS = json.loads((ROOT / "tests/data/page_calls.json").read_text(encoding="utf-8"))
SHOWN_MATCH = "0123456789abcdef0123456789abcdef"
SECOND_MATCH = "fedcba9876543210fedcba9876543210"

WAITING = {"GetMatch", "GetMatch of a host", "GetMatch of a seat", "JoinMatch", "AddBot"}
OVER = {"GetReplay", "Rematch", "WatchMatches", "WatchMatches of a seat", "WatchMatches of several"}
OVER |= {"VerifyReplay"}


class Server(NamedTuple):
    """A service by its two addresses."""

    grpc: str
    gateway: str


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with socket.socket() as free, pytest.MonkeyPatch.context() as patch:
        free.bind(("127.0.0.1", 0))
        gateway = f"127.0.0.1:{free.getsockname()[1]}"
        free.close()
        patch.setenv("TABLESTATE_GATEWAY", gateway)
        with embedded_service() as target:
            yield Server(target, gateway)


def ready(client: tablestate.Client, name: str) -> tuple[tablestate.HostedMatch, bytes]:
    """A match in which the call can be made, and the token of the seat that makes it."""
    start = "BY_HOST" if name == "StartMatch" else "START_POLICY_UNSPECIFIED"
    match = client.create_match("offboard", start=start)
    player = match.join(seat=0)
    if name in WAITING:
        return match, player.credential.token
    other = match.join(seat=1)
    if name in OVER:
        other.resign()
    elif name == "Respond":
        other.propose("DRAW")
    elif name == "ResumeMatch":
        player.respond(other.propose("PAUSE").version, accept=True)
    return match, player.credential.token


def program(name: str, language: str, server: Server, client: tablestate.Client) -> str:
    """What is shown of a call, with the addresses of this service and a second match of it."""
    shown: str = PROGRAMS[name][language]
    if SECOND_MATCH in shown:
        second, _ = ready(client, name)
        shown = shown.replace(SECOND_MATCH, second.match_id)
    return shown.replace("localhost:50051", server.grpc).replace("localhost:3000", server.gateway)


@pytest.fixture
def client(server: Server) -> Iterator[tablestate.Client]:
    with tablestate.Client(server.grpc) as client:
        yield client


def environment(match: tablestate.HostedMatch, seat_token: bytes) -> dict[str, str]:
    """What "Copy tokens" sets."""
    tokens = {
        "HOST_TOKEN": match.credential.token,
        "SEAT_TOKEN": seat_token,
        "NEW_HOST_TOKEN": os.urandom(32),
        "NEW_SEAT_TOKEN": os.urandom(32),
    }
    return {name: b64encode(token).decode() for name, token in tokens.items()}


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_lines_for_python_run(
    name: str,
    server: Server,
    client: tablestate.Client,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    match, seat_token = ready(client, name)
    for variable, value in environment(match, seat_token).items():
        monkeypatch.setenv(variable, value)
    path = tmp_path / "call.py"
    lines = program(name, "Python", server, client).replace(SHOWN_MATCH, match.match_id)
    path.write_text(lines, encoding="utf-8")
    runpy.run_path(str(path))["client"].close()
    # An empty list is printed as nothing.
    assert capsys.readouterr().out.strip() or name == "ListMatches"


@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl")
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_lines_for_a_shell_run(name: str, server: Server, client: tablestate.Client) -> None:
    match, seat_token = ready(client, name)
    variables = environment(match, seat_token)
    if name in {"CreateMatch", "JoinMatch"}:  # which bring new tokens
        new = {"HOST_TOKEN": os.urandom(32), "SEAT_TOKEN": os.urandom(32)}
        variables |= {name: b64encode(token).decode() for name, token in new.items()}
    lines = program(name, "Shell", server, client).replace(SHOWN_MATCH, match.match_id)
    path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]])
    done = subprocess.run(
        ["/bin/sh", "-c", lines],
        cwd=ROOT,
        env={**variables, "PATH": path, "HOME": os.environ.get("HOME", "/")},
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert done.returncode == 0, done.stderr
    assert '"code":' not in done.stdout
