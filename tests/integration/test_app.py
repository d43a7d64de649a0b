"""How a service comes up, and when it does not."""

from pathlib import Path
from typing import Any

import pytest
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from support.fake_engine import FakeEngine
from support.service import Client, refused, service
from tablestate_service.app import (
    DataDirectoryError,
    ListenError,
    Parts,
    open_store,
    running_service,
)
from tablestate_service.settings import Settings

FAKE = Parts(engine=FakeEngine)


async def test_a_port_that_is_taken_is_told(tmp_path: Path) -> None:
    async with service(tmp_path / "one", FAKE) as (running, _):
        settings = Settings(port=running.port, data_dir=tmp_path / "two")
        with pytest.raises(ListenError, match=str(running.port)):
            async with running_service(settings, FAKE):
                pass
    store = open_store(tmp_path / "two")
    await store.close()


async def test_a_data_directory_in_use_is_told(tmp_path: Path) -> None:
    async with service(tmp_path, FAKE):
        with pytest.raises(DataDirectoryError, match="in use"):
            async with running_service(Settings(port=0, data_dir=tmp_path), FAKE):
                pass


async def services(client: Client) -> list[str]:
    """What the service tells of itself by reflection."""
    channel: Any = client.channel
    stub: Any = reflection_pb2_grpc.ServerReflectionStub(channel)
    call = stub.ServerReflectionInfo()
    await call.write(reflection_pb2.ServerReflectionRequest(list_services=""))
    response = await call.read()
    call.cancel()
    return [each.name for each in response.list_services_response.service]


async def test_reflection_tells_the_services_where_it_is_allowed(tmp_path: Path) -> None:
    async with service(tmp_path, FAKE, reflection=True) as (_, client):
        assert "tablestate.v1.MatchService" in await services(client)


async def test_reflection_is_off_unless_asked_for(fake: Client) -> None:
    with refused() as got:
        await services(fake)
    assert got.failure.code.name == "UNIMPLEMENTED"
