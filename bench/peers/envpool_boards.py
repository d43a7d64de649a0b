"""Random steps of EnvPool: `python -m bench.peers.envpool_boards TASK SIZE THREADS SECONDS`.

NumPy chooses among the legal actions. The time that takes is not counted: EnvPool has nothing
that chooses by itself, as the draws of ours do.
"""

import json
import sys
import time
from typing import Any

import envpool
import numpy as np

_WARM_UP_STEPS = 20


def steps_a_second(task: str, size: int, threads: int, seconds: float) -> float:
    """Step all environments together; those that ended are set up again by it."""
    environment: Any = envpool.make(
        task, env_type="gymnasium", num_envs=size, num_threads=threads, seed=1
    )
    chance = np.random.default_rng(1)
    _, info = environment.reset()
    spent, steps = 0.0, -_WARM_UP_STEPS
    while spent < seconds:
        mask = info["legal_action_mask"]
        actions = (chance.random(mask.shape, np.float32) * mask).argmax(1).astype(np.int32)
        begun = time.perf_counter()
        *_, info = environment.step(actions)
        steps += 1
        if steps > 0:
            spent += time.perf_counter() - begun
    return steps * size / spent


if __name__ == "__main__":
    name, size, threads, seconds = sys.argv[1:]
    rate = steps_a_second(name, int(size), int(threads), float(seconds))
    print(json.dumps({"per_second": rate}))
