"""Seats played over `Play`: whole matches, refusals, resumes, slow readers, ends."""

import asyncio
import random
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2, status_pb2

from support.fake_engine import FakeEngine
from support.play import Playing, play
from support.service import Client, refused, request_id, service, token
from tablestate.v1 import error_reason_pb2, game_pb2, match_pb2, offboard_pb2
from tablestate.v1 import match_service_pb2 as pb
from tablestate.v1 import play_pb2 as play_pb
from tablestate_service.app import Parts
from tablestate_service.rpc import stream_servicer

LONG = game_pb2.GameOptions(offboard=offboard_pb2.OffboardOptions(points_to_win=10_000))
SHORT = game_pb2.GameOptions(offboard=offboard_pb2.OffboardOptions(points_to_win=1))
ACTION = match_pb2.MATCH_CHANGE_ACTION
FAKE = Parts(engine=FakeEngine)


def order(responses: list[play_pb.PlayResponse]) -> list[tuple[str, int]]:
    """What came, as kinds and versions."""
    return [
        ("update", each.update.version)
        if each.HasField("update")
        else ("answer", each.answer.version)
        for each in responses
    ]


async def play_out(client: Client, match_id: str, seat: int) -> list[play_pb.PlayResponse]:
    """Play a seat to the end of the match, one action a turn; all that came."""
    chooser = random.Random(seat)
    playing = await play(client, match_id, seat, after_version=0, include_legal_actions=True)
    came = []
    async for response in playing:
        came.append(response)
        if response.HasField("update") and seat in response.update.actors:
            action = chooser.choice(response.update.legal_actions.actions)
            await playing.act(action.notation, expected_version=response.update.version)
    return came


async def test_two_players_play_a_whole_match(real: Client) -> None:
    match_id = await real.started(options=SHORT)
    both = await asyncio.gather(*(play_out(real, match_id, seat) for seat in (0, 1)))
    match = await real.match(match_id)
    assert match.outcome.winners
    for seat, came in enumerate(both):
        updates = [each.update for each in came if each.HasField("update")]
        assert [each.version for each in updates] == list(range(1, match.version + 1))
        acted = [each.version for each in updates if each.change == ACTION and each.seat == seat]
        answered = [each.answer.version for each in came if each.HasField("answer")]
        assert answered == acted
        # An answer comes behind the update of its version, and before any action that follows it.
        for place, (kind, version) in enumerate(order(came)):
            if kind == "answer":
                assert ("update", version) in order(came)[:place]
    watched = [message.update async for message in real.watch(match_id, seat_token=token(0))]
    played = [each.update for each in both[0] if each.HasField("update")]
    for ours, theirs in zip(played, watched, strict=True):
        ours.ClearField("legal_actions")
        assert ours == theirs


async def test_updates_carry_what_was_asked_for(fake: Client) -> None:
    match_id = await fake.started()
    bare = (await (await play(fake, match_id, 0)).next()).update
    full = await play(fake, match_id, 0, include_view=True, include_legal_actions=True)
    shown = (await full.next()).update
    assert shown.HasField("view") and shown.HasField("legal_actions")
    assert not bare.HasField("view") and not bare.HasField("legal_actions")
    assert bare.version == shown.version == 4


async def test_without_a_cursor_it_begins_with_the_last_entry(fake: Client) -> None:
    match_id = await fake.started()
    playing = await play(fake, match_id, 0)
    await playing.act("1")
    assert order([await playing.next() for _ in range(3)]) == [
        ("update", 4),
        ("update", 5),
        ("answer", 5),
    ]


def reason_of(refusal: play_pb.PlayRefusal) -> str:
    return error_reason_pb2.ErrorReason.Name(refusal.reason).removeprefix("ERROR_REASON_")


async def test_a_refusal_is_an_answer_and_ends_nothing(fake: Client) -> None:
    match_id = await fake.started()
    playing = await play(fake, match_id, 0)
    for notation, fields, reason, code in (
        ("1", {"expected_version": 3}, "STALE_VERSION", grpc.StatusCode.ABORTED),
        ("99", {}, "ILLEGAL_ACTION", grpc.StatusCode.FAILED_PRECONDITION),
        ("1", {"request_id": "short"}, "INVALID_FIELD", grpc.StatusCode.INVALID_ARGUMENT),
    ):
        sent = await playing.act(notation, **fields)
        answer = await playing.answer()
        assert answer.request_id == sent
        assert reason_of(answer.refusal) == reason
        assert answer.refusal.code == code.value[0]
        status = status_pb2.Status.FromString(answer.refusal.status)
        assert (status.code, status.message) == (answer.refusal.code, answer.refusal.message)
        info = error_details_pb2.ErrorInfo()
        assert status.details[0].Unpack(info)
        assert (info.domain, info.reason) == ("tablestate", reason)
    await playing.act("1")
    assert (await playing.answer()).version == 5
    await playing.act("1")
    assert reason_of((await playing.answer()).refusal) == "NOT_THE_ACTOR"


async def test_what_submit_action_refuses_is_refused_with_the_same_bytes(fake: Client) -> None:
    match_id = await fake.started()
    playing = await play(fake, match_id, 1)
    await playing.act("1")
    with pytest.raises(grpc.aio.AioRpcError) as got:
        await fake.submit(match_id, 1, "1")
    trailer = dict(got.value.trailing_metadata() or ())
    assert (await playing.answer()).refusal.status == trailer["grpc-status-details-bin"]


async def test_actions_sent_at_once_are_answered_in_their_order(fake: Client) -> None:
    match_id = await fake.started()
    playing = await play(fake, match_id, 0)
    sent = [await playing.act("1", expected_version=version) for version in (4, 6, 8)]
    answers = [await playing.answer() for _ in sent]
    assert [each.request_id for each in answers] == sent
    assert [each.version for each in answers] == [5, 0, 0]


async def test_a_resignation_ends_the_match_and_the_stream_behind_its_answer(fake: Client) -> None:
    match_id = await fake.started()
    playing = await play(fake, match_id, 1)
    await playing.resign()
    came = [response async for response in playing]
    assert order(came) == [("update", 4), ("update", 5), ("answer", 5)]
    assert came[1].update.phase == match_pb2.MATCH_PHASE_OVER


async def test_an_action_sent_again_on_another_stream_gets_the_same_answer(fake: Client) -> None:
    match_id = await fake.started()
    first = await play(fake, match_id, 0)
    sent = await first.act("1", expected_version=4)
    answered = await first.answer()
    first.call.cancel()
    second = await play(fake, match_id, 0, after_version=5)
    await second.act("1", expected_version=4, request_id=sent)
    assert await second.next() == play_pb.PlayResponse(answer=answered)
    assert (await fake.match(match_id)).version == 5
    await second.act("2", expected_version=4, request_id=sent)
    assert reason_of((await second.answer()).refusal) == "REQUEST_ID_REUSED"


async def test_an_action_is_the_same_on_the_stream_and_as_a_call(fake: Client) -> None:
    match_id = await fake.started()
    playing = await play(fake, match_id, 0)
    sent = await playing.act("1", expected_version=4)
    assert (await playing.answer()).version == 5
    again = await fake.submit(match_id, 0, "1", expected_version=4, request_id=sent)
    assert again.version == (await fake.match(match_id)).version == 5
    with refused() as got:
        await fake.submit(match_id, 0, "2", expected_version=4, request_id=sent)
    assert got.reason == "REQUEST_ID_REUSED"


async def test_a_stream_whose_player_sends_no_more_goes_on_to_the_end(fake: Client) -> None:
    match_id = await fake.started()
    playing = await play(fake, match_id, 0)
    await playing.call.done_writing()
    assert (await playing.next()).update.version == 4
    await fake.submit(match_id, 0, "1")
    assert (await playing.next()).update.version == 5
    await fake.matches.Resign(
        pb.ResignRequest(request_id=request_id(), match_id=match_id, seat_token=token(0))
    )
    assert order([response async for response in playing]) == [("update", 6)]


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ({"action": play_pb.PlayAction(request_id=request_id())}, "INVALID_FIELD"),
        ({}, "INVALID_FIELD"),
        ({"begin": play_pb.PlayBegin(match_id="x", seat_token=b"y")}, "INVALID_FIELD"),
        ({"begin": play_pb.PlayBegin(match_id="0" * 32, seat_token=token(0))}, "MATCH_NOT_FOUND"),
    ],
)
async def test_a_stream_that_begins_wrongly_is_refused(
    fake: Client, message: Any, reason: str
) -> None:
    call: Any = fake.matches.Play()
    await call.write(play_pb.PlayRequest(**message))
    with refused() as got:
        async for _ in call:
            pass
    assert got.reason == reason


async def test_a_stream_that_does_not_begin_is_ended(
    fake: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream_servicer, "BEGIN_SECONDS", 0.1)
    call: Any = fake.matches.Play()
    with refused() as got:
        await call.read()
    assert set(got.failure.violations) == {"message"}


async def test_a_stream_begins_once_and_with_the_right_token(fake: Client) -> None:
    match_id = await fake.started()
    playing = await play(fake, match_id, 0)
    await playing.begin()
    with refused() as twice:
        async for _ in playing:
            pass
    assert twice.reason == "INVALID_FIELD"
    with refused() as wrong:
        async for _ in await play(fake, match_id, 9):
            pass
    assert wrong.reason == "WRONG_SEAT_TOKEN"
    with refused() as late:
        async for _ in await play(fake, match_id, 0, after_version=9):
            pass
    assert late.reason == "VERSION_NOT_REACHED"


async def test_nothing_is_done_on_a_stream_that_is_refused(fake: Client) -> None:
    match_id = await fake.started()
    before = (await fake.match(match_id)).version
    for _ in range(10):
        playing = await play(fake, match_id, 0, after_version=99)
        with refused() as got:
            await playing.act("1")
            async for _ in playing:
                pass
        assert got.reason == "VERSION_NOT_REACHED"
    assert (await fake.match(match_id)).version == before


async def test_whoever_reads_too_slowly_is_told_where_to_resume(tmp_path: Path) -> None:
    async with (
        service(tmp_path, FAKE, slow_reader_seconds=0.3) as (running, client),
        grpc.aio.insecure_channel(
            running.address,
            options=[("grpc.http2.bdp_probe", 0), ("grpc.http2.lookahead_bytes", 1024)],
        ) as channel,
    ):
        match_id = await client.started(options=LONG)
        playing = await play(Client(channel), match_id, 0, after_version=0, include_view=True)
        seen = [(await playing.next()).update.version]
        for ply in range(1500):
            await client.submit(match_id, ply % 2, "1")
        await asyncio.sleep(0.6)
        with refused() as slow:
            async for response in playing:
                seen.append(response.update.version)
        assert slow.reason == "WATCHER_TOO_SLOW"
        assert seen == list(range(1, len(seen) + 1))
        assert slow.failure.metadata == {match_id: str(len(seen))}
        rest = await play(client, match_id, 0, after_version=seen[-1])
        assert (await rest.next()).update.version == seen[-1] + 1


async def test_a_drain_ends_a_stream_and_says_why(tmp_path: Path) -> None:
    async with service(tmp_path, FAKE) as (_, client):
        playing: Playing = await play(client, await client.started(), 0)
        await playing.next()
    with refused() as got:
        async for _ in playing:
            pass
    assert got.reason == "SHUTTING_DOWN"


async def test_a_drain_ends_a_stream_that_has_not_begun(tmp_path: Path) -> None:
    begun = asyncio.get_running_loop().time()
    async with service(tmp_path, FAKE) as (_, client):
        call: Any = client.matches.Play()
        await client.match(await client.started())
    with refused() as got:
        await call.read()
    assert got.reason == "SHUTTING_DOWN"
    assert asyncio.get_running_loop().time() - begun < 5


async def test_a_panic_of_the_core_ends_the_stream_with_an_incident(fake: Client) -> None:
    playing = await play(fake, await fake.started(), 0)
    await playing.act("panic")
    with refused() as got:
        async for _ in playing:
            pass
    assert got.reason == "INTERNAL"
    assert set(got.failure.metadata) == {"incident"}
