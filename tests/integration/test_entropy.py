"""Entropies of seats over a real channel: promised, revealed, or waited for in vain."""

from pathlib import Path
from typing import Any

import pytest
from google.protobuf.duration_pb2 import Duration

from support.service import Client, refused, service, token
from tablestate import verifier
from tablestate.v1 import game_pb2, match_pb2, offtrack_pb2
from tablestate.v1 import match_service_pb2 as pb

OFFTRACK = game_pb2.GameOptions(offtrack=offtrack_pb2.OffTrackOptions(rounds=1))
WAITING, RUNNING = match_pb2.MATCH_PHASE_WAITING, match_pb2.MATCH_PHASE_RUNNING
ONE, TWO = token(501), token(502)


async def promised(client: Client, *entropies: bytes, **fields: Any) -> str:
    """A match of OffTrack whose seats have promised these entropies; its id."""
    match_id = await client.create(options=OFFTRACK, **fields)
    for seat, entropy in enumerate(entropies):
        promise = verifier.entropy_hash(match_id, entropy) if entropy else b""
        await client.join(match_id, seat, entropy_hash=promise)
    return match_id


async def record(client: Client, match_id: str) -> list[pb.GetReplayResponse]:
    request = pb.GetReplayRequest(match_id=match_id)
    return [part async for part in client.matches.GetReplay(request)]


async def test_entropies_make_the_seed_and_the_record_shows_them(stored: Client) -> None:
    match_id = await promised(stored, ONE, TWO)
    match = await stored.match(match_id)
    assert (match.phase, list(match.entropy_awaited)) == (WAITING, [0, 1])
    revealed = await stored.reveal(match_id, 1, TWO)
    assert (revealed.seat, list(revealed.entropy_awaited)) == (1, [0])
    await stored.reveal(match_id, 0, ONE)
    match = await stored.match(match_id)
    assert (match.phase, list(match.entropy_awaited)) == (RUNNING, [])
    await stored.play(match_id, 10)
    await stored.resign(match_id, 0)
    parts = await record(stored, match_id)
    secrets = parts[-1].secrets
    assert secrets.seed == verifier.derive_seed(match_id, secrets.secret, [ONE, TWO])
    entries = [part.recorded for part in parts if part.WhichOneof("part") == "recorded"]
    promises = [each.entropy_hash for each in entries if each.entropy_hash]
    assert promises == [verifier.entropy_hash(match_id, each) for each in (ONE, TWO)]
    assert [(each.seat, each.entropy) for each in entries if each.entropy] == [(1, TWO), (0, ONE)]
    response = await stored.matches.VerifyReplay(pb.VerifyReplayRequest(match_id=match_id))
    assert response == pb.VerifyReplayResponse(version=match.version + 11, intact=True)


async def test_a_match_starts_without_what_does_not_come(stored: Client) -> None:
    match_id = await promised(stored, ONE, TWO, entropy_limit=Duration(seconds=1))
    await stored.reveal(match_id, 0, ONE)
    async for message in stored.watch(match_id, after_version=4):
        if message.update.change == match_pb2.MATCH_CHANGE_STARTED:
            break
    with refused() as got:
        await stored.reveal(match_id, 1, TWO)
    assert (got.reason, got.failure.metadata) == ("ENTROPY_NOT_DUE", {"seat": "1"})
    await stored.resign(match_id, 0)
    secrets = (await record(stored, match_id))[-1].secrets
    assert secrets.seed == verifier.derive_seed(match_id, secrets.secret, [ONE, b""])


async def test_a_node_that_stopped_meanwhile_goes_on(tmp_path: Path, store: str) -> None:
    async with service(tmp_path, store=store) as (_, client):
        match_id = await promised(client, ONE, TWO)
        await client.reveal(match_id, 0, ONE)
    async with service(tmp_path, store=store) as (_, client):
        assert list((await client.match(match_id)).entropy_awaited) == [1]
        await client.reveal(match_id, 1, TWO)
        assert (await client.match(match_id)).phase == RUNNING


@pytest.mark.postgres
async def test_seats_reveal_on_whichever_node_they_are(database_url: str) -> None:
    nodes = [service(Path(), store=database_url) for _ in range(2)]
    async with nodes[0] as (_, first), nodes[1] as (_, second):
        match_id = await promised(first, ONE, TWO)
        await second.reveal(match_id, 1, TWO)
        assert list((await first.match(match_id)).entropy_awaited) == [0]
        await first.reveal(match_id, 0, ONE)
        await second.resign(match_id, 0)
        secrets = (await record(second, match_id))[-1].secrets
        assert secrets.seed == verifier.derive_seed(match_id, secrets.secret, [ONE, TWO])


async def test_a_repeated_reveal_is_answered_alike(stored: Client) -> None:
    match_id = await promised(stored, ONE, b"")
    request = pb.RevealEntropyRequest(
        request_id="the-same-request-id", match_id=match_id, seat_token=token(0), entropy=ONE
    )
    first = await stored.matches.RevealEntropy(request)
    await stored.play(match_id, 3)
    assert await stored.matches.RevealEntropy(request) == first


async def test_the_fields_are_checked_and_never_shown(real: Client) -> None:
    match_id = await real.create()
    with refused() as got:
        await real.join(match_id, 0, entropy_hash=b"short secret")
    assert set(got.failure.violations) == {"entropy_hash"}
    assert "short" not in str(got.failure.violations)
    with refused() as got:
        await real.reveal(match_id, 0, b"short secret")
    assert set(got.failure.violations) == {"entropy"}
    assert "short" not in str(got.failure.violations)
    for seconds in (0, 601):
        with refused() as got:
            await real.create(entropy_limit=Duration(seconds=seconds))
        assert set(got.failure.violations) == {"entropy_limit"}
    await real.create(entropy_limit=Duration(seconds=600))


async def test_what_is_due_is_told_to_watchers(stored: Client) -> None:
    match_id = await promised(stored, ONE, TWO)
    await stored.reveal(match_id, 0, ONE)
    await stored.reveal(match_id, 1, TWO)
    told = []
    async for message in stored.watch(match_id):
        update = message.update
        told.append((update.change, list(update.entropy_awaited)))
        if update.change == match_pb2.MATCH_CHANGE_STARTED:
            break
    assert told[2:] == [
        (match_pb2.MATCH_CHANGE_JOINED, []),
        (match_pb2.MATCH_CHANGE_ENTROPY_DUE, [0, 1]),
        (match_pb2.MATCH_CHANGE_ENTROPY_REVEALED, [1]),
        (match_pb2.MATCH_CHANGE_ENTROPY_REVEALED, []),
        (match_pb2.MATCH_CHANGE_STARTED, []),
    ]
