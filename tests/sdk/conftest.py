from __future__ import annotations

from collections.abc import Iterator

import pytest

import tablestate
from support.fake_server import FakeServer


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with FakeServer() as server:
        yield server


@pytest.fixture
def client(server: FakeServer) -> Iterator[tablestate.Client]:
    with tablestate.Client(server.target, timeout=5.0) as client:
        yield client
