"""Batches over the wire: the same as in one's own process, and refused where they must be."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import grpc
import numpy as np
import pytest

import tablestate
from support.service import Client, refused, service
from tablestate import AsyncClient
from tablestate.v1 import engine_service_pb2 as pb
from tablestate.v1.batch_pb2 import ActionForm, WantedParts
from tablestate.v1.game_pb2 import GameOptions, GameState
from tablestate.v1.offboard_pb2 import OffboardOptions
from tablestate.v1.offtrack_pb2 import OffTrackOptions
from tablestate_service.engine import Batch

PARTS = ("actors", "flags", "actions", "returns", "masks", "observations")
OFFBOARD = GameOptions(offboard=OffboardOptions())
SIMULATE = "/tablestate.v1.EngineService/Simulate"


@pytest.fixture
async def client(real: Client) -> AsyncIterator[AsyncClient]:
    async with AsyncClient(real.address) as client:
        yield client


def same_arrays(ours: Any, theirs: Any) -> None:
    for part in PARTS:
        np.testing.assert_array_equal(getattr(ours, part), getattr(theirs, part), part)
    for one, other in zip(ours.ended(), theirs.ended(), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("size", [1, 40, 300])
@pytest.mark.parametrize("game", ["offboard", "offtrack"])
async def test_a_remote_batch_is_the_one_in_process(
    client: AsyncClient, game: str, size: int
) -> None:
    rng = np.random.default_rng(size)
    here = Batch(game, size, seed=7, auto_reset=True)
    async with await client.batch(game, size, seed=7, auto_reset=True) as there:
        assert (there.size, there.seats) == (here.size, here.seats)
        same_arrays(here, there)
        for turn in range(200):
            if turn % 2:
                actions = rng.integers(2**32, size=size, dtype=np.uint32)
                form: Any = "draw"
            else:
                actions = rng.integers(here.action_count, size=size).astype(np.uint16)
                form = "index"
            here.step(actions, form)
            await there.step(actions, form)
            same_arrays(here, there)
        np.testing.assert_array_equal(here.legal, there.legal)
        state = here.dump(0)
        assert await there.dump(0) == state
        await there.load(size - 1, state)
        here.load(size - 1, state)
        same_arrays(here, there)
        same_arrays(here.copy([0, size - 1, 0]), await there.copy([0, size - 1, 0]))


@pytest.mark.parametrize("game", ["offboard", "offtrack"])
async def test_bots_and_looks_are_the_same_as_in_process(client: AsyncClient, game: str) -> None:
    rng, bots = np.random.default_rng(3), (None, "greedy")
    here = Batch(game, 30, seed=4, auto_reset=True, bots=bots)
    async with await client.batch(game, 30, seed=4, auto_reset=True, bots=bots) as there:
        for _ in range(60):
            draws = rng.integers(2**32, size=30, dtype=np.uint32)
            here.step(draws, "draw")
            await there.step(draws, "draw")
            same_arrays(here, there)
            here.look(1)
            await there.look(1)
            same_arrays(here, there)


@pytest.mark.parametrize(
    ("bots", "field"),
    [
        (("greedy",), "open.bots"),
        (("greedy",) * 2, "open.bots"),
        (("nobody", None), "open.bots[0]"),
    ],
)
async def test_bots_that_cannot_be_are_refused(
    client: AsyncClient, bots: tuple[str | None, ...], field: str
) -> None:
    with pytest.raises(tablestate.InvalidRequestError) as refusal:
        await client.batch("offboard", 1, bots=bots)
    assert [violation.field for violation in refusal.value.violations] == [field]


async def test_a_copy_with_a_seed_has_fresh_chance_and_one_without_the_same(
    client: AsyncClient,
) -> None:
    async with client.simulation() as simulation:
        batch = await simulation.batch("offtrack", 30, seed=1)
        twin, fork = await batch.copy(), await batch.copy(seed=5)
        rng = np.random.default_rng(1)
        for _ in range(20):
            draws = rng.integers(2**32, size=30, dtype=np.uint32)
            for each in (batch, twin, fork):
                await each.step(draws, "draw")
        np.testing.assert_array_equal(batch.observations, twin.observations)
        assert (batch.observations != fork.observations).any()
        await twin.close()


async def test_chance_can_be_given_draw_by_draw(client: AsyncClient) -> None:
    here = Batch("offtrack", 2, seed=3)
    async with await client.batch("offtrack", 2, seed=3) as there:
        draws: list[int] = []
        while isinstance(answer := await there.play(1, None, draws), int):
            assert here.play(1, None, draws) == answer
            draws.append(answer - 1)
        assert here.play(1, None, draws) == answer
        assert len(draws) > 10
        assert [len(events) for events in answer] == [4, 4]
        action = int(np.flatnonzero(there.legal[1])[0])
        draws = []
        while isinstance(answer := await there.play(1, action, draws), int):
            draws.append(0)
        assert here.play(1, action, draws) == answer
        same_arrays(here, there)


@pytest.mark.parametrize("size", [16, 2000])
async def test_two_batches_are_in_flight_and_answered_in_order(
    client: AsyncClient, size: int
) -> None:
    async with client.simulation() as simulation:
        both = [await simulation.batch("offtrack", size, seed=n, auto_reset=True) for n in (1, 2)]
        alone = [Batch("offtrack", size, seed=n, auto_reset=True) for n in (1, 2)]
        rng = np.random.default_rng(1)
        for _ in range(20):
            draws = [rng.integers(2**32, size=size, dtype=np.uint32) for _ in both]
            for each, chosen in zip(both, draws, strict=True):
                await each.begin(chosen, "draw")
            for each, other, chosen in zip(both, alone, draws, strict=True):
                await each.finish()
                other.step(chosen, "draw")
                same_arrays(other, each)


async def test_many_requests_may_be_sent_ahead(real: Client) -> None:
    """Also for one batch, and mixed with large ones; the answers come in order."""
    wanted = WantedParts(flags=True)
    requests = [
        pb.SimulateRequest(batch=1, open=pb.OpenBatch(options=OFFBOARD, size=4000, seed=1)),
        pb.SimulateRequest(batch=2, open=pb.OpenBatch(options=OFFBOARD, size=3, seed=1)),
        *(
            pb.SimulateRequest(
                batch=number,
                wanted=wanted,
                step=pb.StepBatch(form=ActionForm.ACTION_FORM_DRAW, actions=bytes(4 * size)),
            )
            for _ in range(30)
            for number, size in ((1, 4000), (1, 4000), (2, 3))
        ),
        pb.SimulateRequest(batch=1, close=pb.CloseBatch()),
    ]
    async with grpc.aio.insecure_channel(real.address) as channel:
        call: Any = channel.stream_stream(SIMULATE)()
        for request in requests:
            await call.write(request.SerializeToString())
        await call.done_writing()
        answers = [pb.SimulateResponse.FromString(answer) async for answer in call]
    assert [each.batch for each in answers] == [each.batch for each in requests]
    sizes = [len(each.parts.flags) for each in answers[2:-1]]
    assert sizes == [4000, 4000, 3] * 30


def step_of(size: int, form: int = 3, width: int = 4) -> pb.SimulateRequest:
    return pb.SimulateRequest(batch=1, step=pb.StepBatch(form=form, actions=bytes(size * width)))  # type: ignore[arg-type]


STATE = Batch("offboard", 1).dump(0)
OTHER_STATE = GameState.FromString(Batch("offtrack", 1).dump(0))
WRONG = {
    "operation": pb.SimulateRequest(batch=1),
    "batch": pb.SimulateRequest(batch=3, step=pb.StepBatch()),
    "open.size": pb.SimulateRequest(batch=2, open=pb.OpenBatch(options=OFFBOARD, size=4097)),
    "open.seeds": pb.SimulateRequest(
        batch=2, open=pb.OpenBatch(options=OFFBOARD, size=2, seeds=[1])
    ),
    "open.states[0]": pb.SimulateRequest(
        batch=2, open=pb.OpenBatch(options=OFFBOARD, size=1, states=[OTHER_STATE])
    ),
    "step.form": step_of(4, form=9),
    "step.actions": step_of(5),
    "copy.source": pb.SimulateRequest(batch=2, copy=pb.CopyBatch(source=9)),
    "copy.slots[1]": pb.SimulateRequest(batch=2, copy=pb.CopyBatch(source=1, slots=[0, 4])),
    "load.slots": pb.SimulateRequest(
        batch=1, load=pb.LoadStates(slots=[0, 1], states=[OTHER_STATE])
    ),
    "load.states[0]": pb.SimulateRequest(batch=1, load=pb.LoadStates(states=[OTHER_STATE])),
    "dump.slots[0]": pb.SimulateRequest(batch=1, dump=pb.DumpStates(slots=[4])),
    "play.slot": pb.SimulateRequest(batch=1, play=pb.PlayDraws(slot=4)),
    "index": pb.SimulateRequest(batch=1, play=pb.PlayDraws(action=428)),
    "draws[0]": pb.SimulateRequest(batch=1, play=pb.PlayDraws(draws=[1])),
    "wanted.observer": pb.SimulateRequest(
        batch=1, wanted=WantedParts(observer=2), step=pb.StepBatch()
    ),
}


@pytest.mark.parametrize("field", WRONG)
async def test_a_wrong_request_ends_the_stream_and_names_the_field(
    real: Client, field: str
) -> None:
    opened = pb.SimulateRequest(batch=1, open=pb.OpenBatch(options=OFFBOARD, size=4))
    async with grpc.aio.insecure_channel(real.address) as channel:
        call: Any = channel.stream_stream(SIMULATE)()
        await call.write(opened.SerializeToString())
        assert pb.SimulateResponse.FromString(await call.read()).shape.size == 4
        await call.write(WRONG[field].SerializeToString())
        with refused() as got:
            await call.read()
    assert got.reason == "INVALID_FIELD"
    assert list(got.failure.violations) == [field]


@pytest.mark.parametrize("size", [4, 500])
async def test_a_fault_is_told_after_the_answers_to_what_came_before(
    real: Client, size: int
) -> None:
    opened = pb.SimulateRequest(batch=1, open=pb.OpenBatch(options=OFFBOARD, size=size))
    async with grpc.aio.insecure_channel(real.address) as channel:
        call: Any = channel.stream_stream(SIMULATE)()
        await call.write(opened.SerializeToString())
        await call.write(WRONG["batch"].SerializeToString())
        assert pb.SimulateResponse.FromString(await call.read()).shape.size == size
        with refused() as got:
            await call.read()
    assert list(got.failure.violations) == ["batch"]


async def test_bytes_that_are_no_request_end_the_stream(real: Client) -> None:
    async with grpc.aio.insecure_channel(real.address) as channel:
        call: Any = channel.stream_stream(SIMULATE)()
        await call.write(b"\xff\xff\xff")
        with refused() as got:
            await call.read()
    assert got.reason == "MALFORMED_REQUEST"


async def test_a_reply_larger_than_clients_take_is_refused_before_anything_is_done(
    client: AsyncClient,
) -> None:
    options = GameOptions(offtrack=OffTrackOptions(seats=4, decks=2, eras=8))
    with pytest.raises(tablestate.InvalidRequestError, match="wanted"):
        await client.batch(options, 4096, auto_reset=True)
    async with await client.batch(options, 500, auto_reset=True) as batch:
        assert batch.size == 500


async def soon(batch: Callable[..., Awaitable[Any]], size: int) -> Any:
    """A batch, as soon as the service has noticed the end of another stream."""
    async with asyncio.timeout(60):
        while True:
            with contextlib.suppress(tablestate.ResourceExhaustedError):
                return await batch("offboard", size, parts=("flags",))
            await asyncio.sleep(0.05)


async def test_the_slots_of_all_streams_have_a_limit(tmp_path: Path) -> None:
    limits: dict[str, Any] = {"max_slots": 5000, "max_simulations": 2}
    async with (
        service(tmp_path, **limits) as (_, raw),
        AsyncClient(raw.address) as client,
        client.simulation() as simulation,
    ):
        batch = await simulation.batch("offboard", 3000, parts=("flags",))
        with pytest.raises(tablestate.ResourceExhaustedError, match="max_slots"):
            await client.batch("offboard", 3000, parts=("flags",))
        await batch.close()
        for _ in range(3):  # What a stream had is free again when it has ended.
            async with await soon(client.batch, 3000) as other:
                assert other.size == 3000
        async with client.simulation() as second:
            await soon(second.batch, 1)
            with pytest.raises(tablestate.ResourceExhaustedError, match="max_simulations"):
                await client.batch("offboard", 1)


async def test_a_drain_ends_simulations_at_once_and_says_so(tmp_path: Path) -> None:
    running = service(tmp_path)
    _, raw = await running.__aenter__()
    async with AsyncClient(raw.address) as client:
        batch = await client.batch("offboard", 5)
        waiting = asyncio.ensure_future(client.perft("offboard", 12, timeout=2))
        await asyncio.sleep(0.3)
        begun = time.monotonic()
        await running.__aexit__(None, None, None)
        assert time.monotonic() - begun < 3
        for broken in (batch.look(), waiting):
            with pytest.raises(tablestate.UnavailableError):
                await broken


async def test_a_copy_is_taken_before_what_comes_after_it(real: Client) -> None:
    """However large the batch: the requests are carried out in their order."""
    for size in (100, 4000):
        step = pb.StepBatch(form=ActionForm.ACTION_FORM_DRAW, actions=bytes(4 * size))
        wanted = WantedParts(actions=True, observations=size == 100)
        opened = pb.OpenBatch(options=OFFBOARD, size=size, seed=1)
        requests = [pb.SimulateRequest(batch=1, open=opened)]
        for number in range(2, 12):
            requests += [
                pb.SimulateRequest(batch=number, copy=pb.CopyBatch(source=1), wanted=wanted),
                pb.SimulateRequest(batch=1, step=step, wanted=wanted),
                pb.SimulateRequest(batch=number, close=pb.CloseBatch()),
            ]
        ahead = await answers_to(real, requests, ahead=True)
        one_by_one = await answers_to(real, requests, ahead=False)
        assert ahead == one_by_one


async def answers_to(
    real: Client, requests: list[pb.SimulateRequest], *, ahead: bool
) -> list[bytes]:
    async with grpc.aio.insecure_channel(real.address) as channel:
        call: Any = channel.stream_stream(SIMULATE)()
        if ahead:
            for request in requests:
                await call.write(request.SerializeToString())
            return [await call.read() for _ in requests]
        answers = []
        for request in requests:
            await call.write(request.SerializeToString())
            answers.append(await call.read())
        return answers


async def test_streams_that_are_dropped_at_any_moment_give_all_slots_back(tmp_path: Path) -> None:
    limits: dict[str, Any] = {"max_slots": 9000, "max_simulations": 1000}
    opened = pb.OpenBatch(
        options=GameOptions(offtrack=OffTrackOptions(seats=4)), bots=["greedy"] * 3 + [""]
    )
    async with (
        service(tmp_path, **limits) as (_, raw),
        grpc.aio.insecure_channel(raw.address) as channel,
    ):
        for round_ in range(30):
            call: Any = channel.stream_stream(SIMULATE)()
            for number, size in ((1, 1500), (2, 65), (3, 65)):
                opened.size = size
                request = pb.SimulateRequest(batch=number, open=opened)
                await call.write(request.SerializeToString())
            await asyncio.sleep(round_ * 0.004)
            call.cancel()
        async with asyncio.timeout(60):
            while not await has_room(raw, 9000):
                await asyncio.sleep(0.5)


async def has_room(raw: Client, slots: int) -> bool:
    async with AsyncClient(raw.address) as client, client.simulation() as simulation:
        try:
            for size in (4000, 4000, slots - 8000):
                await simulation.batch("offboard", size, parts=("flags",))
        except tablestate.ResourceExhaustedError:
            return False
    return True


async def test_a_reader_that_is_too_slow_is_told_so(tmp_path: Path) -> None:
    opened = pb.SimulateRequest(batch=1, open=pb.OpenBatch(options=OFFBOARD, size=1000))
    step = pb.SimulateRequest(
        batch=1,
        step=pb.StepBatch(form=ActionForm.ACTION_FORM_DRAW, actions=bytes(4000)),
        wanted=WantedParts(masks=True, observations=True),
    )
    async with (
        service(tmp_path, slow_reader_seconds=0.5) as (_, raw),
        grpc.aio.insecure_channel(raw.address, [("grpc.http2.bdp_probe", 0)]) as channel,
    ):
        call: Any = channel.stream_stream(SIMULATE)()
        await call.write(opened.SerializeToString())
        for _ in range(60):
            await call.write(step.SerializeToString())
        await asyncio.sleep(3)
        with refused() as got:
            while await call.read() is not grpc.aio.EOF:
                pass
    assert got.reason == "WATCHER_TOO_SLOW"


async def test_closing_twice_does_nothing_and_a_closed_batch_says_so(client: AsyncClient) -> None:
    async with client.simulation() as simulation:
        one, other = [await simulation.batch("offboard", 2) for _ in range(2)]
        await one.close()
        await one.close()
        with pytest.raises(tablestate.BatchClosedError):
            await one.look()
        await other.look()
        assert (await other.copy(np.array([1]))).size == 1  # type: ignore[arg-type]
        with pytest.raises(tablestate.InvalidArgumentError, match="slots"):
            await other.copy([])


async def test_bots_that_take_long_hold_up_nobody_and_stop_with_their_stream(
    tmp_path: Path,
) -> None:
    opened = pb.OpenBatch(options=OFFBOARD, size=64, bots=["hard", ""])
    async with (
        service(tmp_path, engine_threads=1) as (_, raw),
        AsyncClient(raw.address) as client,
        grpc.aio.insecure_channel(raw.address) as channel,
    ):
        call: Any = channel.stream_stream(SIMULATE)()
        await call.write(pb.SimulateRequest(batch=1, open=opened).SerializeToString())
        await asyncio.sleep(0.2)
        begin = time.monotonic()
        await client.games()
        assert time.monotonic() - begin < 0.5, "the bots are on the event loop"
        call.cancel()
        begin = time.monotonic()
        async with await client.batch("offboard", 300, parts=("flags",)):
            # A thread of a second stream: it waits until the only one is free.
            assert time.monotonic() - begin < 1
