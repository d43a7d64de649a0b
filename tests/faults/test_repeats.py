"""Calls sent many times at once, late, and after a kill: one effect, one answer."""

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from support.faults_player import count_matches
from support.faults_process import running
from support.faults_tables import CALLS, MUTATING, Table, play_tables, require_versions
from support.faults_watchers import clients
from support.service import Client


@asynccontextmanager
async def served(directory: Path) -> AsyncIterator[list[Client]]:
    """A service of the real games, which is killed in the end; some connections to it."""
    async with running(directory, engine="core") as service, clients(service.address, 6) as them:
        yield them


async def test_every_call_has_one_effect_and_one_answer_however_often_it_is_sent(
    tmp_path: Path, tally: Counter[str]
) -> None:
    async with served(tmp_path) as clients:
        tables = await play_tables(clients, tally)
        await require_versions(clients[0], tables)
    async with served(tmp_path) as clients:
        for table in tables:
            again = Table(clients, 0, tally)
            for method, request, answer in table.answered:
                assert await again.send(method, request, 2) == answer
                tally["calls sent again after a kill"] += 1
        await require_versions(clients[0], tables)
        assert await count_matches(clients[0]) == sum(len(each.versions) for each in tables)
    for method in MUTATING:
        assert tally[f"{method} called"] > 0
    assert sum(tally[f"{method} called"] for method in MUTATING) >= CALLS
    assert tally["calls sent again after a kill"] >= CALLS
    assert tally["sent again late"] >= CALLS // 10
