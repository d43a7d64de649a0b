"""Recorded runs of two nodes that are killed: what clients saw can be true, match by match."""

import asyncio
import itertools
import random
from collections import Counter
from dataclasses import replace

import pytest

from support.faults_nodes import Node, running_nodes
from support.faults_report import by_form
from support.faults_watchers import LONG_GAME
from support.histories import Read, Recorder, Shown, is_possible
from support.linearizability import Operation
from support.waiting import finished

pytestmark = pytest.mark.postgres
MATCHES = 6
CLIENTS = 4
KILLS = by_form(4, 60)
LIFE_SECONDS = (0.3, 1.5)
ROUND_KILLS = 4
"""A history is checked as a whole, so it must not grow without end."""
_LOOKS = 20
_END_SECONDS = 120
_MUCH = 40
"""More than calls of which nobody knows the result can account for."""


async def test_what_clients_of_two_nodes_see_is_linearizable(
    database_url: str, tally: Counter[str]
) -> None:
    chooser = random.Random(6)
    async with running_nodes(database_url) as nodes:
        for number in range(KILLS // ROUND_KILLS):
            recorders = await record(nodes, chooser, number, tally)
            for recorder in recorders:
                judge(recorder.history)
                tally["histories checked"] += 1
                tally["calls checked"] += len(recorder.history)
    assert tally["nodes killed"] == KILLS
    assert tally["Submit: unknown"] and tally["Submit: Stale"] and tally["actions sent again"]


async def record(
    nodes: list[Node], chooser: random.Random, number: int, tally: Counter[str]
) -> list[Recorder]:
    """Let clients of some matches call any node, kill some, and look at the matches at last."""
    recorders = []
    for seed in range(MATCHES):
        match_id = await nodes[seed % 2].client.started(options=LONG_GAME)
        recorders.append(Recorder(match_id, nodes, number * MATCHES + seed, tally))
    until = asyncio.Event()
    acting = [
        asyncio.ensure_future(client(recorder, until))
        for recorder in recorders
        for _ in range(CLIENTS)
    ]
    for _ in range(ROUND_KILLS):
        await asyncio.sleep(chooser.uniform(*LIFE_SECONDS))
        node = chooser.choice(nodes)
        await node.kill()
        await asyncio.sleep(chooser.uniform(0.0, 0.3))
        await node.start()
        tally["nodes killed"] += 1
    until.set()
    await finished(acting, _END_SECONDS)
    for recorder in recorders:
        # A node that has just come back may not answer in time.
        for _ in range(_LOOKS):
            await recorder.call(Read())
            if isinstance(recorder.history[-1].result, Shown):
                break
    return recorders


async def client(recorder: Recorder, until: asyncio.Event) -> None:
    while not until.is_set():
        await recorder.act()
        await asyncio.sleep(0.01)


def judge(history: list[Operation]) -> None:
    """It can be true; with an anomaly in it, it cannot."""
    assert is_possible(history)
    last = history[-1].result
    assert isinstance(last, Shown)
    for version, total in ((-1, -_MUCH), (1, _MUCH), (0, _MUCH)):
        # A change that is lost, one that counts twice, and one that nobody has asked for.
        wrong = Shown(last.version + version, last.total + total)
        assert not is_possible([*history[:-1], replace(history[-1], result=wrong)])
    stale = stale_read(history)
    assert not is_possible(stale)


def stale_read(history: list[Operation]) -> list[Operation]:
    """The history with a read that shows what another had seen to be over before it began."""
    reads = [each for each in history if isinstance(each.result, Shown)]
    for earlier, later in itertools.pairwise(reads):
        before, after = earlier.result, later.result
        assert isinstance(before, Shown) and isinstance(after, Shown)
        if earlier.end < later.begin and before.version < after.version:
            return [*history, Operation(Read(), later.end + 1e-9, later.end + 2e-9, before)]
    raise AssertionError("nothing has happened between any two reads")
