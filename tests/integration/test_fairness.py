"""What people can check of a match, over a real channel."""

import contextlib
from pathlib import Path

import apsw
import pytest

from support.service import Client, refused, service, token
from tablestate import verifier
from tablestate.v1 import game_pb2, match_pb2, offtrack_pb2
from tablestate.v1 import match_service_pb2 as pb
from tablestate_service.adapters.sqlite_files import DATABASE_NAME

OFFTRACK = game_pb2.GameOptions(offtrack=offtrack_pb2.OffTrackOptions())


async def verify(client: Client, match_id: str) -> pb.VerifyReplayResponse:
    response: pb.VerifyReplayResponse = await client.matches.VerifyReplay(
        pb.VerifyReplayRequest(match_id=match_id)
    )
    return response


@pytest.mark.parametrize("plies", [0, 12])
async def test_a_stored_log_is_checked_while_the_match_runs(real: Client, plies: int) -> None:
    match_id = await real.started(options=OFFTRACK)
    await real.play(match_id, plies)
    assert await verify(real, match_id) == pb.VerifyReplayResponse(version=4 + plies, intact=True)


async def test_a_match_that_waits_is_checked_too(real: Client) -> None:
    match_id = await real.create()
    assert await verify(real, match_id) == pb.VerifyReplayResponse(version=1, intact=True)


async def test_an_unknown_match_is_not_found(real: Client) -> None:
    with refused() as got:
        await verify(real, "f" * 32)
    assert got.reason == "MATCH_NOT_FOUND"


async def test_the_first_damaged_entry_is_named(tmp_path: Path) -> None:
    async with service(tmp_path) as (_, client):
        match_id = await client.started(options=OFFTRACK)
        await client.play(match_id, 6)
    connection = apsw.Connection(str(tmp_path / DATABASE_NAME))
    connection.execute("UPDATE entries SET time = time + 1 WHERE version = 7")
    connection.close()
    async with service(tmp_path) as (_, client):
        expected = pb.VerifyReplayResponse(version=6, flaw=pb.REPLAY_FLAW_CHAIN)
        assert await verify(client, match_id) == expected


async def test_every_draw_of_a_replay_can_be_made_again(stored: Client) -> None:
    match_id = await stored.started(options=OFFTRACK)
    promised = (await stored.match(match_id)).commitment
    await stored.play(match_id, 30)
    await stored.resign(match_id, 0)
    request = pb.GetReplayRequest(match_id=match_id)
    parts = [part async for part in stored.matches.GetReplay(request)]
    secret = parts[-1].secrets.secret
    assert verifier.commitment(match_id, secret) == promised
    seed = verifier.derive_seed(match_id, secret, [b"", b""])
    assert seed == parts[-1].secrets.seed
    entries = [part.recorded for part in parts if part.WhichOneof("part") == "recorded"]
    streams = [each for each in entries if each.change in (5, 6)]
    assert sum(len(each.draws) for each in streams) > 20
    for stream, entry in enumerate(streams):
        assert verifier.draw(seed, stream, entry.draw_sizes) == list(entry.draws)


async def test_of_a_damaged_log_spectators_learn_no_more_than_of_a_sound_one(
    tmp_path: Path,
) -> None:
    async with service(tmp_path) as (_, client):
        seen = {
            "public": await client.started(),
            "delayed": await client.started(spectator_delay={"seconds": 3600}),
            "closed": await client.started(spectator_policy=match_pb2.SPECTATOR_POLICY_REFUSED),
        }
    with contextlib.closing(apsw.Connection(str(tmp_path / DATABASE_NAME))) as database:
        database.execute("UPDATE entries SET time = time + 1 WHERE version = 3")
    async with service(tmp_path) as (_, client):
        for name, match_id in seen.items():
            for key in (b"", token(0)):
                request = pb.VerifyReplayRequest(match_id=match_id, seat_token=key)
                answer = await client.matches.VerifyReplay(request)
                assert answer.flaw != 0
                assert answer.version == (2 if name == "public" else 0), name
