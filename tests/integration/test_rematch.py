"""The same players once more."""

import asyncio
from pathlib import Path
from typing import Any

from support.service import HOST, Client, refused, request_id, service, token
from tablestate.v1 import match_pb2
from tablestate.v1 import match_service_pb2 as pb
from tablestate_service.domain.hashing import digest
from tablestate_service.usecases import rematching


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
    if fields.get("start_policy") == match_pb2.START_POLICY_BY_HOST:
        await client.matches.StartMatch(
            pb.StartMatchRequest(request_id=request_id(), match_id=match_id, host_token=HOST)
        )
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


async def test_whoever_comes_first_cannot_give_the_seats_of_others_away(tmp_path: Path) -> None:
    async with service(tmp_path) as (_, client):
        by_host = match_pb2.START_POLICY_BY_HOST
        match_id = await over(client, start_policy=by_host)
        first = await client.matches.Rematch(rematch(match_id, 1))
        new_id, host = first.match.match_id, token(201)
        bot = {"match_id": new_id, "host_token": host, "bot": "random"}
        with refused() as got:
            await client.matches.AddBot(pb.AddBotRequest(request_id=request_id(), **bot))
        assert got.reason == "WRONG_INVITATION"
        second = await client.matches.Rematch(rematch(match_id, 0))
        assert second.match.phase == match_pb2.MATCH_PHASE_RUNNING


async def test_its_host_is_a_player_and_is_told_what_players_are(tmp_path: Path) -> None:
    async with service(tmp_path) as (_, client):
        match_id = await client.create(metadata={"table": "7"}, tenant="club")
        for seat, name in enumerate(("ada", "bob")):
            await client.join(match_id, seat, player_id=name)
        await client.resign(match_id, 0)
        answer = await client.matches.Rematch(rematch(match_id, 1))
        told = await client.match(answer.match.match_id, host_token=token(201))
        assert (dict(told.metadata), told.tenant) == ({}, "")
        assert {seat.player_id for seat in told.seats} == {""}


async def test_its_id_tells_nobody_else_that_the_match_has_ended(tmp_path: Path) -> None:
    async with service(tmp_path) as (_, client):
        match_id = await over(client, spectator_delay={"seconds": 60})
        answer = await client.matches.Rematch(rematch(match_id, 1))
        known = digest((b"tablestate/rematch/v1", match_id.encode()))[:16].hex()
        assert answer.match.match_id != known
        with refused() as got:
            await client.match(known)
        assert got.reason == "MATCH_NOT_FOUND"


async def aborted(client: Client, match_id: str, host_token: bytes) -> None:
    await client.matches.AbortMatch(
        pb.AbortMatchRequest(request_id=request_id(), match_id=match_id, host_token=host_token)
    )


async def test_a_rematch_that_was_aborted_does_not_block_the_next(tmp_path: Path) -> None:
    async with service(tmp_path) as (_, client):
        match_id = await over(client)
        ids = []
        for number in range(rematching.MOST_ABORTED):
            call = rematch(match_id, 1, new_seat_token=token(300 + number))
            answer = await client.matches.Rematch(call)
            ids.append(answer.match.match_id)
            await aborted(client, ids[-1], token(201))
            assert (await client.matches.Rematch(call)).match.match_id == ids[-1]
        assert len(set(ids)) == rematching.MOST_ABORTED
        with refused() as got:
            await client.matches.Rematch(rematch(match_id, 1))
        assert (got.reason, got.failure.metadata["limit"]) == ("LIMIT_REACHED", "aborted_rematches")


async def test_no_rematch_waits_for_a_seat_that_nobody_can_take(tmp_path: Path) -> None:
    async with service(tmp_path) as (_, client):
        match_id = await client.create()
        await client.join(match_id, 0)
        await aborted(client, match_id, HOST)
        with refused() as got:
            await client.matches.Rematch(rematch(match_id, 0))
        assert (got.reason, got.failure.metadata["seats"]) == ("SEATS_OPEN", "1")
