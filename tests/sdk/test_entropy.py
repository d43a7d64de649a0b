"""Seats that add to the chance of their match, as players of the client do."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator

import pytest

import tablestate
from tablestate import Intent, MatchChange, MatchPhase, SeatCredential, verifier
from tablestate_service.cli.embedded import embedded_service

RUNNING = MatchPhase.MATCH_PHASE_RUNNING


@pytest.fixture(scope="module")
def target() -> Iterator[str]:
    with embedded_service() as address:
        yield address


@pytest.fixture
def client(target: str) -> Iterator[tablestate.Client]:
    with tablestate.Client(target) as client:
        yield client


def watch_to_the_start(player: tablestate.SeatedPlayer) -> None:
    for update in player.watch():
        if update.change == MatchChange.MATCH_CHANGE_STARTED:
            return


def seed_of(client: tablestate.Client, match_id: str) -> tuple[bytes, bytes]:
    secrets = client.replay(match_id).secrets
    assert secrets is not None
    return secrets.secret, secrets.seed


def test_players_who_watch_and_play_reveal_by_themselves(client: tablestate.Client) -> None:
    host = client.create_match("offboard")
    first, second = host.join(entropy=True), client.join(host.match_id, entropy=True)
    watching = threading.Thread(target=watch_to_the_start, args=(second,))
    watching.start()
    with first.play() as play:
        turn = next(iter(play))
        assert turn.phase == RUNNING
        play.resign()
    watching.join(20)
    assert not watching.is_alive()
    secret, seed = seed_of(client, host.match_id)
    entropies = [first.credential.entropy, second.credential.entropy]
    assert seed == verifier.derive_seed(host.match_id, secret, entropies)


async def test_asynchronous_players_reveal_by_themselves(target: str) -> None:
    async with tablestate.AsyncClient(target) as client:
        host = await client.create_match("offboard")
        player = await host.join(entropy=True)
        await host.add_bot("greedy")
        async for update in client.watch(player.credential):
            if update.change == MatchChange.MATCH_CHANGE_STARTED:
                break
        assert (await host.get()).phase == RUNNING


def test_a_player_reveals_without_a_stream_and_as_often_as_it_likes(
    client: tablestate.Client,
) -> None:
    host = client.create_match("offboard")
    player = host.join(entropy=True)
    player.reveal_entropy()  # Too early, and no fault.
    host.add_bot("greedy")
    assert list(host.get().entropy_awaited) == [player.seat]
    saved = json.loads(json.dumps(player.credential.save()))
    client.player(SeatCredential.load(saved)).reveal_entropy()
    assert host.get().phase == RUNNING
    player.reveal_entropy()
    host.abort()
    player.reveal_entropy()


def test_who_promises_nothing_starts_at_once(client: tablestate.Client) -> None:
    host = client.create_match("offboard")
    player = host.join()
    host.add_bot("greedy")
    assert host.get().phase == RUNNING
    assert player.credential.entropy == b""
    assert "entropy" not in player.credential.save()
    player.reveal_entropy()


def test_a_join_that_is_repeated_promises_the_same(client: tablestate.Client) -> None:
    host = client.create_match("offboard")
    intent = Intent.load(json.loads(json.dumps(Intent().save())))
    first = client.join(host.match_id, entropy=True, intent=intent)
    assert client.join(host.match_id, entropy=True, intent=intent).credential == first.credential
    assert first.credential.entropy == intent.entropy


def test_entropies_are_secrets() -> None:
    credential = SeatCredential("m", 0, b"t" * 32, b"e" * 32)
    assert "eeee" not in repr(credential) + repr(Intent("r", b"t" * 32, b"e" * 32))
    old = {"match_id": "m", "seat": 0, "seat_token": "00" * 32}
    assert SeatCredential.load(old).entropy == b""  # type: ignore[arg-type]
    loaded = [Intent.load({"request_id": "r", "token": "00" * 32}) for _ in range(2)]
    assert loaded[0].entropy != loaded[1].entropy
