"""The order of news on PostgreSQL, which commits out of order."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import asyncpg
import pytest

from support.postgres import postgres_store
from support.stored import append_of, created, match_id, table, telling
from tablestate_service.adapters import postgres_store as postgres_store_module
from tablestate_service.adapters.postgres_store import PostgresStore

pytestmark = pytest.mark.postgres
NODES = 3
MATCHES = 120
_INSERT = f"""
    INSERT INTO tablestate.news (kind, tenant, game, match_id, version, time, player_id)
    VALUES (1, '', 'offboard', '{match_id(1)}', 1, 1, '')"""


@pytest.fixture
async def nodes(database_url: str) -> AsyncIterator[list[PostgresStore]]:
    """Nodes that share a database."""
    async with AsyncExitStack() as stack:
        opened = [postgres_store(database_url) for _ in range(NODES)]
        yield [await stack.enter_async_context(each) for each in opened]


async def numbers(store: PostgresStore, after: int = 0) -> dict[int, int]:
    """Which number the news of each match have."""
    told = await store.news("", after, 1000)
    return {int(each.news.match_id, 16): each.number for each in told}


async def test_what_is_committed_late_is_told_behind_what_was_read(
    database_url: str, nodes: list[PostgresStore]
) -> None:
    late = await asyncpg.connect(database_url)
    transaction = late.transaction()
    await transaction.start()
    await late.execute(_INSERT)  # It has a lower id than all that follows.
    await nodes[0].append(telling(created(2)))
    assert await numbers(nodes[1]) == {2: 1}
    await nodes[0].append(telling(created(3)))
    await transaction.commit()
    await late.close()
    await nodes[0].append(telling(created(4)))
    assert set(await numbers(nodes[1], after=1)) == {1, 3, 4}
    assert await numbers(nodes[1]) == await numbers(nodes[2])


async def test_what_is_rolled_back_leaves_no_gap(
    database_url: str, nodes: list[PostgresStore]
) -> None:
    lost = await asyncpg.connect(database_url)
    transaction = lost.transaction()
    await transaction.start()
    await lost.execute(_INSERT)
    await transaction.rollback()
    await lost.close()
    await nodes[0].append(telling(created(2)))
    assert await numbers(nodes[1]) == {2: 1}


async def test_what_nobody_has_read_for_long_is_numbered_in_parts(
    nodes: list[PostgresStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    at_once = postgres_store_module._NUMBERED_AT_ONCE
    few = postgres_store_module._NUMBER_SQL.replace(f"LIMIT {at_once}", "LIMIT 3")
    monkeypatch.setattr(postgres_store_module, "_NUMBER_SQL", few)
    for number in range(1, 8):
        await nodes[0].append(telling(created(number)))
    assert await numbers(nodes[1]) == {number: number for number in range(1, 8)}


async def test_a_webhook_is_one_nodes_until_its_claim_has_expired_or_it_is_left(
    nodes: list[PostgresStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_store_module, "HOOK_SECONDS", 0.5)
    one, other, third = nodes
    assert await one.claim_hook("push") == 0
    assert await other.claim_hook("push") is None
    assert await one.move_hook("push", 7)
    assert not await other.move_hook("push", 8)
    await asyncio.sleep(0.3)
    assert await one.claim_hook("push") == 7
    await asyncio.sleep(0.3)
    assert await other.claim_hook("push") is None, "it was claimed again"
    await asyncio.sleep(0.4)
    assert await other.claim_hook("push") == 7
    assert not await one.move_hook("push", 8)
    await other.close()
    assert await third.claim_hook("push") == 7


async def follow(store: PostgresStore, count: int) -> list[tuple[str, int]]:
    seen: list[tuple[str, int]] = []
    after = 0
    while len(seen) < count:
        for each in await store.news("", after, 11):
            assert each.number == after + 1
            after = each.number
            seen.append((each.news.match_id, each.news.version))
        await asyncio.sleep(0.001)
    return seen


async def write_match(nodes: list[PostgresStore], number: int) -> None:
    """Write entries with news, each on another node than the one before."""
    played = table(number)
    await nodes[number % NODES].append(telling(*played.course))
    await nodes[(number + 1) % NODES].append(telling(*played.join(0)))
    await nodes[(number + 2) % NODES].append(append_of(*played.join(1)))
    await nodes[number % NODES].append(telling(*played.resign(0)))


async def test_readers_on_all_nodes_read_the_same_without_gap_while_all_write(
    nodes: list[PostgresStore],
) -> None:
    following = [asyncio.ensure_future(follow(each, 3 * MATCHES)) for each in nodes]
    await asyncio.gather(*(write_match(nodes, number) for number in range(1, MATCHES + 1)))
    async with asyncio.timeout(60):
        first, *others = await asyncio.gather(*following)
    assert all(each == first for each in others)
    for number in range(1, MATCHES + 1):
        versions = [version for each, version in first if each == match_id(number)]
        assert versions == [1, 2, 5]
