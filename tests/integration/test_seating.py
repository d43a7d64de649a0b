"""Seats that are drawn, through a service."""

import asyncio
import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration

from support.service import HOST, Client, refused, request_id, service, token
from tablestate.v1 import game_pb2, match_pb2, offtrack_pb2
from tablestate.v1 import match_service_pb2 as pb

RANDOM = match_pb2.SEATING_RANDOM
OFFTRACK = [
    game_pb2.GameOptions(offtrack=offtrack_pb2.OffTrackOptions(rounds=1, seats=seats))
    for seats in range(5)
]
"""By their seats."""
HOUR = Duration(seconds=3600)
REFUSED = match_pb2.SPECTATOR_POLICY_REFUSED
SEATED = match_pb2.MATCH_CHANGE_SEATED


async def test_tokens_follow_their_players_to_the_seats(tmp_path: Path) -> None:
    async with service(tmp_path) as (_, client):
        match_id = await client.create(seating=RANDOM)
        with refused() as got:
            await client.join(match_id, 0)
        assert list(got.failure.violations) == ["seat"]
        joins = [
            pb.JoinMatchRequest(
                request_id=request_id(),
                match_id=match_id,
                seat_token=token(holder),
                display_name=f"player {holder}",
            )
            for holder in (0, 1)
        ]
        answers = [await client.matches.JoinMatch(each) for each in joins]
        assert [await client.matches.JoinMatch(each) for each in joins] == answers
        views = [await client.view(match_id, holder) for holder in (0, 1)]
        seats = [view.seat for view in views]
        assert sorted(seats) == [0, 1] and answers[1].seat == seats[1]
        match = await client.match(match_id)
        assert match.seating == RANDOM
        assert [match.seats[seat].display_name for seat in seats] == ["player 0", "player 1"]
        told = []
        async for each in client.watch(match_id, seat_token=token(0)):
            told.append(each.update)
            if each.update.change == match_pb2.MATCH_CHANGE_STARTED:
                break
        assert told[-2].change == SEATED
        assert list(told[-2].previous_seats) == [seats.index(0), seats.index(1)]
        assert told[-1].your_seat == seats[0]
        assert not told[-2].HasField("your_seat")
        answer = await client.matches.VerifyReplay(pb.VerifyReplayRequest(match_id=match_id))
        assert (answer.flaw, answer.version) == (0, 5)


async def test_a_rematch_draws_again(tmp_path: Path) -> None:
    async with service(tmp_path) as (_, client):
        match_id = await client.create(seating=RANDOM)
        for holder in (0, 1):
            await client.matches.JoinMatch(
                pb.JoinMatchRequest(
                    request_id=request_id(), match_id=match_id, seat_token=token(holder)
                )
            )
        await client.matches.Resign(
            pb.ResignRequest(request_id=request_id(), match_id=match_id, seat_token=token(0))
        )
        for holder in (0, 1):
            again = await client.matches.Rematch(
                pb.RematchRequest(
                    request_id=request_id(),
                    match_id=match_id,
                    seat_token=token(holder),
                    new_seat_token=token(100 + holder),
                    new_host_token=token(200 + holder),
                )
            )
        assert again.match.seating == RANDOM
        assert again.match.phase == match_pb2.MATCH_PHASE_RUNNING
        assert (await client.view(again.match.match_id, 101)).seat == again.seat


async def joined(client: Client, match_id: str, holders: Sequence[int]) -> None:
    for holder in holders:
        await client.matches.JoinMatch(
            pb.JoinMatchRequest(
                request_id=request_id(),
                match_id=match_id,
                seat_token=token(holder),
                display_name=f"player {holder}",
            )
        )


async def seats_of(client: Client, match_id: str, holders: Sequence[int]) -> list[int]:
    return [(await client.view(match_id, holder)).seat for holder in holders]


@pytest.mark.parametrize("seats", [3, 4])
async def test_players_and_bots_of_larger_tables_are_drawn(tmp_path: Path, seats: int) -> None:
    async with service(tmp_path) as (_, client):
        match_id = await client.create(options=OFFTRACK[seats], seating=RANDOM)
        holders = range(seats - 1)
        await joined(client, match_id, holders)
        await client.matches.AddBot(
            pb.AddBotRequest(
                request_id=request_id(), match_id=match_id, host_token=HOST, bot="greedy"
            )
        )
        found = await seats_of(client, match_id, holders)
        (empty,) = set(range(seats)) - set(found)
        match = await client.match(match_id)
        assert [match.seats[seat].display_name for seat in found] == [
            f"player {holder}" for holder in holders
        ]
        assert match.seats[empty].occupant == match_pb2.SEAT_OCCUPANT_BOT
        answer = await client.matches.VerifyReplay(pb.VerifyReplayRequest(match_id=match_id))
        assert answer.flaw == 0


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def store(request: pytest.FixtureRequest) -> str:
    """The URL of a store that is kept over a restart; empty for the data directory."""
    is_postgres = request.param == "postgres"
    return request.getfixturevalue("database_url") if is_postgres else ""


async def test_seats_are_drawn_alike_after_a_restart(tmp_path: Path, store: str) -> None:
    async with service(tmp_path, store=store) as (_, client):
        match_id = await client.create(options=OFFTRACK[3], seating=RANDOM)
        await joined(client, match_id, (0, 1, 2))
        before = await seats_of(client, match_id, (0, 1, 2))
    async with service(tmp_path, store=store) as (_, client):
        assert await seats_of(client, match_id, (0, 1, 2)) == before
        answer = await client.matches.VerifyReplay(pb.VerifyReplayRequest(match_id=match_id))
        assert answer.flaw == 0


async def test_a_fork_draws_for_the_seats_that_are_left(tmp_path: Path) -> None:
    async with service(tmp_path) as (_, client):
        source = await client.create(
            options=OFFTRACK[3], on_leave=match_pb2.ABSENCE_POLICY_DEFAULT_ACTION
        )
        await joined(client, source, (0, 1, 2))
        for seat in (1, 0):
            await client.matches.Resign(
                pb.ResignRequest(request_id=request_id(), match_id=source, seat_token=token(seat))
            )
        settings = pb.CreateMatchRequest(request_id=request_id(), host_token=HOST, seating=RANDOM)
        position = match_pb2.MatchVersion(match_id=source, version=6)
        forked = await client.matches.ForkMatch(
            pb.ForkMatchRequest(source=position, match=settings)
        )
        match_id = forked.match.match_id
        await joined(client, match_id, (10, 11))
        match = await client.match(match_id)
        assert match.seats[1].occupant == match_pb2.SEAT_OCCUPANT_FORFEITED
        assert sorted(await seats_of(client, match_id, (10, 11))) == [0, 2]
        answer = await client.matches.VerifyReplay(pb.VerifyReplayRequest(match_id=match_id))
        assert answer.flaw == 0


@pytest.mark.parametrize("policy", [{"spectator_delay": HOUR}, {"spectator_policy": REFUSED}])
async def test_spectators_hear_of_the_seats_no_sooner_than_of_the_start(
    tmp_path: Path, policy: dict[str, Any]
) -> None:
    async with service(tmp_path) as (_, client):
        match_id = await client.create(seating=RANDOM, **policy)
        watch = client.watch(match_id)
        for holder in (0, 1):
            await client.join(match_id, seat_token=token(holder))
        told = [(await watch.read()).update.change for _ in range(3)]
        with contextlib.suppress(TimeoutError, grpc.aio.AioRpcError):
            async with asyncio.timeout(0.5):
                told.append((await watch.read()).update.change)
        assert (await client.view(match_id, 0)).version == 5
        assert told == [match_pb2.MATCH_CHANGE_CREATED, *[match_pb2.MATCH_CHANGE_JOINED] * 2]
