"""Positions of Off the Rails, written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from .off_the_rails_board import (
    COLOURS,
    NONE,
    Jewels,
    Place,
    counts,
    jewels_text,
    place_text,
    underground,
)
from .off_the_rails_state import CARTS, CHASM, NUMBERS, Cart, Seat, State, cart_text

STEPS = {
    "actions": "A",
    "first": "F",
    "take": "T",
    "face": "C",
    "odd": "O",
    "split": "S",
    "hand": "H",
    "claim": "M",
    "token": "K",
}
"""The letters of the steps; a turn is the active or the opposing cart's."""


def step_letter(state: State) -> str:
    """Write the step without what belongs to it."""
    if state.step != "turn":
        return STEPS[state.step]
    return "U" if state.collision.turning[0] == state.active else "V"


def step_text(state: State) -> str:
    """Field 2: the step, with the actions taken, or the token and the number rolled."""
    if state.actor is None:
        return NONE
    letter = step_letter(state)
    if letter == "A":
        return f"A{4 - state.actions}"
    if state.colour is not None:
        return letter + COLOURS[state.colour] + str(state.rolled or "")
    return letter


def other_moves(state: State) -> bool:
    """Field 3: whether the seat's other cart is yet to move, and still on the board."""
    return any(state.own.carts[number].place is not None for number in state.to_move)


def move_text(state: State) -> str:
    """Field 3: the move; the side by which a cart came in that is still on the board."""
    if state.move is None:
        return NONE
    move, board = state.move, state.options.board
    via = move.via if state.cart(state.active).place is not None else None
    other = "+" if other_moves(state) else NONE
    took = "".join(place_text(board, place) for place in in_order(state, move.took))
    return f"{CARTS[move.cart]}{move.left}{move.takings}{via or NONE}{other}{took}"


def in_order(state: State, places: Iterable[Place]) -> list[Place]:
    """Sort squares."""
    return sorted(places, key=underground(state.options.board).index)


def hit_text(state: State) -> str:
    """Field 4: the collision, and the left hand until one is chosen."""
    if state.hit is None:
        return NONE
    left = "" if state.hit.left is None else "=" + jewels_text(state.hit.left)
    return cart_text(state.hit.opposing) + state.hit.side + left


def squares_text(state: State, of: Mapping[Place, str]) -> str:
    """Fields 5 to 7: squares and what is there."""
    board = state.options.board
    texts = (place_text(board, place) + of[place] for place in in_order(state, of))
    return ",".join(texts) or NONE


def board_texts(state: State) -> tuple[str, str, str]:
    """Fields 5 to 7: tracks, jewels lying, tokens."""
    lying = {place: jewels_text(jewels) for place, jewels in state.deposits.items()}
    tokens = {place: COLOURS[colour] for place, colour in state.tokens.items()}
    tracks = squares_text(state, state.tracks)
    return tracks, squares_text(state, lying), squares_text(state, tokens)


def a_cart_text(state: State, cart: Cart) -> str:
    """Field 8: a cart."""
    if cart.place is None:
        return "o" if cart.out else "s"
    hold = jewels_text(cart.hold) if cart.hold else ""
    facing = cart.facing or "?"
    return f"{place_text(state.options.board, cart.place)}{facing}{cart.speed}{hold}"


def numbers_text(numbers: Iterable[int]) -> str:
    """Write numbers split by commas."""
    return ",".join(map(str, numbers)) or NONE


def counts_text(jewels: Jewels) -> str:
    """Fields 9 to 11: jewels by kind."""
    return numbers_text(counts(jewels))


def shown_text(unseen: tuple[int, ...]) -> str:
    """Field 12: the numbers of a colour's cards turned or shown."""
    return "".join(str(number) for number in NUMBERS if number not in unseen) or NONE


def deck_text(state: State) -> str:
    """Field 13: what is left in the deck on top, and the number of cards in all."""
    top = state.decks[0] if state.decks else ()
    colours = "".join("x" if colour == CHASM else COLOURS[colour] for colour in top)
    return colours + str(sum(map(len, state.decks)))


def opener_text(state: State) -> str:
    """Field 14: the opener, and whether the Chasm is open."""
    return NONE if state.opener is None else str(state.opener) + "!" * state.open


def tokens_text(tokens: tuple[int, ...]) -> str:
    """Field 15: tokens by colour."""
    return numbers_text(tokens.count(colour) for colour in range(len(COLOURS)))


def brought_text(state: State) -> str:
    """Field 18: the carts that have banked, and the missions met in this turn."""
    carts = "".join(CARTS[number] for number in sorted(state.banked))
    return carts + "".join(f",{number}" for number in sorted(state.feats)) or NONE


def position_text(state: State) -> str:
    """Write the position's eighteen fields."""

    def seats(text: Callable[[Seat], str]) -> str:
        return "/".join(map(text, state.seats))

    return " ".join(
        (
            NONE if state.actor is None else str(state.seat),
            step_text(state),
            move_text(state),
            hit_text(state),
            *board_texts(state),
            seats(lambda seat: ",".join(a_cart_text(state, cart) for cart in seat.carts)),
            counts_text(state.bag),
            seats(lambda seat: counts_text(seat.stock)),
            counts_text(state.removed),
            "/".join(map(shown_text, state.unseen)),
            deck_text(state),
            opener_text(state),
            f"{tokens_text(state.left_tokens)}/{tokens_text(state.put_out)}",
            numbers_text(state.missions),
            seats(lambda seat: numbers_text(sorted(seat.missions))),
            brought_text(state),
        )
    )
