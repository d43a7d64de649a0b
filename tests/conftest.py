"""What all suites share: one PostgreSQL, started when it is first wanted."""

from collections.abc import Iterator

import pytest

from tools.postgres import Postgres, running_postgres


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A server, for tests marked `postgres`."""
    with running_postgres() as server:
        yield server


@pytest.fixture(scope="module")
def mortal() -> Iterator[Postgres]:
    """A server of one's own, for tests that stop or kill it."""
    with running_postgres() as server:
        yield server


@pytest.fixture
def mortal_url(mortal: Postgres) -> str:
    """The URL of a database of that server that nobody has used."""
    return mortal.url(mortal.create_database())


@pytest.fixture
def database_url(postgres: Postgres) -> str:
    """The URL of a database that nobody has used."""
    return postgres.url(postgres.create_database())
