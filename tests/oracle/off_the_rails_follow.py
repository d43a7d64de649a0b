"""A match of Off the Rails followed by its events alone: what a client animates."""

from __future__ import annotations

from collections.abc import Callable

from .common import Event
from .off_the_rails_board import COLOURS, LETTERS, NONE, Jewels, places, together, without
from .off_the_rails_state import (
    CARTS,
    Spot,
    State,
    with_cart,
    with_changes,
    with_deposit,
    with_seat,
)


def spot_of(text: str | int) -> Spot:
    """Read a cart named by seat and colour."""
    return int(str(text)[0]), CARTS.index(str(text)[1])


def jewels_of(text: str | int) -> Jewels:
    """Read jewels."""
    return tuple(LETTERS.index(letter) for letter in str(text).replace(NONE, ""))


def entered(state: State, event: Event) -> State:
    """A cart enters a square."""
    place = places(state.options.board)[str(event[2])]
    return with_cart(state, spot_of(event[1]), place=place, facing=None)


def took(state: State, event: Event) -> State:
    """A jewel goes from a square into a hold."""
    spot, jewels = spot_of(event[1]), jewels_of(event[3])
    place = places(state.options.board)[str(event[2])]
    state = with_deposit(state, place, without(state.deposits[place], jewels))
    return with_cart(state, spot, hold=together(state.cart(spot).hold, jewels))


def faced(state: State, event: Event) -> State:
    """A cart faces an exit."""
    return with_cart(state, spot_of(event[1]), facing=str(event[2]))


def dropped(state: State, event: Event) -> State:
    """Jewels fall out of a hold."""
    spot, jewels = spot_of(event[1]), jewels_of(event[3])
    place = places(state.options.board)[str(event[2])]
    state = with_cart(state, spot, hold=without(state.cart(spot).hold, jewels))
    return with_deposit(state, place, (*state.deposits.get(place, ()), *jewels))


def away(state: State, spot: Spot, out: bool = False) -> State:
    """A cart leaves the board."""
    return with_cart(state, spot, place=None, facing=None, speed=3, hold=(), out=out)


def banked(state: State, event: Event) -> State:
    """A hold goes to the stockpile."""
    spot = spot_of(event[1])
    stock = together(state.seats[spot[0]].stock, jewels_of(event[3]))
    return away(with_seat(state, spot[0], stock=stock), spot)


def derailed(state: State, event: Event) -> State:
    """A hold goes to the bag."""
    state = with_changes(state, bag=together(state.bag, jewels_of(event[2])))
    return away(state, spot_of(event[1]), bool(event[3]))


def returned(state: State, event: Event) -> State:
    """A cart goes back to supply."""
    return away(state, spot_of(event[1]))


def track(state: State, event: Event) -> State:
    """A track is laid."""
    place = places(state.options.board)[str(event[2])]
    return with_changes(state, tracks={**state.tracks, place: str(event[3])})


def placed(state: State, event: Event) -> State:
    """A cart is placed, facing in."""
    text = str(event[2])
    facing = {"N": "S", "E": "W", "S": "N", "W": "E"}[text[0]]
    place = places(state.options.board)[text]
    return with_cart(state, spot_of(event[1]), place=place, facing=facing, speed=3)


def speed(state: State, event: Event) -> State:
    """A speed is changed."""
    return with_cart(state, spot_of(event[1]), speed=int(event[2]))


def deposited(state: State, event: Event) -> State:
    """Jewels are laid from the bag; the card is turned."""
    place, jewels = places(state.options.board)[str(event[3])], jewels_of(event[4])
    unseen = list(state.unseen)
    colour = COLOURS.index(str(event[1]))
    unseen[colour] = without(unseen[colour], (int(event[2]),))
    state = with_changes(state, bag=without(state.bag, jewels), unseen=tuple(unseen))
    return with_deposit(state, place, (*state.deposits.get(place, ()), *jewels))


def token(state: State, event: Event) -> State:
    """A token takes the place of track and jewels."""
    place = places(state.options.board)[str(event[2])]
    tracks = {square: exits for square, exits in state.tracks.items() if square != place}
    tokens = {**state.tokens, place: COLOURS.index(str(event[1]))}
    removed = together(state.removed, jewels_of(event[4]))
    state = with_changes(state, tracks=tracks, tokens=tokens, removed=removed)
    return with_deposit(state, place, ())


def opened(state: State, event: Event) -> State:
    """The cards of the Chasm Deck are shown."""
    pairs = zip(state.unseen, event[1:], strict=True)
    return with_changes(state, open=True, unseen=tuple(without(*shown(pair)) for pair in pairs))


def shown(pair: tuple[tuple[int, ...], str | int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Give the unseen cards of a colour and the one that is shown."""
    return pair[0], (int(pair[1]),)


FOLLOWED: dict[str, Callable[[State, Event], State]] = {
    "ENTERED": entered,
    "TOOK": took,
    "FACED": faced,
    "TURNED": faced,
    "DROPPED": dropped,
    "BANKED": banked,
    "DERAILED": derailed,
    "RETURNED": returned,
    "TRACK_PLACED": track,
    "TRACK_UPGRADED": track,
    "CART_PLACED": placed,
    "SPEED_CHANGED": speed,
    "DEPOSITED": deposited,
    "TOKEN_PLACED": token,
    "CHASM_OPENED": opened,
}
"""The events that change what lies on the table."""


def follow(state: State, event: Event) -> State:
    """Change what lies on the table by an event."""
    change = FOLLOWED.get(str(event[0]))
    return state if change is None else change(state, event)
