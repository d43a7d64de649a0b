"""Random plies of Abalone in pure Python: `python -m bench.peers.abalone_boai SECONDS`.

Python chooses from the list of the legal moves, as the package's own random player does. A game
that is over (six marbles lost) begins anew.
"""

import json
import random
import sys
import time

from abalone.game import Game

_LOST = 8
"""The marbles of a side that has lost."""


def plies_a_second(seconds: float) -> float:
    """Play games one after the other."""
    chance, game, plies, begun = random.Random(1), Game(), 0, time.perf_counter()
    while (taken := time.perf_counter() - begun) < seconds:
        game.move(*chance.choice(list(game.generate_legal_moves())))
        game.switch_player()
        plies += 1
        if _LOST in game.get_score():
            game = Game()
    return plies / taken


if __name__ == "__main__":
    print(json.dumps({"per_second": plies_a_second(float(sys.argv[1]))}))
