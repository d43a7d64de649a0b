"""A player is forgotten: nothing of the name is left in the store, and all else is as before."""

import asyncio
from pathlib import Path
from typing import Any

import grpc
import pytest

from support.fake_engine import FakeEngine
from support.service import HOST, Client, request_id, service
from tablestate.v1 import match_service_pb2 as pb
from tablestate_service import app
from tablestate_service.adapters.sqlite_files import DATABASE_NAME
from tablestate_service.app import Parts
from tablestate_service.cli import main
from tablestate_service.usecases import forgetting

NAME, PLAYER = "Zoë Quist", "player-zoe-4711"
FAKE = Parts(engine=FakeEngine)


async def run(*arguments: object) -> int:
    """A command, beside the services of this loop."""
    return await asyncio.to_thread(main, [str(each) for each in arguments])


async def aborted(client: Client, match_id: str) -> None:
    await client.matches.AbortMatch(
        pb.AbortMatchRequest(request_id=request_id(), match_id=match_id, host_token=HOST)
    )


async def seats(client: Client, match_id: str) -> list[tuple[str, str]]:
    match = await client.match(match_id, host_token=HOST)
    return [(each.display_name, each.player_id) for each in match.seats]


def written(directory: Path) -> bytes:
    return b"".join(path.read_bytes() for path in directory.iterdir())


async def test_a_name_is_gone_and_the_match_can_be_verified(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "data"
    join: dict[str, Any] = {"display_name": NAME, "player_id": PLAYER, "request_id": request_id()}
    async with service(data) as (_, client):
        over, runs = await client.create(), await client.create()
        for match_id in (over, runs):
            await client.join(match_id, 0, **join)
            await client.join(match_id, 1, display_name="Ada", player_id="ada")
        await client.play(over, 3)
        await aborted(client, over)
    assert b"Quist" in written(data) and PLAYER.encode() in written(data)
    forget = ("forget", "--player-id", PLAYER, "--data-dir", data)
    assert await run(*forget) == 1
    out = capsys.readouterr().out
    assert out == f"forgotten in 1 matches, 0 removed\nleft: match {runs} runs\n"
    async with service(data) as (_, client):
        assert await seats(client, over) == [("", ""), ("Ada", "ada")]
        assert await seats(client, runs) == [(NAME, PLAYER), ("Ada", "ada")]
        await aborted(client, runs)
    assert await run(*forget) == 0
    text = written(data)
    assert PLAYER.encode() not in text and b"Quist" not in text and b'"ada"' in text
    file = tmp_path / "match.jsonl"
    assert await run("export", over, "--data-dir", data, "-o", file) == 0
    assert await run("verify", file) == 0
    async with service(data) as (_, client):
        assert await seats(client, runs) == [("", ""), ("Ada", "ada")]
        # Whoever holds the seat's token still does, and a repeated call has its answer.
        assert (await client.view(over, 0)).version == (await client.match(over)).version
        repeated = await client.join(over, 0, **join)
        assert repeated.seat == 0 and repeated.match.seats[0].display_name == ""


async def test_a_file_changed_by_hand_is_damage(tmp_path: Path) -> None:
    data = tmp_path / "data"
    async with service(data, FAKE) as (_, client):
        match_id = await client.create()
        await client.join(match_id, 0, display_name=NAME, player_id=PLAYER)
    database = data / DATABASE_NAME
    database.write_bytes(database.read_bytes().replace(PLAYER.encode(), PLAYER[::-1].encode()))
    async with service(data, FAKE) as (_, client):
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await client.match(match_id)
        assert refused.value.code() is grpc.StatusCode.DATA_LOSS


@pytest.mark.postgres
async def test_nodes_that_run_show_the_name_no_longer_than_they_hold_the_match(
    tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forgetting, "_LOOK_SECONDS", 0.2)
    monkeypatch.setattr(app, "core_engine", FakeEngine)
    async with (
        service(tmp_path, FAKE, store=database_url) as (_, one),
        service(tmp_path, FAKE, store=database_url) as (_, other),
    ):
        match_id = await one.create()
        await one.join(match_id, 0, display_name=NAME, player_id=PLAYER)
        await aborted(one, match_id)
        assert (await seats(other, match_id))[0] == (NAME, PLAYER)
        assert await run("forget", "--player-id", PLAYER, "--store", database_url) == 0
        async with asyncio.timeout(60):
            for client in (one, other):
                while (await seats(client, match_id))[0] != ("", ""):
                    await asyncio.sleep(0.05)


@pytest.mark.parametrize("player_id", ["", "x" * 129])
async def test_an_id_that_nobody_can_have_forgets_nobody(
    tmp_path: Path, player_id: str, capsys: pytest.CaptureFixture[str]
) -> None:
    async with service(tmp_path) as (_, client):
        match_id = await client.create()
        await client.join(match_id, 0, display_name=NAME)
        await aborted(client, match_id)
    assert await run("forget", "--player-id", player_id, "--data-dir", tmp_path) == 1
    assert "--player-id" in capsys.readouterr().err
    async with service(tmp_path) as (_, client):
        assert (await seats(client, match_id))[0] == (NAME, "")
