"""The engine's Off the Rails as a `ChanceEngine`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction

from tablestate.v1 import game_pb2, off_the_rails_pb2
from tablestate_service import _core

from .chance import Draw
from .chance_driver import Played
from .common import Event, Outcome
from .engine import outcome, refuse
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

Viewer = int | None
Message = off_the_rails_pb2.OffTheRailsEvent


class Engine:
    """Off the Rails as the Rust core plays it, one match after another."""

    def __init__(self) -> None:
        """Begin with any seed; each match has its own."""
        self.seed = bytes(32)
        self.stream = 0
        self.board = "COMPACT"

    @property
    def reading(self) -> Reading:
        """Give what answers about the engine's states."""
        return Reading()

    def start(self, options: Options, seed: int) -> Played[_core.GameState]:
        """Start a match; raises ValueError for a set-up that is refused."""
        self.seed, self.stream, self.board = seed.to_bytes(32, "big"), 0, options.board
        message = game_pb2.GameOptions(off_the_rails=options_message(options))
        try:
            return self.played(_core.GameState.start(message.SerializeToString(), self.seed))
        except _core.CoreError as error:
            refuse(error)

    def load(self, options: Options, position: str, seed: int) -> _core.GameState:
        """Go on from a position; damage raises an error that is no refusal."""
        self.seed, self.stream, self.board = seed.to_bytes(32, "big"), 0, options.board
        return _core.GameState.load(write_state(read_position(options, position)))

    def apply(self, state: _core.GameState, notation: str) -> Played[_core.GameState]:
        """Do an action; raises ValueError when it is not legal."""
        choice = game_pb2.ActionChoice(notation=notation).SerializeToString()
        try:
            step = state.apply(choice, self.seed, self.stream + 1)
        except _core.CoreError as error:
            refuse(error)
        self.stream += 1
        return self.played(step)

    def played(self, step: _core.Step) -> Played[_core.GameState]:
        """Put together what a step gave; the truth of a split is what its owner is told."""
        told = {viewer: self.events(step.events(viewer)) for viewer in viewers(step.state)}
        draws = [Draw(*pair) for pair in zip(step.draw_bounds, step.draws, strict=True)]
        truth = [
            told[int(str(event[1])[0])][place] if event[0] == "HANDS_CLOSED" else event
            for place, event in enumerate(told[None])
        ]
        return Played(step.state, truth, told, draws)

    def events(self, encoded: list[bytes]) -> list[Event]:
        """Read events as the oracle's tuples."""
        messages = (game_pb2.GameEvent.FromString(event).off_the_rails for event in encoded)
        return [read_event(self.board, message) for message in messages]


def viewers(state: _core.GameState) -> list[Viewer]:
    """List the seats and, as None, the spectator."""
    return [*range(state.seats), None]


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


class Reading:
    """What the engine answers about its states."""

    def choices(self, state: _core.GameState) -> list[tuple[int, str]]:
        """List the legal actions as index and notation."""
        legal = game_pb2.LegalActions.FromString(state.legal_actions())
        return [(action.index, action.notation) for action in legal.actions]

    def position(self, state: _core.GameState) -> str:
        """Write the position."""
        return state.position

    def actor(self, state: _core.GameState) -> int | None:
        """Give the seat that must decide."""
        return state.actor

    def outcome(self, state: _core.GameState) -> Outcome | None:
        """Give the outcome."""
        return outcome(state, "off_the_rails")

    def returns(self, state: _core.GameState) -> tuple[Fraction, ...] | None:
        """Give the returns, whose denominators are small."""
        encoded = state.outcome()
        if encoded is None:
            return None
        message = game_pb2.Outcome.FromString(encoded)
        return tuple(Fraction(value).limit_denominator(100) for value in message.returns)

    def default_action(self, state: _core.GameState) -> str:
        """Give the default action."""
        return state.default_action()

    def views(self, state: _core.GameState) -> dict[Viewer, dict[str, object]]:
        """Give all that each viewer may know."""
        return {viewer: read_view(state.view(viewer)) for viewer in viewers(state)}
