"""Search with an evaluator of one's own, in NumPy: Offboard against random play.

Run it with `python examples/evaluator.py`; it needs `tablestate[engine]`. The evaluator knows
nothing but the points; a network goes in its place.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
import numpy.typing as npt

from tablestate_service.engine.batch import NO_ACTION, OVER, Batch
from tablestate_service.engine.tree_search import Leaves, TreeSearch

GAME = "offboard"
OWN_SCORE, OTHER_SCORE = 158, 159
POINTS_TO_WIN = 6
Floats = npt.NDArray[np.float32]


def evaluate(leaves: Leaves, actions: int) -> tuple[Floats, Floats]:
    """Every action is as promising; who is ahead by all points may expect to win."""
    scores = leaves.observations[:, [OWN_SCORE, OTHER_SCORE]].astype(np.float32)
    priors = np.ones((len(leaves), actions), np.float32)
    return priors, np.clip((scores[:, 0] - scores[:, 1]) / POINTS_TO_WIN, -1, 1)


def choose(batch: Batch, simulations: int, seed: int) -> npt.NDArray[np.uint16]:
    """Search all games at once; the action of each that was tried most often."""
    search = TreeSearch(batch, simulations=simulations, leaves=4, seed=seed)
    while (leaves := search.leaves()) is not None:
        search.answer(*evaluate(leaves, search.action_count))
    best = search.visits.argmax(axis=1).astype(np.uint16)
    return np.where(batch.flags & OVER, np.uint16(NO_ACTION), best)


def play(games: int, simulations: int, seat: int, seed: int = 1) -> float:
    """Play against random actions; the share of the games that was won, draws counted as halves."""
    bots = [None if each == seat else "random" for each in range(2)]
    batch = Batch(GAME, games, seed=seed, bots=bots)
    returns, ply = np.zeros(games, np.float32), 0
    while not (batch.flags & OVER).all():
        batch.step(choose(batch, simulations, seed + ply))
        # Of games that are over the returns stay.
        returns, ply = batch.returns[:, seat].copy(), ply + 1
    return float((1 + returns.mean()) / 2)


def main() -> None:
    """Play on both seats, and say how it went."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=32, help="on each seat")
    parser.add_argument("--simulations", type=int, default=100, help="for each decision")
    arguments = parser.parse_args()
    begin = time.perf_counter()
    won = [play(arguments.games, arguments.simulations, seat) for seat in range(2)]
    print(f"won {100 * sum(won) / 2:.1f}% in {time.perf_counter() - begin:.0f} s")


if __name__ == "__main__":
    main()
