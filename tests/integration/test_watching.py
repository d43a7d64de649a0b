"""Watches over a real channel: resumed, many at once, slow, and ended by a drain."""

import asyncio
import random
import time
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from support.fake_engine import FakeEngine
from support.service import Client, Failure, refused, request_id, service, token
from tablestate.v1 import game_pb2, offboard_pb2
from tablestate.v1 import match_service_pb2 as pb
from tablestate_service.app import Parts

LONG = game_pb2.GameOptions(offboard=offboard_pb2.OffboardOptions(points_to_win=10_000))
FAKE = Parts(engine=FakeEngine)


async def play_on(client: Client, match_id: str, plies: int) -> None:
    for ply in range(plies):
        await client.submit(match_id, ply % 2, "1")


async def test_a_watch_that_is_cut_off_is_resumed_without_gap_or_repeat(fake: Client) -> None:
    match_id = await fake.started(options=LONG)
    chooser = random.Random(7)
    playing = asyncio.ensure_future(play_on(fake, match_id, 120))
    seen: list[int] = []
    while len(seen) < 124:
        watch = fake.watch(match_id, after_version=seen[-1] if seen else 0)
        wanted = chooser.randint(1, 12)
        async for message in watch:
            seen.append(message.update.version)
            wanted -= 1
            if not wanted or len(seen) == 124:
                break
        watch.cancel()
    await playing
    assert seen == list(range(1, 125))


async def test_many_watchers_all_see_everything(fake: Client) -> None:
    match_id = await fake.started()

    async def watch() -> list[int]:
        return [message.update.version async for message in fake.watch(match_id)]

    watching = [asyncio.ensure_future(watch()) for _ in range(50)]
    await play_on(fake, match_id, 6)
    for seen in await asyncio.gather(*watching):
        assert seen == list(range(1, 11))


async def test_one_stream_watches_many_matches(fake: Client) -> None:
    ids = [await fake.started() for _ in range(20)]

    async def watch() -> list[tuple[str, int]]:
        return [
            (message.update.match_id, message.update.version) async for message in fake.watch(*ids)
        ]

    watching = asyncio.ensure_future(watch())
    await asyncio.gather(*(play_on(fake, match_id, 6) for match_id in ids))
    seen = await watching
    for match_id in ids:
        assert [version for each, version in seen if each == match_id] == list(range(1, 11))


async def test_whoever_reads_too_slowly_is_told_where_to_resume(tmp_path: Path) -> None:
    async with (
        service(tmp_path, FAKE, slow_reader_seconds=0.3) as (running, client),
        grpc.aio.insecure_channel(
            running.address,
            options=[("grpc.http2.bdp_probe", 0), ("grpc.http2.lookahead_bytes", 1024)],
        ) as channel,
    ):
        match_id = await client.started(options=LONG)
        watch = aiter(Client(channel).watch(match_id, include_view=True))
        await anext(watch)
        await play_on(client, match_id, 1500)
        await asyncio.sleep(0.6)
        seen = [1]
        with refused() as slow:
            while True:
                seen.append((await anext(watch)).update.version)
        assert slow.failure.code is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert slow.reason == "WATCHER_TOO_SLOW"
        assert seen == list(range(1, len(seen) + 1))
        assert slow.failure.metadata == {match_id: str(len(seen))}
        rest = client.watch(match_id, after_version=seen[-1])
        assert (await anext(aiter(rest))).update.version == seen[-1] + 1


async def test_legal_actions_come_with_the_newest_entry(fake: Client) -> None:
    match_id = await fake.started(options=LONG)
    await play_on(fake, match_id, 4)
    watch = aiter(fake.watch(match_id, seat_token=token(0), include_legal_actions=True))
    told = [bool((await anext(watch)).update.legal_actions.actions) for _ in range(8)]
    assert told == [False] * 7 + [True]


async def test_a_refusal_names_the_match_that_cannot_be_watched(fake: Client) -> None:
    first, second = await fake.started(), await fake.started()
    subscriptions = [
        pb.WatchSubscription(match_id=first, seat_token=token(0)),
        pb.WatchSubscription(match_id=second, seat_token=token(99)),
    ]
    watch = fake.matches.WatchMatches(pb.WatchMatchesRequest(subscriptions=subscriptions))
    failure = await end_of(watch)
    assert (failure.reason, failure.metadata) == ("WRONG_SEAT_TOKEN", {"match_id": second})


async def end_of(watch: Any) -> Failure:
    with refused() as got:
        async for _ in watch:
            pass
    return got.failure


@pytest.mark.parametrize("count", [1000])
async def test_a_drain_ends_all_watches_and_says_why(tmp_path: Path, count: int) -> None:
    async with service(tmp_path, FAKE) as (running, client):
        match_id = await client.started()
        channels = [
            grpc.aio.insecure_channel(running.address, [("grpc.use_local_subchannel_pool", 1)])
            for _ in range(4)
        ]
        watches = [Client(channels[n % 4]).watch(match_id) for n in range(count)]
        iterators = [aiter(watch) for watch in watches]
        for iterator in iterators:
            await anext(iterator)
        ends = [asyncio.ensure_future(end_of(iterator)) for iterator in iterators]
        await asyncio.sleep(0.1)
        started = time.monotonic()
    assert time.monotonic() - started < 10
    failures = await asyncio.gather(*ends)
    assert {each.code for each in failures} == {grpc.StatusCode.UNAVAILABLE}
    assert {each.reason for each in failures} == {"SHUTTING_DOWN"}
    for channel in channels:
        await channel.close()


async def test_health_is_told_and_watched_through_a_drain(tmp_path: Path) -> None:
    async with service(tmp_path, FAKE) as (_, client):
        stub: Any = health_pb2_grpc.HealthStub(client.channel)
        for name in ("", "tablestate.v1.MatchService"):
            status = await stub.Check(health_pb2.HealthCheckRequest(service=name))
            assert status.status == health_pb2.HealthCheckResponse.SERVING
        with refused() as unknown:
            await stub.Check(health_pb2.HealthCheckRequest(service="chess"))
        assert unknown.failure.code is grpc.StatusCode.NOT_FOUND
        watch = aiter(stub.Watch(health_pb2.HealthCheckRequest()))
        assert (await anext(watch)).status == health_pb2.HealthCheckResponse.SERVING
        last = asyncio.ensure_future(anext(watch))
        await asyncio.sleep(0.05)
        started = time.monotonic()
    assert (await last).status == health_pb2.HealthCheckResponse.NOT_SERVING
    assert time.monotonic() - started < 5


async def test_what_runs_when_the_drain_begins_is_finished(tmp_path: Path) -> None:
    async with service(tmp_path, FAKE) as (_, client):
        match_id = await client.started(options=LONG)
        running = [asyncio.ensure_future(client.submit(match_id, 0, "1"))]
        await asyncio.sleep(0.002)
    results = await asyncio.gather(*running, return_exceptions=True)
    async with service(tmp_path, FAKE) as (_, client):
        acknowledged = sum(not isinstance(result, BaseException) for result in results)
        assert (await client.match(match_id)).ply >= acknowledged


async def test_a_player_sees_the_view_after_each_entry(fake: Client) -> None:
    match_id = await fake.started()
    watch = fake.watch(match_id, seat_token=token(1), include_view=True, after_version=3)
    update = (await anext(aiter(watch))).update
    assert update.view.offboard.position == "0 for 1"
    watch.cancel()


async def test_an_unknown_service_is_not_implemented(fake: Client) -> None:
    with refused() as got:
        await fake.raw("/tablestate.v1.MatchService/Cheat")(b"")
    assert got.failure.code is grpc.StatusCode.UNIMPLEMENTED


async def test_a_request_id_is_needed_even_for_a_watcher_who_resigns(fake: Client) -> None:
    match_id = await fake.started()
    with refused() as got:
        await fake.matches.Resign(pb.ResignRequest(match_id=match_id, seat_token=token(0)))
    assert set(got.failure.violations) == {"request_id"}
    await fake.matches.Resign(
        pb.ResignRequest(request_id=request_id(), match_id=match_id, seat_token=token(0))
    )
