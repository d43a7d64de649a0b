"""How a service comes up, and when it does not."""

import socket
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

import tablestate
from support.fake_engine import FakeEngine
from support.service import Client, refused, service
from tablestate._connection import CHANNEL_OPTIONS
from tablestate_service.app import (
    ListenError,
    Parts,
    StoreUnusableError,
    open_store,
    running_service,
)
from tablestate_service.listening import server_options
from tablestate_service.settings import Limits, Settings

FAKE = Parts(engine=FakeEngine)


async def test_a_port_that_is_taken_is_told(tmp_path: Path) -> None:
    async with service(tmp_path / "one", FAKE) as (running, _):
        settings = Settings(port=running.port, data_dir=tmp_path / "two")
        told = f"127.0.0.1:{running.port}: .*; choose another port with --port or TABLESTATE_PORT"
        with pytest.raises(ListenError, match=told):
            async with running_service(settings, FAKE):
                pass
    store = await open_store(tmp_path / "two")
    await store.close()


def test_grpc_knows_every_option_that_it_is_given() -> None:
    """It ignores those that it does not know."""
    core = import_module("grpc._cython.cygrpc").__file__
    assert core
    known = Path(core).read_bytes()
    options = [*server_options(Limits()), *CHANNEL_OPTIONS]
    assert [name for name, _ in options if name.encode() not in known] == []


def is_there(host: str) -> bool:
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind((host, 0))
    except OSError:
        return False
    return True


@pytest.mark.parametrize("host", ["::1", "[::1]"])
async def test_an_address_of_version_6_is_listened_on_or_told(tmp_path: Path, host: str) -> None:
    settings = Settings(host=host, port=0, data_dir=tmp_path)
    if not is_there("::1"):
        with pytest.raises(ListenError, match=r"\[::1\]:0"):
            async with running_service(settings, FAKE):
                pass
        return
    async with running_service(settings, FAKE) as running:
        assert running.address == f"[::1]:{running.port}"
        async with tablestate.AsyncClient(running.address) as client:
            assert (await client.server_info()).version


async def test_a_host_that_is_not_there_is_told(tmp_path: Path) -> None:
    settings = Settings(host="203.0.113.7", port=0, data_dir=tmp_path, allow_insecure=True)
    with pytest.raises(ListenError, match=r"cannot listen on 203.0.113.7:0: "):
        async with running_service(settings, FAKE):
            pass


async def test_a_data_directory_in_use_is_told(tmp_path: Path) -> None:
    async with service(tmp_path, FAKE):
        with pytest.raises(StoreUnusableError, match="in use"):
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
