"""Searches with an evaluator outside and tells how many leaves it judged a second.

`python -m bench.evaluator_program WHERE THREADS SECONDS`: WHERE is `here`, for this process, or the
address of a service, which grows the trees of a stream on one thread whatever THREADS says. The
evaluator finds everything equally good, so that what is measured is the way there and back.
"""

import contextlib
import json
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from bench.batch_requests import SEED
from tablestate import Client
from tablestate.v1.game_pb2 import GameState
from tablestate_service.engine import Batch, TreeSearch

_GAME = "offboard"
_ROOTS = 256
_PLIES = 20
"""Actions at random before the roots."""
_SETTINGS: dict[str, Any] = {"simulations": 64, "leaves": 8}

Grow = Callable[[int], int]
"""Grows the trees with a seed, and gives how many leaves were judged."""


@contextlib.contextmanager
def grower(where: str, threads: int) -> Iterator[Grow]:
    """What grows the trees of a call."""
    states = _roots()
    if where == "here":
        yield lambda seed: _judge_all(
            TreeSearch.of_states(states, seed=seed, threads=threads, **_SETTINGS)
        )
    else:
        with Client(where, timeout=60.0) as client:
            yield lambda seed: _judge_there(client, states, seed)


def _roots() -> list[GameState]:
    """Positions of random games."""
    batch, chance = Batch(_GAME, _ROOTS, seed=SEED), np.random.default_rng(SEED)
    for _ in range(_PLIES):
        batch.step(chance.integers(0, 1 << 32, _ROOTS, np.uint32), "draw")
    return [GameState.FromString(batch.dump(slot)) for slot in range(_ROOTS)]


def _judge_there(client: Client, states: list[GameState], seed: int) -> int:
    with client.evaluate(states=states, seed=seed, **_SETTINGS) as search:
        return _judge_all(search)


def _judge_all(search: Any) -> int:
    """Answer until nothing is asked any more; the number of leaves."""
    judged = 0
    while (leaves := search.leaves()) is not None:
        size = len(leaves)
        search.answer(np.ones((size, search.action_count), np.float32), np.zeros(size, np.float32))
        judged += size
    return judged


def measure(grow: Grow, seconds: float) -> tuple[float, int]:
    """Leaves judged a second, and calls; the first call is for warming up."""
    grow(SEED)
    judged, calls, begun = 0, 0, time.perf_counter()
    while (taken := time.perf_counter() - begun) < seconds or not calls:
        calls += 1
        judged += grow(SEED + calls)
    return judged / taken, calls + 1


def main(where: str, threads: str, seconds: str) -> None:
    """Measure and print."""
    with grower(where, int(threads)) as grow:
        per_second, calls = measure(grow, float(seconds))
    print(json.dumps({"per_second": per_second, "calls": calls}))


if __name__ == "__main__":
    main(*sys.argv[1:])
