"""Random plies of OpenSpiel's breakthrough: `python -m bench.openspiel SECONDS`.

Breakthrough is the game of OpenSpiel that is nearest to Offboard: a board for two, about as
many actions to choose from, no chance.
"""

import json
import random
import sys
import time

import pyspiel  # type: ignore[import-not-found]


def plies_a_second(seconds: float) -> float:
    """Play random games: list the legal actions, choose one uniformly, apply it."""
    game = pyspiel.load_game("breakthrough")
    choose = random.Random(0).random
    plies, begun = 0, time.perf_counter()
    while time.perf_counter() - begun < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[int(choose() * len(legal))])
            plies += 1
    return plies / (time.perf_counter() - begun)


if __name__ == "__main__":
    print(json.dumps({"per_second": plies_a_second(float(sys.argv[1]))}))
