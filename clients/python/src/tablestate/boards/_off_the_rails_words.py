"""Off the Rails in words: squares, jewels, carts, missions, actions and events."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from tablestate.v1.off_the_rails_pb2 import (
    OffTheRailsAction,
    OffTheRailsBoard,
    OffTheRailsCartName,
    OffTheRailsColour,
    OffTheRailsEvent,
    OffTheRailsEventKind,
    OffTheRailsHand,
    OffTheRailsJewel,
    OffTheRailsMine,
    OffTheRailsSide,
    OffTheRailsSurface,
)

_LETTERS = "?NESW"
_SIDES = ("nowhere", "north", "east", "south", "west")
_MINES = ("none", "red", "yellow", "green", "blue")
_CARTS = ("?", "w", "b")
JEWELS = ("Rock", "Ruby", "Emerald", "Gold", "Diamond")
"""The kinds of jewels, in order."""
_MANY = ("Rocks", "Rubies", "Emeralds", "Gold", "Diamonds")
_JEWEL_LETTERS = "?kregd"


class MissionWords(NamedTuple):
    """What is said of a mission."""

    title: str
    condition: str


MISSIONS = {
    1: MissionWords("Full Hold", "bank five jewels with one cart"),
    2: MissionWords("Spectrum", "have a Ruby, an Emerald, a Gold and a Diamond in stock"),
    3: MissionWords("Express", "bank a jewel with a cart of speed 6"),
    4: MissionWords("Slow Freight", "bank a jewel with a cart of speed 1"),
    5: MissionWords("Through Traffic", "bank a jewel on the Surface opposite your own"),
    6: MissionWords("Shakedown", "make another seat's cart drop two jewels or more at once"),
    7: MissionWords("Wrecker", "derail another seat's cart by a collision"),
    8: MissionWords("Quarryman", "have three Rocks in stock"),
    9: MissionWords("Double Shift", "bank a jewel with each of your two carts"),
    10: MissionWords("Grand Tour", "take jewels from three squares in one move"),
    11: MissionWords("Long Haul", "enter six squares in one move"),
}

_HEADINGS = {
    "place_cart": "Place a cart on your Surface",
    "speed": "Change a cart's speed (w white, b black; + or -)",
    "end_actions": "End the actions, and move your carts",
    "first": "Which cart moves first (w white, b black)",
    "take": "Take a jewel (k Rock, r Ruby, e Emerald, g Gold, d Diamond)",
    "take_nothing": "Take nothing more here",
    "face": "Face an exit",
    "odd": "Drop one jewel (k Rock, r Ruby, e Emerald, g Gold, d Diamond)",
    "split": "Split the hold: what the left hand holds",
    "hand": "Choose the hand that is dropped (L left, R right)",
    "turn": "Turn the cart to an exit",
    "claim": "Claim a mission",
    "claim_none": "Claim no mission",
    "token": "Lay the token on a square",
}

_KIND = OffTheRailsEventKind
_EVENTS = {
    _KIND.OFF_THE_RAILS_EVENT_KIND_DEPOSITED: "{colour} {number} brings {jewels} to {square}",
    _KIND.OFF_THE_RAILS_EVENT_KIND_MISSIONS_DEALT: "the missions are {missions}",
    _KIND.OFF_THE_RAILS_EVENT_KIND_TURN_STARTED: "{seat}'s turn",
    _KIND.OFF_THE_RAILS_EVENT_KIND_TRACK_PLACED: "{seat} lays track {exits} on {square}",
    _KIND.OFF_THE_RAILS_EVENT_KIND_TRACK_UPGRADED: "{seat} makes the track on {square} {exits}",
    _KIND.OFF_THE_RAILS_EVENT_KIND_CART_PLACED: "{cart} is placed on {surface}",
    _KIND.OFF_THE_RAILS_EVENT_KIND_SPEED_CHANGED: "{cart} has speed {speed} now",
    _KIND.OFF_THE_RAILS_EVENT_KIND_ACTIONS_ENDED: "{seat} ends its actions",
    _KIND.OFF_THE_RAILS_EVENT_KIND_MOVE_STARTED: "{cart} moves",
    _KIND.OFF_THE_RAILS_EVENT_KIND_ENTERED: "{cart} enters {square}",
    _KIND.OFF_THE_RAILS_EVENT_KIND_TOOK: "{cart} takes {jewels} from {square}",
    _KIND.OFF_THE_RAILS_EVENT_KIND_TOOK_NOTHING: "{cart} takes nothing more from {square}",
    _KIND.OFF_THE_RAILS_EVENT_KIND_FACED: "{cart} faces {facing}",
    _KIND.OFF_THE_RAILS_EVENT_KIND_BANKED: "{cart} banks {jewels} at {surface}",
    _KIND.OFF_THE_RAILS_EVENT_KIND_DERAILED: "{cart} derails{lost}{out}",
    _KIND.OFF_THE_RAILS_EVENT_KIND_COLLIDED: "{cart} collides with {opposing}{how}",
    _KIND.OFF_THE_RAILS_EVENT_KIND_DROPPED: "{cart} drops {jewels} on {square}",
    _KIND.OFF_THE_RAILS_EVENT_KIND_HANDS_CLOSED: "{cart}'s hold is split into two hands{hands}",
    _KIND.OFF_THE_RAILS_EVENT_KIND_HAND_CHOSEN: "{cart}'s {hand} hand is chosen{hands}",
    _KIND.OFF_THE_RAILS_EVENT_KIND_TURNED: "{cart} turns {facing}",
    _KIND.OFF_THE_RAILS_EVENT_KIND_RETURNED: "{cart} goes back to supply",
    _KIND.OFF_THE_RAILS_EVENT_KIND_MISSION_CLAIMED: "{seat} claims {mission}",
    _KIND.OFF_THE_RAILS_EVENT_KIND_NO_CLAIM: "{seat} claims no mission",
    _KIND.OFF_THE_RAILS_EVENT_KIND_CHASM_CARD: "{seat} turns the Chasm Card",
    _KIND.OFF_THE_RAILS_EVENT_KIND_CHASM_OPENED: "the Chasm opens: {cards}",
    _KIND.OFF_THE_RAILS_EVENT_KIND_TOKEN_DRAWN: "a {colour} token is drawn",
    _KIND.OFF_THE_RAILS_EVENT_KIND_DIE_ROLLED: "the Chasm die shows {number}: {square}",
    _KIND.OFF_THE_RAILS_EVENT_KIND_TOKEN_PLACED: "a {colour} token is laid on {square}{removed}",
    _KIND.OFF_THE_RAILS_EVENT_KIND_TOKEN_PUT_OUT: "the {colour} token is put out",
}
"""The end of a turn is left out: the next thing told is another seat's turn."""


def size_of(board: OffTheRailsBoard.ValueType) -> int:
    """Return how many squares a side of a board has (R1)."""
    return 9 if board == OffTheRailsBoard.OFF_THE_RAILS_BOARD_AISLE else 8


def square_name(square: int, size: int) -> str:
    """Return the name of a square of a board of this size, as "c4"."""
    return f"{'abcdefghi'[square % size]}{square // size + 1}"


def surface_name(side: OffTheRailsSide.ValueType, place: int) -> str:
    """Return the name of a Surface square, as "Na" or "E3"."""
    is_file = _LETTERS[side] in "NS"
    return f"{_LETTERS[side]}{'abcdefghi'[place] if is_file else place + 1}"


def side_name(side: OffTheRailsSide.ValueType) -> str:
    """Return "north", "east", "south" or "west"."""
    return _SIDES[side]


def mine_name(mine: OffTheRailsMine.ValueType) -> str:
    """Return the colour of a mine."""
    return _MINES[mine]


def cart_name(seat: int, colour: OffTheRailsColour.ValueType) -> str:
    """Return the name of a cart, as "0w"."""
    return f"{seat}{_CARTS[colour]}"


def exits_name(exits: Iterable[OffTheRailsSide.ValueType]) -> str:
    """Return the exits of a track, as "NES"."""
    return "".join(_LETTERS[side] for side in exits)


def letters(jewels: Iterable[OffTheRailsJewel.ValueType]) -> str:
    """Return the letters of jewels; nothing for none."""
    return "".join(_JEWEL_LETTERS[jewel] for jewel in jewels)


def jewels_name(jewels: Iterable[OffTheRailsJewel.ValueType]) -> str:
    """Return jewels as "1 Rock, 2 Rubies", or "no jewels"."""
    listed = list(jewels)
    numbers = [listed.count(kind) for kind in OffTheRailsJewel.values()[1:]]
    named = zip(numbers, JEWELS, _MANY, strict=True)
    return ", ".join(f"{n} {one if n == 1 else many}" for n, one, many in named if n) or "no jewels"


def mission_name(number: int) -> str:
    """Return what a mission is called."""
    return MISSIONS[number].title if number in MISSIONS else f"mission {number}"


def seat_name(seat: int) -> str:
    """Return "seat 0", as carts are named 0w and 0b."""
    return f"seat {seat}"


def heading(action: OffTheRailsAction) -> str:
    """Say what kind of action this is; each form of track is a kind."""
    kind = action.WhichOneof("action") or "claim_none"
    if kind == "place_track":
        return f"Lay a track {exits_name(action.place_track.exits)}"
    if kind == "upgrade":
        return f"Upgrade to {exits_name(action.upgrade.exits)}"
    return _HEADINGS[kind]


def describe(event: OffTheRailsEvent, size: int) -> str:
    """Tell an event on a board of this size in a few words."""
    words = {
        "seat": seat_name(event.seat),
        "cart": _cart(event.cart),
        "opposing": _cart(event.opposing),
        "square": square_name(event.square, size),
        "surface": _surface(event.surface),
        "exits": exits_name(event.exits),
        "facing": side_name(event.facing),
        "jewels": jewels_name(event.jewels),
        "lost": f" and loses {jewels_name(event.jewels)}" if event.jewels else "",
        "out": ", out of the game" if event.out else "",
        "how": _how(event),
        "hands": _hands(event),
        "hand": "left" if event.hand == OffTheRailsHand.OFF_THE_RAILS_HAND_LEFT else "right",
        "colour": mine_name(event.colour),
        "number": str(event.number),
        "mission": mission_name(event.number),
        "missions": ", ".join(map(mission_name, event.numbers)),
        "cards": _cards(event.numbers),
        "speed": str(event.speed),
        "removed": _removed(event),
    }
    return _EVENTS.get(event.kind, "").format(**words)


def _cart(cart: OffTheRailsCartName) -> str:
    return cart_name(cart.seat, cart.colour)


def _surface(surface: OffTheRailsSurface) -> str:
    return surface_name(surface.side, surface.place)


def _how(event: OffTheRailsEvent) -> str:
    front = ", front first" if event.front_first else ""
    return front + ("" if event.connected else ", with no track between them")


def _hands(event: OffTheRailsEvent) -> str:
    """Tell what is in the hands, to those who may know it."""
    if not event.left:
        return ""
    return f" (left {letters(event.left)}, right {letters(event.right)})"


def _cards(numbers: Iterable[int]) -> str:
    return ", ".join(f"{mine} {n}" for mine, n in zip(_MINES[1:], numbers, strict=False))


def _removed(event: OffTheRailsEvent) -> str:
    track = [f"track {exits_name(event.exits)}"] if event.exits else []
    jewels = [jewels_name(event.jewels)] if event.jewels else []
    removed = " and ".join([*track, *jewels])
    return f", {removed} removed" if removed else ""
