"""The engine's Eternitium as a `ChanceEngine`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction

from tablestate.v1 import eternitium_pb2, game_pb2
from tablestate_service import _core

from .chance import Draw
from .chance_driver import Played
from .common import Event, Outcome
from .engine import outcome, refuse
from .eternitium_cards import LETTERS, NONE
from .eternitium_load import options_message, write_state
from .eternitium_read import read_position
from .eternitium_state import Options
from .eternitium_views import SEAT_ONLY, UNTOLD, is_open

Viewer = int | None
Message = eternitium_pb2.EternitiumEvent
Shown = eternitium_pb2.EternitiumView
STEPS = "-BPYSFT"
TYPES = (NONE, "BASIC", "ADVANCED")


TEXTS = (NONE, *LETTERS.values())
"""How cards are written, by their numbers; 0 stands for none."""


class Engine:
    """Eternitium as the Rust core plays it, one match after another."""

    def __init__(self) -> None:
        """Begin with any seed; each match has its own."""
        self.seed = bytes(32)
        self.stream = 0

    @property
    def reading(self) -> Reading:
        """Give what answers about the engine's states."""
        return Reading()

    def start(self, options: Options, seed: int) -> Played[_core.GameState]:
        """Start a match; raises ValueError for a set-up that is refused."""
        self.seed, self.stream = seed.to_bytes(32, "big"), 0
        try:
            return played(_core.GameState.start(write_options(options), self.seed))
        except _core.CoreError as error:
            refuse(error)

    def load(self, options: Options, position: str, seed: int) -> _core.GameState:
        """Go on from a position; damage raises an error that is no refusal."""
        self.seed, self.stream = seed.to_bytes(32, "big"), 0
        return _core.GameState.load(write_state(read_position(options, position)))

    def apply(self, state: _core.GameState, notation: str) -> Played[_core.GameState]:
        """Do an action; raises ValueError when it is not legal."""
        choice = game_pb2.ActionChoice(notation=notation).SerializeToString()
        try:
            step = state.apply(choice, self.seed, self.stream + 1)
        except _core.CoreError as error:
            refuse(error)
        self.stream += 1
        return played(step)


def write_options(options: Options) -> bytes:
    """Encode options."""
    return game_pb2.GameOptions(eternitium=options_message(options)).SerializeToString()


def viewers(state: _core.GameState) -> list[Viewer]:
    """List the seats and, as None, the spectator."""
    return [*range(state.seats), None]


def played(step: _core.Step) -> Played[_core.GameState]:
    """Put together what a step gave; the truth of an event is what the one it is for is told."""
    told = {viewer: read_events(step.events(viewer)) for viewer in viewers(step.state)}
    draws = [Draw(*pair) for pair in zip(step.draw_bounds, step.draws, strict=True)]
    truth = [
        told[int(event[1])][place] if event[0] in SEAT_ONLY and not is_open(event) else event
        for place, event in enumerate(told[None])
    ]
    return Played(step.state, truth, told, draws)


def read_events(encoded: list[bytes]) -> list[Event]:
    """Read events as the oracle's tuples."""
    return [read_event(game_pb2.GameEvent.FromString(event).eternitium) for event in encoded]


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
        return outcome(state, "eternitium", forfeited(state))

    def returns(self, state: _core.GameState) -> tuple[Fraction, ...] | None:
        """Give the returns, whose denominators are small."""
        encoded = state.outcome(forfeited(state))
        if encoded is None:
            return None
        message = game_pb2.Outcome.FromString(encoded)
        return tuple(Fraction(value).limit_denominator(100) for value in message.returns)

    def default_action(self, state: _core.GameState) -> str:
        """Give the default action."""
        return state.default_action()

    def views(self, state: _core.GameState) -> dict[Viewer, dict[str, object]]:
        """Give all that each viewer may know."""
        return {viewer: read_view(state, viewer) for viewer in viewers(state)}


def forfeited(state: _core.GameState) -> list[int]:
    """List the seats that are marked as out."""
    view = game_pb2.GameView.FromString(state.view(None)).eternitium
    return [number for number, player in enumerate(view.players) if player.forfeited]


def read_view(state: _core.GameState, viewer: Viewer) -> dict[str, object]:
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
