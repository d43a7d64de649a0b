"""Two nodes on one PostgreSQL, as one process sees them."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, ClassVar

import pytest

from support.fake_engine import FakeEngine, FakeState
from support.faults_watchers import LONG_GAME, read_some
from support.service import Client, refused, request_id, service, token
from tablestate.v1 import game_pb2
from tablestate.v1 import match_service_pb2 as pb
from tablestate_service.app import Parts
from tools.postgres import Postgres

pytestmark = pytest.mark.postgres
FAKE = Parts(engine=FakeEngine)


@asynccontextmanager
async def running_nodes(
    url: str, parts: Parts = FAKE, count: int = 2, **settings: Any
) -> AsyncIterator[list[Client]]:
    """Clients of some nodes on a database, one each."""
    async with AsyncExitStack() as stack:
        opened = [
            await stack.enter_async_context(service(Path(), parts, store=url, **settings))
            for _ in range(count)
        ]
        yield [client for _, client in opened]


def join(match_id: str, number: int) -> pb.JoinMatchRequest:
    """Take any seat with the token of a number."""
    return pb.JoinMatchRequest(request_id=request_id(), match_id=match_id, seat_token=token(number))


@pytest.fixture
async def nodes(database_url: str) -> AsyncIterator[list[Client]]:
    async with running_nodes(database_url) as clients:
        yield clients


async def test_a_match_is_created_joined_and_played_on_any_node_and_watched_on_both(
    nodes: list[Client],
) -> None:
    first, second = nodes
    match_id = await first.create(options=LONG_GAME)
    watches = [asyncio.ensure_future(read_some(each.watch(match_id), 44)) for each in nodes]
    await second.join(match_id, 0)
    await first.join(match_id, 1)
    for ply in range(40):
        update = await nodes[ply // 2 % 2].submit(match_id, ply % 2, "1", expected_version=4 + ply)
        assert update.version == 5 + ply
    for versions in await asyncio.gather(*watches):
        assert versions == list(range(1, 45))


async def test_reads_show_all_that_any_node_acknowledged_before(nodes: list[Client]) -> None:
    match_id = await nodes[0].started(options=LONG_GAME)
    for ply in range(60):
        version = 5 + ply
        await nodes[ply % 2].submit(match_id, ply % 2, "1")
        other = nodes[1 - ply % 2]
        assert (await other.match(match_id)).version == version
        assert (await other.view(match_id, 0, min_version=version)).version == version
        assert (await other.legal(match_id, 1 - ply % 2)).version == version


async def test_what_a_node_refuses_it_refuses_for_what_holds_now(nodes: list[Client]) -> None:
    first, second = nodes
    match_id = await first.started(options=LONG_GAME)
    await second.match(match_id)
    for ply in range(0, 20, 2):
        await first.submit(match_id, 0, "1", expected_version=4 + ply)
        # What this node holds is a ply old: by that it would be the other seat's turn.
        await second.submit(match_id, 1, "1", expected_version=5 + ply)
    with refused() as got:
        await second.submit(match_id, 1, "1")
    assert got.reason == "NOT_THE_ACTOR"
    with refused() as got:
        await first.submit(match_id, 0, "1", expected_version=4)
    assert got.failure.metadata == {"current_version": "24", "expected_version": "4"}


async def test_many_who_join_on_all_nodes_at_once_each_have_a_seat_of_their_own(
    database_url: str,
) -> None:
    parts = Parts(engine=lambda: FakeEngine(6))
    async with running_nodes(database_url, parts, 3) as nodes:
        match_id = await nodes[0].create()
        joined = await asyncio.gather(
            *(nodes[n % 3].matches.JoinMatch(join(match_id, n)) for n in range(6))
        )
        assert sorted(each.seat for each in joined) == list(range(6))
        assert {(await each.match(match_id)).version for each in nodes} == {8}


async def test_a_request_sent_to_all_nodes_has_one_effect_and_one_answer(
    nodes: list[Client],
) -> None:
    match_id = await nodes[0].started(options=LONG_GAME)
    for ply in range(30):
        request = pb.SubmitActionRequest(
            request_id=request_id(),
            match_id=match_id,
            seat_token=token(ply % 2),
            choice=game_pb2.ActionChoice(notation="1"),
            include_view=True,
        ).SerializeToString()
        send = [each.raw("/tablestate.v1.MatchService/SubmitAction") for each in nodes]
        answers = await asyncio.gather(*(each(request) for each in send * 2))
        assert len(set(answers)) == 1
    assert (await nodes[1].match(match_id)).version == 34


class CountedState(FakeState):
    """Notes what bots think about, and takes its time."""

    thought: ClassVar[list[int]] = []

    def choose(self, bot: str, seed: bytes, ply: int) -> str:
        self.thought.append(ply)
        time.sleep(0.01)
        return super().choose(bot, seed, ply)


async def test_a_turn_of_a_bot_is_thought_about_once(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("support.fake_engine.FakeState", CountedState)
    CountedState.thought.clear()
    async with running_nodes(database_url, count=3) as nodes:
        match_id = await nodes[0].create(options=LONG_GAME)
        for seat in (0, 1):
            await nodes[seat].add_bot(match_id, "random", seat)
        # Each node has looked around twice meanwhile.
        await asyncio.sleep(2.5)
        match = await nodes[2].match(match_id)
        # Before they stop, and leave what they think about to the others.
        thought = list(CountedState.thought)
    assert match.ply > 20
    assert len(thought) == len(set(thought))
    assert set(range(match.ply)) <= set(thought)


async def test_without_notifications_watchers_hear_of_everything_by_the_poll(
    postgres: Postgres, database_url: str
) -> None:
    # Notifications are of one database: one that listens on another hears nothing.
    async with running_nodes(database_url, store_listen=postgres.url()) as (first, second):
        match_id = await first.started(options=LONG_GAME)
        watch = second.watch(match_id, after_version=4)
        await watch.initial_metadata()
        for ply in range(5):
            begun = time.monotonic()
            await first.submit(match_id, ply % 2, "1")
            assert await read_one(watch) == 5 + ply
            assert time.monotonic() - begun < 5


async def read_one(watch: Any) -> int:
    message = await watch.read()
    version: int = message.update.version
    return version


async def test_the_listening_connection_is_made_again_when_it_is_lost(
    mortal: Postgres, mortal_url: str
) -> None:
    async with running_nodes(mortal_url) as (first, second):
        match_id = await first.started(options=LONG_GAME)
        watch = second.watch(match_id, after_version=4)
        await watch.initial_metadata()
        for ply in range(3):
            await asyncio.to_thread(mortal.stop)
            await asyncio.to_thread(mortal.start)
            await first.submit(match_id, ply % 2, "1")
            assert await read_one(watch) == 5 + ply
        await asyncio.sleep(2.5)  # so that both listen again
        begun = time.monotonic()
        await first.submit(match_id, 1, "1")
        assert await read_one(watch) == 8
        assert time.monotonic() - begun < 0.9


async def test_nodes_start_and_stop_while_others_serve(database_url: str) -> None:
    async with running_nodes(database_url, count=1) as (staying,):
        match_id = await staying.started(options=LONG_GAME)
        for ply in range(4):
            async with running_nodes(database_url, count=1) as (passing,):
                await passing.submit(match_id, ply % 2, "1", expected_version=4 + ply)
                watch = passing.watch(match_id)
                await watch.initial_metadata()
            assert (await staying.match(match_id)).version == 5 + ply
