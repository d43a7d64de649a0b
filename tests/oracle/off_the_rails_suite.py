"""The suite of Off the Rails' games: kinds of options, each with its policy."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import cycle
from typing import Any

from .driver import Setup
from .off_the_rails_board import BOARDS
from .off_the_rails_play import Bias, Miner, Player
from .off_the_rails_starts import Seen, Wish, built
from .off_the_rails_state import DEPOSIT_CARDS, Options, State


@dataclass(frozen=True)
class Kind:
    """A kind of game in the suite: its options, policy, bias and longest walk.

    With a wish it goes on from a position that is built.
    """

    options: Callable[[random.Random], Options]
    policy: type[Player]
    bias: Bias
    limit: int = 70
    wish: Callable[[random.Random, Options, Seen], Wish] | None = None


# Options


def any_table(rng: random.Random, **given: Any) -> Options:
    """Give any options, but for those that are given."""
    options = Options(
        seats=rng.choice((2, 2, 3, 4)),
        board=rng.choice(tuple(BOARDS)),
        deposit_cards=rng.choice((None, *DEPOSIT_CARDS)),
        missions=rng.random() < 0.5,
        bumper_cars=rng.random() < 0.1,
        chasm_die=rng.random() < 0.4,
    )
    return replace(options, **given)


def bumping(rng: random.Random) -> Options:
    """Give a table for collisions of bumper cars."""
    return any_table(rng, bumper_cars=True, seats=rng.choice((2, 4, 4, 4, 4)))


def hitting(rng: random.Random) -> Options:
    """Give a table for collisions that drop jewels and derail carts."""
    return any_table(rng, bumper_cars=False, seats=rng.choice((3, 4, 4, 4, 4)))


def wrecking(rng: random.Random) -> Options:
    """Give a table for collisions that meet missions."""
    return any_table(rng, bumper_cars=False, missions=True)


def besieged(rng: random.Random) -> Options:
    """Give a table at which carts are placed against others."""
    return any_table(rng, bumper_cars=rng.random() < 0.4)


def with_missions(rng: random.Random) -> Options:
    """Give a table with missions."""
    return any_table(rng, missions=True, bumper_cars=False)


def four_seats(rng: random.Random) -> Options:
    """Give a table at which all cards may be needed."""
    return any_table(rng, seats=rng.choice((2, 3, 4, 4)))


def with_die(rng: random.Random) -> Options:
    """Give a table with the Chasm die, most of the time."""
    return any_table(rng, chasm_die=rng.random() < 0.6)


def quick(rng: random.Random) -> Options:
    """Give the rulebook's quick game."""
    return any_table(rng, deposit_cards=13, seats=rng.choice((2, 3)))


def dealing(rng: random.Random) -> Options:
    """Give a table at which missions are dealt, with bumper cars or without."""
    return any_table(rng, missions=True, bumper_cars=rng.random() < 0.5)


def doubtful(rng: random.Random) -> Options:
    """Give options at the ends of their ranges, or beyond."""
    given: dict[str, Any] = rng.choice(
        (
            {"seats": rng.choice((0, 1, 2, 4, 5, 99))},
            {"deposit_cards": rng.choice((0, 12, 13, 14, 16, 25, 26, 29))},
            {"seats": rng.choice((1, 5)), "deposit_cards": rng.choice((0, 15))},
        )
    )
    return any_table(rng, **given)


# What built positions are like


def crash(rng: random.Random, options: Options, seen: Seen) -> Wish:
    """Wish for carts that are about to collide, in the ways that were aimed at least."""
    phase = rng.choice(("early", "early", "early", "open"))
    drawn, pairs = rng.choice((0, 1, 2, 4)), options.seats
    return Wish(
        *(phase, drawn),
        density=0.5,
        junctions=0.1,
        lying=0.03,
        on_board=0.15,
        pairs=pairs,
        seen=seen,
        lost=0.05,
    )


def siege(rng: random.Random, options: Options, seen: Seen) -> Wish:
    """Wish for carts before the Surface of the seat whose turn it is."""
    phase = rng.choice(("early", "open"))
    return Wish(phase=phase, density=0.9, on_board=0.7, loaded=0.7, besieging=True, lost=0)


def home(rng: random.Random, options: Options, seen: Seen) -> Wish:
    """Wish for carts that are about to bank at home, where others can be placed."""
    return Wish(density=1, on_board=0.5, loaded=0.9, homing=True, missions=(9,), lost=0)


def wander(rng: random.Random, options: Options, seen: Seen) -> Wish:
    """Wish for a board overgrown with tracks, full of jewels and carts."""
    phase = rng.choice(("early", "early", "early", "closing", "open"))
    junctions = rng.choice((0.2, 0.5, 0.9))
    return Wish(phase, rng.randint(0, 4), density=0.97, junctions=junctions, lying=0.5, full=0.6)


def rounds(rng: random.Random, options: Options, seen: Seen) -> Wish:
    """Wish for fast carts on corners, which run in circles over jewels."""
    return Wish(
        density=1,
        junctions=0.15,
        lying=rng.choice((0.6, 0.6, 0.12)),
        speeds=(5, 6),
        on_board=0.6,
        full=0,
        loaded=0.3,
        rings=True,
        missions=(10, 11),
    )


def laden(rng: random.Random, options: Options, seen: Seen) -> Wish:
    """Wish for full carts near the border, slow and fast ones, and stockpiles."""
    return Wish(
        density=1,
        full=0.6,
        loaded=0.9,
        lying=0.5,
        speeds=rng.choice(((6,), (1,), (1, 6))),
        stocks=9,
        on_board=0.95,
        homing=True,
        missions=rng.choice(((9,), (2, 8, 9), (1, 2, 3))),
    )


def spent(rng: random.Random, options: Options, seen: Seen) -> Wish:
    """Wish for a bag that is nearly empty."""
    return Wish(bag=rng.choice((0, 0, 1, 2)), lying=0.3, stocks=3)


def last_turn(rng: random.Random, options: Options, seen: Seen) -> Wish:
    """Wish for the last turn before the Chasm opens."""
    on_board = rng.choice((0, 0.3, 0.9))
    return Wish(phase="last", density=0.7, on_board=on_board, stocks=6, lost=0)


def collapse(rng: random.Random, options: Options, seen: Seen) -> Wish:
    """Wish for an open Chasm, and carts in its way."""
    drawn = rng.randint(0, 12)
    return Wish(phase="open", drawn=drawn, on_board=rng.choice((0.4, 0.8)), density=0.8, lost=0.3)


def walled(rng: random.Random, options: Options, seen: Seen) -> Wish:
    """Wish for tokens that wall in those of another colour."""
    return Wish(phase="open", drawn=rng.randint(11, 14), walled=True, on_board=0.4, lost=0.1)


def ending(rng: random.Random, options: Options, seen: Seen) -> Wish:
    """Wish for the last tokens, or for hardly a cart on the board."""
    drawn = rng.choice((15, 15, 14, rng.randint(0, 13)))
    on_board = rng.choice((0, 0.15, 0.5))
    return Wish(phase="open", drawn=drawn, on_board=on_board, stocks=rng.choice((0, 3, 9)))


def tied(rng: random.Random, options: Options, seen: Seen) -> Wish:
    """Wish for the end of a match with stockpiles alike."""
    drawn, lost = rng.choice((15, 12)), rng.choice((0, 0, 0.5))
    stocks = rng.choice((0, 1, 3, 6))
    return Wish(phase="open", drawn=drawn, on_board=0, lost=lost, stocks=stocks, tied=True)


DRIVE = Bias(ends=0.5, carts=0.2, speeds=0.2, takes=0.8)
HASTE = Bias(ends=0.9, carts=0.5, rams=1, hits=1, takes=0.5)

KINDS: dict[str, Kind] = {
    "crash": Kind(bumping, Player, HASTE, 14, crash),
    "hit": Kind(hitting, Player, HASTE, 18, crash),
    "wreck": Kind(wrecking, Player, HASTE, 14, crash),
    "siege": Kind(besieged, Player, Bias(ends=0.1, carts=0.8, rams=0.9), 12, siege),
    "home": Kind(any_table, Player, Bias(ends=0.1, carts=0.9, rams=0.9, hits=0.1), 12, home),
    "wander": Kind(any_table, Player, DRIVE, 40, wander),
    "rounds": Kind(with_missions, Player, Bias(ends=0.95, carts=0.1, takes=0.9), 24, rounds),
    "laden": Kind(
        with_missions, Player, Bias(ends=0.8, carts=0.4, takes=0.75, rams=0.9), 20, laden
    ),
    "spent": Kind(any_table, Player, HASTE, 16, spent),
    "last": Kind(four_seats, Player, HASTE, 16, last_turn),
    "collapse": Kind(any_table, Player, DRIVE, 30, collapse),
    "walled": Kind(with_die, Player, HASTE, 24, walled),
    "ending": Kind(any_table, Player, Bias(ends=0.9, carts=0.02), 16, ending),
    "tied": Kind(any_table, Player, Bias(ends=0.95, carts=0), 8, tied),
    "standard": Kind(any_table, Miner, Bias(ends=0.1, carts=0.4), 70),
    "quick": Kind(quick, Player, Bias(ends=0.35, carts=0.3, leads=0.8), 250),
    "deal": Kind(dealing, Player, Bias(), 2),
    "doubtful": Kind(doubtful, Player, Bias(), 3),
}
"""The kinds of games."""

ROUND = (
    *("crash", "hit", "walled", "crash", "wreck", "rounds", "crash", "hit", "laden", "walled"),
    *("hit", "walled", "crash", "hit", "siege", "crash", "last", "hit", "ending", "tied", "tied"),
    *("crash", "walled", "wreck", "walled", "crash", "collapse", "hit", "laden", "crash", "home"),
    *("hit", "spent", "crash", "wander", "crash", "hit", "siege", "tied", "walled", "last", "hit"),
    *("laden", "crash", "hit", "ending", "crash", "rounds", "crash", "wreck", "walled", "home"),
    *("crash", "last", "hit", "standard", "doubtful", "hit", "crash", "wander", "tied", "walled"),
    *("crash", "crash", "hit", "rounds", "collapse", "siege", "walled", "hit", "crash", "wander"),
    *("rounds", "walled", "home", "wander", "deal"),
)
"""The order in which the suite plays its kinds."""


def suite(seed: int, names: tuple[str, ...] = ROUND) -> Iterator[Setup[Options, State]]:
    """Play on without end, one kind after another; the same seed gives the same games."""
    rng = random.Random(f"off the rails suite {seed}")
    seen: Seen = Counter()
    for name in cycle(names):
        yield set_up(name, rng, seen)


def set_up(name: str, rng: random.Random, seen: Seen) -> Setup[Options, State]:
    """Set up a game of a kind."""
    kind = KINDS[name]
    options = kind.options(rng)
    wish = None if kind.wish is None else kind.wish(rng, options, seen)
    position = None if wish is None else built(options, wish, rng)
    return Setup(name, options, kind.policy(kind.bias), kind.limit, position)
