"""PostgreSQL refuses what it has always done, for a while: nodes tell, and go on by themselves."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from support.fake_engine import FakeEngine
from support.service import Client, refused, service
from tablestate.v1 import match_pb2
from tablestate_service.app import Parts
from tools.postgres import Postgres

pytestmark = pytest.mark.postgres
FAKE = Parts(engine=FakeEngine)
SECOND = {"turn_limit": {"seconds": 1}}
OTHERS = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1 AND pid <> $2"


@asynccontextmanager
async def connected(url: str) -> AsyncIterator[asyncpg.Connection]:
    """A connection of one's own."""
    connection = await asyncpg.connect(url)
    try:
        yield connection
    finally:
        await connection.close()


async def until_health_is(client: Client, status: int) -> None:
    stub: Any = health_pb2_grpc.HealthStub(client.channel)
    async with asyncio.timeout(60):
        while (await stub.Check(health_pb2.HealthCheckRequest())).status != status:
            await asyncio.sleep(0.05)


async def test_after_tables_were_away_time_is_kept_and_bots_play(
    database_url: str, tmp_path: Path
) -> None:
    async with (
        service(tmp_path, FAKE, store=database_url) as (_, client),
        connected(database_url) as connection,
    ):
        on_time = await client.started(time_control=SECOND)
        await connection.execute("ALTER SCHEMA tablestate RENAME TO elsewhere")
        await until_health_is(client, health_pb2.HealthCheckResponse.NOT_SERVING)
        for call in (client.match(on_time), client.create(), client.play(on_time, 1)):
            with refused() as away:
                await call
            assert away.reason == "STORAGE_UNAVAILABLE"
        await asyncio.sleep(1.5)  # So that whatever looks at the store every second has looked.
        await connection.execute("ALTER SCHEMA elsewhere RENAME TO tablestate")
        await until_health_is(client, health_pb2.HealthCheckResponse.SERVING)
        assert (await client.ended(on_time)).phase == match_pb2.MATCH_PHASE_OVER
        # Left lying by a node that died: found by looking around.
        left = await client.create()
        await connection.execute(
            "INSERT INTO tablestate.turns (match_id, version, node, until) "
            "VALUES ($1, 4, 'died', now() + interval '1 second')",
            left,
        )
        for seat in range(2):
            await client.add_bot(left, "greedy", seat)
        assert (await client.ended(left)).phase == match_pb2.MATCH_PHASE_OVER


async def test_a_database_that_takes_no_writes_shows(mortal: Postgres, tmp_path: Path) -> None:
    url = mortal.url(mortal.create_database())
    async with (
        service(tmp_path, FAKE, store=url) as (_, client),
        connected(mortal.url()) as connection,
    ):
        name, user = url.rpartition("/")[2], await connection.fetchval("SELECT current_user")
        own = connection.get_server_pid()
        for setting, status in (
            ("SET default_transaction_read_only = on", "NOT_SERVING"),
            ("RESET default_transaction_read_only", "SERVING"),
        ):
            await connection.execute(f"ALTER DATABASE {name} {setting}")
            await connection.execute(OTHERS, user, own)
            await until_health_is(
                client, health_pb2.HealthCheckResponse.ServingStatus.Value(status)
            )
        await client.create()


async def test_a_schema_that_somebody_else_has_made_will_do(
    postgres: Postgres, tmp_path: Path
) -> None:
    url = postgres.url(name := postgres.create_database())
    async with connected(url) as connection:
        await connection.execute("CREATE ROLE plain LOGIN PASSWORD 'plain'")
        await connection.execute(f"REVOKE CREATE ON DATABASE {name} FROM PUBLIC")
        await connection.execute("CREATE SCHEMA tablestate AUTHORIZATION plain")
    own = f"postgresql://plain:plain@{url.rpartition('@')[2]}"
    async with service(tmp_path, FAKE, store=own) as (_, client):
        await client.started()
