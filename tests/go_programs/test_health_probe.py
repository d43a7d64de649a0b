"""grpc-health-probe tells a service that serves from one that does not, directly and by Envoy."""

import asyncio
import shutil
from pathlib import Path

from go_programs.programs import HEALTH_PROBE, Done, run
from support.envoy import envoy
from support.service import service
from tablestate_service.serving import SERVICES

NO_ANSWER, UNHEALTHY = 3, 4
"""Exit codes, as its documents give them."""
SECONDS = 30


async def probe(address: str, *flags: str) -> Done:
    return await run(HEALTH_PROBE, f"-addr={address}", *flags)


async def test_the_server_and_each_of_its_services_serve(tmp_path: Path) -> None:
    async with service(tmp_path) as (running, _):
        for name in ("", *(each.full_name for each in SERVICES)):
            done = await probe(running.address, f"-service={name}")
            assert (done.code, "SERVING" in done.error) == (0, True), name
        unknown = await probe(running.address, "-service=tablestate.v1.NoService")
        assert unknown.code == NO_ANSWER and "NotFound" in unknown.error


async def test_a_store_that_is_gone_is_told(tmp_path: Path) -> None:
    there = tmp_path / "data"
    async with service(there) as (running, _):
        shutil.move(there, tmp_path / "moved")
        async with asyncio.timeout(SECONDS):
            while (done := await probe(running.address)).code == 0:
                await asyncio.sleep(0.2)
        assert done.code == UNHEALTHY and "NOT_SERVING" in done.error
        shutil.move(tmp_path / "moved", there)


async def test_envoy_is_asked_like_a_node(tmp_path: Path) -> None:
    async with (
        service(tmp_path / "one") as (one, _),
        service(tmp_path / "two") as (two, _),
        envoy(tmp_path, [one.port, two.port]) as port,
    ):
        done = await probe(f"127.0.0.1:{port}", "-service=tablestate.v1.MatchService")
        assert done.code == 0, done.error
