"""Biased play of Offboard: policies, the suite of games, and what its coverage counts."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import cycle
from typing import NamedTuple

from . import offboard_starts as starts
from .coverage import Coverage, Step
from .driver import Setup
from .offboard import RULES
from .offboard_board import (
    ACTION_OF,
    ACTIONS,
    CORNER_EXITS,
    EXITS,
    NEXT,
    RAYS,
    Action,
    Cell,
    Exit,
    cell_text,
    opposite,
    turned,
)
from .offboard_setup import Options
from .offboard_state import State

GARBAGE = ("", "-" * 2, "e3", "e3e3", "e3g3", "*j1", "*", "E3E4", "a1z9", "e3e4 ", "e9e10", "*E5")


class Look(NamedTuple):
    """What an action does: its class, and by which exit to which target a marble leaves."""

    kind: str
    way_out: Exit | None = None
    target: int = -1


def look(state: State, text: str) -> Look:
    """Class an action: PLACE, DECLINE, PLAIN, PUSH, EJECT or FULL."""
    action = ACTION_OF[text]
    if action.kind != "MOVE":
        return Look(action.kind)
    onto = NEXT[action.direction][action.cell]
    move = None if onto not in state.marbles else RULES.move(state, action.cell, action.direction)
    if move is None or not move.pushed:
        return Look("PLAIN")
    return look_at_exit(state, move.pushed[-1], action.direction) if move.ejects else Look("PUSH")


def look_at_exit(state: State, cell: Cell, direction: str) -> Look:
    """Class an ejection by its exit: EJECT to an empty target, FULL to a full one."""
    target = RULES.destination(state, cell, direction)
    kind = "EJECT" if state.targets[target] is None else "FULL"
    return Look(kind, (cell, direction), target)


EXITS_OF: dict[Cell, list[Exit]] = {
    cell: [way_out for way_out in EXITS if way_out[0] == cell] for cell in starts.RIM
}


def is_bait(state: State, way_out: Exit) -> bool:
    """Say whether two opposing marbles stand in line behind an exit's cell."""
    cell, direction = way_out
    behind = RAYS[opposite(direction)][cell][1:3]
    return all(state.marbles.get(near) == 1 - state.seat for near in behind)


Weights = dict[str, float]
HUNT: Weights = {"FULL": 60, "EJECT": 6, "PUSH": 5, "PLAIN": 2, "PLACE": 9, "DECLINE": 1}
SCORE: Weights = {"EJECT": 60, "FULL": 5, "PUSH": 5, "PLAIN": 2, "PLACE": 6, "DECLINE": 4}
CALM: Weights = {"PLAIN": 5, "PUSH": 10, "FULL": 30, "EJECT": 0.2, "PLACE": 6, "DECLINE": 4}


class Hunter:
    """Chooses a class of action by weight, then the exit seen least so far."""

    def __init__(self, weights: Weights, seen: Counter[tuple[Exit, int]]) -> None:
        """Take the weights, and the exits seen so far with their targets, kept over games."""
        self.weights = weights
        self.seen = seen

    def choose(self, state: State, legal: list[str], rng: random.Random) -> str:
        """Choose an action."""
        looks: dict[str, list[tuple[str, Look]]] = {}
        for text in legal:
            found = look(state, text)
            looks.setdefault(found.kind, []).append((text, found))
        kinds = list(looks)
        kind = rng.choices(kinds, [self.weights[kind] for kind in kinds])[0]
        return self.choose_within(state, looks[kind], rng)

    def choose_within(
        self, state: State, options: list[tuple[str, Look]], rng: random.Random
    ) -> str:
        """Choose within a class: a rare exit, a place that can be ejected from, else any."""
        if options[0][1].way_out is not None:
            return self.rarest(options)
        if options[0][1].kind == "PLACE" and rng.random() < 0.8:
            return self.bait(state, [text for text, _ in options], rng)
        return rng.choice(options)[0]

    def bait(self, state: State, places: list[str], rng: random.Random) -> str:
        """Choose a place before a rare exit with two opposing marbles behind it, else any."""
        found = [
            (text, (way_out, RULES.destination(state, *way_out)))
            for text in places
            for way_out in EXITS_OF.get(ACTION_OF[text].cell, ())
            if is_bait(state, way_out)
        ]
        if not found:
            return rng.choice(places)
        return min(found, key=lambda pair: self.seen[pair[1]])[0]

    def rarest(self, options: list[tuple[str, Look]]) -> str:
        """Choose the ejection whose exit and target were seen least."""
        keys = {
            text: (found.way_out, found.target)
            for text, found in options
            if found.way_out is not None
        }
        text = min(keys, key=lambda text: self.seen[keys[text]])
        self.seen[keys[text]] += 1
        return text

    def stray(self, rng: random.Random) -> str:
        """Give any action text, at times no action at all."""
        return rng.choice(GARBAGE) if rng.random() < 0.2 else rng.choice(ACTIONS).text


class Finisher(Hunter):
    """Looks for an action that ends the game by R7; with a recovery it mostly declines."""

    def choose(self, state: State, legal: list[str], rng: random.Random) -> str:
        """Choose an action."""
        if legal[-1] == "-":
            return "-" if rng.random() < 0.8 else rng.choice(legal)
        ends = [text for text in legal if self.smothers(state, text)]
        return rng.choice(ends) if ends else super().choose(state, legal, rng)

    def smothers(self, state: State, text: str) -> bool:
        """Say whether an action leaves the other seat without a move."""
        result = RULES.apply(state, text)[0].result
        return result is not None and result.reason == "NO_MOVE"


class Looper(Hunter):
    """Chases R4: takes a lone marble forth and back, or once round a triangle."""

    def __init__(self, weights: Weights, seen: Counter[tuple[Exit, int]]) -> None:
        """Start without plans."""
        super().__init__(weights, seen)
        self.plans: dict[int, list[str]] = {0: [], 1: []}

    def choose(self, state: State, legal: list[str], rng: random.Random) -> str:
        """Go on with the seat's plan, or make a new one."""
        if legal[-1] == "-":
            return "-" if rng.random() < 0.85 else rng.choice(legal)
        plan = self.plans[state.seat]
        if not plan or plan[0] not in legal:
            plan[:] = self.new_plan(state, legal, rng)
        return plan.pop(0)

    def new_plan(self, state: State, legal: list[str], rng: random.Random) -> list[str]:
        """Plan a loop of a lone marble, else any move."""
        for text in rng.sample(legal, len(legal)):
            action = ACTION_OF[text]
            if look(state, text).kind == "PLAIN" and self.is_lone(state, action):
                return self.loop(action, state.options.quiet_limit > 10, rng)
        return [rng.choice(legal)]

    def is_lone(self, state: State, action: Action) -> bool:
        """Say whether a move's group is its tail alone."""
        return NEXT[action.direction][action.cell] not in state.marbles

    def loop(self, action: Action, triangles: bool, rng: random.Random) -> list[str]:
        """Write a loop of two or three moves, as far as it stays on the board."""
        turns: tuple[int, ...] = (0, 3)
        if triangles and rng.random() < 0.25:
            turns = rng.choice(((0, 2, 4), (0, 4, 2)))
        plan, cell = [], action.cell
        for sixths in turns:
            onto = NEXT[turned(action.direction, sixths)][cell]
            if onto is None:
                break
            plan.append(cell_text(cell) + cell_text(onto))
            cell = onto
        return plan


Recipe = Callable[[random.Random], starts.Build]


class Kind(NamedTuple):
    """A kind of game in the suite: its starts, its policy and its longest walk."""

    options: Callable[[random.Random], Options]
    policy: type[Hunter]
    weights: Weights
    limit: int


def _from(recipe: Recipe) -> Callable[[random.Random], Options]:
    """Make options by a recipe."""
    return lambda rng: starts.built(rng, recipe)


KINDS: dict[str, Kind] = {
    "rim": Kind(_from(starts.rim_recipe), Hunter, HUNT, 40),
    "corner": Kind(_from(starts.corner_recipe), Hunter, HUNT, 40),
    "reach": Kind(_from(starts.reach_recipe), Hunter, SCORE, 12),
    "quiet": Kind(_from(starts.quiet_recipe), Hunter, CALM, 14),
    "loop": Kind(_from(starts.loop_recipe), Looper, CALM, 30),
    "stuck": Kind(_from(starts.stuck_recipe), Finisher, SCORE, 6),
    "decline": Kind(_from(starts.decline_recipe), Finisher, HUNT, 6),
    "last": Kind(_from(starts.last_recipe), Finisher, HUNT, 6),
    "standard": Kind(starts.standard_options, Hunter, HUNT, 20),
    "doubtful": Kind(starts.doubtful_options, Hunter, SCORE, 4),
    "mistyped": Kind(starts.mistyped_options, Hunter, SCORE, 4),
}
"""The kinds of games."""

ROUND = (
    *("rim", "loop", "corner", "reach", "stuck", "doubtful", "rim", "quiet", "corner"),
    *("doubtful", "decline", "rim", "loop", "corner", "stuck", "reach", "last", "mistyped"),
    *("quiet", "doubtful"),
)
"""The order in which the suite plays its kinds; every second round ends with a standard start."""


def suite(seed: int) -> Iterator[Setup[Options, State]]:
    """Play on without end, one kind after another; the same seed gives the same games."""
    rng = random.Random(f"offboard suite {seed}")
    seen: Counter[tuple[Exit, int]] = Counter()
    for name in cycle((*ROUND, *ROUND, "standard")):
        kind = KINDS[name]
        policy = kind.policy(kind.weights, seen)
        yield Setup(name, kind.options(rng), policy, kind.limit)


def built_starts(rng: random.Random) -> Iterator[Options]:
    """Give built set-ups of all kinds without end."""
    while True:
        for kind in KINDS.values():
            yield kind.options(rng)


# Coverage

REASONS = {
    "POINTS": "POINTS",
    "REPETITION": "R4",
    "QUIET_LIMIT": "R5",
    "OUT_OF_REACH": "R6",
    "NO_MOVE": "R7",
}


def exit_text(way_out: Exit) -> str:
    """Write an exit, such as `a1 SW`."""
    return f"{cell_text(way_out[0])} {way_out[1]}"


EXPECTED: tuple[str, ...] = (
    *(f"EXIT {exit_text(way_out)}" for way_out in EXITS),
    *(
        f"CORNER {cell_text(cell)} TO {target}"
        for (cell, _), corner in CORNER_EXITS.items()
        for target in corner.targets
    ),
    *("FULL ON RED", "FULL ON YELLOW", "PLACE", "DECLINE", *REASONS.values()),
    *("R7 AFTER DECLINE", "DRAW WITH RECOVERY"),
)
CORNER_TEXTS = {exit_text(way_out) for way_out in CORNER_EXITS}


def ejection_names(step: Step[State], cell: str, direction: str, target: int) -> list[str]:
    """Name an ejection's rule events."""
    names = [f"EXIT {cell} {direction}"]
    if f"{cell} {direction}" in CORNER_TEXTS:
        names.append(f"CORNER {cell} TO {target}")
    lying = step.before.targets[target]
    if lying is not None:
        names.append(("FULL ON RED", "FULL ON YELLOW")[lying])
    return names


def event_names(step: Step[State]) -> list[str]:
    """Name the rule events of a step."""
    names = []
    for event in step.events:
        if event[0] == "EJECTED":
            names += ejection_names(step, str(event[2]), str(event[3]), int(event[4]))
        elif event[0] == "PLACED":
            names.append("PLACE")
        elif event[0] == "DECLINED":
            names.append("DECLINE")
    return names + end_names(step)


def end_names(step: Step[State]) -> list[str]:
    """Name the rule by which a step ended the game."""
    result = step.after.result
    if result is None:
        return []
    if result.reason == "NO_MOVE" and step.action == "-":
        return ["R7 AFTER DECLINE"]
    drawn = not result.winners and step.after.pending is not None
    return [REASONS[result.reason]] + (["DRAW WITH RECOVERY"] if drawn else [])


def offboard_coverage() -> Coverage[State]:
    """Make an empty coverage counter."""
    return Coverage(EXPECTED, event_names)
