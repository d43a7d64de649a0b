"""Who sees what in OffTrack: events as they are told, and views of a state."""

from __future__ import annotations

from .common import Event
from .offtrack_cards import NONE, actions_text
from .offtrack_state import Line, State

UNTOLD = "?"
"""Stands in an event for what its viewer is not told."""

SEAT_ONLY = {"DEALT": 3, "REFILLED": 3, "ACTION_DRAWN": 2}
"""The events of which only the seat in field 1 is told all, and the field that it alone sees."""


def shown(event: Event, viewer: int | None) -> Event:
    """Tell an event to a seat, or to a spectator (None)."""
    hidden = SEAT_ONLY.get(str(event[0]))
    if hidden is None or event[1] == viewer:
        return event
    return (*event[:hidden], UNTOLD, *event[hidden + 1 :])


def line_view(state: State, line: Line) -> dict[str, object]:
    """Give a line; all of it is public."""
    return {
        "cards": state.text(line.cards),
        "flipped": line.flipped,
        "pin": line.pin_index,
        "sealed_by": line.sealed_by,
        "waiting_for": line.waiting_for,
    }


def public_view(state: State) -> dict[str, object]:
    """Give what everybody sees."""
    return {
        "round": state.round,
        "turn": state.actor,
        "step": state.step,
        "lines": [line_view(state, line) for line in state.lines],
        "piles": list(map(state.sorted_text, state.piles)),
        "box": state.sorted_text(state.box),
        "discards": state.sorted_text(state.discards),
        "action_discards": actions_text(state.action_discards),
        "deck_size": len(state.deck),
        "action_deck_size": len(state.action_deck),
        "hand_sizes": list(map(len, state.hands)),
        "holds": [held is not None for held in state.held],
        "looking": state.drawn is not None,
        "cycled": list(state.cycled),
        "collapsed": state.collapsed,
        "called": state.called,
        "round_scores": [list(scores) for scores in state.scores],
    }


def own_view(state: State, viewer: int | None) -> dict[str, object]:
    """Give what a seat alone sees; a spectator (None) sees nothing of it."""
    if viewer is None:
        return {"hand": NONE, "held": NONE, "drawn": NONE}
    return {
        "hand": state.sorted_text(state.hands[viewer]),
        "held": state.held[viewer] or NONE,
        "drawn": (state.drawn or NONE) if viewer == state.seat else NONE,
    }


def views(state: State) -> dict[int | None, dict[str, object]]:
    """Give all that each seat, and the spectator (None), may know of a state."""
    public = public_view(state)
    viewers = [*range(state.options.seats), None]
    return {viewer: {**public, **own_view(state, viewer)} for viewer in viewers}
