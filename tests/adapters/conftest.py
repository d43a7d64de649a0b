from __future__ import annotations

from collections.abc import Iterator

import pytest

import tablestate
from tablestate._sync.batches import Simulation
from tablestate.rl import OpenBatch
from tablestate_service.cli.embedded import embedded_service
from tablestate_service.engine import Batch


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    with embedded_service() as address:
        yield address


@pytest.fixture(scope="session")
def client(address: str) -> Iterator[tablestate.Client]:
    with tablestate.Client(address) as client:
        yield client


@pytest.fixture
def simulation(client: tablestate.Client) -> Iterator[Simulation]:
    """A stream of the test's own: a stream has room for so many batches only."""
    with client.simulation() as simulation:
        yield simulation


@pytest.fixture(params=["in_process", "remote"])
def place(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def open_batch(place: str, request: pytest.FixtureRequest) -> OpenBatch:
    if place == "in_process":
        return Batch
    simulation: Simulation = request.getfixturevalue("simulation")
    return simulation.batch
