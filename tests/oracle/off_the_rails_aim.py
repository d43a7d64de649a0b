"""Collisions of Off the Rails about to happen: two carts, and the tracks below them."""

from __future__ import annotations

import random
from itertools import product
from typing import NamedTuple

from .off_the_rails_board import CROSS, OPPOSITE, TRACKS, Place

HOLDS = {"0": (0,), "1": (1,), "odd": (3, 5), "even": (2, 4)}
"""How many jewels the opposing cart holds."""


class Cell(NamedTuple):
    """A cell of the table of collisions."""

    loaded: bool
    opposing: str
    side: str
    connected: bool
    own: bool
    bumper: bool

    @property
    def name(self) -> str:
        """Name the cell."""
        return " ".join(
            (
                "HIT",
                "LOADED" if self.loaded else "EMPTY",
                f"ON {self.opposing.upper()}",
                self.side.upper(),
                "CONNECTED" if self.connected else "APART",
                "OWN" if self.own else "OTHER",
                *(["BUMPER"] if self.bumper else []),
            )
        )

    @property
    def is_reachable(self) -> bool:
        """Whether it can occur: a cart that is hit front first faces an exit towards the other."""
        return self.connected or self.side != "front"


BOTH = (True, False)
EVERY_CELL = tuple(
    Cell(*parts) for parts in product(BOTH, HOLDS, ("front", "rear", "side"), BOTH, BOTH, BOTH)
)
"""The whole table of collisions."""

CELLS = tuple(cell for cell in EVERY_CELL if cell.is_reachable)
UNREACHABLE = tuple(cell for cell in EVERY_CELL if not cell.is_reachable)
"""What can never occur."""


def hit_side(active: str, opposing: str | None) -> str:
    """Name where the opposing cart is hit, by the directions that the two face."""
    if opposing == OPPOSITE[active]:
        return "front"
    return "rear" if opposing == active else "side"


class Aim(NamedTuple):
    """Where the two carts of a collision are, how they face, and the tracks that they need.

    The active cart has `steps` squares to go until it hits.
    """

    active: Place
    facing: str
    opposing: Place
    opposing_facing: str
    tracks: dict[Place, str]
    steps: int


def aim(cell: Cell, free: frozenset[Place], rng: random.Random) -> Aim | None:
    """Find places among the free squares for a collision, None if the choice does not fit."""
    target, facing = rng.choice(sorted(free)), rng.choice(CROSS)
    steps = rng.choice((0, 0, 1, 2))
    way = [target]
    for _ in range(steps + 1):
        way.append(way[-1].to(OPPOSITE[facing]))
    if not free.issuperset(way):
        return None
    faces = faced(cell.side, facing, rng)
    below = rng.choice(fitting(faces, OPPOSITE[facing], cell.connected))
    if cell.side == "front" and rng.random() < 0.35:
        below = stem(faces)
    tracks = {place: rng.choice(along(facing)) for place in way[1:-1]}
    start = rng.choice([track for track in TRACKS if facing in track])
    return Aim(way[-1], facing, target, faces, {**tracks, way[-1]: start, target: below}, steps)


def faced(side: str, facing: str, rng: random.Random) -> str:
    """Give what the opposing cart faces to be hit on a side."""
    if side == "front":
        return OPPOSITE[facing]
    if side == "rear":
        return facing
    return rng.choice([exit for exit in CROSS if exit not in (facing, OPPOSITE[facing])])


def fitting(faces: str, towards: str, connected: bool) -> list[str]:
    """List the tracks for the opposing cart."""
    return [track for track in TRACKS if faces in track and (towards in track) == connected]


def stem(faces: str) -> str:
    """Give the T out of whose stem a cart faces."""
    return CROSS.replace(OPPOSITE[faces], "")


def along(facing: str) -> list[str]:
    """List the tracks that can lead straight on."""
    return [track for track in TRACKS if facing in track and OPPOSITE[facing] in track]
