"""Built starts of Offboard: set-ups from which the rare rules occur within a few turns."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from .offboard import RULES
from .offboard_board import (
    CELLS,
    CORNER_EXITS,
    CORNERS,
    DIRECTIONS,
    EXITS,
    NEXT,
    RAYS,
    Cell,
    Exit,
    opposite,
)
from .offboard_setup import RED, START, TARGET_VALUES, YELLOW, Options, Position, position_text
from .offboard_state import State

SIDE_EXITS = [way_out for way_out in EXITS if way_out[0] not in CORNERS]
"""The exits that no corner's cell has; the others occur often enough without help."""

RIM: tuple[Cell, ...] = tuple(dict.fromkeys(cell for cell, _ in EXITS))


@dataclass
class Build:
    """A start being built; fields as in a position and in the options."""

    marbles: dict[Cell, int] = field(default_factory=dict)
    seat: int = RED
    targets: list[int | None] = field(default_factory=lambda: [None] * 12)
    scores: tuple[int, int] = (0, 0)
    pending: int | None = None
    quiet: int = 0
    turn: int = 1
    points: int = 6
    limit: int = 100
    values: tuple[int, ...] = TARGET_VALUES

    def position(self) -> Position:
        """Give the position."""
        return Position(
            dict(self.marbles),
            self.seat,
            tuple(self.targets),
            self.scores,
            self.pending,
            self.quiet,
            self.turn,
        )

    def options(self) -> Options:
        """Give the options."""
        return Options(self.points, self.limit, position_text(self.position()), self.values)

    def empty_sum(self) -> int:
        """Sum the values of the empty targets."""
        pairs = zip(self.values, self.targets, strict=True)
        return sum(value for value, filled in pairs if filled is None)


def built(rng: random.Random, recipe: Callable[[random.Random], Build]) -> Options:
    """Follow a recipe until it gives a set-up that is not refused."""
    while True:
        options = recipe(rng).options()
        if not RULES.validate(options):
            return options


def scatter(rng: random.Random, build: Build, each: int) -> None:
    """Put marbles of both colours on empty cells, half of them on the rim."""
    for colour in (RED, YELLOW) * each:
        cell = rng.choice(RIM if rng.random() < 0.5 else CELLS)
        build.marbles.setdefault(cell, colour)


def plant_line(rng: random.Random, build: Build, way_out: Exit, mover: int, most: int = 3) -> None:
    """Put opposing marbles before an exit and one more of the mover's behind them."""
    cell, direction = way_out
    line = RAYS[opposite(direction)][cell]
    count = rng.randint(1, min(most, (len(line) - 1) // 2))
    for place in line[:count]:
        build.marbles[place] = 1 - mover
    for place in line[count : 2 * count + 1]:
        build.marbles[place] = mover


def choose_targets(rng: random.Random, build: Build, share: float) -> None:
    """Choose values and fill about a share of the targets, one at least staying empty."""
    if rng.random() < 0.7:
        build.values = tuple(rng.randint(1, 3) for _ in range(12))
    for target in rng.sample(range(12), 11):
        if rng.random() < share:
            build.targets[target] = rng.randrange(2)


def choose_scores(rng: random.Random, build: Build, slack: int) -> None:
    """Choose points to win and scores so that R6 is `slack` points or less away for one seat."""
    build.points = rng.randint(2, min(24, sum(build.values)))
    near = max(0, build.points - build.empty_sum())
    scores = [rng.randint(0, build.points - 1) for _ in range(2)]
    scores[rng.randrange(2)] = min(build.points - 1, near + rng.randint(0, slack))
    build.scores = (scores[0], scores[1])


def choose_tight_scores(rng: random.Random, build: Build) -> None:
    """Choose scores so that R6 holds as soon as the seat to act scores (nearly) anything."""
    most = min(24, sum(build.values))
    build.points = rng.randint(min(most, build.empty_sum() + 1), most)
    near = max(0, build.points - build.empty_sum())
    other, own = near + rng.randint(0, 1), rng.randint(0, near)
    build.scores = (own, other) if build.seat == RED else (other, own)


def rim_recipe(rng: random.Random) -> Build:
    """Build a crowded board with many marbles before exits and most targets filled."""
    build = Build(seat=rng.randrange(2), turn=rng.randint(1, 60))
    scatter(rng, build, rng.randint(1, 8))
    for way_out in rng.sample(SIDE_EXITS, rng.randint(6, 10)) + rng.sample(EXITS, 2):
        plant_line(rng, build, way_out, rng.randrange(2))
    choose_targets(rng, build, rng.choice((0.3, 0.7, 0.9, 1.0)))
    choose_scores(rng, build, 24)
    return build


def corner_values(rng: random.Random) -> tuple[int, ...]:
    """Choose values so that each corner's exit leads to either target as often (R2)."""
    values = [0] * 12
    for corner in CORNER_EXITS.values():
        usual = corner.on_tie
        other = sum(corner.targets) - usual
        tie = rng.randint(1, 3)
        pair = rng.choice(((tie, tie), (1, 3), (2, 1), (3, 2), (3, 1)))
        values[usual], values[other] = pair
    return tuple(values)


def corner_recipe(rng: random.Random) -> Build:
    """Build a board with lines along the main diagonals towards the corners (R2)."""
    build = Build(seat=rng.randrange(2), turn=rng.randint(1, 60))
    scatter(rng, build, rng.randint(0, 3))
    for way_out in rng.sample(SIDE_EXITS, rng.randint(4, 8)):
        plant_line(rng, build, way_out, rng.randrange(2))
    for way_out in CORNER_EXITS:
        plant_line(rng, build, way_out, rng.randrange(2), most=rng.choice((1, 1, 2)))
    choose_targets(rng, build, rng.choice((0.5, 0.8, 0.9, 1.0)))
    build.values = corner_values(rng)
    choose_scores(rng, build, 24)
    return build


def reach_recipe(rng: random.Random) -> Build:
    """Build a start that is hardly a few points away from R6, with many or few marbles."""
    build = Build(seat=rng.randrange(2), turn=rng.randint(1, 60))
    scatter(rng, build, rng.choice((0, 0, 2, 6)))
    for way_out in rng.sample(EXITS, rng.randint(1, 5)):
        plant_line(rng, build, way_out, build.seat if rng.random() < 0.7 else 1 - build.seat)
    choose_targets(rng, build, rng.choice((0.3, 0.6, 0.8)))
    if rng.random() < 0.3:
        choose_scores(rng, build, 1)
    else:
        choose_tight_scores(rng, build)
    return build


def quiet_recipe(rng: random.Random) -> Build:
    """Build a start that is a few turns away from R5."""
    build = rim_recipe(rng)
    build.limit = rng.randint(10, 14)
    build.quiet = build.limit - rng.randint(1, 6)
    if rng.random() < 0.2:
        build.pending = build.seat
    return build


def loop_recipe(rng: random.Random) -> Build:
    """Build a nearly empty board for R4, at times with a recovery or with R5 at the same time."""
    quiet, limit, pending = rng.choice(((0, 50, False), (2, 10, False), (0, 50, True)))
    build = Build(seat=rng.randrange(2), quiet=quiet, limit=limit)
    scatter(rng, build, rng.randint(1, 3))
    if pending:
        build.pending = build.seat
    return build


def _clump(rng: random.Random, size: int) -> list[Cell]:
    """Choose so many connected cells, the first on the rim."""
    cells: list[Cell] = []
    while len(cells) < size:
        base = rng.choice(cells) if cells else rng.choice(RIM)
        cell = NEXT[rng.choice(DIRECTIONS)][base] if cells else base
        if cell is not None and cell not in cells:
            cells.append(cell)
    return cells


def smothered(rng: random.Random, loser: int) -> Build:
    """Build a board on which the loser has no legal move (unless it can push its way out)."""
    build = Build(seat=loser, points=6, turn=rng.randint(1, 60))
    clump = _clump(rng, rng.randint(0, 3))
    build.marbles = dict.fromkeys(clump, loser)
    for cell in clump:
        for direction in DIRECTIONS:
            near = NEXT[direction][cell]
            if near is not None:
                build.marbles.setdefault(near, 1 - loser)
    for cell in rng.sample(CELLS, rng.randint(1, 10)):
        build.marbles.setdefault(cell, 1 - loser)
    choose_targets(rng, build, 0.4)
    return build


def is_stuck(build: Build) -> bool:
    """Say whether the seat to act has no legal move (R7)."""
    return RULES.cannot_act(State(build.options(), *build.position()))


def stuck_recipe(rng: random.Random) -> Build:
    """Build a start one move before R7: a smothered board with one marble drawn back."""
    loser = rng.randrange(2)
    build = smothered(rng, loser)
    while not build.marbles or not is_stuck(build):
        build = smothered(rng, loser)
    build.seat = 1 - loser
    build.limit = 10
    build.quiet = rng.choice((0, 0, 0, 3, 9))
    own = [cell for cell, colour in build.marbles.items() if colour == build.seat]
    cell = rng.choice(own)
    back = [NEXT[direction][cell] for direction in DIRECTIONS]
    free = [near for near in back if near is not None and near not in build.marbles]
    if free:
        del build.marbles[cell]
        build.marbles[rng.choice(free)] = build.seat
    return build


def decline_recipe(rng: random.Random) -> Build:
    """Build a start with a recovery of a seat that would have no legal move after DECLINE."""
    loser = rng.randrange(2)
    build = smothered(rng, loser)
    while not is_stuck(build):
        build = smothered(rng, loser)
    build.pending = loser
    build.quiet = rng.choice((0, 20, 99))
    return build


def last_recipe(rng: random.Random) -> Build:
    """Build a start in which the last marble of a seat stands before an exit."""
    build = Build(seat=rng.randrange(2), limit=10, quiet=rng.choice((0, 4, 9)))
    cell, direction = rng.choice(EXITS)
    line = RAYS[opposite(direction)][cell]
    build.marbles = {line[0]: 1 - build.seat, line[1]: build.seat, line[2]: build.seat}
    choose_targets(rng, build, rng.choice((0.5, 1.0)))
    choose_scores(rng, build, rng.choice((0, 24)))
    return build


def standard_options(rng: random.Random) -> Options:
    """Give the standard start with some points to win."""
    return Options(points_to_win=rng.choice((2, 6, 6, 13, 24)), quiet_limit=rng.choice((10, 100)))


def full_recipe(rng: random.Random) -> Build:
    """Build a board with about as many marbles of a colour as are allowed, at times one pending."""
    build = Build(seat=rng.randrange(2))
    many = rng.randrange(2)
    for cell in rng.sample(CELLS, rng.randint(29, 31)):
        build.marbles[cell] = many
    for cell in rng.sample(CELLS, 10):
        build.marbles.setdefault(cell, 1 - many)
    build.pending = rng.choice((None, build.seat, build.seat, 1 - build.seat))
    return build


def over_recipe(rng: random.Random) -> Build:
    """Build a start that may be over already by points, R5 or R6."""
    build = reach_recipe(rng)
    choose_tight_scores(rng, build)
    rest = build.points - build.empty_sum()
    red, yellow = (max(0, rest - rng.choice((0, 1, 1, 2))) for _ in range(2))
    build.scores = (red, yellow) if rng.random() < 0.8 else (red, build.points)
    build.quiet = build.limit - rng.choice((0, 1, 5, 9, 9, 9))
    return build


def smothered_recipe(rng: random.Random) -> Build:
    """Build a start that is mostly over already by R7."""
    return smothered(rng, rng.randrange(2))


def doubtful_options(rng: random.Random) -> Options:
    """Give a well-formed set-up that may well be refused."""
    return rng.choice((full_recipe, over_recipe, over_recipe, smothered_recipe))(rng).options()


def mistyped_options(rng: random.Random) -> Options:
    """Give a good set-up with a few things changed at random."""
    base = built(rng, rim_recipe)
    text = list(base.position or START)
    for _ in range(rng.randint(0, 2)):
        place = rng.randrange(len(text))
        text[place] = rng.choice(("", " ", *"0129RYry-/.x"))
    values = [*base.target_values, 1]
    values[rng.randrange(12)] = rng.choice((0, 1, 3, 4))
    return Options(
        rng.choice((base.points_to_win, base.points_to_win, 0, 12, 24, 25)),
        rng.choice((base.quiet_limit, base.quiet_limit, 9, 10, 1000, 1001)),
        "".join(text),
        tuple(values[: rng.choice((12, 12, 12, 12, 11, 13))]),
    )
