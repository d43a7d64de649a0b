"""Non-interference: what a viewer may not know changes nothing that it gets."""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from secrecy import surfaces
from secrecy.pairs import PairGenerator, Viewer
from secrecy.surfaces import CoreState, Grow, Search, Shown, Table, Tries
from tablestate.v1 import game_pb2
from tablestate_service import engine

EVERY: Mapping[str, int] = {"hard": 200, "normal": 50, "easy": 20, "greedy": 3}
"""At every how many decisions of viewers a bot is asked, rather than the random one: those that
take longer less often."""
SEARCHES = 33
"""At every how many of them a search is compared; not always where the same bot is asked."""


Truths: TypeAlias = tuple[game_pb2.GameState, game_pb2.GameState]


class LeakError(AssertionError):
    """A surface shows a viewer what it may not know."""

    def __init__(self, surface: str, viewer: Viewer, left: bytes, right: bytes) -> None:
        super().__init__(surface, viewer, left, right)
        self.surface = surface

    def __str__(self) -> str:
        surface, viewer, left, right = self.args
        return f"{surface} for viewer {viewer}: {left.hex()} or {right.hex()}"


class Pair(NamedTuple):
    """Two positions that differ only in what the viewer may not know."""

    viewer: Viewer
    truths: Truths
    tables: tuple[Table, Table]


@dataclass
class Report:
    """What a run of the battery has compared."""

    games: int = 0
    pairs: int = 0
    equal_pairs: int = 0
    differing: Counter[str] = field(default_factory=Counter)
    surfaces: Counter[str] = field(default_factory=Counter)
    actions: Counter[str] = field(default_factory=Counter)
    bots: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        return (
            f"{self.games} games, {self.pairs} pairs, {self.equal_pairs} that came out equal\n"
            f"  differing in: {_listed(self.differing)}\n"
            f"  compared on: {_listed(self.surfaces)}\n"
            f"  actions: {_listed(self.actions)}\n"
            f"  bots: {_listed(self.bots)}"
        )


class Battery:
    """Draws pairs at every ply of random games, and compares."""

    def __init__(
        self,
        generator: PairGenerator,
        seed: int,
        load: Callable[[bytes], CoreState] = engine.GameState.load,
        search: Search = surfaces.searched,
        grow: Grow = surfaces.grown,
    ) -> None:
        """`load`, `search` and `grow` are the core's; a test that plants a leak gives others."""
        self.report = Report()
        self._generator = generator
        self._chance = random.Random(seed)
        self._load = load
        self._search = search
        self._grow = grow

    def play(self, number: int) -> None:
        """Compare at every ply of one game; raises LeakError."""
        options = self._generator.options(number).SerializeToString()
        seed = self._chance.randbytes(32)
        state = begun(self._generator, number, seed)
        stream = 1
        while state.actor is not None:
            self._compare_at(state, options)
            notation = self._generator.choose(state.legal_notations(), self._chance)
            choice = game_pb2.ActionChoice(notation=notation).SerializeToString()
            state = state.apply(choice, seed, stream).state
            stream += 1
        self._compare_at(state, options)
        self.report.games += 1

    def play_all(self, games: int) -> Report:
        """Compare at every ply of games of all kinds; raises LeakError."""
        for number in range(games):
            self.play(number)
        return self.report

    def _compare_at(self, state: engine.GameState, options: bytes) -> None:
        viewer = self._chance.choice((None, *range(state.seats)))
        truth = game_pb2.GameState.FromString(state.dump())
        twin = self._generator.twin(truth, viewer, self._chance)
        differing = self._generator.differing(truth, twin)
        alike = self._generator.alike(truth, viewer)
        if not differing and not alike:
            self.report.equal_pairs += 1
            return
        self.report.pairs += 1
        self.report.differing.update(differing)
        self._compare_pair(viewer, (truth, twin), options)

    def _compare_pair(self, viewer: Viewer, truths: Truths, options: bytes) -> None:
        left, right = (self._table(each, options) for each in truths)
        pair = Pair(viewer, truths, (left, right))
        self._compare_now(pair)
        self._compare_action(pair)

    def _table(self, truth: game_pb2.GameState, options: bytes) -> Table:
        return Table(self._load(truth.SerializeToString()), options, self._search, self._grow)

    def _compare_now(self, pair: Pair) -> None:
        # A refusal takes longer than all else, so it is asked for half the time.
        choice = None
        if self._chance.random() < 0.5:
            choice = self._generator.probe(self._chance.choice(pair.truths), self._chance)
        asked = self.report.bots.total()
        bot = next((bot for bot, every in EVERY.items() if asked % every == 0), "random")
        tries = Tries(choice, bot, self._chance.randrange(4), asked % SEARCHES == 0)
        if pair.viewer is not None and pair.viewer == pair.tables[0].state.actor:
            self.report.bots[bot] += 1
        left, right = (surfaces.shown_now(each, pair.viewer, tries) for each in pair.tables)
        self._compare(pair.viewer, left, right)

    def _compare_action(self, pair: Pair) -> None:
        left, right = (table.state for table in pair.tables)
        if left.actor is None:
            return
        whose = "own" if left.actor == pair.viewer else "another's"
        both = legal_in_both(left, right)
        if not both:
            self.report.actions[f"{whose}, none legal in both"] += 1
            return
        notations = actions(self._generator, pair.truths, pair.viewer, both, self._chance)
        draws = self._generator.draws(pair.truths, pair.viewer, notations[0], self._chance)
        if draws is None:
            self.report.actions[f"{whose}, cannot show the same"] += 1
            return
        self.report.actions[f"{whose}, compared"] += 1
        shown = (
            surfaces.shown_of_step(table, pair.viewer, notation, each)
            for table, notation, each in zip(pair.tables, notations, draws, strict=True)
        )
        self._compare(pair.viewer, *shown)

    def _compare(self, viewer: Viewer, left: Iterable[Shown], right: Iterable[Shown]) -> None:
        for ours, theirs in zip(left, right, strict=True):
            self.report.surfaces[ours.surface] += 1
            if ours != theirs:
                surface = surfaces.surface_of(ours, theirs)
                raise LeakError(surface, viewer, ours.content, theirs.content)


def begun(generator: PairGenerator, number: int, seed: bytes) -> engine.GameState:
    """The game that a number stands for, where it begins."""
    begin = generator.begin(number)
    if begin is not None:
        return engine.GameState.load(begin.SerializeToString())
    options = generator.options(number).SerializeToString()
    return engine.GameState.start(options, seed).state


def legal_in_both(left: CoreState, right: CoreState) -> list[str]:
    """The actions that are legal in two states."""
    in_right = set(right.legal_notations())
    return [notation for notation in left.legal_notations() if notation in in_right]


def actions(
    generator: PairGenerator,
    truths: Truths,
    viewer: Viewer,
    both: Sequence[str],
    chance: random.Random,
) -> tuple[str, str]:
    """An action for each of the two states, so that the viewer cannot tell them from each other.

    It is the same action, but where some are alike for the viewer.
    """
    alike = generator.alike(truths[0], viewer)
    if alike:
        one, other = chance.sample(alike, 2)
        return one, other
    notation = chance.choice(both)
    return notation, notation


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.most_common())
