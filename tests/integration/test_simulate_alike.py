"""Steps that are known by their bytes are answered no other way than those that are read."""

import random
from collections.abc import AsyncIterator, Iterator
from typing import Any

import grpc
import pytest

from support.service import Client, refused
from tablestate.v1 import engine_service_pb2 as pb
from tablestate.v1.batch_pb2 import ActionForm, WantedParts
from tablestate.v1.game_pb2 import GameOptions
from tablestate.v1.offboard_pb2 import OffboardOptions
from tablestate.v1.offtrack_pb2 import OffTrackOptions

SIMULATE = "/tablestate.v1.EngineService/Simulate"
GAMES = (GameOptions(offboard=OffboardOptions()), GameOptions(offtrack=OffTrackOptions()))
UNKNOWN = b"\xfa\x7f\x01x"
"""A field that no message has: with it a request is never like one before."""
WANTED = (
    WantedParts(masks=True),
    WantedParts(flags=True, actors=True, observations=True, observer=1),
    WantedParts(returns=True, last_observations=True),
)


@pytest.fixture
async def call(real: Client) -> AsyncIterator[Any]:
    async with grpc.aio.insecure_channel(real.address) as channel:
        yield channel.stream_stream(SIMULATE)()


async def asked(call: Any, request: bytes) -> bytes:
    await call.write(request)
    answer = await call.read()
    assert answer is not grpc.aio.EOF, await call.details()
    return bytes(answer)


def opened(number: int, size: int, game: int = 0) -> pb.SimulateRequest:
    opening = pb.OpenBatch(options=GAMES[game], size=size, seed=size, auto_reset=True)
    return pb.SimulateRequest(batch=number, open=opening)


def requests(chance: random.Random, count: int) -> Iterator[pb.SimulateRequest]:
    """Steps of a few batches, mostly like the one before, and now and then something else."""
    sizes: dict[int, int] = {}
    wanted, form = WANTED[0], ActionForm.ACTION_FORM_DRAW
    for _ in range(count):
        number = chance.choice((0, 1, 300))
        if number not in sizes:
            sizes[number] = chance.choice((1, 3, 70))
            yield opened(number, sizes[number], chance.randrange(2))
        elif chance.random() < 0.05:
            del sizes[number]
            yield pb.SimulateRequest(batch=number, close=pb.CloseBatch())
        else:
            if chance.random() < 0.1:
                wanted = chance.choice(WANTED)
                form = chance.choice((ActionForm.ACTION_FORM_DRAW, ActionForm.ACTION_FORM_RANK))
            width = 4 if form == ActionForm.ACTION_FORM_DRAW else 2
            step = pb.StepBatch(form=form, actions=chance.randbytes(width * sizes[number]))
            yield pb.SimulateRequest(batch=number, wanted=wanted, step=step)


async def test_known_steps_are_answered_as_if_they_were_read(real: Client, call: Any) -> None:
    async with grpc.aio.insecure_channel(real.address) as channel:
        read: Any = channel.stream_stream(SIMULATE)()
        for request in requests(random.Random(7), 600):
            data = request.SerializeToString()
            assert await asked(call, data) == await asked(read, data + UNKNOWN), request


async def test_a_number_that_is_used_again_is_another_batch(call: Any) -> None:
    for size in (4, 4, 9):
        await asked(call, opened(1, size).SerializeToString())
        step = pb.StepBatch(form=ActionForm.ACTION_FORM_DRAW, actions=bytes(4 * size))
        request = pb.SimulateRequest(batch=1, wanted=WantedParts(flags=True), step=step)
        answers = [await asked(call, request.SerializeToString()) for _ in range(3)]
        flags = [len(pb.SimulateResponse.FromString(each).parts.flags) for each in answers]
        assert flags == [size] * 3
        closing = pb.SimulateRequest(batch=1, close=pb.CloseBatch())
        await asked(call, closing.SerializeToString())
    await call.write(request.SerializeToString())
    with refused() as got:
        await call.read()
    assert list(got.failure.violations) == ["batch"]
