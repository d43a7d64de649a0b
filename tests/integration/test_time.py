"""Time limits through a service: nobody has to call for them to be kept."""

import asyncio
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from support.service import Client, FixedClock, refused, request_id, service, token
from tablestate.v1 import match_pb2
from tablestate.v1 import match_service_pb2 as pb
from tablestate_service.app import Parts

HOUR = 3600 * 1_000_000_000
TIMED_OUT = match_pb2.MATCH_CHANGE_TIMED_OUT


def control(seconds: float, **fields: Any) -> match_pb2.TimeControl:
    spans: dict[str, Any] = {"turn_limit": timedelta(seconds=seconds)}
    return match_pb2.TimeControl(**spans, **fields)


async def changes(client: Client, match_id: str) -> list[int]:
    return [each.update.change async for each in client.watch(match_id)]


async def test_a_player_who_vanishes_hangs_no_table(tmp_path: Path) -> None:
    async with service(tmp_path) as (_, client):
        begun = time.monotonic()
        match_id = await client.started(time_control=control(1, grace=timedelta(seconds=0.2)))
        told = await changes(client, match_id)
        assert 1.15 <= time.monotonic() - begun < 4
        assert told[-1] == TIMED_OUT
        match = await client.match(match_id)
        assert list(match.outcome.winners) == [1]


async def test_the_server_decides_where_a_time_out_is_no_forfeit(tmp_path: Path) -> None:
    policy = match_pb2.ABSENCE_POLICY_DEFAULT_ACTION
    async with service(tmp_path) as (_, client):
        match_id = await client.started(on_timeout=policy, time_control=control(1))
        seen = []
        async for each in client.watch(match_id, after_version=4):
            seen.append((each.update.change, each.update.seat, each.update.actors[0]))
            if len(seen) == 2:
                break
        assert seen == [(TIMED_OUT, 0, 0), (match_pb2.MATCH_CHANGE_ACTION, 0, 1)]


async def test_clocks_are_shown_where_a_match_is(tmp_path: Path) -> None:
    async with service(tmp_path) as (_, client):
        match_id = await client.started(
            time_control=control(60, bank=timedelta(seconds=30), increment=timedelta(seconds=5))
        )
        joined = await client.match(match_id)
        assert [bank.seconds for bank in joined.clocks.banks] == [30, 30]
        await asyncio.sleep(0.05)
        match, view = await client.match(match_id), await client.view(match_id, 1)
        for clocks in (match.clocks, view.clocks):
            assert timedelta(seconds=80) < clocks.remaining.ToTimedelta() < timedelta(seconds=89.96)
        legal = await client.legal(match_id, 0)
        acted = await client.submit(match_id, 0, legal.legal_actions.actions[0].notation)
        assert [bank.seconds for bank in acted.clocks.banks] == [35, 30]
        assert acted.clocks.remaining.ToTimedelta() == timedelta(seconds=90)
        assert match.time_control.turn_limit.seconds == 60


async def test_a_time_out_is_claimed(tmp_path: Path) -> None:
    by_claim = control(1, timeout_mode=match_pb2.TIMEOUT_MODE_BY_CLAIM)
    async with service(tmp_path) as (_, client):
        match_id = await client.started(time_control=by_claim)
        claim = pb.ClaimTimeoutRequest(
            request_id=request_id(), match_id=match_id, seat_token=token(1)
        )
        with refused() as early:
            await client.matches.ClaimTimeout(claim)
        assert early.reason == "TIME_LEFT"
        await asyncio.sleep(1.05)
        answer = await client.matches.ClaimTimeout(claim)
        assert answer.update.change == TIMED_OUT
        assert answer == await client.matches.ClaimTimeout(claim)


async def test_the_wall_clock_may_jump(tmp_path: Path) -> None:
    clock = FixedClock()
    async with service(tmp_path, Parts(clock=clock)) as (_, client):
        match_id = await client.started(time_control=control(2))
        begun = time.monotonic()
        for jump in (HOUR, -2 * HOUR, HOUR):
            clock.time += jump
            await asyncio.sleep(0.4)
            match = await client.match(match_id)
            passed = time.monotonic() - begun
            assert match.phase == match_pb2.MATCH_PHASE_RUNNING
            assert abs(2 - match.clocks.remaining.ToTimedelta().total_seconds() - passed) < 0.3
        await changes(client, match_id)
        assert 1.8 < time.monotonic() - begun < 4


async def test_while_the_service_is_down_no_clock_runs(tmp_path: Path) -> None:
    async with service(tmp_path) as (_, client):
        match_id = await client.started(time_control=control(2))
        before = (await client.match(match_id)).clocks.remaining.ToTimedelta()
    await asyncio.sleep(1)
    async with service(tmp_path) as (_, client):
        after = (await client.match(match_id)).clocks.remaining.ToTimedelta()
        assert timedelta(seconds=-0.5) < after - before <= timedelta(0)


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"turn_limit": timedelta(days=367)}, "time_control.turn_limit"),
        (
            {"turn_limit": timedelta(seconds=-1), "bank": timedelta(days=1)},
            "time_control.turn_limit",
        ),
        ({"bank": timedelta(seconds=0.5)}, "time_control"),
        ({"bank": timedelta(days=1), "increment": timedelta(days=2)}, "time_control.increment"),
        ({"bank": timedelta(days=1), "grace": timedelta(seconds=61)}, "time_control.grace"),
        ({"bank": timedelta(days=1), "timeout_mode": 9}, "time_control.timeout_mode"),
    ],
)
async def test_what_is_no_time_control_is_refused(
    tmp_path: Path, given: dict[str, Any], field: str
) -> None:
    async with service(tmp_path) as (_, client):
        with refused() as got:
            await client.create(time_control=match_pb2.TimeControl(**given))
        assert list(got.failure.violations) == [field]
