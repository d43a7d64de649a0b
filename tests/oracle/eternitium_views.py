"""Who sees what in Eternitium: events as they are told, and views of a state."""

from __future__ import annotations

from .common import Event
from .eternitium_cards import NONE, SYMBOLS, cards_text
from .eternitium_state import STEPS, Seat, State, row_text

UNTOLD = "?"
"""Stands in an event for what its viewer is not told."""

SEAT_ONLY = {"DRAWN": 3, "ERAS_SEEN": 3, "KEPT": 3, "TECHNOLOGY_TAKEN": 4}
"""The events of which only the seat in field 1 is told all, and the field that it alone sees."""


def is_open(event: Event) -> bool:
    """Say whether everybody is told all of an event."""
    if event[0] == "TECHNOLOGY_TAKEN":
        return event[3] != NONE
    return event[0] not in SEAT_ONLY or event[2] == 0


def shown(event: Event, viewer: int | None) -> Event:
    """Tell an event to a seat, or to a spectator (None)."""
    if is_open(event) or event[1] == viewer:
        return event
    hidden = SEAT_ONLY[str(event[0])]
    return (*event[:hidden], UNTOLD, *event[hidden + 1 :])


def player_view(state: State, number: int, seat: Seat) -> dict[str, object]:
    """Give what everybody sees of a seat."""
    return {
        "eras": seat.eras.size,
        "top": NONE if seat.top_era is None else cards_text((seat.top_era,)),
        "hand_size": len(seat.hand),
        "deck_size": seat.deck.size,
        "discard": cards_text(seat.discard),
        "removed": cards_text(seat.removed),
        "basics": seat.basics,
        "advanced": seat.advanced,
        "owned": NONE if state.actor is not None else cards_text(seat.owned),
        "forfeited": number in state.forfeited,
    }


def public_view(state: State) -> dict[str, object]:
    """Give what everybody sees."""
    return {
        "round": state.round,
        "max_rounds": state.options.max_rounds,
        "turn": state.actor,
        "step": STEPS.get(state.step, NONE),
        "extra": state.extra,
        "looped": state.looped,
        "played": state.played,
        "refill": state.refill,
        "players": [player_view(state, *pair) for pair in enumerate(state.seats)],
        "supply": [state.supply.count(symbol) for symbol in SYMBOLS],
        "gone": [state.gone.count(symbol) for symbol in SYMBOLS],
        "visible": row_text(state.visible),
        "pile_size": state.era_pile.size,
        "rows": [row_text(state.basic_row), row_text(state.advanced_row)],
        "deck_sizes": [state.basic_deck.size, state.advanced_deck.size],
        "area": cards_text(state.own.area),
    }


def own_view(state: State, viewer: int | None) -> dict[str, object]:
    """Give what a seat alone sees; a spectator (None) sees nothing of it."""
    if viewer is None:
        return {"hand": NONE, "deck": NONE, "scanned": NONE}
    seat = state.seats[viewer]
    looks = state.step == "scan" and viewer == state.seat
    return {
        "hand": cards_text(seat.hand),
        "deck": cards_text(seat.deck.cards),
        "scanned": cards_text(seat.eras.top[:2]) if looks else NONE,
    }


def views(state: State) -> dict[int | None, dict[str, object]]:
    """Give all that each seat, and the spectator (None), may know of a state."""
    public = public_view(state)
    viewers = [*range(state.options.seats), None]
    return {viewer: {**public, **own_view(state, viewer)} for viewer in viewers}
