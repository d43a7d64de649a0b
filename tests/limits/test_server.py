"""The limits of a server, set low: what comes at the limit is served, and what is over it not."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import grpc
import pytest

import tablestate
from support.domain import Bench, make_terms
from support.fake_engine import FakeEngine
from support.service import Failure, Refused, service
from tablestate import AsyncClient
from tablestate.v1 import match_service_pb2 as pb
from tablestate_service.app import Parts
from tablestate_service.settings import Limits, SettingsError

FAKE = Parts(engine=FakeEngine)
GET_MATCH = "/tablestate.v1.MatchService/GetMatch"
ROWS = {
    *("`max_request_bytes`", "`max_concurrent_streams`", "`max_watches`", "`loaded_matches`"),
    *("`max_simulations`", "`max_slots`", "`engine_calls`", "`webhook_seconds`"),
}
MOST = 3
HELD_BACK_SECONDS = 0.3


async def reason_of(call: Any) -> str:
    """The reason of a refusal, or nothing."""
    try:
        await call
    except grpc.aio.AioRpcError as error:
        failure = Failure(error)
        assert failure.metadata == {"limit": "watches", "maximum": str(MOST)}
        return failure.reason
    return ""


def sized(size: int) -> bytes:
    """A request of so many bytes, most of them in a field that nobody knows."""
    request = pb.GetMatchRequest(match_id="a" * 32).SerializeToString()
    rest = size - len(request) - 3
    assert 128 <= rest < 16_384
    return request + b"\x7a" + bytes([rest & 0x7F | 0x80, rest >> 7]) + bytes(rest)


@pytest.mark.parametrize(("size", "is_taken"), [(1023, True), (1024, True), (1025, False)])
async def test_a_request_may_have_so_many_bytes(tmp_path: Path, size: int, is_taken: bool) -> None:
    async with service(tmp_path, FAKE, max_request_bytes=1024) as (_, client):
        refusal = Refused()
        with refusal:
            await client.raw(GET_MATCH)(sized(size))
        assert (refusal.reason == "MATCH_NOT_FOUND") is is_taken
        if not is_taken:
            assert refusal.failure.code is grpc.StatusCode.RESOURCE_EXHAUSTED


async def test_so_many_calls_run_on_a_connection_and_the_next_is_held_back(tmp_path: Path) -> None:
    async with service(tmp_path, FAKE, max_concurrent_streams=MOST) as (_, client):
        match_id = await client.create()
        watches = [client.watch(match_id) for _ in range(MOST + 1)]
        for watch in watches[:MOST]:
            await watch.read()
        last = asyncio.ensure_future(watches[MOST].read())
        assert not (await asyncio.wait([last], timeout=HELD_BACK_SECONDS))[0]
        watches[0].cancel()
        assert (await asyncio.wait_for(last, 60)).update.version == 1


async def test_so_many_watches_may_be_open(tmp_path: Path) -> None:
    async with service(tmp_path, FAKE, max_watches=MOST) as (_, client):
        match_id = await client.create()
        watches = [client.watch(match_id) for _ in range(MOST)]
        assert [await reason_of(each.read()) for each in watches] == [""] * MOST
        assert await reason_of(anext(aiter(client.watch(match_id)))) == "LIMIT_REACHED"
        watches[0].cancel()
        await asyncio.sleep(0.2)
        assert await reason_of(client.watch(match_id).read()) == ""


@pytest.mark.parametrize(("count", "kept"), [(MOST - 1, 2), (MOST, 3), (MOST + 1, 3)])
async def test_so_many_matches_stay_in_memory(count: int, kept: int) -> None:
    bench = Bench(capacity=MOST)
    for number in range(count):
        await bench.create(make_terms(match_id=f"{number:032x}"), f"request {number}")
    assert bench.matches.loaded == kept


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[AsyncClient]:
    limits: dict[str, Any] = {"max_simulations": MOST, "max_slots": 10, "engine_calls": MOST}
    async with service(tmp_path, **limits) as (_, raw), AsyncClient(raw.address) as client:
        yield client


async def test_so_many_simulations_may_be_open(client: AsyncClient) -> None:
    async with AsyncExitStack() as stack:
        for _ in range(MOST):
            await stack.enter_async_context(await client.batch("offboard", 1))
        with pytest.raises(tablestate.ResourceExhaustedError, match="max_simulations"):
            await client.batch("offboard", 1)


@pytest.mark.parametrize(("more", "is_taken"), [(3, True), (4, True), (5, False)])
async def test_all_batches_may_hold_so_many_games(
    client: AsyncClient, more: int, is_taken: bool
) -> None:
    async with await client.batch("offboard", 6):
        if is_taken:
            async with await client.batch("offboard", more):
                return
        with pytest.raises(tablestate.ResourceExhaustedError, match="max_slots"):
            await client.batch("offboard", more)


@pytest.mark.parametrize("calls", [MOST - 1, MOST, MOST + 1])
async def test_so_many_calls_of_long_work_may_wait(client: AsyncClient, calls: int) -> None:
    ends = await asyncio.gather(
        *(client.perft("offboard", 30, timeout=1.0) for _ in range(calls)), return_exceptions=True
    )
    refused = [each for each in ends if isinstance(each, tablestate.ResourceExhaustedError)]
    assert len(refused) == max(0, calls - MOST)
    assert all("engine_calls" in str(each) for each in refused)


def test_a_webhook_is_given_so_many_seconds() -> None:
    for seconds in (11.9, 12.0):
        assert Limits(webhook_seconds=seconds).webhook_seconds == seconds
    with pytest.raises(SettingsError, match="webhook_seconds"):
        Limits(webhook_seconds=12.1)
