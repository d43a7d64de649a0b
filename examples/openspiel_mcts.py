"""OpenSpiel's Monte-Carlo tree search against the search of this engine, at Offboard.

OpenSpiel plays through the adapter and sees an ordinary game; the other side is asked with the
view of its seat, as over gRPC. The first actions are drawn at random, since games would be alike
otherwise; every opening is played twice, with the seats swapped.

    .venv/bin/pip install 'tablestate[openspiel]'
    .venv/bin/python examples/openspiel_mcts.py --simulations 200 --iterations 80000
"""

from __future__ import annotations

import argparse
import random
import time
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms.mcts import MCTSBot, RandomRolloutEvaluator

from tablestate.rl.openspiel import register
from tablestate.v1.game_pb2 import GameOptions
from tablestate.v1.offboard_pb2 import OffboardOptions
from tablestate_service.engine import Batch, GameState, search

GAME = "offboard"
OPENING = 6
_UCT = 1.4
_ROLLOUTS = 1


class Match:
    """A game that both sides see, each in its own way."""

    def __init__(self, game: Any, options: bytes) -> None:
        """Set it up."""
        self.spiel = game.new_initial_state()
        self.options = options
        self.ours = GameState.start(self.options, bytes(32)).state

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return bool(self.spiel.is_terminal())

    def act(self, action: int) -> None:
        """Take an action, given by its index, on both sides."""
        self.spiel.apply_action(action)
        step = self.ours.attempt(action, [])
        assert not isinstance(step, int), "Offboard has no chance"
        self.ours = step.state

    def best(self, iterations: int) -> int:
        """What our search finds best."""
        seat = self.ours.actor
        assert seat is not None, "the game is not over"
        found = search(self.options, self.ours.view(seat), seat, iterations=iterations)
        assert found is not None, "nobody stops it"
        return found.actions[0].index


def play(
    game: Any, options: bytes, simulations: int, iterations: int, seed: int, our_seat: int
) -> tuple[float, list[float]]:
    """Our share of the victory in a game, and the seconds that OpenSpiel and we took."""
    numbers = np.random.RandomState(seed)
    evaluator = RandomRolloutEvaluator(_ROLLOUTS, numbers)
    other = MCTSBot(game, _UCT, simulations, evaluator, random_state=numbers)
    match, chance, seconds = Match(game, options), random.Random(seed), [0.0, 0.0]
    for _ in range(OPENING):
        match.act(chance.choice(match.spiel.legal_actions()))
    while not match.is_over:
        is_ours = match.spiel.current_player() == our_seat
        begun = time.perf_counter()
        action = match.best(iterations) if is_ours else other.step(match.spiel)
        seconds[is_ours] += time.perf_counter() - begun
        match.act(action)
    return (match.spiel.returns()[our_seat] + 1) / 2, seconds


def main() -> None:
    """Play and print."""
    arguments = _parser().parse_args()
    chosen = OffboardOptions(points_to_win=arguments.points)
    options = GameOptions(offboard=chosen).SerializeToString()
    register(Batch, GAME, chosen, name="tablestate_offboard")
    game = pyspiel.load_game("tablestate_offboard")
    shares: list[float] = []
    for number in range(arguments.games):
        share, (theirs, ours) = play(
            game,
            options,
            arguments.simulations,
            arguments.iterations,
            seed=number // 2,
            our_seat=number % 2,
        )
        shares.append(share)
        print(f"game {number}: {share:g} of 1 for us; OpenSpiel {theirs:.1f} s, we {ours:.1f} s")
    print(f"our share: {sum(shares) / len(shares):.1%} of {len(shares)} games")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--simulations", type=int, default=100, help="of OpenSpiel, a decision")
    parser.add_argument("--iterations", type=int, default=6_000, help="of ours, a decision")
    parser.add_argument("--points", type=int, default=3, help="needed to win")
    return parser


if __name__ == "__main__":
    main()
