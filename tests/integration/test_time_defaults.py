"""What the operator gives matches whose creators say nothing of time."""

import asyncio
from datetime import timedelta
from pathlib import Path

from google.protobuf.duration_pb2 import Duration

from support.service import HOST, Client, request_id, service, token
from tablestate.v1 import match_pb2
from tablestate.v1 import match_service_pb2 as pb

DEFAULTS = {"turn_limit_default": "1h", "waiting_limit_default": "2h"}
GIVEN = match_pb2.TimeControl(
    turn_limit=Duration(seconds=3600),
    bank=Duration(),
    increment=Duration(),
    grace=Duration(),
    timeout_mode=match_pb2.TIMEOUT_MODE_AUTOMATIC,
)


async def resigned(client: Client) -> str:
    match_id = await client.started()
    resign = pb.ResignRequest(request_id=request_id(), match_id=match_id, seat_token=token(0))
    await client.matches.Resign(resign)
    return match_id


def rematch(match_id: str) -> pb.RematchRequest:
    return pb.RematchRequest(
        request_id=request_id(),
        match_id=match_id,
        seat_token=token(0),
        new_seat_token=token(100),
        new_host_token=token(200),
    )


async def test_what_is_not_said_is_filled_in_and_told(tmp_path: Path) -> None:
    async with service(tmp_path, settings=DEFAULTS) as (_, client):
        match = await client.match(await client.started())
        assert match.time_control == GIVEN
        assert match.waiting_limit.ToTimedelta() == timedelta(hours=2)
        assert timedelta(minutes=59) < match.clocks.remaining.ToTimedelta() <= timedelta(hours=1)


async def test_what_is_said_stays(tmp_path: Path) -> None:
    chosen = match_pb2.TimeControl(bank=Duration(seconds=5))
    async with service(tmp_path, settings=DEFAULTS) as (_, client):
        match_id = await client.create(time_control=chosen, waiting_limit=timedelta(seconds=60))
        match = await client.match(match_id)
        assert match.time_control.bank.seconds == 5
        assert match.time_control.turn_limit.ToTimedelta() == timedelta(0)
        assert match.waiting_limit.seconds == 60


async def test_forks_and_rematches_are_no_exception(tmp_path: Path) -> None:
    async with service(tmp_path) as (_, client):
        match_id = await resigned(client)
        assert not (await client.match(match_id)).HasField("time_control")
    async with service(tmp_path, settings=DEFAULTS) as (_, client):
        again = await client.matches.Rematch(rematch(match_id))
        source = match_pb2.MatchVersion(match_id=match_id, version=4)
        forked = pb.CreateMatchRequest(request_id=request_id(), host_token=HOST)
        fork = await client.matches.ForkMatch(pb.ForkMatchRequest(source=source, match=forked))
        assert [again.match.time_control, fork.match.time_control] == [GIVEN, GIVEN]
        assert again.match.waiting_limit.ToTimedelta() == timedelta(hours=1)
        assert fork.match.waiting_limit.ToTimedelta() == timedelta(hours=2)


async def test_nobody_who_vanishes_hangs_a_table(tmp_path: Path) -> None:
    brief = {"turn_limit_default": "1s", "waiting_limit_default": "1s"}
    async with service(tmp_path, settings=brief) as (_, client), asyncio.timeout(60):
        begun, waiting = await client.started(), await client.create()
        assert (await client.ended(begun)).phase == match_pb2.MATCH_PHASE_OVER
        assert (await client.ended(waiting)).phase == match_pb2.MATCH_PHASE_ABORTED


async def test_a_service_without_defaults_leaves_them_out(tmp_path: Path) -> None:
    async with service(tmp_path, settings={"turn_limit_default": "0"}) as (_, client):
        match = await client.match(await client.create())
        assert not match.HasField("time_control") and not match.HasField("waiting_limit")
