"""The suite of OffTrack's games: kinds of options, each with its policy."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import cycle

from .driver import Setup
from .offtrack_aim import Aim
from .offtrack_build import Plan, built
from .offtrack_play import Bias, Flipper, Jammer, Piler, Player
from .offtrack_seek import Seeker
from .offtrack_state import RANGES, Options, State


@dataclass(frozen=True)
class Kind:
    """A kind of game in the suite: its options, policy, bias and longest walk."""

    options: Callable[[random.Random], Options]
    policy: type[Player]
    bias: Bias
    limit: int = 320


def piling(rng: random.Random) -> Options:
    """Give long rounds in which branches grow."""
    return Options(
        seats=rng.choice((2, 3, 3, 4)),
        decks=2,
        max_branches=rng.choice((2, 3, 4)),
        eras=8,
        action_copies=8,
        rounds=1,
    )


def jamming(rng: random.Random) -> Options:
    """Give long rounds with few lines to seal and many seats to seal them."""
    return Options(seats=4, decks=2, max_branches=2, eras=8, action_copies=8, rounds=1)


def hoarding(rng: random.Random) -> Options:
    """Give long rounds with many branches."""
    return Options(
        seats=rng.choice((2, 3, 4)), decks=2, max_branches=4, eras=8, action_copies=8, rounds=1
    )


def flipping(rng: random.Random) -> Options:
    """Give few eras, so that neighbours often share theirs."""
    return Options(
        seats=rng.choice((2, 2, 3)),
        decks=2,
        max_branches=rng.choice((1, 2, 3)),
        eras=3,
        action_copies=rng.choice((4, 8)),
        rounds=1,
    )


def sealing(rng: random.Random) -> Options:
    """Give many seats, so that seals last."""
    return Options(
        seats=rng.choice((3, 4, 4)),
        decks=2,
        max_branches=rng.choice((1, 2, 2, 3)),
        eras=4,
        action_copies=8,
        rounds=1,
    )


def medium(rng: random.Random) -> Options:
    """Give rounds of middle length."""
    return Options(
        seats=rng.choice((2, 3, 4)),
        decks=rng.choice((1, 2)),
        max_branches=rng.randint(1, 4),
        every_turn=rng.random() < 0.2,
        eras=rng.randint(3, 5),
        action_copies=rng.randint(3, 8),
        rounds=1,
    )


def tiny(rng: random.Random) -> Options:
    """Give the shortest rounds, so that rounds and matches end, often in a tie."""
    return Options(
        seats=rng.choice((2, 3, 4, 4, 4)),
        scoring=rng.choice(("HIGH", "LOW")),
        max_branches=rng.randint(1, 4),
        every_turn=rng.random() < 0.3,
        eras=3,
        action_copies=rng.choice((1, 1, 2)),
        rounds=rng.choice((1, 1, 1, 2, 3)),
    )


def standard(rng: random.Random) -> Options:
    """Give the default options, or others within the ranges."""
    if rng.random() < 0.5:
        return Options()
    numbers = {name: rng.randint(*limits) for name, limits in RANGES.items()}
    return replace(Options(), **numbers)  # type: ignore[arg-type]


def roomy(rng: random.Random) -> Options:
    """Give cards enough for long branches."""
    decks = rng.choice((1, 2, 2, 2))
    return Options(
        seats=rng.choice((2, 3, 3, 4)) if decks == 2 else rng.choice((2, 3)),
        scoring=rng.choice(("HIGH", "LOW")),
        decks=decks,
        max_branches=rng.choice((1, 2, 2, 3, 4)) if decks == 2 else rng.choice((1, 2)),
        every_turn=rng.random() < 0.05,
        eras=rng.choice((4, 4, 5, 6, 8)) if decks == 2 else 8,
        action_copies=rng.choice((7, 8)),
        rounds=rng.choice((1, 1, 2, 3)),
    )


def doubtful(rng: random.Random) -> Options:
    """Give options at the ends of their ranges, or beyond."""
    name = rng.choice((*RANGES, "scoring"))
    if name == "scoring":
        return replace(tiny(rng), scoring=rng.choice(("LOW", "low", "")))
    least, most = RANGES[name]
    value = rng.choice((least, most, least - 1, most + 1))
    return replace(tiny(rng), **{name: value})  # type: ignore[arg-type]


PILING = Bias(cycles=0.15, builds=2.5)

KINDS: dict[str, Kind] = {
    "break": Kind(piling, Piler, replace(PILING, keeps=False)),
    "hoard": Kind(hoarding, Piler, replace(PILING, stock=4)),
    "reserve": Kind(hoarding, Piler, replace(PILING, stock=3, reserves=True)),
    "jam": Kind(jamming, Jammer, PILING),
    "flip": Kind(flipping, Flipper, Bias(cycles=0.15), 200),
    "seal": Kind(sealing, Player, Bias(cycles=0.2, builds=2.0), 200),
    "medium": Kind(medium, Player, Bias(), 120),
    "tiny": Kind(tiny, Player, Bias()),
    "standard": Kind(standard, Player, Bias(cycles=0.4), 60),
    "doubtful": Kind(doubtful, Player, Bias(), 4),
}
"""The kinds of games that are played from the start."""

BUILT = "built"
"""The kind of games that go on from a built position."""

FROM_THE_START = (
    *("seal", "hoard", "tiny", "flip", "reserve", "tiny", "seal", "flip", "jam", "tiny"),
    *("hoard", "break", "tiny", "flip", "medium", "tiny", "seal", "flip", "doubtful", "standard"),
)
ROUND = tuple(name for kind in FROM_THE_START for name in (*(BUILT,) * 8, kind))
"""The order in which the suite plays its kinds."""


def suite(seed: int, names: tuple[str, ...] = ROUND) -> Iterator[Setup[Options, State]]:
    """Play on without end, one kind after another; the same seed gives the same games."""
    rng = random.Random(f"offtrack suite {seed}")
    # A player counts what it hopes for, too, and what is aimed at must really be seen.
    hoped: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    aim = Aim(seen)
    for name in cycle(names):
        if name == BUILT:
            yield from_built(aim.next(), seen, rng)
        else:
            kind = KINDS[name]
            yield Setup(name, kind.options(rng), kind.policy(kind.bias, hoped), kind.limit)


def from_built(plan: Plan, seen: Counter[str], rng: random.Random) -> Setup[Options, State]:
    """Set up a game that goes on for about a turn from a built position."""
    options = plan.fitted(roomy(rng))
    return Setup(BUILT, options, Seeker(Bias(), seen), 5, built(rng, options, plan))
