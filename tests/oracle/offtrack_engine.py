"""The engine's OffTrack as a `ChanceEngine`."""

from __future__ import annotations

from collections.abc import Callable

from tablestate.v1 import game_pb2, offtrack_pb2
from tablestate_service import _core

from .common import Event
from .core_engine import CoreEngine, Reading, Viewer
from .offtrack_cards import ACTIONS, CARD_TEXTS, FIGURES, NONE
from .offtrack_load import STEPS, options_message, state_bytes
from .offtrack_state import Options
from .offtrack_views import SEAT_ONLY, UNTOLD

Message = offtrack_pb2.OffTrackEvent
Shown = offtrack_pb2.OffTrackView


class Engine(CoreEngine[Options]):
    """OffTrack as the Rust core plays it, one match after another."""

    @property
    def reading(self) -> OffTrackReading:
        """Give what answers about the engine's states."""
        return OffTrackReading()

    def message(self, options: Options) -> game_pb2.GameOptions:
        """Write options."""
        return game_pb2.GameOptions(offtrack=options_message(options))

    def state_bytes(self, options: Options, position: str) -> bytes:
        """Write the state that a position stands for."""
        return state_bytes(options, position)

    def read_event(self, event: game_pb2.GameEvent) -> Event:
        """Read an event as the oracle's tuple."""
        return read_event(event.offtrack)

    def told_to(self, event: Event) -> int | None:
        """Give the seat that alone is told all of an event."""
        return int(event[1]) if event[0] in SEAT_ONLY else None


def read_event(event: Message) -> Event:
    """Read an event as the oracle's tuple."""
    kind = offtrack_pb2.OffTrackEventKind.Name(event.kind)
    name = kind.removeprefix("OFF_TRACK_EVENT_KIND_")
    return (name, *(field(event) for field in FIELDS[name].values()))


def card_text(card: offtrack_pb2.OffTrackCard) -> str:
    """Write a card."""
    return CARD_TEXTS[card.type // FIGURES][card.type % FIGURES] + "+" * card.redeemed


def cards_text(event: Message) -> str:
    """Write the cards of an event."""
    return "".join(map(card_text, event.cards)) or NONE


def told_cards(event: Message) -> str:
    """Write cards that only one seat is told."""
    return cards_text(event) if event.cards or not event.number else UNTOLD


def action_text(number: int) -> str:
    """Write an action card, `-` for none."""
    return ACTIONS[number - 1] if number else NONE


Field = Callable[[Message], str | int]
SEAT: dict[str, Field] = {"seat": lambda event: event.seat}
LINE: dict[str, Field] = {"line": lambda event: event.line}
INDEX: dict[str, Field] = {"index": lambda event: event.index}
ONTO: dict[str, Field] = {"onto": lambda event: event.onto}
NUMBER: dict[str, Field] = {"number": lambda event: event.number}
CARDS: dict[str, Field] = {"cards": cards_text}
TOLD: dict[str, Field] = {"told": told_cards}
SCORED: dict[str, Field] = {"scored": lambda event: card_text(event.scored)}
ACTION: dict[str, Field] = {"action": lambda event: action_text(event.action_card)}
DRAWN: dict[str, Field] = {
    "drawn": lambda event: action_text(event.action_card).replace(NONE, UNTOLD)
}
FIELDS: dict[str, dict[str, Field]] = {
    "ROUND_STARTED": {"round": lambda event: event.round, **SEAT, **CARDS},
    "DEALT": SEAT | NUMBER | TOLD,
    "TURN_STARTED": SEAT,
    "SEAL_LIFTED": LINE,
    "COLLAPSED": LINE | SCORED | CARDS,
    "WAITING": LINE | SEAT,
    "ACTION_PLAYED": SEAT | ACTION,
    "ACTION_DISCARDED": SEAT | ACTION,
    "ACTION_HELD": SEAT,
    "ACTION_DRAWN": SEAT | DRAWN,
    "APPENDED": SEAT | CARDS | LINE,
    "COLLECTED": SEAT | LINE | CARDS,
    "PINNED": LINE | INDEX,
    "SHEARED": LINE
    | INDEX
    | {"branch": lambda event: event.onto if event.HasField("onto") else NONE},
    "SCORED": SEAT | LINE | SCORED,
    "BOXED": LINE | CARDS,
    "MOVED": LINE | ONTO | CARDS,
    "RECALLED": LINE | INDEX | {"to": lambda event: event.to_index},
    "FLIPPED": LINE,
    "REDEEMED": LINE | CARDS,
    "SEALED": LINE | SEAT,
    "OPENED": LINE,
    "CYCLED": SEAT | CARDS,
    "SKIPPED": SEAT,
    "RESHUFFLED": NUMBER,
    "REFILLED": SEAT | NUMBER | TOLD,
    "END_CALLED": SEAT,
    "TURN_ENDED": SEAT,
    "ROUND_SCORED": {"scores": lambda event: ",".join(map(str, event.scores))},
}


class OffTrackReading(Reading):
    """What the engine answers about its states."""

    game = "offtrack"

    def read_view(self, state: _core.GameState, viewer: Viewer) -> dict[str, object]:
        """Read a view as the oracle's dict."""
        return read_view(state, viewer)


def sorted_text(cards: object) -> str:
    """Write cards that the engine sorts."""
    return "".join(map(card_text, cards)) or NONE  # type: ignore[call-overload]


def kinds_text(kinds: object) -> str:
    """Write cards of a hand or of the discards."""
    texts = (CARD_TEXTS[kind // FIGURES][kind % FIGURES] for kind in kinds)  # type: ignore[attr-defined]
    return "".join(texts) or NONE


def optional(message: object, field: str) -> int | None:
    """Give a field that may be left out."""
    return getattr(message, field) if message.HasField(field) else None  # type: ignore[attr-defined]


def read_line(line: offtrack_pb2.OffTrackLine) -> dict[str, object]:
    """Read a line as the oracle's dict."""
    return {
        "cards": sorted_text(line.cards),
        "flipped": line.flipped,
        "pin": optional(line, "pinned"),
        "sealed_by": optional(line, "sealed_by"),
        "waiting_for": optional(line, "waiting_for"),
    }


def read_view(state: _core.GameState, viewer: Viewer) -> dict[str, object]:
    """Read a view as the oracle's dict."""
    view = game_pb2.GameView.FromString(state.view(viewer)).offtrack
    return {**read_public(state, view), **read_own(view)}


def read_own(view: Shown) -> dict[str, object]:
    """Read what the viewer alone sees."""
    return {
        "hand": kinds_text(view.hand),
        "held": action_text(view.held),
        "drawn": action_text(view.drawn),
    }


def read_public(state: _core.GameState, view: Shown) -> dict[str, object]:
    """Read what everybody sees."""
    players, rounds = view.players, len(view.players[0].round_scores)
    return {
        "round": view.round,
        "turn": state.actor,
        "step": STEPS[view.step],
        "lines": list(map(read_line, view.lines)),
        "piles": [sorted_text(player.pile) for player in players],
        "box": sorted_text(view.boxed),
        "discards": kinds_text(view.discard),
        "action_discards": "".join(map(action_text, view.action_discard)) or NONE,
        "deck_size": view.deck_size,
        "action_deck_size": view.action_deck_size,
        "hand_sizes": [player.hand_size for player in players],
        "holds": [player.holds_action for player in players],
        "looking": STEPS[view.step] == "A",
        "cycled": [player.cycled for player in players],
        "collapsed": view.collapsed,
        "called": view.called,
        "round_scores": [
            [player.round_scores[number] for player in players] for number in range(rounds)
        ],
    }
