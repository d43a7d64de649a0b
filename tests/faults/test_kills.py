"""Kills at named points of a commit: every acknowledged call is there once, and only once."""

import asyncio
import random
from collections import Counter
from pathlib import Path
from typing import get_args

import grpc
import pytest

from support.faults_player import Player, count_matches
from support.faults_process import running, start
from support.faults_report import by_form
from support.service import Client
from tablestate_service.adapters.fault_points import FaultPoint

KILLS = by_form(2, 40)
ACTIONS = by_form(50, 4_000)
PLAYERS = 16


async def verified(client: Client, players: list[Player], *, all_again: bool = False) -> int:
    """Compare what is stored with the players' records; the entries compared."""
    verifying = (player.verify(client, all_again=all_again) for player in players)
    return sum(await asyncio.gather(*verifying))


@pytest.mark.parametrize("point", get_args(FaultPoint))
async def test_what_was_acknowledged_before_a_kill_is_there_once(
    tmp_path: Path, tally: Counter[str], point: FaultPoint
) -> None:
    chooser = random.Random(point)
    players = [Player(number) for number in range(PLAYERS)]
    for _ in range(KILLS):
        kill = f"{point}:{chooser.randint(60, 120)}"
        async with (
            running(tmp_path, kill=kill) as service,
            grpc.aio.insecure_channel(service.address) as channel,
        ):
            client = Client(channel)
            tally["entries compared"] += await verified(client, players)
            await asyncio.gather(*(player.play(client) for player in players))
            tally[await service.last_words()] += 1
            tally["exit by SIGKILL"] += service.process.returncode == -9
    await play_out(tmp_path, players, tally)
    assert tally[f"killed {point}"] == tally["exit by SIGKILL"] == KILLS
    assert tally["actions acknowledged"] >= ACTIONS
    assert tally["calls repeated after a kill"] >= KILLS
    if point in ("after_commit", "before_reply"):
        assert tally["of them stored before the kill"] >= KILLS // 2


async def play_out(directory: Path, players: list[Player], tally: Counter[str]) -> None:
    """Repeat what is pending on a service that lives, and compare for the last time."""
    service = await start(directory)
    async with grpc.aio.insecure_channel(service.address) as channel:
        client = Client(channel)
        tally["entries compared"] += await verified(client, players)
        for player in players:
            player.retried += player.pending is not None
            await player.step(client)
        tally["entries compared"] += await verified(client, players, all_again=True)
        assert await count_matches(client) == sum(len(each.matches) for each in players)
    assert await service.stop() == 0
    tally["actions acknowledged"] = sum(each.actions for each in players)
    tally["calls repeated after a kill"] = sum(each.retried for each in players)
    tally["of them stored before the kill"] = sum(each.survived for each in players)
