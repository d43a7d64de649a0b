"""Steps a batch in this process and tells how many games it stepped a second.

`python -m bench.batch_program GAME SIZE PARTS THREADS CHOOSER SECONDS`: PARTS is a list with
commas. With `draws` for CHOOSER the engine chooses, by draws that were prepared; with `numpy` this
process chooses uniformly from the masks, and the time that takes is counted.
"""

import json
import sys
import time
from collections.abc import Callable

import numpy as np

from bench.batch_requests import SEED, draws
from tablestate_service.engine import Batch

_WARM_UP = 0.2
_GROUP = 16
"""Steps between looks at the clock."""


Step = Callable[[int], None]
"""Takes the step of a number."""


def by_draws(batch: Batch) -> Step:
    """Let the engine choose."""
    prepared = draws(batch.size)
    return lambda number: batch.step(prepared[number % len(prepared)], "draw")


def by_numpy(batch: Batch) -> Step:
    """Choose here, uniformly among what the masks show."""
    chance = np.random.default_rng(SEED)

    def step(_number: int) -> None:
        legal = batch.legal
        scores = chance.random(legal.shape, np.float32) * legal
        batch.step(scores.argmax(1).astype(np.uint16))

    return step


def measure(step: Step, size: int, seconds: float) -> float:
    """Games stepped a second, the warming up left out."""
    _steps_a_second(step, seconds * _WARM_UP)
    return size * _steps_a_second(step, seconds)


def _steps_a_second(step: Step, seconds: float) -> float:
    done, begun = 0, time.perf_counter()
    while (taken := time.perf_counter() - begun) < seconds:
        for number in range(done, done + _GROUP):
            step(number)
        done += _GROUP
    return done / taken


def main(game: str, size: str, parts: str, threads: str, chooser: str, seconds: str) -> None:
    """Measure and print."""
    batch = Batch(
        game,
        int(size),
        seed=SEED,
        auto_reset=True,
        parts=tuple(parts.split(",")),
        threads=int(threads),
    )
    step = by_numpy(batch) if chooser == "numpy" else by_draws(batch)
    print(json.dumps({"per_second": measure(step, batch.size, float(seconds))}))


if __name__ == "__main__":
    main(*sys.argv[1:])
