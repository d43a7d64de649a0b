"""Matches that begin where others stood."""

from pathlib import Path
from typing import Any

import pytest

from support.fake_engine import FakeEngine
from support.service import HOST, Client, refused, request_id, service, token
from tablestate.v1 import game_pb2, match_pb2, offtrack_pb2
from tablestate.v1 import match_service_pb2 as pb
from tablestate_service.app import Parts

OFFTRACK = game_pb2.GameOptions(offtrack=offtrack_pb2.OffTrackOptions(rounds=1))
NEVER = match_pb2.REVEAL_POLICY_NEVER
KEY = token(77)


def fork_request(match_id: str, version: int, **fields: Any) -> pb.ForkMatchRequest:
    settings: dict[str, Any] = {"request_id": request_id(), "host_token": KEY} | fields
    return pb.ForkMatchRequest(
        source=match_pb2.MatchVersion(match_id=match_id, version=version),
        match=pb.CreateMatchRequest(**settings),
    )


async def fork(client: Client, match_id: str, version: int, **fields: Any) -> Any:
    """Fork a match; the new one."""
    response = await client.matches.ForkMatch(fork_request(match_id, version, **fields))
    return response.match


async def replay(client: Client, match_id: str) -> list[pb.GetReplayResponse]:
    return [part async for part in client.matches.GetReplay(pb.GetReplayRequest(match_id=match_id))]


async def joined(client: Client, match_id: str, seats: int = 2) -> None:
    for seat in range(seats):
        await client.join(match_id, seat)


async def test_a_fork_begins_where_its_source_stood(real: Client) -> None:
    source = await real.started(options=OFFTRACK, metadata={"table": "7"})
    await real.play(source, 20)
    await real.resign(source, 0)
    forked = await fork(real, source, 14, metadata={"table": "8"})
    assert forked.forked_from == match_pb2.MatchVersion(match_id=source, version=14)
    assert (forked.phase, forked.version, forked.ply) == (match_pb2.MATCH_PHASE_WAITING, 1, 0)
    assert forked.match_id != source
    assert forked.commitment != (await real.match(source)).commitment
    assert forked.options == (await real.match(source)).options
    assert dict(forked.metadata) == {"table": "8"}
    await joined(real, forked.match_id)
    for seat in range(2):
        before, after = (
            await real.view(source, seat, version=14),
            await real.view(forked.match_id, seat),
        )
        assert after.view == before.view
        assert after.actors == before.actors


async def test_a_fork_is_played_to_its_end_and_proves_its_chance(real: Client) -> None:
    source = await real.started(options=OFFTRACK)
    await real.play(source, 20)
    await real.resign(source, 0)
    forked = (await fork(real, source, 14)).match_id
    await joined(real, forked)
    await real.play(forked)
    match = await real.match(forked)
    assert match.phase == match_pb2.MATCH_PHASE_OVER
    response = await real.matches.VerifyReplay(pb.VerifyReplayRequest(match_id=forked))
    assert response == pb.VerifyReplayResponse(version=match.version, intact=True)
    parts = await replay(real, forked)
    entries = [part.recorded for part in parts if part.WhichOneof("part") == "recorded"]
    positions = [each.change for each in entries if each.HasField("position")]
    assert positions == [match_pb2.MATCH_CHANGE_STARTED]
    assert parts[-1].secrets.seed != (await replay(real, source))[-1].secrets.seed


async def test_a_fork_is_the_same_after_a_restart(tmp_path: Path) -> None:
    async with service(tmp_path) as (_, client):
        source = await client.started(options=OFFTRACK)
        await client.play(source, 9)
        await client.resign(source, 1)
        forked = await fork(client, source, 10)
        await joined(client, forked.match_id)
        await client.play(forked.match_id, 5)
        seen = await client.view(forked.match_id, 0)
    async with service(tmp_path) as (_, client):
        assert await client.view(forked.match_id, 0) == seen
        listed = (await client.matches.ListMatches(pb.ListMatchesRequest())).matches
        assert listed[0].forked_from == forked.forked_from


async def test_what_hides_something_is_forked_only_when_it_is_public(real: Client) -> None:
    source = await real.started(options=OFFTRACK)
    never = await real.started(options=OFFTRACK, reveal_policy=NEVER)
    for match_id in (source, never):
        await real.play(match_id, 5)
        with refused() as got:
            await fork(real, match_id, 6)
        assert got.reason == "POSITION_HIDDEN"
    for match_id in (source, never):
        await real.resign(match_id, 0)
    await fork(real, source, 6)
    with refused() as got:
        await fork(real, never, 6)
    assert got.reason == "POSITION_HIDDEN"


@pytest.mark.parametrize("reveal", match_pb2.RevealPolicy.values()[1:])
async def test_what_hides_nothing_is_forked_while_it_runs(
    real: Client, reveal: match_pb2.RevealPolicy.ValueType
) -> None:
    source = await real.started(reveal_policy=reveal)
    await real.play(source, 8)
    forked = (await fork(real, source, 9)).match_id
    await joined(real, forked)
    seen, there = await real.view(source, 0, version=9), await real.view(forked, 0)
    assert there.view == seen.view
    await real.play(source, 1)
    await real.play(forked, 3)
    again = (await fork(real, forked, 5)).match_id
    assert (await real.match(again)).forked_from.match_id == forked


async def test_a_repeated_fork_is_the_same_fork(fake: Client) -> None:
    source = await fake.started()
    request = fork_request(source, 4)
    first = await fake.matches.ForkMatch(request)
    await fake.play(source)
    assert await fake.matches.ForkMatch(request) == first
    request.source.version = 5
    with refused() as got:
        await fake.matches.ForkMatch(request)
    assert got.reason == "REQUEST_ID_REUSED"


async def test_positions_that_cannot_be_played_on_are_refused(fake: Client) -> None:
    source = await fake.started()
    await fake.submit(source, 0, "2")
    for version, reason in ((3, "MATCH_NOT_STARTED"), (6, "VERSION_NOT_REACHED")):
        with refused() as got:
            await fork(fake, source, version)
        assert got.reason == reason
    await fake.play(source)
    with refused() as got:
        await fork(fake, source, (await fake.match(source)).version)
    assert got.reason == "MATCH_ENDED"
    with refused() as got:
        await fork(fake, "f" * 32, 1)
    assert got.reason == "MATCH_NOT_FOUND"


async def test_an_aborted_match_is_forked_where_it_stopped(fake: Client) -> None:
    source = await fake.started()
    await fake.submit(source, 0, "1")
    await fake.matches.AbortMatch(
        pb.AbortMatchRequest(request_id=request_id(), match_id=source, host_token=HOST)
    )
    forked = (await fork(fake, source, 6)).match_id
    await joined(fake, forked)
    assert list((await fake.match(forked)).actors) == [1]


async def test_seats_that_were_out_stay_out(tmp_path: Path) -> None:
    async with service(tmp_path, Parts(engine=lambda: FakeEngine(3))) as (_, client):
        source = await client.started(seats=3)
        await client.resign(source, 1)
        await client.submit(source, 0, "2")
        forked = await fork(client, source, 7)
        occupants = [seat.occupant for seat in forked.seats]
        assert occupants == [0, match_pb2.SEAT_OCCUPANT_FORFEITED, 0]
        with refused() as got:
            await client.join(forked.match_id, 1)
        assert got.reason == "SEAT_TAKEN"
        await client.join(forked.match_id, 0)
        await client.join(forked.match_id, 2)
        await client.resign(forked.match_id, 0)
        assert list((await client.match(forked.match_id)).outcome.winners) == [2]


async def test_the_fields_of_a_fork_are_checked_where_they_lie(fake: Client) -> None:
    source = await fake.started()
    with refused() as got:
        await fork(fake, source, 0)
    assert set(got.failure.violations) == {"source.version"}
    options = game_pb2.GameOptions()
    options.offboard.SetInParent()
    with refused() as got:
        await fork(fake, source, 4, options=options, request_id="short", host_token=b"x")
    expected = {"match.options", "match.request_id", "match.host_token"}
    assert set(got.failure.violations) == expected
