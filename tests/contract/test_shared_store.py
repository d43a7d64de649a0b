"""What every store of several nodes must do, the simulated one included."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

import pytest

from simulation.loop import Line
from simulation.store import SimulatedStore
from simulation.weather import calm_weather
from support.domain import Table
from support.memory_store import MemoryDatabase
from support.postgres import postgres_store
from support.stored import append_of, created, match_id, table, write
from tablestate_service.ports import MatchStore, RequestTakenError, VersionConflictError

COUNT = 3
RIVALS = 12
STORES = ["simulated", pytest.param("postgres", marks=pytest.mark.postgres)]


def simulated_nodes() -> Sequence[MatchStore]:
    database, line = MemoryDatabase(), Line("database")
    names = [f"node {number}" for number in range(COUNT)]
    return [SimulatedStore(database, name, calm_weather(), line) for name in names]


@asynccontextmanager
async def postgres_nodes(url: str) -> AsyncIterator[Sequence[MatchStore]]:
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(postgres_store(url)) for _ in range(COUNT)]


@pytest.fixture(params=STORES)
async def nodes(request: pytest.FixtureRequest) -> AsyncIterator[Sequence[MatchStore]]:
    if request.param == "simulated":
        yield simulated_nodes()
        return
    async with postgres_nodes(request.getfixturevalue("database_url")) as opened:
        yield opened


async def test_of_nodes_that_write_one_version_one_succeeds(nodes: Sequence[MatchStore]) -> None:
    played = table(1)
    await write(nodes[0], played)
    rivals = []
    for holder in range(RIVALS):
        rival = Table(played.match.terms)
        rivals.append(append_of(*rival.join(0, holder)))
    results = await asyncio.gather(
        *(nodes[place % COUNT].append(rival) for place, rival in enumerate(rivals)),
        return_exceptions=True,
    )
    assert [type(each) for each in results].count(VersionConflictError) == RIVALS - 1
    log = await nodes[1].load(match_id(1))
    assert log is not None and len(log.entries) == 2
    assert results[[rival.entries[0] for rival in rivals].index(log.entries[1])] is None


async def test_a_request_is_written_once_by_all_nodes(nodes: Sequence[MatchStore]) -> None:
    results = await asyncio.gather(
        *(nodes[number % COUNT].append(append_of(created(number, "one"))) for number in range(9)),
        return_exceptions=True,
    )
    assert [type(each) for each in results].count(RequestTakenError) == 8


async def test_what_a_node_has_acknowledged_every_node_shows(nodes: Sequence[MatchStore]) -> None:
    played = table(1)
    await write(nodes[0], played)
    for seat, node in ((0, nodes[1]), (1, nodes[2])):
        await node.append(append_of(*played.join(seat)))
        version = played.match.standing.version
        told = await asyncio.gather(*(each.head_version(match_id(1), 1) for each in nodes))
        assert told == [version] * COUNT
        logs = await asyncio.gather(*(each.load(match_id(1)) for each in nodes))
        assert [log and len(log.entries) for log in logs] == [version] * COUNT


async def test_a_turn_is_claimed_by_one_node(nodes: Sequence[MatchStore]) -> None:
    played = table(1)
    played.add_bot(0)
    played.join(1)
    await write(nodes[0], played)
    version = played.match.standing.version
    assert [await each.automatic_matches() for each in nodes] == [[match_id(1)]] * COUNT
    claims = await asyncio.gather(*(each.claim_turn(match_id(1), version) for each in nodes))
    assert claims.count(True) == 1
    again = [await each.claim_turn(match_id(1), version) for each in nodes]
    assert again == claims
    assert [await each.automatic_matches() for each in nodes] == [[]] * COUNT
    later = await asyncio.gather(*(each.claim_turn(match_id(1), version + 1) for each in nodes))
    assert later.count(True) == 1
    assert not any([await each.claim_turn(match_id(1), version) for each in nodes])
