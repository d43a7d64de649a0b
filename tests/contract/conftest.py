"""Every kind of store, the one in memory included."""

from collections.abc import AsyncIterator
from pathlib import Path

import apsw
import pytest

from simulation.loop import Line
from simulation.store import SimulatedStore
from simulation.weather import calm_weather
from support.memory_store import MemoryDatabase, MemoryStore
from support.postgres import CONNECTIONS
from tablestate_service.adapters.postgres_database import open_database
from tablestate_service.adapters.postgres_store import PostgresStore
from tablestate_service.adapters.sqlite_store import SqliteStore
from tablestate_service.ports import MatchStore


class PlainFile(apsw.VFSFile):
    """A file that Python opens, reads and writes."""

    def __init__(self, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        super().__init__("", name, flags)


class PlainVfs(apsw.VFS):
    """A VFS of Python, as fault tests use: the store then has one connection only."""

    vfs_name = "plain-python"

    def __init__(self) -> None:
        super().__init__(self.vfs_name, "")

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:
        return PlainFile(name, flags)


PLAIN_VFS = PlainVfs()
STORES = [
    *("memory", "simulated", "sqlite", "sqlite through a VFS"),
    pytest.param("postgres", marks=pytest.mark.postgres),
]


async def open_store(kind: str, request: pytest.FixtureRequest) -> MatchStore:
    match kind:
        case "memory":
            return MemoryStore()
        case "simulated":
            return SimulatedStore(MemoryDatabase(), "node", calm_weather(), Line("database"))
        case "postgres":
            url: str = request.getfixturevalue("database_url")
            return PostgresStore(await open_database(url, CONNECTIONS))
        case _:
            directory: Path = request.getfixturevalue("tmp_path")
            vfs = None if kind == "sqlite" else PLAIN_VFS.vfs_name
            return SqliteStore(directory, vfs=vfs)


@pytest.fixture(params=STORES)
async def store(request: pytest.FixtureRequest) -> AsyncIterator[MatchStore]:
    opened = await open_store(request.param, request)
    yield opened
    await opened.close()
