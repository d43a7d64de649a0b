"""Calls that are sent again: one effect, and the same answer byte for byte."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from google.protobuf.message import Message

from support.fake_engine import FakeEngine
from support.service import HOST, Client, refused, request_id, service, token
from tablestate.v1 import game_pb2, match_pb2, offboard_pb2
from tablestate.v1 import match_service_pb2 as pb
from tablestate_service.app import Parts

REPEATS = 4
OPTIONS = game_pb2.GameOptions(offboard=offboard_pb2.OffboardOptions())
BY_HOST = match_pb2.START_POLICY_BY_HOST
METADATA = {f"key {number}": "value" for number in range(8)}


@asynccontextmanager
async def running(directory: Path) -> AsyncIterator[Client]:
    async with service(directory, Parts(engine=FakeEngine)) as (_, client):
        yield client


async def send(client: Client, request: Message) -> bytes:
    """Send a request as bytes, so that the answer is seen as bytes."""
    name = type(request).__name__.removesuffix("Request")
    path = f"/tablestate.v1.MatchService/{name}"
    answer: bytes = await client.raw(path)(request.SerializeToString())
    return answer


async def sent_at_once(client: Client, request: Message) -> bytes:
    """Send a request several times at once; the one answer to all."""
    answers = await asyncio.gather(*(send(client, request) for _ in range(REPEATS)))
    assert len(set(answers)) == 1
    return answers[0]


def create() -> Message:
    return pb.CreateMatchRequest(
        request_id=request_id(), host_token=HOST, options=OPTIONS, metadata=METADATA
    )


def seat_call(kind: Any, match_id: str, seat: int, **fields: Any) -> Message:
    request: Message = kind(
        request_id=request_id(), match_id=match_id, seat_token=token(seat), **fields
    )
    return request


def host_call(kind: Any, match_id: str, **fields: Any) -> Message:
    request: Message = kind(request_id=request_id(), match_id=match_id, host_token=HOST, **fields)
    return request


async def played_with_every_call(client: Client) -> list[tuple[Message, bytes]]:
    """Every mutating call, each sent several times at once."""
    done: list[tuple[Message, bytes]] = []

    async def do(request: Message) -> bytes:
        answer = await sent_at_once(client, request)
        done.append((request, answer))
        return answer

    def submit(match_id: str, seat: int) -> Message:
        choice = {"notation": "1"}
        return seat_call(pb.SubmitActionRequest, match_id, seat, choice=choice, include_view=True)

    first = pb.CreateMatchResponse.FromString(await do(create())).match.match_id
    await do(seat_call(pb.JoinMatchRequest, first, 0, player_id="p"))
    await do(seat_call(pb.LeaveSeatRequest, first, 0))
    await do(seat_call(pb.JoinMatchRequest, first, 0))
    await do(seat_call(pb.JoinMatchRequest, first, 1))
    for ply in range(4):
        await do(submit(first, ply % 2))
    await do(seat_call(pb.ResignRequest, first, 0))
    by_host = pb.CreateMatchRequest(
        request_id=request_id(), host_token=HOST, options=OPTIONS, start_policy=BY_HOST
    )
    second = pb.CreateMatchResponse.FromString(await do(by_host)).match.match_id
    await do(seat_call(pb.JoinMatchRequest, second, 0))
    await do(host_call(pb.AddBotRequest, second, bot="random"))
    await do(host_call(pb.StartMatchRequest, second))
    await do(host_call(pb.AbortMatchRequest, second))
    return done


async def test_a_call_has_one_effect_and_one_answer_even_after_a_restart(tmp_path: Path) -> None:
    async with running(tmp_path) as client:
        done = await played_with_every_call(client)
        for request, answer in done:
            assert await send(client, request) == answer
        listed = await client.matches.ListMatches(pb.ListMatchesRequest())
        assert [match.version for match in listed.matches] == [5, 11]
    async with running(tmp_path) as client:
        for request, answer in done:
            assert await sent_at_once(client, request) == answer
        again = await client.matches.ListMatches(pb.ListMatchesRequest())
        assert again == listed


async def test_a_request_id_with_other_bytes_is_refused(fake: Client) -> None:
    match_id = await fake.started()
    first = seat_call(pb.SubmitActionRequest, match_id, 0, choice={"notation": "1"})
    await send(fake, first)
    other = pb.SubmitActionRequest.FromString(first.SerializeToString())
    other.include_view = True
    with refused() as got:
        await send(fake, other)
    assert got.reason == "REQUEST_ID_REUSED"


async def test_a_request_id_is_ones_own(fake: Client) -> None:
    match_id = await fake.create()
    same = request_id()
    await fake.join(match_id, 0, request_id=same)
    await fake.join(match_id, 1, request_id=same)
    assert (await fake.match(match_id)).phase == 2
