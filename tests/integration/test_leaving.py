"""Leaving, resigning, aborting, and who plays on for the absent."""

import pytest

from support.service import HOST, Client, request_id, token
from tablestate.v1 import match_pb2
from tablestate.v1 import match_service_pb2 as pb

FORFEIT = match_pb2.ABSENCE_POLICY_FORFEIT
DEFAULT_ACTION = match_pb2.ABSENCE_POLICY_DEFAULT_ACTION
BOT = match_pb2.ABSENCE_POLICY_BOT


async def leave(client: Client, match_id: str, seat: int) -> match_pb2.MatchUpdate:
    response: pb.LeaveSeatResponse = await client.matches.LeaveSeat(
        pb.LeaveSeatRequest(request_id=request_id(), match_id=match_id, seat_token=token(seat))
    )
    return response.update


async def actions(client: Client, match_id: str) -> list[int]:
    """What each action of an ended match added."""
    await client.ended(match_id)
    return [
        message.update.events[0].offboard.moved.group
        async for message in client.watch(match_id)
        if message.update.change == match_pb2.MATCH_CHANGE_ACTION
    ]


@pytest.mark.parametrize(("policy", "played"), [(DEFAULT_ACTION, 1), (BOT, 2)])
async def test_an_absent_player_is_played_for(fake: Client, policy: int, played: int) -> None:
    match_id = await fake.started(on_leave=policy)
    update = await leave(fake, match_id, 0)
    assert update.change == match_pb2.MATCH_CHANGE_LEFT
    assert update.phase == match_pb2.MATCH_PHASE_RUNNING
    async for message in fake.watch(match_id):
        if 1 in message.update.actors:
            await fake.submit(match_id, 1, "3")
    assert set((await actions(fake, match_id))[::2]) == {played}


async def test_when_all_have_left_the_match_is_still_played_out(fake: Client) -> None:
    match_id = await fake.started(on_leave=DEFAULT_ACTION)
    await leave(fake, match_id, 0)
    await leave(fake, match_id, 1)
    match = await fake.ended(match_id)
    assert match.phase == match_pb2.MATCH_PHASE_OVER
    assert {seat.occupant for seat in match.seats} == {match_pb2.SEAT_OCCUPANT_ABSENT}


async def test_whoever_left_may_still_look_on(fake: Client) -> None:
    match_id = await fake.started(on_leave=DEFAULT_ACTION)
    await leave(fake, match_id, 0)
    assert (await fake.view(match_id, 0)).seat == 0


async def test_leaving_a_match_of_two_is_losing_it(fake: Client) -> None:
    match_id = await fake.started()
    update = await leave(fake, match_id, 1)
    assert update.change == match_pb2.MATCH_CHANGE_FORFEITED
    assert list(update.outcome.winners) == [0]


async def test_a_forfeited_seat_is_played_by_the_default_action(fake3: Client) -> None:
    match_id = await fake3.started(3, on_leave=FORFEIT)
    await leave(fake3, match_id, 0)
    match = await fake3.match(match_id, min_version=6)
    assert match.seats[0].occupant == match_pb2.SEAT_OCCUPANT_FORFEITED
    async for message in fake3.watch(match_id):
        for seat in set(message.update.actors) & {1, 2}:
            await fake3.submit(match_id, seat, "2")
    assert (await actions(fake3, match_id))[0] == 1


async def test_the_last_seat_left_in_wins(fake3: Client) -> None:
    match_id = await fake3.started(3)
    for seat in (2, 0):
        await fake3.matches.Resign(
            pb.ResignRequest(request_id=request_id(), match_id=match_id, seat_token=token(seat))
        )
    match = await fake3.match(match_id)
    assert match.phase == match_pb2.MATCH_PHASE_OVER
    assert list(match.outcome.winners) == [1]


async def test_a_match_of_three_plays_absent_seats_unless_told_otherwise(fake3: Client) -> None:
    match = await fake3.match(await fake3.create())
    assert match.on_leave == match.on_timeout == DEFAULT_ACTION


async def test_an_aborted_match_has_no_outcome(fake: Client) -> None:
    match_id = await fake.started()
    response = await fake.matches.AbortMatch(
        pb.AbortMatchRequest(request_id=request_id(), match_id=match_id, host_token=HOST)
    )
    assert response.update.phase == match_pb2.MATCH_PHASE_ABORTED
    match = await fake.match(match_id)
    assert not match.HasField("outcome") and not match.actors


async def test_the_host_starts_a_match_that_waits_for_it(fake: Client) -> None:
    match_id = await fake.started(start_policy=match_pb2.START_POLICY_BY_HOST)
    assert (await fake.match(match_id)).phase == match_pb2.MATCH_PHASE_WAITING
    response = await fake.matches.StartMatch(
        pb.StartMatchRequest(request_id=request_id(), match_id=match_id, host_token=HOST)
    )
    assert response.update.change == match_pb2.MATCH_CHANGE_STARTED
    assert list(response.update.actors) == [0]


async def test_a_bot_answers_a_player(fake: Client) -> None:
    match_id = await fake.create()
    await fake.add_bot(match_id, "random", 1)
    await fake.join(match_id, 0)
    async for message in fake.watch(match_id):
        if 0 in message.update.actors:
            await fake.submit(match_id, 0, "1")
    assert await actions(fake, match_id) == [1, 2, 1, 2]
