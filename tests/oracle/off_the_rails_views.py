"""Who sees what in Off the Rails: events as they are told, and views of a state."""

from __future__ import annotations

from .common import Event
from .off_the_rails_board import NONE, OPPOSITE, SEATED, Place, jewels_text, place_text, sides
from .off_the_rails_state import CARTS, Cart, Spot, State, cart_text, is_underground
from .off_the_rails_text import (
    a_cart_text,
    board_texts,
    brought_text,
    counts_text,
    deck_text,
    hit_text,
    move_text,
    numbers_text,
    opener_text,
    shown_text,
    step_text,
    tokens_text,
)

UNTOLD = "?"
"""Stands in an event for what its viewer is not told."""


def shown(event: Event, viewer: int | None) -> Event:
    """Tell an event to a seat, or to a spectator (None): only a cart's owner knows its hands."""
    if event[0] != "HANDS_CLOSED" or int(str(event[1])[0]) == viewer:
        return event
    return (*event[:2], UNTOLD, UNTOLD)


# The preview


def exits(state: State, place: Place) -> str:
    """Board: the exits of a square; a Surface's track leads straight in."""
    side = sides(state.options.board).get(place)
    return state.tracks.get(place, "") if side is None else OPPOSITE[side]


def end_before(state: State, spot: Spot, target: Place, facing: str) -> str | None:
    """Preview: how the way ends before a square, None if it is entered."""
    other = state.cart_at(target)
    if not is_underground(state, target):
        return "BANK"
    if other not in (None, spot):
        return "COLLISION"
    return None if OPPOSITE[facing] in exits(state, target) else "DERAILMENT"


def preview(state: State, spot: Spot, cart: Cart) -> str:
    """Preview: the way of a cart at its speed, up to the first choice of a facing."""
    place, facing, left = cart.place, cart.facing, cart.speed
    assert place is not None and facing is not None
    entered, end = [], None
    while left and end is None:
        target = place.to(facing)
        end = end_before(state, spot, target, facing)
        if end is None:
            place, left = target, left - 1
            entered.append(place_text(state.options.board, place))
            onward = exits(state, place).replace(OPPOSITE[facing], "")
            facing, end = (onward, None) if len(onward) == 1 else (NONE, "CHOICE")
    way = ",".join(entered) or NONE
    return " ".join((cart_text(spot), way, end or "SPEED_USED", str(left), facing))


def previews(state: State) -> list[str]:
    """Preview: of every cart on the board that has a facing, by seat, white first."""
    carts = [(spot, cart) for spot, cart in state.carts() if cart.facing is not None]
    return [preview(state, spot, cart) for spot, cart in carts]


# The views


def player_view(state: State, number: int) -> dict[str, object]:
    """Give what everybody sees of a seat."""
    seat = state.seats[number]
    carts = zip(CARTS, seat.carts, strict=True)
    return {
        **{letter: a_cart_text(state, cart) for letter, cart in carts},
        "stockpile": counts_text(seat.stock),
        "claimed": numbers_text(sorted(seat.missions)),
    }


def public_view(state: State, scores: tuple[int, ...]) -> dict[str, object]:
    """Give what everybody sees: everything decided but the split."""
    tracks, lying, tokens = board_texts(state)
    return {
        "board": state.options.board,
        "sides": SEATED[state.options.seats],
        "step": step_text(state),
        "turn": state.seat,
        "tracks": tracks,
        "lying": lying,
        "tokens": tokens,
        "players": [player_view(state, number) for number in range(state.options.seats)],
        "bag": counts_text(state.bag),
        "removed": counts_text(state.removed),
        "cards": list(map(shown_text, state.unseen)),
        "deck": deck_text(state),
        "opener": opener_text(state),
        "to_come": tokens_text(state.left_tokens),
        "put_out": tokens_text(state.put_out),
        "missions": numbers_text(state.missions),
        "brought": brought_text(state),
        "move": move_text(state),
        "collision": hit_text(state).split("=")[0],
        "scores": scores,
        "preview": previews(state),
    }


def own_view(state: State, viewer: int | None) -> dict[str, object]:
    """Give what a seat alone sees: how it split the hands of its cart, until one is chosen."""
    hit = state.hit
    knows = hit is not None and hit.left is not None and hit.opposing[0] == viewer
    return {"left_hand": jewels_text(hit.left or ()) if hit is not None and knows else NONE}


def views(state: State, scores: tuple[int, ...]) -> dict[int | None, dict[str, object]]:
    """Give all that each seat, and the spectator (None), may know of a state."""
    public = public_view(state, scores)
    viewers = [*range(state.options.seats), None]
    return {viewer: {**public, **own_view(state, viewer)} for viewer in viewers}
