"""OffTrack in words: cards, lines, actions and events."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from tablestate.v1.offtrack_pb2 import (
    OffTrackAction,
    OffTrackActionCard,
    OffTrackCard,
    OffTrackEvent,
    OffTrackEventKind,
)

_SEATS = ("north", "east", "south", "west")
_VALUES = (-2, -1, 0, 1, 1, 2, 3, 4, 5)


class ActionWords(NamedTuple):
    """What is said of an action card."""

    title: str
    effect: str
    targets: str
    """How its targets are written, and what they mean."""


ACTIONS = {
    OffTrackActionCard.OFF_TRACK_ACTION_CARD_SHEAR: ActionWords(
        "Shear",
        "cut a line behind a card; the cards from there to the add end become a branch",
        "S line:index, cut behind this card",
    ),
    OffTrackActionCard.OFF_TRACK_ACTION_CARD_MEND: ActionWords(
        "Mend",
        "score a branch's edge and move its other cards to another line",
        "M branch>line that takes the rest",
    ),
    OffTrackActionCard.OFF_TRACK_ACTION_CARD_QUANTUM_SHUNT: ActionWords(
        "Quantum Shunt",
        "move a card to another line",
        "Q line:index>line, this card goes there",
    ),
    OffTrackActionCard.OFF_TRACK_ACTION_CARD_RECALL: ActionWords(
        "Recall",
        "make a card the edge of its line; it collects the lower cards there",
        "R line:index, this card",
    ),
    OffTrackActionCard.OFF_TRACK_ACTION_CARD_PARADOX_LOOP: ActionWords(
        "Paradox Loop",
        "flip a line until the turn ends; cards are added at its other end",
        "L line",
    ),
    OffTrackActionCard.OFF_TRACK_ACTION_CARD_REDEEM: ActionWords(
        "Redeem", "turn the negative cards of a line positive", "P line"
    ),
    OffTrackActionCard.OFF_TRACK_ACTION_CARD_QUARANTINE: ActionWords(
        "Quarantine", "seal a line until your next turn", "K line"
    ),
    OffTrackActionCard.OFF_TRACK_ACTION_CARD_BREACH: ActionWords(
        "Breach", "score a branch's edge, or open a sealed line", "B line"
    ),
}

_HEADINGS = {
    "discard": "Discard the action",
    "hold": "Hold the action until your next turn",
    "append": "Add a card to a line (card>line)",
    "cycle": "Cycle: discard these cards and draw as many",
    "skip": "Nothing can be done: skip",
    "draw": "Draw an action",
    "end": "End the turn",
}

_EVENTS = {
    OffTrackEventKind.OFF_TRACK_EVENT_KIND_ROUND_STARTED: (
        "round {round} begins, Prime is {cards}, {seat} starts"
    ),
    OffTrackEventKind.OFF_TRACK_EVENT_KIND_DEALT: "{seat} is dealt {number}{shown}",
    OffTrackEventKind.OFF_TRACK_EVENT_KIND_TURN_STARTED: "{seat}'s turn",
    OffTrackEventKind.OFF_TRACK_EVENT_KIND_SEAL_LIFTED: "the seal of {line} is lifted",
    OffTrackEventKind.OFF_TRACK_EVENT_KIND_COLLAPSED: (
        "{line} collapses: {scored} is scored, {cards} boxed"
    ),
    OffTrackEventKind.OFF_TRACK_EVENT_KIND_WAITING: (
        "{line} waits to collapse until {seat}'s turn"
    ),
    OffTrackEventKind.OFF_TRACK_EVENT_KIND_ACTION_PLAYED: "{seat} plays {action}",
    OffTrackEventKind.OFF_TRACK_EVENT_KIND_ACTION_DISCARDED: "{seat} discards {action}",
    OffTrackEventKind.OFF_TRACK_EVENT_KIND_ACTION_HELD: "{seat} holds the action",
    OffTrackEventKind.OFF_TRACK_EVENT_KIND_ACTION_DRAWN: "{seat} draws {action}",
    OffTrackEventKind.OFF_TRACK_EVENT_KIND_APPENDED: "{seat} adds {cards} to {line}",
    OffTrackEventKind.OFF_TRACK_EVENT_KIND_COLLECTED: "{seat} collects {cards} from {line}",
    OffTrackEventKind.OFF_TRACK_EVENT_KIND_PINNED: "the edge of {line} is pinned to {index}",
    OffTrackEventKind.OFF_TRACK_EVENT_KIND_SHEARED: "{line} is cut behind {index}{branch}",
    OffTrackEventKind.OFF_TRACK_EVENT_KIND_SCORED: "{seat} scores {scored} from {line}",
    OffTrackEventKind.OFF_TRACK_EVENT_KIND_BOXED: "{cards} boxed from {line}",
    OffTrackEventKind.OFF_TRACK_EVENT_KIND_MOVED: "{cards} goes from {line} to {onto}",
    OffTrackEventKind.OFF_TRACK_EVENT_KIND_RECALLED: (
        "the card at {index} of {line} is recalled to {to_index}"
    ),
    OffTrackEventKind.OFF_TRACK_EVENT_KIND_FLIPPED: "{line} is flipped",
    OffTrackEventKind.OFF_TRACK_EVENT_KIND_REDEEMED: "{cards} of {line} turn positive",
    OffTrackEventKind.OFF_TRACK_EVENT_KIND_SEALED: "{seat} seals {line}",
    OffTrackEventKind.OFF_TRACK_EVENT_KIND_OPENED: "{line} is opened",
    OffTrackEventKind.OFF_TRACK_EVENT_KIND_CYCLED: "{seat} cycles {cards}",
    OffTrackEventKind.OFF_TRACK_EVENT_KIND_SKIPPED: "{seat} skips",
    OffTrackEventKind.OFF_TRACK_EVENT_KIND_RESHUFFLED: "the {number} discarded become the deck",
    OffTrackEventKind.OFF_TRACK_EVENT_KIND_REFILLED: "{seat} draws {number}{shown}",
    OffTrackEventKind.OFF_TRACK_EVENT_KIND_END_CALLED: "{seat} calls the end of the round",
    OffTrackEventKind.OFF_TRACK_EVENT_KIND_ROUND_SCORED: "the round is scored: {scores}",
}
"""The end of a turn is left out: the next thing told is another seat's turn."""


def seat_name(seat: int) -> str:
    """Return the side of the table that a seat sits at."""
    return _SEATS[seat]


def line_name(line: int) -> str:
    """Return "Prime" or "branch 1"."""
    return f"branch {line}" if line else "Prime"


def value(card: OffTrackCard) -> int:
    """Return what a card is worth now."""
    printed = _VALUES[card.type % 9]
    return abs(printed) if card.redeemed else printed


def card_name(card: OffTrackCard) -> str:
    """Return the notation of a card, as "c4" or "c0+"."""
    return f"{'abcdefgh'[card.type // 9]}{card.type % 9}{'+' * card.redeemed}"


def heading(action: OffTrackAction) -> str:
    """Say what kind of action this is, and how its targets are written."""
    kind = action.WhichOneof("action") or "skip"
    if kind != "play":
        return _HEADINGS[kind]
    words = ACTIONS[action.play.action_card]
    return f"Play {words.title} ({words.targets})"


def describe(event: OffTrackEvent) -> str:
    """Tell an event in a few words."""
    cards, hidden = _cards(event.cards), "an action"
    words = {
        "seat": seat_name(event.seat),
        "line": line_name(event.line),
        "onto": line_name(event.onto),
        "index": f"index {event.index}",
        "to_index": f"index {event.to_index}",
        "branch": f", {line_name(event.onto)} opens" if event.HasField("onto") else "",
        "cards": cards or "no card",
        "shown": f" ({cards})" if cards else "",
        "scored": _with_value(event.scored),
        "number": f"{event.number} card" + "s" * (event.number != 1),
        "action": ACTIONS[event.action_card].title if event.action_card in ACTIONS else hidden,
        "round": str(event.round),
        "scores": ", ".join(f"{seat_name(s)} {score}" for s, score in enumerate(event.scores)),
    }
    return _EVENTS.get(event.kind, "").format(**words)


def _with_value(card: OffTrackCard) -> str:
    worth = value(card)
    return f"{card_name(card)} for {worth:+d}" if worth else f"{card_name(card)} for 0"


def _cards(cards: Iterable[OffTrackCard]) -> str:
    return " ".join(map(card_name, cards))
