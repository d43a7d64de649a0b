"""Random steps of pgx on the CPU: `python -m bench.peers.pgx_boards GAME SIZE SECONDS`.

One compiled function chooses uniformly among the legal actions, steps, and sets games up again
that ended; compiling it is not counted.
"""

import json
import sys
import time
from typing import Any

import jax
import pgx
from pgx.experimental.wrappers import auto_reset


def steps_a_second(game: str, size: int, seconds: float) -> float:
    """Step all games together."""
    environment: Any = pgx.make(game)
    step = auto_reset(environment.step, environment.init)

    @jax.jit  # type: ignore[untyped-decorator]
    def advance(states: Any, key: Any) -> Any:
        choosing, chance = jax.random.split(key)
        scores = jax.numpy.where(states.legal_action_mask, 0.0, -jax.numpy.inf)
        actions = jax.random.categorical(choosing, scores)
        return jax.vmap(step)(states, actions, jax.random.split(chance, size))

    keys = jax.random.split(jax.random.PRNGKey(0), 1 << 16)
    states = jax.jit(jax.vmap(environment.init))(keys[:size])
    jax.block_until_ready(advance(states, keys[0]))
    steps, begun = 0, time.perf_counter()
    while (taken := time.perf_counter() - begun) < seconds:
        states = jax.block_until_ready(advance(states, keys[steps % len(keys)]))
        steps += 1
    return steps * size / taken


if __name__ == "__main__":
    jax.config.update("jax_platforms", "cpu")
    name, size, seconds = sys.argv[1:]
    print(json.dumps({"per_second": steps_a_second(name, int(size), float(seconds))}))
