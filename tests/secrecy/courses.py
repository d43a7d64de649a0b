"""Twin courses: two whole games that differ only in what never comes to light for a viewer."""

import random
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from secrecy.pairs import Draws, PairGenerator, Viewer
from tablestate.v1 import game_pb2
from tablestate_service import engine

MOST_STEPS = 2000
"""Steps that a search may take, those that it takes back counted."""
ENOUGH = 0.4
"""The share of the positions that must differ."""


NO_INDEX = 1_000_000


class Ply(NamedTuple):
    """An action that is taken in both games, and what chance gives in each.

    `refused` is a choice that the viewer could try before, in vain in both.
    """

    seat: int
    notation: str
    draws: Draws
    refused: bytes


@dataclass(frozen=True)
class Course:
    """Two whole games with the same actions."""

    options: game_pb2.GameOptions
    viewer: Viewer
    seats: int
    start: Draws
    plies: list[Ply]
    differing: Counter[str]

    def draws(self, side: int) -> list[list[int]]:
        """All that chance gives in one of the two: the set-up, then each action."""
        return [self.start[side], *(ply.draws[side] for ply in self.plies)]


@dataclass
class Search:
    """A walk through pairs of positions that goes back where there is no way on."""

    generator: PairGenerator
    viewer: Viewer
    chance: random.Random
    states: list[tuple[engine.GameState, engine.GameState]]
    plies: list[Ply] = field(default_factory=list)

    def run(self) -> bool:
        """Walk to the end of the game; false if that takes too many steps."""
        back = 1
        for _ in range(MOST_STEPS):
            if self.states[-1][0].actor is None:
                return True
            if self._go_on():
                continue
            self._go_back(back)
            back = 1 + back * 2 % 40
        return False

    def differing(self) -> Counter[str]:
        """In how many positions each hidden component differs, and in how many any does."""
        counts = Counter[str]()
        for pair in self.states:
            components = self.generator.differing(*(truth_of(each) for each in pair))
            counts.update(components)
            counts["any"] += bool(components)
        return counts

    def _go_on(self) -> bool:
        left, right = self.states[-1]
        in_right = set(right.legal_notations())
        both = [notation for notation in left.legal_notations() if notation in in_right]
        pair = truth_of(left), truth_of(right)
        for notation in self.chance.sample(both, min(3, len(both))):
            draws = self.generator.draws(pair, self.viewer, notation, self.chance)
            if draws is not None and left.actor is not None:
                ours, theirs = draws
                steps = left.replay(notation, ours).state, right.replay(notation, theirs).state
                self.states.append(steps)
                self.plies.append(Ply(left.actor, notation, draws, self._refused(left)))
                return True
        return False

    def _refused(self, state: engine.GameState) -> bytes:
        choice = self.generator.probe(truth_of(state), self.chance)
        try:
            state.check(choice)
        except engine.CoreError:
            return choice
        return game_pb2.ActionChoice(index=NO_INDEX).SerializeToString()

    def _go_back(self, plies: int) -> None:
        kept = max(0, len(self.plies) - plies)
        del self.plies[kept:], self.states[kept + 1 :]


def truth_of(state: engine.GameState) -> game_pb2.GameState:
    """The full-state message."""
    return game_pb2.GameState.FromString(state.dump())


@cache
def twin_course(generator: PairGenerator, number: int, viewer: Viewer, seed: int) -> Course:
    """Twin courses of the game that a number stands for."""
    chance = random.Random(seed)
    options = generator.options(number)
    while True:
        start = generator.start(options, viewer, chance)
        if start is None:
            continue
        left, right = (_started(options, draws) for draws in start)
        search = Search(generator, viewer, chance, [(left, right)])
        if search.run():
            differing = search.differing()
            if differing["any"] >= ENOUGH * len(search.states):
                return Course(options, viewer, left.seats, start, search.plies, differing)


def _started(options: game_pb2.GameOptions, draws: list[int]) -> engine.GameState:
    return engine.GameState.replay_start(options.SerializeToString(), draws).state
