"""PostgreSQL for tests: those that need it are marked `postgres` and left out without it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tablestate_service.adapters.fault_points import FaultPoints
from tablestate_service.adapters.postgres_database import open_database
from tablestate_service.adapters.postgres_store import PostgresStore

CONNECTIONS = 8


@asynccontextmanager
async def postgres_store(
    url: str, faults: FaultPoints | None = None
) -> AsyncIterator[PostgresStore]:
    """A store on a database, closed in the end."""
    store = PostgresStore(await open_database(url, CONNECTIONS), faults=faults)
    try:
        yield store
    finally:
        await store.close()
