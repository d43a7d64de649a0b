"""Decisions of Off the Rails: notation and index.

Nothing here says whether a decision is legal.
"""

from __future__ import annotations

from functools import cache
from itertools import accumulate, combinations_with_replacement
from typing import NamedTuple

from .off_the_rails_board import (
    BOARDS,
    CROSS,
    KINDS,
    LETTERS,
    SIMPLE,
    TEES,
    Jewels,
    Place,
    jewels_text,
    place_text,
)
from .off_the_rails_state import CARTS, MISSIONS

LARGER = (*TEES, CROSS)
"""What a track can be upgraded to."""

LEFT_HANDS: tuple[Jewels, ...] = (
    *((kind,) for kind in KINDS),
    *combinations_with_replacement(KINDS, 2),
)
"""What a left hand can hold."""

SIGNS = "+-"


class Action(NamedTuple):
    """A decision and what it names.

    `exits` is one exit, or those of a track; `number` the cart, kind, hand or mission.
    """

    kind: str
    place: Place | None = None
    exits: str = ""
    number: int = 0
    jewels: Jewels = ()
    faster: bool = False


NAMED_BY_NUMBER = {
    "FIRST": ("", CARTS),
    "TAKE": ("*", LETTERS),
    "ODD": ("-", LETTERS),
    "HAND": ("", "LR"),
    "CLAIM": ("#", tuple(map(str, range(MISSIONS.stop)))),
}
"""The sign of a decision, and how what it names is written."""

ALONE = {"END_ACTIONS": ".", "TAKE_NOTHING": "*", "CLAIM_NONE": "#"}
"""The decisions that name nothing."""


def action_text(board: str, action: Action) -> str:
    """Write a decision."""
    kind, place = action.kind, action.place
    if place is not None:
        square = place_text(board, place)
        between = "+" if kind == "UPGRADE" else ""
        return ("!" if kind == "TOKEN" else "") + square + between + action.exits
    if kind in ALONE:
        return ALONE[kind]
    if kind in NAMED_BY_NUMBER:
        sign, names = NAMED_BY_NUMBER[kind]
        return sign + names[action.number]
    if kind == "SPEED":
        return CARTS[action.number] + SIGNS[not action.faster]
    if kind == "SPLIT":
        return "=" + jewels_text(action.jewels)
    return {"FACE": "^", "TURN": "~"}[kind] + action.exits


# The index


@cache
def planes(board: str) -> dict[str, int]:
    """Give the sizes of the planes of the index, in their order."""
    width = BOARDS[board].width
    return {
        "PLACE_TRACK": len(SIMPLE) * width * width,
        "UPGRADE": len(LARGER) * width * width,
        "PLACE_CART": width,
        "SPEED": len(CARTS) * len(SIGNS),
        "END_ACTIONS": 1,
        "FIRST": len(CARTS),
        "TAKE": len(KINDS),
        "TAKE_NOTHING": 1,
        "FACE": len(CROSS),
        "ODD": len(KINDS),
        "SPLIT": len(LEFT_HANDS),
        "HAND": 2,
        "TURN": len(CROSS),
        "CLAIM": len(MISSIONS),
        "CLAIM_NONE": 1,
        "TOKEN": width * width,
    }


@cache
def first_of_planes(board: str) -> dict[str, int]:
    """Give the first number of each plane."""
    sizes = planes(board)
    return dict(zip(sizes, accumulate(sizes.values(), initial=0), strict=False))


def place_in_plane(width: int, action: Action) -> int:
    """Give the place of an action in its plane."""
    kind, place, exits = action.kind, action.place, action.exits
    if kind == "PLACE_CART" and place is not None:
        return place.file if 0 <= place.file < width else place.rank
    if place is not None:
        track = {"PLACE_TRACK": SIMPLE, "UPGRADE": LARGER}.get(kind, ("",)).index(exits)
        return track * width * width + place.rank * width + place.file
    if kind == "SPEED":
        return len(SIGNS) * action.number + (not action.faster)
    if kind == "SPLIT":
        return LEFT_HANDS.index(action.jewels)
    if kind == "CLAIM":
        return action.number - MISSIONS.start
    return CROSS.index(exits) if exits else action.number


Choice = tuple[int, str, Action]
"""A decision with its index and its notation."""


@cache
def choice(board: str, action: Action) -> Choice:
    """Give a decision with its index and its notation."""
    return number_of(board, action), action_text(board, action), action


def number_of(board: str, action: Action) -> int:
    """Give the index of an action."""
    return first_of_planes(board)[action.kind] + place_in_plane(BOARDS[board].width, action)
