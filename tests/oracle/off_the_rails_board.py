"""The boards of Off the Rails: squares, mines, Surfaces, tracks and jewels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

NONE = "-"
"""What is empty or absent, in positions and in events."""

# Directions

STEPS = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}
"""The directions, which are exits and sides too, in the order of the text: files and ranks."""

OPPOSITE = dict(zip("NESW", "SWNE", strict=True))

# Squares


class Place(NamedTuple):
    """A square by file and rank from 0; those of the Surfaces lie just beyond the border."""

    file: int
    rank: int

    def to(self, exit: str) -> Place:
        """Give the next square in a direction."""
        files, ranks = STEPS[exit]
        return Place(self.file + files, self.rank + ranks)


class Board(NamedTuple):
    """A board: its width, and the centres of its mines by colour."""

    width: int
    centres: tuple[Place, ...]


BOARDS = {
    "COMPACT": Board(8, (Place(2, 5), Place(5, 5), Place(5, 2), Place(2, 2))),
    "AISLE": Board(9, (Place(2, 6), Place(6, 6), Place(6, 2), Place(2, 2))),
}
"""R1: the boards; the centres are red, yellow, green, blue."""

COLOURS = "rygb"
"""The colours of the mines, red, yellow, green, blue, as they are written."""

AROUND = ((-1, 1), (0, 1), (1, 1), (-1, 0), (1, 0), (-1, -1), (0, -1), (1, -1))
"""Where the squares 1 to 8 of a mine lie from its centre, row by row from the north-west."""

SEATED = {2: "NS", 3: "NES", 4: "NESW"}
"""R20: the sides of the seats, by how many there are."""


@cache
def underground(board: str) -> tuple[Place, ...]:
    """List the squares of the underground: a1, b1 ... row by row from the south."""
    width = range(BOARDS[board].width)
    return tuple(Place(file, rank) for rank in width for file in width)


@cache
def surface(board: str, side: str) -> tuple[Place, ...]:
    """List the squares of a Surface, from the west or from the south."""
    width = BOARDS[board].width
    fixed = width if side in "NE" else -1
    if side in "NS":
        return tuple(Place(file, fixed) for file in range(width))
    return tuple(Place(fixed, rank) for rank in range(width))


@cache
def sides(board: str) -> dict[Place, str]:
    """Give the side of every Surface square."""
    return {place: side for side in STEPS for place in surface(board, side)}


@cache
def mine_square(board: str, colour: int, number: int) -> Place:
    """Give a square of a mine by its number from 1."""
    centre, (files, ranks) = BOARDS[board].centres[colour], AROUND[number - 1]
    return Place(centre.file + files, centre.rank + ranks)


@cache
def place_text(board: str, place: Place) -> str:
    """Write a square: `c6`, or a Surface's side with its file or rank: `Na`, `E3`."""
    side = sides(board).get(place)
    file, rank = chr(ord("a") + place.file), str(place.rank + 1)
    if side is None:
        return file + rank
    return side + (file if side in "NS" else rank)


@cache
def places(board: str) -> dict[str, Place]:
    """Give all squares by their notation."""
    every = (*underground(board), *sides(board))
    return {place_text(board, place): place for place in every}


# Tracks

SIMPLE = ("NE", "NS", "NW", "ES", "EW", "SW")
"""Straights and corners by their exits."""

TEES = ("NES", "NEW", "NSW", "ESW")
CROSS = "NESW"
TRACKS = (*SIMPLE, *TEES, CROSS)


def in_order(exits: Iterable[str]) -> str:
    """Write exits in the order N, E, S, W."""
    return "".join(sorted(exits, key=CROSS.index))


# Jewels

ROCK, RUBY, EMERALD, GOLD, DIAMOND = range(5)
KINDS = range(5)
"""The kinds of jewels, in the order of the text; a Rock is a jewel too."""

BOX = (12, 24, 15, 10, 5)
"""How many of each kind there are."""

WORTH = (0, 1, 2, 3, 4)
"""What a jewel of each kind counts."""

Jewels = tuple[int, ...]
"""Jewels by their kinds, sorted."""


LETTERS = "kregd"
"""How the kinds are written."""


def jewels_text(jewels: Iterable[int]) -> str:
    """Write jewels, `-` for none."""
    return "".join(LETTERS[kind] for kind in jewels) or NONE


def sorted_jewels(jewels: Iterable[int]) -> Jewels:
    """Sort jewels by kind."""
    return tuple(sorted(jewels))


def together(one: Jewels, other: Jewels) -> Jewels:
    """Put jewels together."""
    return sorted_jewels((*one, *other))


def without(jewels: Jewels, taken: Iterable[int]) -> Jewels:
    """Take jewels out of others."""
    left = list(jewels)
    for kind in taken:
        left.remove(kind)
    return tuple(left)


def counts(jewels: Jewels) -> tuple[int, ...]:
    """Count jewels by kind."""
    of_kind = Counter(jewels)
    return tuple(of_kind[kind] for kind in KINDS)


def of_counts(numbers: Iterable[int]) -> Jewels:
    """Give jewels of which there are so many of each kind."""
    return tuple(kind for kind, number in enumerate(numbers) for _ in range(number))
