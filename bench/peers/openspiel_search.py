"""Random plies of OpenSpiel in C++ alone: `python -m bench.peers.openspiel_search GAME SECONDS`.

OpenSpiel plays whole random games in C++ only as rollouts of its tree search. The plies are the
rollouts times the mean length of a random game; the few plies within the tree are not counted.
"""

import json
import random
import sys
import time
from statistics import fmean
from typing import Any

import pyspiel

_ROLLOUTS = 50
_SIMULATIONS = 20
_GAMES = 200
_MEGABYTES = 100
_EXPLORATION = 2.0


def plies_a_second(name: str, seconds: float) -> float:
    """Search from the start again and again."""
    game: Any = pyspiel.load_game(name)
    length = fmean(_random_length(game, random.Random(number)) for number in range(_GAMES))
    searches, begun = 0, time.perf_counter()
    while (taken := time.perf_counter() - begun) < seconds:
        evaluator = pyspiel.RandomRolloutEvaluator(_ROLLOUTS, searches)
        bot = pyspiel.MCTSBot(
            game, evaluator, _EXPLORATION, _SIMULATIONS, _MEGABYTES, False, searches, False
        )
        bot.step(game.new_initial_state())
        searches += 1
    return searches * _SIMULATIONS * _ROLLOUTS * length / taken


def _random_length(game: Any, chance: random.Random) -> int:
    state, plies = game.new_initial_state(), 0
    while not state.is_terminal():
        state.apply_action(chance.choice(state.legal_actions()))
        plies += 1
    return plies


if __name__ == "__main__":
    print(json.dumps({"per_second": plies_a_second(sys.argv[1], float(sys.argv[2]))}))
