"""Health follows the store: gone, and back."""

import asyncio
import shutil
from pathlib import Path
from typing import Any

import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from support.fake_engine import FakeEngine
from support.service import Client, service
from tablestate_service.app import Parts
from tablestate_service.rpc.health_servicer import HealthServicer
from tools.postgres import KILL, Postgres

SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING
FAKE = Parts(engine=FakeEngine)


def watched(client: Client) -> Any:
    stub: Any = health_pb2_grpc.HealthStub(client.channel)
    return aiter(stub.Watch(health_pb2.HealthCheckRequest()))


async def told(watch: Any, seconds: float = 60) -> int:
    async with asyncio.timeout(seconds):
        status: int = (await anext(watch)).status
    return status


async def test_files_that_are_moved_away_show_and_so_does_their_return(tmp_path: Path) -> None:
    there, elsewhere = tmp_path / "data", tmp_path / "moved"
    async with service(there, FAKE) as (_, client):
        watch = watched(client)
        assert await told(watch) == SERVING
        shutil.move(there, elsewhere)
        assert await told(watch) == NOT_SERVING
        shutil.move(elsewhere, there)
        assert await told(watch) == SERVING
        await client.create()


@pytest.mark.postgres
async def test_a_postgresql_that_is_killed_shows_and_so_does_its_return(
    tmp_path: Path, mortal: Postgres, mortal_url: str
) -> None:
    async with service(tmp_path, FAKE, store=mortal_url) as (_, client):
        watch = watched(client)
        assert await told(watch) == SERVING
        await asyncio.to_thread(mortal.stop, KILL)
        assert await told(watch) == NOT_SERVING
        await asyncio.to_thread(mortal.start)
        assert await told(watch) == SERVING
        await client.create()


async def test_a_drain_outlasts_whatever_the_store_does() -> None:
    health = HealthServicer(["a.Service"])
    health.note_store(False)
    health.drain()
    health.note_store(True)
    answer = await health.check(health_pb2.HealthCheckRequest(service="a.Service"))
    assert health_pb2.HealthCheckResponse.FromString(answer).status == NOT_SERVING
    assert not health.is_serving
