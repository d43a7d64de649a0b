"""Tree search with the caller as judge: as in one's own process, within limits, and let go of."""

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import numpy as np
import numpy.typing as npt
import pytest

import tablestate
from support.service import Client, service
from tablestate import AsyncClient, _leaves
from tablestate.v1 import evaluate_pb2 as pb
from tablestate.v1.game_pb2 import GameState, GameView
from tablestate_service import engine
from tablestate_service.engine import Batch, TreeSearch

Arrays = tuple[npt.NDArray[Any], npt.NDArray[Any]]
SETTINGS: dict[str, Any] = {"simulations": 30, "leaves": 3, "exploration": 1.5, "seed": 11}
STOPPED_WITHIN = 0.1
EVALUATE = "/tablestate.v1.EngineService/Evaluate"


@pytest.fixture
async def client(real: Client) -> AsyncIterator[AsyncClient]:
    async with AsyncClient(real.address) as client:
        yield client


def judge(leaves: Any, actions: int) -> Arrays:
    """Believes something else of every position."""
    sums = leaves.observations.astype(np.int64) @ np.arange(leaves.observations.shape[1])
    priors = (sums[:, None] * np.arange(1, actions + 1) % 97).astype(np.float32)
    return priors, (sums % 201 / 100 - 1).astype(np.float32)


def midway(game: str, size: int) -> list[GameState]:
    batch, rng = Batch(game, size, seed=4), np.random.default_rng(4)
    for _ in range(9):
        batch.step(rng.integers(2**32, size=size, dtype=np.uint32), "draw")
    return [GameState.FromString(batch.dump(slot)) for slot in range(size)]


def seen(state: GameState) -> tuple[GameView, int]:
    whole = engine.GameState.load(state.SerializeToString())
    assert whole.actor is not None
    return GameView.FromString(whole.view(whole.actor)), whole.actor


async def same(here: TreeSearch, there: Any) -> None:
    """Grow both, and compare all that is handed out and found, bit for bit."""
    assert (there.size, there.seats, there.action_count) == (
        here.size,
        here.seats,
        here.action_count,
    )
    while (ours := here.leaves()) is not None:
        theirs = await there.leaves()
        for part in ("roots", "actors", "masks", "observations", "legal"):
            np.testing.assert_array_equal(getattr(theirs, part), getattr(ours, part), part)
        here.answer(*judge(ours, here.action_count))
        await there.answer(*judge(theirs, there.action_count))
    assert await there.leaves() is None
    for part in ("visits", "values", "returns"):
        np.testing.assert_array_equal(getattr(there, part), getattr(here, part), part)
    assert there.lines == here.lines


@pytest.mark.parametrize("game", engine.games())
async def test_a_remote_search_is_the_one_in_process(client: AsyncClient, game: str) -> None:
    states = midway(game, 20)
    async with await client.evaluate(states=states, **SETTINGS) as there:
        await same(TreeSearch.of_states(states, **SETTINGS), there)
    views, seats = zip(*map(seen, states), strict=True)
    async with await client.evaluate(game, views=views, seats=seats, **SETTINGS) as there:
        await same(TreeSearch.of_views(game, views, seats, **SETTINGS), there)


async def test_answers_may_take_several_messages(
    client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_leaves, "_MOST_PRIORS", 101)
    states = midway("offtrack", 10)
    async with await client.evaluate(states=states, **SETTINGS) as there:
        await same(TreeSearch.of_states(states, **SETTINGS), there)


async def test_what_is_found_is_known_at_the_end(client: AsyncClient) -> None:
    async with await client.evaluate(states=midway("offboard", 2), simulations=1) as search:
        with pytest.raises(tablestate.SearchGoesOnError):
            _ = search.visits
        first = await search.leaves()
        assert await search.leaves() is first is not None
        with pytest.raises(tablestate.InvalidArgumentError, match="priors"):
            await search.answer(np.ones((1, 2)), np.zeros(2))
        await search.answer(*judge(first, search.action_count))
        with pytest.raises(tablestate.InvalidArgumentError, match="no leaves wait"):
            await search.answer(*judge(first, search.action_count))


async def test_what_cannot_be_searched_is_named(client: AsyncClient) -> None:
    states = midway("offtrack", 2)
    view, seat = seen(states[0])

    async def refused(*roots: Any, **given: Any) -> list[str]:
        with pytest.raises(tablestate.InvalidRequestError) as caught:
            await client.evaluate(*roots, **{"simulations": 5, **given})
        return [violation.field for violation in caught.value.violations]

    assert await refused(states=states, simulations=0) == ["open.simulations"]
    assert await refused(states=states, leaves=257, exploration=-1) == [
        "open.leaves",
        "open.exploration",
    ]
    assert await refused(states=states, exploration=float("nan")) == ["open.exploration"]
    assert await refused(states=states[:1] * 1025) == ["open.roots"]
    assert await refused(states=[*states, *midway("offboard", 1)]) == ["open.roots[2]"]
    assert await refused(states=[GameState()]) == ["open.roots[0].state.game"]
    assert await refused("offtrack", views=[view], seats=[1 - seat]) == ["open.roots[0].seat"]
    assert await refused("offtrack", views=[view, GameView()], seats=[seat, 0]) == [
        "open.roots[1].view.game"
    ]
    assert await refused(states=midway("offboard", 1) * 1000, leaves=256) == ["open.leaves"]
    assert await refused(states=states[:1] * 1024, leaves=1) == ["open.roots"]
    for wrong in ({}, {"states": states, "views": [view], "seats": [seat]}, {"views": [view]}):
        with pytest.raises(tablestate.InvalidArgumentError):
            await client.evaluate("offtrack", simulations=1, **wrong)


async def test_wrong_answers_end_the_stream_and_are_named(client: AsyncClient) -> None:
    states = midway("offboard", 2)
    for fault, field in ((np.nan, "priors"), (-1.0, "priors"), (1.5, "values")):
        async with await client.evaluate(states=states, simulations=5) as search:
            leaves = await search.leaves()
            assert leaves is not None
            priors, values = judge(leaves, search.action_count)
            action = int(leaves.legal[1].argmax())
            if field == "priors":
                priors[1, action] = fault
            else:
                values[1] = fault
            await search.answer(priors, values)
            with pytest.raises(tablestate.InvalidRequestError) as caught:
                await search.leaves()
            place = action if field == "priors" else 0
            fields = [violation.field for violation in caught.value.violations]
            assert fields == [f"answers.{field}[1][{place}]"]


async def test_the_steps_of_a_stream_have_their_order(real: Client) -> None:
    opened = pb.EvaluateRequest(
        open=pb.OpenEvaluate(roots=[pb.SearchRoot(state=midway("offboard", 1)[0])], simulations=5)
    )
    answer = pb.EvaluateRequest(answers=pb.LeafAnswers())
    async with grpc.aio.insecure_channel(real.address) as channel:
        for steps, field in (
            ([pb.EvaluateRequest()], b"step"),
            ([answer], b"step"),
            ([opened, opened], b"step"),
            ([opened, answer], b"answers.priors"),
        ):
            call: Any = channel.stream_stream(EVALUATE)()
            for step in steps:
                await call.write(step.SerializeToString())
            with pytest.raises(grpc.RpcError):
                while await call.read() is not grpc.aio.EOF:
                    pass
            trailers = dict(await call.trailing_metadata())
            assert field in trailers["grpc-status-details-bin"]


async def test_dropped_streams_give_back_what_they_took(tmp_path: Path) -> None:
    limits: dict[str, Any] = {"max_slots": 30_000, "max_simulations": 3}
    state = midway("offtrack", 1)[0]
    async with service(tmp_path, **limits) as (_, raw), AsyncClient(raw.address) as client:
        with pytest.raises(tablestate.ResourceExhaustedError, match="max_slots"):
            await client.evaluate(states=[state] * 100, simulations=1000)
        held = await client.evaluate(states=[state] * 20, simulations=1000)
        with pytest.raises(tablestate.ResourceExhaustedError, match="max_slots"):
            await client.evaluate(states=[state] * 20, simulations=1000)
        await held.close()
        for number in range(12):
            opening = asyncio.ensure_future(client.evaluate(states=[state] * 20, simulations=1000))
            await asyncio.sleep(0.004 * number)
            opening.cancel()
            await asyncio.wait([opening])
            if not opening.cancelled() and opening.exception() is None:
                await opening.result().close()
        async with asyncio.timeout(60):
            while not await _has_room(client, state):
                await asyncio.sleep(0.1)


async def _has_room(client: AsyncClient, state: GameState) -> bool:
    try:
        async with await client.evaluate(states=[state] * 29, simulations=1000):
            return True
    except tablestate.ResourceExhaustedError:
        return False


def test_the_core_stops_within_a_tenth_of_a_second() -> None:
    """Near the end of a game most simulations come to it, and nobody is asked meanwhile."""
    batch, rng = Batch("offtrack", 1, seed=3), np.random.default_rng(3)
    state = batch.dump(0)
    while batch.flags[0] == 0:
        state = batch.dump(0)
        batch.step(rng.integers(2**32, size=1, dtype=np.uint32), "draw")
    search = TreeSearch.of_states([state] * 40, simulations=10_000_000)
    stop, seconds = engine.Stop(), list[float]()

    def grow() -> None:
        while (waiting := search._core.gather(stop)) > 0:
            search.answer(np.ones((waiting, search.action_count)), np.zeros(waiting))

    async def run() -> None:
        growing = asyncio.ensure_future(asyncio.to_thread(grow))
        await asyncio.sleep(0.5)
        assert not growing.done()
        begin = time.perf_counter()
        stop.set()
        await growing
        seconds.append(time.perf_counter() - begin)

    asyncio.run(run())
    assert seconds[0] < STOPPED_WITHIN


def test_the_synchronous_client_searches(tmp_path: Path) -> None:
    states = midway("eternitium", 3)
    here = TreeSearch.of_states(states, **SETTINGS)

    def there(address: str) -> npt.NDArray[np.uint32]:
        with (
            tablestate.Client(address) as client,
            client.evaluate(states=states, **SETTINGS) as search,
        ):
            while (leaves := search.leaves()) is not None:
                search.answer(*judge(leaves, search.action_count))
            return search.visits

    async def run() -> npt.NDArray[np.uint32]:
        async with service(tmp_path) as (_, raw):
            return await asyncio.to_thread(there, raw.address)

    visits = asyncio.run(run())
    while (leaves := here.leaves()) is not None:
        here.answer(*judge(leaves, here.action_count))
    np.testing.assert_array_equal(visits, here.visits)
