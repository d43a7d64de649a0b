"""The same players once more."""

import asyncio
from pathlib import Path
from typing import Any

from support.service import HOST, Client, refused, request_id, service, token
from tablestate.v1 import match_pb2
from tablestate.v1 import match_service_pb2 as pb


def rematch(match_id: str, seat: int, **fields: Any) -> pb.RematchRequest:
    given = {
        "request_id": request_id(),
        "seat_token": token(seat),
        "new_seat_token": token(100 + seat),
        "new_host_token": token(200 + seat),
    } | fields
    return pb.RematchRequest(match_id=match_id, **given)


async def over(client: Client, **fields: Any) -> str:
    match_id = await client.started(**fields)
    await client.matches.Resign(
        pb.ResignRequest(request_id=request_id(), match_id=match_id, seat_token=token(0))
    )
    return match_id


async def test_both_call_and_play_on_with_the_seats_exchanged(tmp_path: Path) -> None:
    async with service(tmp_path) as (_, client):
        match_id = await over(client, on_leave=match_pb2.ABSENCE_POLICY_DEFAULT_ACTION)
        calls = [rematch(match_id, seat) for seat in (0, 1)]
        answers = await asyncio.gather(*map(client.matches.Rematch, calls))
        assert [each.seat for each in answers] == [1, 0]
        (new_id,) = {each.match.match_id for each in answers}
        match = await client.match(new_id)
        assert match.phase == match_pb2.MATCH_PHASE_RUNNING
        assert (match.rematch_of, match.on_leave) == (match_id, 2)
        assert match.commitment != (await client.match(match_id)).commitment
        assert [await client.matches.Rematch(each) for each in calls] == answers
        assert (await client.view(new_id, 100)).seat == 1


async def test_nobody_else_joins(tmp_path: Path) -> None:
    async with service(tmp_path) as (_, client):
        match_id = await over(client)
        answer = await client.matches.Rematch(rematch(match_id, 1))
        with refused() as got:
            await client.join(answer.match.match_id, 1)
        assert got.reason == "WRONG_INVITATION"
        with refused() as got:
            await client.matches.Rematch(rematch(match_id, 5))
        assert got.reason == "WRONG_SEAT_TOKEN"
        listed = await client.matches.ListMatches(pb.ListMatchesRequest())
        assert answer.match.match_id not in {each.match_id for each in listed.matches}
        assert answer.match.waiting_limit.seconds == 3600


async def test_bots_come_along(tmp_path: Path) -> None:
    async with service(tmp_path) as (_, client):
        match_id = await client.create()
        await client.join(match_id, 0)
        await client.add_bot(match_id, "random", 1)
        await client.matches.AbortMatch(
            pb.AbortMatchRequest(request_id=request_id(), match_id=match_id, host_token=HOST)
        )
        answer = await client.matches.Rematch(rematch(match_id, 0))
        assert answer.match.phase == match_pb2.MATCH_PHASE_RUNNING
        assert answer.match.seats[0].display_name == "random"


async def test_only_what_has_ended_is_played_again(tmp_path: Path) -> None:
    async with service(tmp_path) as (_, client):
        match_id = await client.started()
        with refused() as got:
            await client.matches.Rematch(rematch(match_id, 0))
        assert got.reason == "MATCH_NOT_ENDED"
