"""A service of the fake game, for what is the service's; and one of the real games."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from support.fake_engine import FakeEngine
from support.service import Client, service
from tablestate_service.app import Parts


@pytest.fixture
async def fake(tmp_path: Path) -> AsyncIterator[Client]:
    """A client of a service that plays the fake game with two seats."""
    async with service(tmp_path, Parts(engine=FakeEngine)) as (_, client):
        yield client


@pytest.fixture
async def fake3(tmp_path: Path) -> AsyncIterator[Client]:
    """A client of a service that plays the fake game with three seats."""
    async with service(tmp_path, Parts(engine=lambda: FakeEngine(3))) as (_, client):
        yield client


@pytest.fixture
async def real(tmp_path: Path) -> AsyncIterator[Client]:
    """A client of a service that plays the real games."""
    async with service(tmp_path) as (_, client):
        yield client


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def store(request: pytest.FixtureRequest) -> str:
    """The URL of a store, each in turn; none for a data directory."""
    return request.getfixturevalue("database_url") if request.param == "postgres" else ""


@pytest.fixture
async def stored(tmp_path: Path, store: str) -> AsyncIterator[Client]:
    """A client of a service that plays the real games, on each store in turn."""
    async with service(tmp_path, store=store) as (_, client):
        yield client
