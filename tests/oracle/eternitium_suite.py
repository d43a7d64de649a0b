"""The suite of Eternitium's games: kinds of options, each with its policy."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import cycle

from .driver import Setup
from .eternitium_cards import ADVANCED, BASICS
from .eternitium_play import Bias, Looper, Player, Racer, Refiner
from .eternitium_starts import Wish, built
from .eternitium_state import RANGES, Options, State

Copies = tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Kind:
    """A kind of game in the suite: its options, policy, bias and longest walk.

    With a wish it goes on from a position that is built.
    """

    options: Callable[[random.Random], Options]
    policy: type[Player]
    bias: Bias
    limit: int = 70
    wish: Callable[[random.Random], Wish] | None = None


def only(kinds: tuple[str, ...], copies: int = 10) -> Copies:
    """Put these technologies into the market and no others."""
    return tuple((kind, copies if kind in kinds else 0) for kind in (*BASICS, *ADVANCED))


def some(rng: random.Random, basics: int, advanced: int, copies: int = 10) -> Copies:
    """Put a few kinds into the market and no others."""
    return only((*rng.sample(BASICS, basics), *rng.sample(ADVANCED, advanced)), copies)


def racing(rng: random.Random) -> Options:
    """Give short stacks, so that they are emptied."""
    return Options(
        seats=rng.choice((2, 2, 3, 4)),
        eras_per_seat=3,
        technology_copies=some(rng, 3, 3),
        max_rounds=30,
    )


def acting(rng: random.Random) -> Options:
    """Give a market of few kinds, which come to hand often."""
    return Options(
        seats=rng.choice((2, 2, 3, 4, 5)),
        eras_per_seat=rng.choice((3, 4, 5)),
        technology_copies=some(rng, 2, 3),
        max_rounds=20,
    )


def looping(rng: random.Random) -> Options:
    """Give many Time Loops."""
    others = rng.choice((("surge",), ("omni",), ("workshop", "surge")))
    return Options(
        seats=rng.choice((2, 2, 3)),
        eras_per_seat=3,
        technology_copies=only(("twin_cs", "courier", "time_loop", *others)),
        max_rounds=20,
    )


def refining(rng: random.Random) -> Options:
    """Give many Recyclers."""
    return Options(
        seats=rng.choice((2, 2, 3)),
        eras_per_seat=rng.choice((3, 5)),
        technology_copies=only(("recycler", rng.choice(BASICS[:5]), "surge", "storm")),
        max_rounds=20,
    )


def aiming(rng: random.Random) -> Options:
    """Give what is aimed at opponents."""
    return Options(
        seats=rng.choice((2, 3, 3)),
        eras_per_seat=rng.choice((3, 3, 4)),
        technology_copies=only(("veil", "exchange", "exile", "scanner", "storm")),
        max_rounds=20,
    )


def scarce(rng: random.Random) -> Options:
    """Give few Eras in the pile and a small market, which runs out."""
    seats = rng.choice((5, 5, 4))
    return Options(
        seats=seats,
        eras_per_seat=11,
        technology_copies=some(
            rng, rng.choice((3, 3, 5)), rng.choice((1, 2, 4)), rng.choice((2, 3))
        ),
        max_rounds=rng.choice((5, 8, 12)),
    )


def tiny(rng: random.Random) -> Options:
    """Give the shortest games."""
    return Options(
        seats=rng.choice((2, 3, 4)),
        eras_per_seat=rng.choice((3, 3, 4)),
        technology_copies=some(
            rng, rng.choice((1, 2, 4)), rng.choice((0, 1, 2)), rng.choice((4, 6))
        ),
        max_rounds=5,
    )


def late(rng: random.Random) -> Options:
    """Give a market of a few kinds with few copies."""
    return Options(
        seats=rng.choice((2, 3, 3, 4, 5)),
        technology_copies=some(rng, rng.choice((2, 3)), rng.choice((2, 3)), rng.choice((3, 4))),
        max_rounds=rng.choice((5, 10)),
    )


def aimed(rng: random.Random) -> Options:
    """Give a market of what is aimed at opponents."""
    kinds = ("veil", "exchange", "courier", "exile", "scanner", "storm")
    copies = only(kinds, 3)
    return Options(seats=rng.choice((2, 3, 3, 4)), technology_copies=copies, max_rounds=10)


def spent(rng: random.Random) -> Options:
    """Give a small market."""
    copies = some(rng, 3, 2, rng.choice((1, 2, 3)))
    return Options(seats=rng.choice((2, 3)), technology_copies=copies, max_rounds=10)


def tied(rng: random.Random) -> Options:
    """Give one copy of some kinds, so that points are few."""
    copies = some(rng, rng.choice((4, 5)), rng.choice((2, 3)), 1)
    return Options(seats=rng.choice((2, 3, 3, 4)), technology_copies=copies, max_rounds=5)


def left(rng: random.Random) -> Options:
    """Give seats enough for one to forfeit."""
    copies = some(rng, 3, 3, 2)
    return Options(seats=rng.choice((3, 3, 4)), technology_copies=copies, max_rounds=8)


def lean(rng: random.Random) -> Options:
    """Give a market of Recyclers."""
    copies = only(("recycler", "scanner"), 7)
    return Options(seats=rng.choice((2, 3)), technology_copies=copies, max_rounds=6)


def bare(rng: random.Random) -> Options:
    """Give a market of what can be played without Eras, or of what cannot."""
    kinds = rng.choice(
        (
            ("veil", "courier", "recycler", "storm", "workshop"),
            ("veil", "courier", "recycler", "storm", "workshop", "time_loop"),
            ("exchange", "omni", "time_loop", "scanner", "exile"),
        )
    )
    return Options(seats=rng.choice((2, 3)), technology_copies=only(kinds, 4), max_rounds=6)


def standard(rng: random.Random) -> Options:
    """Give the default options, or others within the ranges."""
    if rng.random() < 0.5:
        return Options(seats=rng.randint(2, 5))
    numbers = {name: rng.randint(*limits) for name, limits in RANGES.items()}
    return replace(Options(), **numbers)  # type: ignore[arg-type]


def doubtful(rng: random.Random) -> Options:
    """Give options at the ends of their ranges, or beyond."""
    name = rng.choice((*RANGES, "copies", "copies"))
    if name == "copies":
        return replace(tiny(rng), technology_copies=doubtful_copies(rng))
    least, most = RANGES[name]
    value = rng.choice((least, most, least - 1, most + 1))
    return replace(tiny(rng), **{name: value})  # type: ignore[arg-type]


def doubtful_copies(rng: random.Random) -> Copies:
    """Give copies of kinds that are not in the market, too many or too few, or a kind twice."""
    few = only(BASICS[:1], rng.choice((1, 2, 3, 4)))
    twice = (("veil", 3), ("veil", rng.choice((3, 4))))
    choices: tuple[Copies, ...] = (few, twice, (("droid", 4),), (("circle", 4),), (("bogus", 1),))
    return rng.choice((*choices, (("veil", 10),), (("veil", 11),), (("storm", 0),)))


# What built positions are like


def near_the_end(rng: random.Random) -> Wish:
    """Wish for few Eras."""
    return Wish(most_eras=rng.choice((1, 1, 2, 3)), market=0.3)


def in_hand(rng: random.Random) -> Wish:
    """Wish for technologies with the seats, some of which have no Eras."""
    return Wish(most_eras=2, market=0.1, last=0.1)


def used_up(rng: random.Random) -> Wish:
    """Wish for an empty market, supply or Era pile, and cards removed."""
    return Wish(most_eras=3, portals=0.2, piled=0.3, removed=0.6, last=0.5)


def on_a_par(rng: random.Random) -> Wish:
    """Wish for the last turn of a round, with seats that are tied."""
    eras, last = rng.choice((1, 1, 2, 3)), rng.choice((0.2, 0.9, 0.9))
    return Wish(most_eras=eras, last=last, closing=True, tied=True, forfeits=0)


def forfeited(rng: random.Random) -> Wish:
    """Wish for the last turn of a round, with a seat that has forfeited."""
    return Wish(most_eras=rng.choice((1, 2, 3)), last=0.2, closing=True, forfeits=1)


def of_six(rng: random.Random) -> Wish:
    """Wish for seats with hardly more than six cards."""
    removed = rng.choice((0.85, 0.9, 0.97))
    return Wish(portals=0.1, market=0, removed=removed, last=0.1, amid=0.8)


def without_eras(rng: random.Random) -> Wish:
    """Wish for a play step of a seat with one Era or none."""
    bare = rng.random() < 0.7
    return Wish(most_eras=1, portals=0.1, market=0, last=0.1, amid=1, bare=bare)


KINDS: dict[str, Kind] = {
    "race": Kind(racing, Racer, Bias(gambles=0.6, takes=0.7, refits=0.05)),
    "act": Kind(acting, Player, Bias(gambles=0.3, opens=0.7, takes=0.8)),
    "loop": Kind(looping, Looper, Bias(gambles=0.6, takes=0.9, advanced=0.7, refits=0.1)),
    "refine": Kind(refining, Refiner, Bias(refits=0.4, removes=0.8, takes=0.7, advanced=0.3)),
    "aim": Kind(aiming, Racer, Bias(gambles=0.3, takes=0.8, refits=0.05)),
    "scarce": Kind(scarce, Player, Bias(takes=0.95, gambles=0.3, opens=0.5), 100),
    "tiny": Kind(tiny, Racer, Bias(gambles=0.7, takes=0.4, refits=0.05)),
    "late": Kind(late, Racer, Bias(gambles=0.5, opens=0.8, takes=0.4, ends=0.1), 25, near_the_end),
    "aimed": Kind(aimed, Player, Bias(gambles=0.2, opens=0.6, takes=0.3), 25, in_hand),
    "spent": Kind(spent, Refiner, Bias(gambles=0.4, takes=0.8, refits=0.3), 40, used_up),
    "tied": Kind(
        tied, Racer, Bias(gambles=0.1, opens=0.1, takes=0.05, ends=0.7, refits=0.05), 12, on_a_par
    ),
    "left": Kind(left, Racer, Bias(gambles=0.1, opens=0.3, takes=0.3, ends=0.3), 20, forfeited),
    "bare": Kind(bare, Player, Bias(gambles=0.4, takes=0.5, refits=0.4), 12, without_eras),
    "lean": Kind(lean, Player, Bias(gambles=0.5, takes=0.3, refits=0.2), 12, of_six),
    "standard": Kind(standard, Player, Bias(), 60),
    "doubtful": Kind(doubtful, Player, Bias(), 4),
}
"""The kinds of games."""

ROUND = (
    *("race", "bare", "late", "aimed", "spent", "tied", "loop", "bare", "aimed", "late", "left"),
    *("refine", "tied", "left", "aim", "bare", "tiny", "spent", "late", "bare", "tied", "spent"),
    *("act", "bare", "left", "doubtful", "aimed", "tied", "late", "bare", "scarce", "tied"),
    *("lean", "lean", "left", "spent", "standard", "bare", "tied", "lean", "left"),
)
"""The order in which the suite plays its kinds."""


def suite(seed: int, names: tuple[str, ...] = ROUND) -> Iterator[Setup[Options, State]]:
    """Play on without end, one kind after another; the same seed gives the same games."""
    rng = random.Random(f"eternitium suite {seed}")
    seen: Counter[str] = Counter()
    for name in cycle(names):
        yield set_up(name, rng, seen)


def set_up(name: str, rng: random.Random, seen: Counter[str]) -> Setup[Options, State]:
    """Set up a game of a kind."""
    kind = KINDS[name]
    options = kind.options(rng)
    position = None if kind.wish is None else built(options, kind.wish(rng), rng)
    return Setup(name, options, kind.policy(kind.bias, seen), kind.limit, position)
