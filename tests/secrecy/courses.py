"""Twin courses: two whole games that differ only in what never comes to light for a viewer."""

import random
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from secrecy.battery import Truths, legal_in_both
from secrecy.pairs import Draws, PairGenerator, Viewer
from tablestate.v1 import game_pb2
from tablestate_service import engine

MOST_STEPS = 2000
"""Steps that a search may take, those that it takes back counted."""
ENOUGH = 0.4
"""The share of the positions that must differ."""


NO_INDEX = 1_000_000


class Ply(NamedTuple):
    """An action that is taken in each game, and what chance gives there.

    The two are the same but where the viewer cannot tell them from each other. `refused` is a
    choice that the viewer could try before, in vain in both.
    """

    seat: int
    notations: tuple[str, str]
    draws: Draws
    refused: bytes


@dataclass(frozen=True)
class Course:
    """Two whole games with the same actions."""

    options: game_pb2.GameOptions
    begin: game_pb2.GameState | None
    viewer: Viewer
    seats: int
    start: Draws
    plies: list[Ply]
    resigning: list[int]
    """The seats that give up after the last action, where the games are not over by then."""
    differing: Counter[str]

    @property
    def steps(self) -> int:
        """How many actions are taken, and seats given up."""
        return len(self.plies) + len(self.resigning)

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
            if not self.generator.lasting and self._differs():
                # What is hidden comes to light next, whatever is done: it is left hidden.
                return True
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

    def resigning(self) -> list[int]:
        """All seats but the one that must decide, if there is one."""
        actor, seats = self.states[-1][0].actor, self.states[-1][0].seats
        return [] if actor is None else [seat for seat in range(seats) if seat != actor]

    def _differs(self) -> bool:
        return bool(self.generator.differing(*map(truth_of, self.states[-1])))

    def _go_on(self) -> bool:
        left, right = self.states[-1]
        pair = truth_of(left), truth_of(right)
        for notations in self._tries(pair):
            draws = self.generator.draws(pair, self.viewer, notations[0], self.chance)
            if draws is not None and left.actor is not None:
                one, other = zip(notations, draws, strict=True)
                self.states.append((left.replay(*one).state, right.replay(*other).state))
                self.plies.append(Ply(left.actor, notations, draws, self._refused(left)))
                return True
        return False

    def _tries(self, pair: Truths) -> list[tuple[str, str]]:
        """Some actions for the two games: the same, or two that are alike for the viewer."""
        alike = self.generator.alike(pair[0], self.viewer)
        if alike:
            one, other = self.chance.sample(alike, 2)
            return [(one, other)]
        both = legal_in_both(*self.states[-1])
        return [(each, each) for each in self.chance.sample(both, min(3, len(both)))]

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
    options, begin = generator.options(number), generator.begin(number)
    while True:
        start = generator.start(options, viewer, chance)
        if start is None:
            continue
        left, right = (_started(begin, options, draws) for draws in start)
        search = Search(generator, viewer, chance, [(left, right)])
        if search.run():
            differing = search.differing()
            if differing["any"] >= (ENOUGH * len(search.states) if generator.lasting else 1):
                return Course(
                    options,
                    begin,
                    viewer,
                    left.seats,
                    start,
                    search.plies,
                    search.resigning(),
                    differing,
                )


def _started(
    begin: game_pb2.GameState | None, options: game_pb2.GameOptions, draws: list[int]
) -> engine.GameState:
    """Where a game begins: at a given position, or with the set-up."""
    if begin is not None:
        return engine.GameState.load(begin.SerializeToString())
    return engine.GameState.replay_start(options.SerializeToString(), draws).state
