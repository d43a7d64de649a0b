"""Random decisions of a game of OpenSpiel: `python -m bench.openspiel GAME SECONDS`.

Breakthrough is the game that is nearest to Offboard: a board for two, about as many actions to
choose from, no chance. Gin rummy is the one nearest to OffTrack: hands and a deck. Chance nodes are
not counted, neither as decisions nor in the time: OpenSpiel lists all outcomes of each for Python.
"""

import json
import random
import sys
import time
from typing import Any

import pyspiel


class Peer:
    """Plays a game at random and keeps the time that chance takes apart."""

    def __init__(self, name: str) -> None:
        """Load a game by its name there."""
        self._game: Any = pyspiel.load_game(name)
        self._random = random.Random(0)
        self._chance_seconds = 0.0

    def decisions_a_second(self, seconds: float) -> float:
        """List the legal actions, choose one uniformly, apply it."""
        decisions, begun = 0, time.perf_counter()
        while self._spent(begun) < seconds:
            decisions += self._play()
        return decisions / self._spent(begun)

    def _spent(self, begun: float) -> float:
        return time.perf_counter() - begun - self._chance_seconds

    def _play(self) -> int:
        state, decisions, choose = self._game.new_initial_state(), 0, self._random.random
        while not state.is_terminal():
            if state.is_chance_node():
                self._draw(state)
                continue
            legal = state.legal_actions()
            state.apply_action(legal[int(choose() * len(legal))])
            decisions += 1
        return decisions

    def _draw(self, state: Any) -> None:
        begun = time.perf_counter()
        outcomes, weights = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(self._random.choices(outcomes, weights)[0])
        self._chance_seconds += time.perf_counter() - begun


if __name__ == "__main__":
    print(json.dumps({"per_second": Peer(sys.argv[1]).decisions_a_second(float(sys.argv[2]))}))
