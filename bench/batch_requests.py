"""Requests of a `Simulate` stream, prepared: what a client sends when it does nothing else."""

from typing import Any, NamedTuple, cast

import grpc
import numpy as np
import numpy.typing as npt

from bench import matches
from bench.servers import Server
from tablestate.v1 import batch_pb2, engine_service_pb2

SIMULATE = "/tablestate.v1.EngineService/Simulate"
SEED = 1
_PREPARED = 64
"""Steps that are sent in turn."""


class Shape(NamedTuple):
    """A batch of Offboard: its slots, and the parts that every step shows."""

    size: int
    parts: tuple[str, ...]


def draws(size: int) -> npt.NDArray[np.uint32]:
    """Actions for some steps, a row each: uniform draws."""
    chance = np.random.default_rng(SEED)
    return chance.integers(0, 1 << 32, (_PREPARED, size), np.uint32)


def opening(shape: Shape, number: int) -> bytes:
    """Make a batch; games that end are set up again."""
    opened = engine_service_pb2.OpenBatch(
        options=matches.OPTIONS, size=shape.size, seed=SEED, auto_reset=True
    )
    return engine_service_pb2.SimulateRequest(batch=number, open=opened).SerializeToString()


def steps(shape: Shape, number: int) -> list[bytes]:
    """Step it by draws."""
    wanted = batch_pb2.WantedParts(**dict.fromkeys(shape.parts, True))
    form = batch_pb2.ActionForm.ACTION_FORM_DRAW
    return [
        engine_service_pb2.SimulateRequest(
            batch=number,
            wanted=wanted,
            step=engine_service_pb2.StepBatch(form=form, actions=each.tobytes()),
        ).SerializeToString()
        for each in draws(shape.size)
    ]


def reply(server: Server, shape: Shape) -> bytes:
    """What the service answers to a step."""
    requests = [opening(shape, 1), steps(shape, 1)[0]]
    with grpc.insecure_channel(server.address) as channel:
        call: Any = channel.stream_stream(SIMULATE)
        *_, answer = call(iter(requests))
    return cast(bytes, answer)
