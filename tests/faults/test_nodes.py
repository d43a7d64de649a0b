"""Nodes on one PostgreSQL that are killed, as is PostgreSQL: nothing is lost or doubled."""

import asyncio
import random
import time
from collections import Counter
from contextlib import AsyncExitStack

import pytest

from support.faults_nodes import Load, Node, restart, running_nodes
from support.faults_player import Player, count_matches
from support.faults_report import by_form
from support.faults_tables import MUTATING, play_tables, require_versions
from support.faults_watchers import LONG_GAME, clients
from support.service import Client
from support.waiting import finished
from tablestate_service.ports import CLAIM_SECONDS
from tools.postgres import FAST, IMMEDIATE, KILL, Postgres

pytestmark = pytest.mark.postgres
KILLS = by_form(8, 200)
ACTIONS = by_form(200, 50_000)
PLAYERS = 24
BOT_MATCHES = 8
VERIFY_EVERY = 20
LOAD_SECONDS = (0.1, by_form(300, 900) / 1000)
WAYS = (FAST, IMMEDIATE, KILL)
CALLS = by_form(150, 10_000)
END_SECONDS = 120
WATCHED_PLIES = by_form(150, 1500)


async def test_no_acknowledged_action_is_lost_or_doubled_by_kills(
    mortal: Postgres, mortal_url: str, tally: Counter[str]
) -> None:
    chooser = random.Random(4)
    async with running_nodes(mortal_url) as nodes:
        load = Load(nodes, [Player(number) for number in range(PLAYERS)], tally)
        for kill in range(KILLS):
            load.begin()
            await asyncio.sleep(chooser.uniform(*LOAD_SECONDS))
            if kill % 4 == 3:
                node = nodes[kill // 4 % 2]
                await node.kill()
                await node.start()
                tally["nodes killed"] += 1
            else:
                how = WAYS[kill % 4]
                await restart(mortal, how)
                tally[f"PostgreSQL killed by {how.name}"] += 1
            await load.end()
            if kill % VERIFY_EVERY == 0:
                await load.verify()
        await play_more(load)
        await finish(load, nodes, tally)
    assert (
        sum(count for what, count in tally.items() if "killed" in what or "stop" in what) == KILLS
    )
    assert tally["calls repeated"] >= KILLS


async def play_more(load: Load) -> None:
    """Play until there are actions enough."""
    while load.actions < ACTIONS:
        load.begin()
        await asyncio.sleep(1)
        await load.end()


async def finish(load: Load, nodes: list[Node], tally: Counter[str]) -> None:
    """Compare everything for the last time, on both nodes."""
    for _ in nodes:
        await load.verify(all_again=True)
    for node in nodes:
        assert await count_matches(node.client) == load.match_count
    tally["actions acknowledged"] = load.actions


async def test_watchers_of_a_node_that_is_killed_resume_on_another(
    database_url: str, tally: Counter[str]
) -> None:
    async with running_nodes(database_url) as (first, second):
        match_id = await first.client.create(options=LONG_GAME)
        await second.client.join(match_id, 0)
        await first.client.join(match_id, 1)
        last = 4 + WATCHED_PLIES
        watching = [
            asyncio.ensure_future(watch_on_both(match_id, own, other, last, tally))
            for own, other in ((first, second), (second, first)) * 4
        ]
        await act(second.client, match_id, 0, WATCHED_PLIES // 2)
        await first.kill()
        await act(second.client, match_id, WATCHED_PLIES // 2, WATCHED_PLIES)
        await finished(watching, END_SECONDS)
        for watch in watching:
            assert watch.result() == list(range(1, last + 1))
        await first.start()
        assert (await first.client.match(match_id)).version == last
    assert tally["watches resumed on the other node"] == 4


async def act(client: Client, match_id: str, begin: int, end: int) -> None:
    for ply in range(begin, end):
        await client.submit(match_id, ply % 2, "1", expected_version=4 + ply)


async def watch_on_both(
    match_id: str, own: Node, other: Node, last: int, tally: Counter[str]
) -> list[int]:
    """Watch on one node, and on the other from where that ended."""
    versions: list[int] = []
    for node in (own, other):
        try:
            after = versions[-1] if versions else 0
            async for message in node.client.watch(match_id, after_version=after):
                versions.append(message.update.version)
                if versions[-1] == last:
                    return versions
        except Exception:
            tally["watches resumed on the other node"] += 1
    return versions


async def test_a_call_sent_to_several_nodes_has_one_effect_and_one_answer(
    database_url: str, tally: Counter[str]
) -> None:
    async with AsyncExitStack() as stack:
        nodes = await stack.enter_async_context(running_nodes(database_url, engine="core"))
        over_both: list[Client] = []
        for node in nodes:
            over_both += await stack.enter_async_context(clients(node.service.address, 3))
        tables = await play_tables(over_both, tally, CALLS)
        await require_versions(over_both[0], tables)
        await require_versions(over_both[-1], tables)
        listed = sum(len(each.versions) for each in tables)
        assert await count_matches(over_both[0]) == listed
    assert sum(tally[f"{method} called"] for method in MUTATING) >= CALLS


async def test_turns_of_bots_are_taken_over_from_a_node_that_died(
    database_url: str, tally: Counter[str]
) -> None:
    async with running_nodes(database_url) as (dying, staying):
        ids = [await dying.client.create(options=LONG_GAME) for _ in range(BOT_MATCHES)]
        for match_id in ids:
            for seat in (0, 1):
                await dying.client.add_bot(match_id, "random", seat)
        async with asyncio.timeout(END_SECONDS):
            await plies_reach(dying.client, dict.fromkeys(ids, 10))
        await dying.kill()
        died = time.monotonic()
        left_at = {each: (await staying.client.match(each)).ply for each in ids}
        async with asyncio.timeout(3 * CLAIM_SECONDS):
            await plies_reach(staying.client, {each: ply + 20 for each, ply in left_at.items()})
        tally["milliseconds to the take-over of all"] = int(1000 * (time.monotonic() - died))


async def plies_reach(client: Client, wanted: dict[str, int]) -> None:
    """Wait until each match has so many plies."""
    for match_id, ply in wanted.items():
        while (await client.match(match_id)).ply < ply:
            await asyncio.sleep(0.05)
