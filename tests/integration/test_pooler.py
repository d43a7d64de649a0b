"""Nodes that reach PostgreSQL through a pooler of transactions, and listen past it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import asyncpg
import pytest

from support.fake_engine import FakeEngine
from support.faults_watchers import LONG_GAME, read_some
from support.pooler import Pooler
from support.service import service
from tablestate_service.adapters.postgres_database import open_database
from tablestate_service.app import Parts

pytestmark = pytest.mark.postgres
PLIES = 60


@pytest.fixture
async def pooler(database_url: str) -> AsyncIterator[Pooler]:
    async with Pooler(database_url) as opened:
        yield opened


async def test_nothing_stays_on_a_connection_through_it(pooler: Pooler) -> None:
    connection = await asyncpg.connect(pooler.url, statement_cache_size=0)
    try:
        await connection.execute("SET application_name = 'mine'")
        assert await connection.fetchval("SHOW application_name") == ""
        await connection.execute("PREPARE mine AS SELECT 1")
        with pytest.raises(asyncpg.InvalidSQLStatementNameError):
            await connection.execute("EXECUTE mine")
    finally:
        connection.terminate()


async def test_statements_stay_prepared_where_there_is_none(
    pooler: Pooler, database_url: str
) -> None:
    for url, kept in ((database_url, 1), (pooler.url, 0)):
        database = await open_database(url, 1)
        count = "SELECT count(*) FROM pg_prepared_statements WHERE statement = 'SELECT 7'"
        for _ in range(3):
            await database.fetch("SELECT 7")
        assert [tuple(row) for row in await database.fetch(count)] == [(kept,)]
        await database.close()


async def test_nodes_behind_it_play_read_and_watch_as_they_do_without(
    pooler: Pooler, database_url: str
) -> None:
    async with AsyncExitStack() as stack:
        nodes = []
        for _ in range(2):
            node = service(
                Path(), Parts(engine=FakeEngine), store=pooler.url, store_listen=database_url
            )
            nodes.append((await stack.enter_async_context(node))[1])
        match_id = await nodes[0].create(options=LONG_GAME)
        watches = [
            asyncio.ensure_future(read_some(each.watch(match_id), 4 + PLIES)) for each in nodes
        ]
        for seat in (0, 1):
            await nodes[seat].join(match_id, seat)
        for ply in range(PLIES):
            await nodes[ply % 2].submit(match_id, ply % 2, "1", expected_version=4 + ply)
            assert (await nodes[1 - ply % 2].match(match_id)).version == 5 + ply
        for versions in await asyncio.gather(*watches):
            assert versions == list(range(1, 5 + PLIES))
        with_bots = await nodes[0].create()
        for seat in (0, 1):
            await nodes[seat].add_bot(with_bots, "random", seat)
        assert (await nodes[1].ended(with_bots)).outcome.winners
    assert pooler.transactions > 4 * PLIES
