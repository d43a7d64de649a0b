"""What the page shows of its calls for Python can be run as it stands, against a service."""

import runpy
from collections.abc import Iterator
from pathlib import Path

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


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with page_service() as server:
        yield server


@pytest.fixture
def client(server: Server) -> Iterator[tablestate.Client]:
    with tablestate.Client(server.grpc) as client:
        yield client


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
