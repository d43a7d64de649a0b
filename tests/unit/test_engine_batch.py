"""Batches in one's own process: arrays in place, clear refusals, no gRPC."""

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from tablestate.v1.game_pb2 import GameOptions
from tablestate.v1.offboard_pb2 import OffboardOptions
from tablestate_service.engine import Batch, CoreError, default_options
from tablestate_service.engine.batch import NO_ACTION, NO_ACTOR, OVER, REFUSED, RESET


def draws(rng: np.random.Generator, size: int) -> np.ndarray[Any, np.dtype[np.uint32]]:
    return rng.integers(2**32, size=size, dtype=np.uint32)


def test_steps_write_into_the_same_arrays() -> None:
    batch = Batch("offtrack", 10, seed=1)
    before = {part: id(getattr(batch, part)) for part in ("masks", "observations", "returns")}
    kept = batch.observations
    first = kept.copy()
    batch.step(draws(np.random.default_rng(1), 10), "draw")
    assert {part: id(getattr(batch, part)) for part in before} == before
    assert (kept != first).any()
    assert batch.returns.dtype == np.float32 and batch.actions.dtype == np.uint16


def test_games_go_on_to_their_ends_and_begin_anew_only_if_asked() -> None:
    rng = np.random.default_rng(2)
    staying, going_on = (
        Batch("offboard", 20, seed=1),
        Batch("offboard", 20, seed=1, auto_reset=True),
    )
    resets = 0
    while not (staying.flags & OVER).all():
        chosen = draws(rng, 20)
        staying.step(chosen, "draw")
        going_on.step(chosen, "draw")
        resets += int((going_on.flags & RESET != 0).sum())
        slots, last_seen = going_on.ended()
        assert list(slots) == list(np.flatnonzero(going_on.flags & RESET))
        assert last_seen.shape == (len(slots), 2, staying.observation_bytes)
    assert resets >= 20
    assert (staying.actors == NO_ACTOR).all()
    assert not staying.masks.any() and not staying.observations.any()
    assert (staying.returns.sum(axis=1) == 0).all()
    staying.step(np.zeros(20, np.uint16), "rank")
    assert (staying.flags == OVER | REFUSED).all() and (staying.actions == NO_ACTION).all()


def test_an_observer_sees_to_the_end() -> None:
    batch = Batch("offtrack", 8, seed=3, observer=1)
    rng = np.random.default_rng(1)
    while not (batch.flags & OVER).all():
        batch.step(draws(rng, 8), "draw")
    assert batch.observations.any(axis=1).all()


def test_parts_that_are_not_wanted_cost_nothing_and_are_none() -> None:
    batch = Batch("offboard", 4, parts=("masks",))
    assert batch.observations is None and batch.flags is None
    batch.step(np.argmax(batch.legal, axis=1))
    assert batch.legal.any(axis=1).all()


def test_whole_numbers_of_any_type_are_taken_if_they_fit() -> None:
    batch = Batch("offboard", 3)
    batch.step([0, NO_ACTION, 5], "index")
    batch.step(np.array([1, 2, 3], np.int64), "rank")
    assert not (batch.flags & REFUSED).any()
    with pytest.raises(OverflowError, match="0 to 65535"):
        batch.step([0, 65536, 0])
    with pytest.raises(OverflowError, match="-1 to"):
        batch.step([0, -1, 0], "draw")
    with pytest.raises(ValueError, match="whole numbers"):
        batch.step([0.5, 1.0, 2.0])


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"size": 0}, "size"),
        ({"size": 2, "seeds": [1]}, "seeds"),
        ({"size": 2, "threads": 0}, "threads"),
        ({"size": 2, "threads": 10_000}, "threads"),
        ({"size": 2, "bots": ["greedy", "greedy"]}, "bots"),
        ({"size": 2, "observer": 2}, "observer"),
        ({"size": 2, "parts": ["mask"]}, "parts"),
    ],
)
def test_what_is_out_of_range_is_named(wrong: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        Batch("offboard", **wrong)


def test_other_mistakes_are_named_too() -> None:
    with pytest.raises(CoreError) as refused:
        Batch("nogame", 1)
    assert refused.value.reason == "GAME_NOT_FOUND"
    with pytest.raises(CoreError) as refused:
        Batch(GameOptions(offboard=OffboardOptions(points_to_win=99)), 1)
    assert refused.value.reason == "INVALID_OPTIONS"
    batch = Batch(default_options("offboard"), 2)
    with pytest.raises(ValueError, match="shape"):
        batch.step([1, 2, 3])
    with pytest.raises(ValueError, match="slot"):
        batch.copy([2])
    with pytest.raises(ValueError, match="slots"):
        batch.copy([])
    with pytest.raises(ValueError, match="form"):
        batch.step([0, 0], "foo")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="masks"):
        _ = Batch("offboard", 1, parts=("flags",)).legal
    with pytest.raises(ValueError, match="slot"):
        batch.dump(2)
    with pytest.raises(ValueError, match="layout"):
        batch.load(0, Batch("offtrack", 1).dump(0))
    with pytest.raises(CoreError):
        batch.load(0, b"no state")


def test_dumps_go_on_where_they_were() -> None:
    batch = Batch("offtrack", 2, seed=9)
    rng = np.random.default_rng(4)
    for _ in range(9):
        batch.step(draws(rng, 2), "draw")
    other = Batch("offtrack", 2, seed=1)
    other.load(1, batch.dump(0))
    np.testing.assert_array_equal(other.observations[1], batch.observations[0])
    np.testing.assert_array_equal(other.masks[1], batch.masks[0])


ALONE = """
import sys
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {blocked}:
            raise ImportError(name)
sys.meta_path.insert(0, Refuse())
import tablestate_service.engine as engine
{use}
"""


@pytest.mark.parametrize(
    ("blocked", "use"),
    [
        (("grpc", "tablestate"), "engine.Batch('offboard', 3).step([0, 0, 0], 'rank')"),
        (
            ("grpc", "tablestate", "numpy"),
            "engine.GameState.start(engine.default_options('offboard'), bytes(32))",
        ),
    ],
)
def test_the_engine_needs_no_grpc_and_states_no_numpy(blocked: tuple[str, ...], use: str) -> None:
    code = ALONE.format(blocked=set(blocked), use=use)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
