"""The engine's Eternitium as a `ChanceEngine`."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tablestate.v1 import eternitium_pb2, game_pb2
from tablestate_service import _core

from .common import Event
from .core_engine import CoreEngine, Reading, Viewer
from .eternitium_cards import LETTERS, NONE
from .eternitium_load import options_message, write_state
from .eternitium_read import read_position
from .eternitium_state import Options
from .eternitium_views import SEAT_ONLY, UNTOLD, is_open

Message = eternitium_pb2.EternitiumEvent
Shown = eternitium_pb2.EternitiumView
STEPS = "-BPYSFT"
TYPES = (NONE, "BASIC", "ADVANCED")


TEXTS = (NONE, *LETTERS.values())
"""How cards are written, by their numbers; 0 stands for none."""


class Engine(CoreEngine[Options]):
    """Eternitium as the Rust core plays it, one match after another."""

    @property
    def reading(self) -> EternitiumReading:
        """Give what answers about the engine's states."""
        return EternitiumReading()

    def message(self, options: Options) -> game_pb2.GameOptions:
        """Write options."""
        return game_pb2.GameOptions(eternitium=options_message(options))

    def state_bytes(self, options: Options, position: str) -> bytes:
        """Write the state that a position stands for."""
        return write_state(read_position(options, position))

    def read_event(self, event: game_pb2.GameEvent) -> Event:
        """Read an event as the oracle's tuple."""
        return read_event(event.eternitium)

    def told_to(self, event: Event) -> int | None:
        """Give the seat that alone is told all of an event."""
        return int(event[1]) if event[0] in SEAT_ONLY and not is_open(event) else None


def read_event(event: Message) -> Event:
    """Read an event as the oracle's tuple; a target that is left out is not in it."""
    kind = eternitium_pb2.EternitiumEventKind.Name(event.kind)
    name = kind.removeprefix("ETERNITIUM_EVENT_KIND_")
    fields = (field(event) for field in FIELDS[name])
    return (name, *(field for field in fields if field is not None))


def kind_text(card: int) -> str:
    """Write a card, `-` for none."""
    return TEXTS[card]


def kinds_text(cards: Iterable[int]) -> str:
    """Write cards, `-` for none."""
    return "".join(map(kind_text, cards)) or NONE


def places_text(cards: Iterable[int]) -> str:
    """Write the places of a row, `-` for an empty one."""
    return "".join(map(kind_text, cards))


def hidden_kind(event: Message) -> str:
    """Write a card that a viewer may not know."""
    return kind_text(event.card) if event.card else UNTOLD


def kept_kind(event: Message) -> str:
    """Write the card kept, if any was."""
    return hidden_kind(event) if event.number else kind_text(event.card)


def place_text(event: Message) -> str | int:
    """Write a place, `-` for one that is left out."""
    return event.place if event.HasField("place") else NONE


Field = Callable[[Message], str | int | None]


def seat(event: Message) -> int:
    """Give the seat."""
    return event.seat


def opponent(event: Message) -> int | None:
    """Give the opponent, None if there is none."""
    return event.opponent if event.HasField("opponent") else None


def place(event: Message) -> str | int:
    """Give the place."""
    return place_text(event)


def side(event: Message) -> int:
    """Give the place of a visible Era."""
    return event.side - 1


def number(event: Message) -> int:
    """Give the number."""
    return event.number


def technology_type(event: Message) -> str:
    """Give the type."""
    return TYPES[event.type]


def card(event: Message) -> str:
    """Give the card."""
    return kind_text(event.card)


def cards(event: Message) -> str:
    """Give the cards."""
    return kinds_text(event.cards)


def drawn(event: Message) -> str:
    """Give cards that only their seat is told."""
    return kinds_text(event.cards) if event.cards else UNTOLD


def era(event: Message) -> str:
    """Give the Era."""
    return kind_text(event.era)


def eras(event: Message) -> str:
    """Give the Eras."""
    return kinds_text(event.eras)


def seen(event: Message) -> str:
    """Give Eras that only their seat is told."""
    return kinds_text(event.eras) if event.eras else UNTOLD


FIELDS: dict[str, tuple[Field, ...]] = {
    "ERAS_DEALT": (seat, number),
    "ERA_TURNED": (seat, era),
    "VISIBLE_ERA": (side, era),
    "TECHNOLOGY_UNDER": (technology_type, card),
    "TECHNOLOGY_TURNED": (technology_type, place, card),
    "TECHNOLOGY_TAKEN": (seat, technology_type, place, hidden_kind),
    "RESHUFFLED": (seat, number),
    "DRAWN": (seat, number, drawn),
    "TURN_STARTED": (seat, lambda event: event.round, lambda event: int(event.extra_turn)),
    "PORTAL_TAKEN": (seat, card),
    "PLAYED": (seat, card, opponent),
    "ERA_REVEALED": (seat, era),
    "ERA_LEFT": (seat, era),
    "GAMBLE_LOST": (seat,),
    "ERA_GAINED_UNSEEN": (seat,),
    "ERA_COVERED": (seat,),
    "STACK_SHUFFLED": (seat,),
    "ERAS_EXCHANGED": (seat, opponent),
    "ERAS_SEEN": (seat, number, seen),
    "PUT_ON_TOP": (seat, place, era),
    "ERA_EXILED": (seat, opponent, era),
    "PLAY_ENDED": (seat,),
    "REFITTED": (seat,),
    "REMOVED": (seat, card),
    "KEPT": (seat, number, kept_kind),
    "DISCARDED": (seat, cards),
    "ERAS_GAINED": (seat, eras),
    "NO_TECHNOLOGY": (seat,),
    "TURN_ENDED": (seat,),
}


class EternitiumReading(Reading):
    """What the engine answers about its states."""

    game = "eternitium"

    def forfeited(self, state: _core.GameState) -> list[int]:
        """List the seats that are marked as out."""
        view = game_pb2.GameView.FromString(state.view(None)).eternitium
        return [number for number, player in enumerate(view.players) if player.forfeited]

    def read_view(self, state: _core.GameState, viewer: Viewer) -> dict[str, object]:
        """Read a view as the oracle's dict."""
        view = game_pb2.GameView.FromString(state.view(viewer)).eternitium
        return {**read_public(state, view), **read_own(view)}


def read_own(view: Shown) -> dict[str, object]:
    """Read what the viewer alone sees."""
    return {
        "hand": kinds_text(view.hand),
        "deck": kinds_text(view.deck),
        "scanned": kinds_text(view.scanned),
    }


def read_player(player: eternitium_pb2.EternitiumPlayer) -> dict[str, object]:
    """Read what everybody sees of a seat."""
    return {
        "eras": player.eras,
        "top": kind_text(player.top),
        "hand_size": player.hand_size,
        "deck_size": player.deck_size,
        "discard": kinds_text(player.discard),
        "removed": kinds_text(player.removed),
        "basics": player.basics,
        "advanced": player.advanced,
        "owned": kinds_text(player.owned),
        "forfeited": player.forfeited,
    }


def read_public(state: _core.GameState, view: Shown) -> dict[str, object]:
    """Read what everybody sees."""
    return {
        "round": view.round,
        "max_rounds": view.max_rounds,
        "turn": None if state.actor is None else view.turn_of,
        "step": STEPS[view.step],
        "extra": view.extra_turn,
        "looped": view.time_loop,
        "played": view.played,
        "refill": view.refill_size,
        "players": list(map(read_player, view.players)),
        "supply": list(view.supply),
        "gone": list(view.eras_gone),
        "visible": places_text(view.visible_eras),
        "pile_size": view.pile_size,
        "rows": [places_text(view.basic_row), places_text(view.advanced_row)],
        "deck_sizes": [view.basic_deck_size, view.advanced_deck_size],
        "area": kinds_text(view.play_area),
    }
