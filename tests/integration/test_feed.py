"""The feed over all matches: each piece of news once, in one order, on every node."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import grpc
import pytest

from support.nodes import FEED_SECRET, node
from support.service import HOST, Client, refused, request_id, service, token
from tablestate.v1 import feed_pb2, game_pb2
from tablestate.v1 import match_service_pb2 as pb

CREATED, TURN = feed_pb2.FEED_KIND_CREATED, feed_pb2.FEED_KIND_TURN
OVER, ABORTED = feed_pb2.FEED_KIND_OVER, feed_pb2.FEED_KIND_ABORTED
MATCHES = 30
PLIES = 6
STORES = ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]


def feed(client: Client, **fields: Any) -> Any:
    return client.matches.WatchFeed(
        feed_pb2.WatchFeedRequest(**({"feed_secret": FEED_SECRET} | fields))
    )


async def items(client: Client, count: int, **fields: Any) -> list[feed_pb2.FeedItem]:
    """The next items of a feed."""
    call = feed(client, **fields)
    found = [(await call.read()).item for _ in range(count)]
    call.cancel()
    return found


@pytest.fixture
async def single(tmp_path: Path) -> AsyncIterator[Client]:
    async with node(tmp_path) as client:
        yield client


async def test_a_match_is_told_from_its_creation_to_its_end(single: Client) -> None:
    match_id = await single.create(tenant="shop", metadata={"hidden": "from the feed"})
    await single.join(match_id, 0, player_id="ada")
    await single.join(match_id, 1, player_id="bob")
    await single.submit(match_id, 0, "1")
    await single.matches.Resign(
        pb.ResignRequest(request_id=request_id(), match_id=match_id, seat_token=token(1))
    )
    told = await items(single, 4, tenant="shop")
    assert [(each.kind, each.version) for each in told] == [
        (CREATED, 1),
        (TURN, 4),
        (TURN, 5),
        (OVER, 6),
    ]
    assert [(each.seat, each.player_id) for each in told[1:3]] == [(0, "ada"), (1, "bob")]
    assert not told[0].HasField("seat") and not told[3].player_id
    assert told[3].outcome_reason == game_pb2.OUTCOME_REASON_FORFEIT
    assert {(each.match_id, each.tenant, each.game) for each in told} == {
        (match_id, "shop", "offboard")
    }
    watched = [message.update async for message in single.watch(match_id)]
    assert [each.time for each in told] == [watched[each.version - 1].time for each in told]


async def test_a_tenant_is_told_of_its_own_matches_alone(single: Client) -> None:
    mine, other = await single.create(tenant="shop"), await single.create()
    await single.matches.AbortMatch(
        pb.AbortMatchRequest(request_id=request_id(), match_id=other, host_token=HOST)
    )
    (told,) = await items(single, 1, tenant="shop")
    assert told.match_id == mine
    told_of_other = await items(single, 2)
    assert [(each.match_id, each.kind) for each in told_of_other] == [
        (other, CREATED),
        (other, ABORTED),
    ]
    assert (await single.match(mine, host_token=HOST)).tenant == "shop"
    assert (await single.match(mine)).tenant == ""


async def test_it_goes_on_from_a_cursor_even_after_a_restart(tmp_path: Path) -> None:
    async with node(tmp_path) as client:
        ids = [await client.create() for _ in range(3)]
        call = feed(client)
        cursors = [(await call.read()).cursor for _ in range(3)]
    async with node(tmp_path) as client:
        rest = await items(client, 2, cursor=cursors[0])
        assert [each.match_id for each in rest] == ids[1:]
        call = feed(client, cursor=cursors[2])
        late = asyncio.ensure_future(call.read())
        await asyncio.sleep(0.1)
        assert not late.done()
        created = await client.create()
        assert (await late).item.match_id == created


@pytest.mark.parametrize(
    ("secret", "reason"),
    [("", "INVALID_FIELD"), ("another secret of the same length..", "WRONG_FEED_SECRET")],
)
async def test_nobody_reads_it_without_the_secret(single: Client, secret: str, reason: str) -> None:
    with refused() as got:
        await feed(single, feed_secret=secret).read()
    assert got.reason == reason


async def test_a_server_without_a_secret_has_no_feed(tmp_path: Path) -> None:
    async with service(tmp_path) as (_, client):
        with refused() as got:
            await feed(client, feed_secret=FEED_SECRET).read()
        assert got.failure.code is grpc.StatusCode.PERMISSION_DENIED
        assert got.reason == "WRONG_FEED_SECRET"
        await client.create()
    async with node(tmp_path) as client:
        created = await client.create()
        # What was done while nobody could follow is not told of.
        assert [each.match_id for each in await items(client, 1)] == [created]


async def test_a_cursor_is_one_of_the_same_feed(single: Client) -> None:
    await single.create(tenant="shop")
    cursor = (await feed(single, tenant="shop").read()).cursor
    for wrong in (cursor, "x"):
        with refused() as got:
            await feed(single, tenant="other", cursor=wrong).read()
        assert set(got.failure.violations) == {"cursor"}


async def test_a_cursor_of_what_a_restored_backup_does_not_know_is_refused(tmp_path: Path) -> None:
    async with node(tmp_path / "as_it_was") as client:
        for _ in range(2):
            await client.create()
        call = feed(client)
        earlier, later = [(await call.read()).cursor for _ in range(2)]
    async with node(tmp_path / "restored") as client:
        created = await client.create()
        with refused() as got:
            await feed(client, cursor=later).read()
        assert set(got.failure.violations) == {"cursor"}
        assert [each.match_id for each in await items(client, 1)] == [created]
        # It may have been told of: nobody can know.
        await client.create()
        assert len(await items(client, 1, cursor=earlier)) == 1


@pytest.mark.parametrize("tenant", ["x" * 65, "two\nlines"])
async def test_a_tenant_is_a_short_text_that_is_seen(single: Client, tenant: str) -> None:
    with refused() as creating:
        await single.create(tenant=tenant)
    assert set(creating.failure.violations) == {"tenant"}
    with refused() as reading:
        await feed(single, tenant=tenant).read()
    assert set(reading.failure.violations) == {"tenant"}


async def test_a_drain_ends_it_and_says_why(tmp_path: Path) -> None:
    async with node(tmp_path) as client:
        await client.create()
        call = feed(client)
        await call.read()
    with refused() as got:
        await call.read()
    assert got.reason == "SHUTTING_DOWN"


@pytest.fixture(params=STORES)
async def nodes(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[list[Client]]:
    """Two nodes on one database; with SQLite twice the one there can be."""
    async with AsyncExitStack() as stack:
        if request.param == "sqlite":
            yield [await stack.enter_async_context(node(tmp_path))] * 2
        else:
            url = request.getfixturevalue("database_url")
            yield [await stack.enter_async_context(node(tmp_path, url)) for _ in range(2)]


async def play(nodes: list[Client], number: int) -> str:
    """Play a match, every call on another node than the one before."""
    match_id = await nodes[number % 2].create()
    for seat in (0, 1):
        await nodes[seat].join(match_id, seat)
    for ply in range(PLIES):
        await nodes[(number + ply) % 2].submit(match_id, ply % 2, "1")
    return match_id


class Follower:
    """Reads a feed, breaks off now and then, and goes on where it was, on any node."""

    def __init__(self, nodes: list[Client], seed: int) -> None:
        self.seen: list[tuple[str, int, int]] = []
        self._nodes, self._chooser = nodes, random.Random(seed)

    async def follow(self, count: int) -> None:
        cursor = ""
        while len(self.seen) < count:
            call = feed(self._chooser.choice(self._nodes), cursor=cursor)
            for _ in range(min(self._chooser.randint(1, 40), count - len(self.seen))):
                response = await call.read()
                cursor, item = response.cursor, response.item
                self.seen.append((item.match_id, item.version, item.kind))
            call.cancel()


async def test_two_nodes_tell_the_same_without_gap_or_repeat_under_load(
    nodes: list[Client],
) -> None:
    count = MATCHES * (PLIES + 2)
    followers = [Follower(nodes, seed) for seed in range(4)]
    following = [asyncio.ensure_future(each.follow(count)) for each in followers]
    ids = await asyncio.gather(*(play(nodes, number) for number in range(MATCHES)))
    async with asyncio.timeout(60):
        await asyncio.gather(*following)
    first = followers[0].seen
    assert all(each.seen == first for each in followers)
    assert len(set(first)) == len(first) == count
    for match_id in ids:
        told = [(version, kind) for each, version, kind in first if each == match_id]
        turns = [(version, TURN) for version in range(4, 4 + PLIES)]
        assert told == [(1, CREATED), *turns, (4 + PLIES, OVER)]
