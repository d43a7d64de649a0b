"""Plays games to their ends and tells how many a second.

`python -m bench.playout_program WHERE THREADS SECONDS`: WHERE is `here`, for this process, or the
address of a service.
"""

import contextlib
import json
import sys
import time
from collections.abc import Callable, Iterator

from bench.batch_requests import SEED
from tablestate import Client
from tablestate_service import engine

_GAME = "offboard"
_GAMES = 10_000
"""Of a call: so many that the call itself counts little."""
_MOST_PLIES = 100_000

Play = Callable[[int], object]
"""Plays games of a seed."""


@contextlib.contextmanager
def player(where: str, threads: int) -> Iterator[Play]:
    """What plays the games of a call."""
    if where == "here":
        options, stop = engine.default_options(_GAME), engine.Stop()
        yield lambda seed: engine.playouts(
            options, _GAMES, seed, "random", _MOST_PLIES, stop, threads
        )
    else:
        with Client(where, timeout=60.0) as client:
            yield lambda seed: client.playout(_GAME, games=_GAMES, seed=seed, threads=threads)


def measure(play: Play, seconds: float) -> tuple[float, int]:
    """Games played a second, and calls; the first call is for warming up."""
    play(SEED)
    calls, begun = 0, time.perf_counter()
    while (taken := time.perf_counter() - begun) < seconds or not calls:
        calls += 1
        play(SEED + calls)
    return calls * _GAMES / taken, calls + 1


def main(where: str, threads: str, seconds: str) -> None:
    """Measure and print."""
    with player(where, int(threads)) as play:
        per_second, calls = measure(play, float(seconds))
    print(json.dumps({"per_second": per_second, "calls": calls}))


if __name__ == "__main__":
    main(*sys.argv[1:])
