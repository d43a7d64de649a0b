"""The engine's Off the Rails as a `ChanceEngine`."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tablestate.v1 import game_pb2, off_the_rails_pb2
from tablestate_service import _core

from .common import Event
from .core_engine import CoreEngine, Reading, Viewer
from .off_the_rails_board import COLOURS, CROSS, NONE, jewels_text
from .off_the_rails_engine_view import (
    cart_name,
    exits_text,
    numbers_text,
    read_view,
    square_text,
    surface_text,
)
from .off_the_rails_load import options_message, write_state
from .off_the_rails_read import read_position
from .off_the_rails_state import Options
from .off_the_rails_views import UNTOLD

Message = off_the_rails_pb2.OffTheRailsEvent


class Engine(CoreEngine[Options]):
    """Off the Rails as the Rust core plays it, one match after another."""

    def __init__(self) -> None:
        """Begin with any board; each match has its own."""
        super().__init__()
        self.board = "COMPACT"

    @property
    def reading(self) -> OffTheRailsReading:
        """Give what answers about the engine's states."""
        return OffTheRailsReading()

    def begin(self, options: Options, seed: int) -> None:
        """Take note of the match that is played from here on."""
        super().begin(options, seed)
        self.board = options.board

    def message(self, options: Options) -> game_pb2.GameOptions:
        """Write options."""
        return game_pb2.GameOptions(off_the_rails=options_message(options))

    def state_bytes(self, options: Options, position: str) -> bytes:
        """Write the state that a position stands for."""
        return write_state(read_position(options, position))

    def read_event(self, event: game_pb2.GameEvent) -> Event:
        """Read an event as the oracle's tuple."""
        return read_event(self.board, event.off_the_rails)

    def told_to(self, event: Event) -> int | None:
        """Give the seat that alone is told all of an event: the owner of a split."""
        return int(str(event[1])[0]) if event[0] == "HANDS_CLOSED" else None


def read_event(board: str, event: Message) -> Event:
    """Read an event as the oracle's tuple."""
    kind = off_the_rails_pb2.OffTheRailsEventKind.Name(event.kind)
    name = kind.removeprefix("OFF_THE_RAILS_EVENT_KIND_")
    if name == "CHASM_OPENED":
        return (name, *event.numbers)
    return (name, *(field(board, event) for field in FIELDS[name]))


Field = Callable[[str, Message], str | int]


def seat(board: str, event: Message) -> int:
    """Give the seat."""
    return event.seat


def cart(board: str, event: Message) -> str:
    """Give the cart."""
    return cart_name(event.cart)


def opposing(board: str, event: Message) -> str:
    """Give the cart that was hit."""
    return cart_name(event.opposing)


def square(board: str, event: Message) -> str:
    """Give the square."""
    return square_text(board, event.square)


def surface(board: str, event: Message) -> str:
    """Give the Surface square."""
    return surface_text(event.surface)


def exits(board: str, event: Message) -> str:
    """Give the exits of a track."""
    return exits_text(event.exits) or NONE


def facing(board: str, event: Message) -> str:
    """Give the exit that a cart faces."""
    return CROSS[event.facing - 1]


def jewels(board: str, event: Message) -> str:
    """Give the jewels."""
    return hand_text(event.jewels)


def left(board: str, event: Message) -> str:
    """Give the left hand."""
    return hand_text(event.left, UNTOLD)


def right(board: str, event: Message) -> str:
    """Give the right hand."""
    return hand_text(event.right, UNTOLD)


def hand_text(numbers: Iterable[int], none: str = NONE) -> str:
    """Write jewels of a message."""
    kinds = [number - 1 for number in numbers]
    return jewels_text(kinds) if kinds else none


def hand(board: str, event: Message) -> str:
    """Give the hand."""
    return "?LR"[event.hand]


def colour(board: str, event: Message) -> str:
    """Give the colour."""
    return COLOURS[event.colour - 1]


def number(board: str, event: Message) -> int:
    """Give the number."""
    return event.number


def numbers(board: str, event: Message) -> str:
    """Give the numbers."""
    return numbers_text(event.numbers)


FIELDS: dict[str, tuple[Field, ...]] = {
    "DEPOSITED": (colour, number, square, jewels),
    "MISSIONS_DEALT": (numbers,),
    "TURN_STARTED": (seat,),
    "TRACK_PLACED": (seat, square, exits),
    "TRACK_UPGRADED": (seat, square, exits),
    "CART_PLACED": (cart, surface),
    "SPEED_CHANGED": (cart, lambda board, event: event.speed),
    "ACTIONS_ENDED": (seat,),
    "MOVE_STARTED": (cart,),
    "ENTERED": (cart, square),
    "TOOK": (cart, square, jewels),
    "TOOK_NOTHING": (cart, square),
    "FACED": (cart, facing),
    "BANKED": (cart, surface, jewels),
    "DERAILED": (cart, jewels, lambda board, event: int(event.out)),
    "COLLIDED": (
        *(cart, opposing),
        lambda board, event: int(event.connected),
        lambda board, event: int(event.front_first),
    ),
    "DROPPED": (cart, square, jewels),
    "HANDS_CLOSED": (cart, left, right),
    "HAND_CHOSEN": (cart, hand, left, right),
    "TURNED": (cart, facing),
    "RETURNED": (cart,),
    "MISSION_CLAIMED": (seat, number),
    "NO_CLAIM": (seat,),
    "CHASM_CARD": (seat,),
    "TOKEN_DRAWN": (colour,),
    "DIE_ROLLED": (number, square),
    "TOKEN_PLACED": (colour, square, exits, jewels),
    "TOKEN_PUT_OUT": (colour,),
    "TURN_ENDED": (seat,),
}
"""The fields of the events; those of CHASM_OPENED are its numbers."""


class OffTheRailsReading(Reading):
    """What the engine answers about its states."""

    game = "off_the_rails"

    def read_view(self, state: _core.GameState, viewer: Viewer) -> dict[str, object]:
        """Read a view as the oracle's dict."""
        return read_view(state.view(viewer))
