"""What the page shows of its calls for a shell can be run as it stands, against a service."""

import os
import subprocess
import sysconfig
from base64 import b64encode
from collections.abc import Iterator

import pytest

import tablestate
from support.page_calls import (
    PROGRAMS,
    SHOWN_MATCH,
    Server,
    environment,
    page_service,
    program,
    ready,
)
from tools.sources import ROOT


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with page_service() as server:
        yield server


@pytest.fixture
def client(server: Server) -> Iterator[tablestate.Client]:
    with tablestate.Client(server.grpc) as client:
        yield client


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
