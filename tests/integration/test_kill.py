"""The service as a process: killed in mid-play, and told to stop."""

import asyncio
import signal
import sys
from asyncio.subprocess import PIPE, Process
from pathlib import Path

import grpc

from support.service import Client, refused
from tablestate.v1 import game_pb2, offboard_pb2

LONG = game_pb2.GameOptions(offboard=offboard_pb2.OffboardOptions(quiet_limit=1000))
KILLS = 5


async def start(directory: Path) -> tuple[Process, str]:
    """Start the service; the process, and where it listens."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tablestate_service", "serve", "--port", "0"),
        *("--data-dir", str(directory), "--log-level", "warning"),
        stdout=PIPE,
    )
    assert process.stdout is not None
    async with asyncio.timeout(60):
        line = (await process.stdout.readline()).decode()
    address = next(word for word in line.split() if word.startswith("127.0.0.1:"))
    return process, address


async def play_until_killed(client: Client, acknowledged: dict[str, int]) -> None:
    """Play match after match, noting the last version of each that was acknowledged."""
    try:
        while True:
            match_id = await client.started(options=LONG)
            acknowledged[match_id] = 4
            await play_on(client, match_id, acknowledged)
    except grpc.aio.AioRpcError as error:
        assert error.code() is grpc.StatusCode.UNAVAILABLE, error.details()


async def play_on(client: Client, match_id: str, acknowledged: dict[str, int]) -> None:
    match = await client.match(match_id)
    seat, version = list(match.actors), match.version
    while seat:
        legal = await client.legal(match_id, seat[0])
        action = legal.legal_actions.actions[version % 7]
        update = await client.submit(match_id, seat[0], action.notation, expected_version=version)
        seat, version = list(update.actors), update.version
        acknowledged[match_id] = version


async def test_no_acknowledged_action_is_lost_by_kills(tmp_path: Path) -> None:
    acknowledged: dict[str, int] = {}
    for kill in range(KILLS):
        process, address = await start(tmp_path)
        async with grpc.aio.insecure_channel(address) as channel:
            client = Client(channel)
            for match_id, version in acknowledged.items():
                # What was stored as the kill came may not have been acknowledged.
                match = await client.match(match_id)
                assert version <= match.version <= version + 1
                acknowledged[match_id] = match.version
                await play_on(client, match_id, acknowledged)
            playing = asyncio.ensure_future(play_until_killed(client, acknowledged))
            await asyncio.sleep(0.3 + 0.1 * kill)
            process.send_signal(signal.SIGKILL)
            await process.wait()
            await playing
    assert len(acknowledged) >= KILLS


async def test_told_to_stop_it_ends_watches_and_exits(tmp_path: Path) -> None:
    process, address = await start(tmp_path)
    async with grpc.aio.insecure_channel(address) as channel:
        client = Client(channel)
        match_id = await client.started()
        watch = aiter(client.watch(match_id))
        await anext(watch)
        process.send_signal(signal.SIGTERM)
        with refused() as got:
            async with asyncio.timeout(60):
                while True:
                    await anext(watch)
        assert got.reason == "SHUTTING_DOWN"
        async with asyncio.timeout(60):
            assert await process.wait() == 0
