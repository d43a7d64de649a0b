"""Carts of Off the Rails by the rules: what they carry, and how they leave the board.

Each rule is a small method, so that a planted fault is a subclass overriding one.
"""

from __future__ import annotations

from .off_the_rails_board import (
    OPPOSITE,
    ROCK,
    Jewels,
    Place,
    jewels_text,
    place_text,
    sides,
    together,
    without,
)
from .off_the_rails_state import (
    HOLD,
    Doing,
    Spot,
    State,
    cart_text,
    goes_on,
    with_cart,
    with_changes,
    with_deposit,
    with_seat,
)


class CartRules:
    """The rules of carts: tracks under them, their holds, banking and derailing."""

    # Tracks

    def exits(self, state: State, place: Place) -> str:
        """Board: the exits of a square; a Surface's track leads straight in."""
        side = sides(state.options.board).get(place)
        return state.tracks.get(place, "") if side is None else OPPOSITE[side]

    def is_connected(self, state: State, place: Place, exit: str) -> bool:
        """Board: both squares have track with an exit on the shared edge."""
        next_exits = self.exits(state, place.to(exit))
        return exit in self.exits(state, place) and OPPOSITE[exit] in next_exits

    def onward(self, state: State, place: Place, via: str) -> str:
        """2. Moves, 3: the exits other than the one a cart came in by; R10: no turning back."""
        return self.exits(state, place).replace(via, "")

    def away_from(self, state: State, place: Place, facing: str) -> str:
        """Collisions, 3: the opposite exit, or if there is none any but the one it faced."""
        exits = self.exits(state, place)
        if OPPOSITE[facing] in exits:
            return OPPOSITE[facing]
        return exits.replace(facing, "")

    # Holds

    def takeable(self, state: State) -> Jewels:
        """2. Moves, 2: what may be taken, each kind once; a Rock before anything else."""
        place = state.cart(state.active).place
        lying = () if place is None else state.deposits.get(place, ())
        return (ROCK,) if ROCK in lying else tuple(sorted(set(lying)))

    def may_take(self, state: State) -> bool:
        """2. Moves, 2: nothing when the hold is full."""
        full = len(state.cart(state.active).hold) >= HOLD
        return state.moving.takings > 0 and not full and bool(self.takeable(state))

    def take_aboard(self, state: State, spot: Spot, kind: int) -> State:
        """2. Moves, 2: a jewel goes from the square into the hold."""
        cart = state.cart(spot)
        assert cart.place is not None
        state = with_deposit(state, cart.place, without(state.deposits[cart.place], (kind,)))
        return with_cart(state, spot, hold=together(cart.hold, (kind,)))

    def drop(self, state: State, spot: Spot, jewels: Jewels) -> State:
        """Collisions, 2: jewels go from the hold onto the cart's square."""
        cart = state.cart(spot)
        assert cart.place is not None
        lying = state.deposits.get(cart.place, ())
        state = with_cart(state, spot, hold=without(cart.hold, jewels))
        return with_deposit(state, cart.place, together(lying, jewels))

    # Leaving the board

    def to_supply(self, state: State, spot: Spot) -> State:
        """Carts: off the board a cart is in supply."""
        return with_cart(state, spot, place=None, facing=None, speed=3, hold=())

    def is_lost(self, state: State) -> bool:
        """Derailed: out of the game once the Chasm is open."""
        return state.open

    def derail(self, state: State, spot: Spot, doing: Doing) -> State:
        """Derailed: the hold goes to the bag, the cart to supply or out of the game."""
        hold, out = state.cart(spot).hold, self.is_lost(state)
        doing.report("DERAILED", cart_text(spot), jewels_text(hold), int(out))
        state = with_cart(self.to_supply(state, spot), spot, out=out)
        return with_changes(state, bag=together(state.bag, hold))

    def bank(self, state: State, place: Place, doing: Doing) -> State:
        """2. Moves, 1: the hold goes to the stockpile, the cart to supply; the move ends."""
        spot, board = state.active, state.options.board
        cart = state.cart(spot)
        doing.report("BANKED", cart_text(spot), place_text(board, place), jewels_text(cart.hold))
        state = self.note_bank(state, sides(board)[place])
        stock = together(state.own.stock, cart.hold)
        return goes_on(self.to_supply(with_seat(state, spot[0], stock=stock), spot), "moved")

    # Missions that a move can meet

    def note(self, state: State, mission: int, met: bool = True) -> State:
        """R29: remember that one was met in this turn; without `missions` nothing is."""
        if not met or not state.options.missions:
            return state
        return with_changes(state, feats=state.feats | {mission})

    def note_bank(self, state: State, side: str) -> State:
        """Missions 1, 3, 4, 5, 9: what a cart banked, how fast, where, and which cart."""
        cart = state.cart(state.active)
        state = self.note(state, 1, len(cart.hold) == HOLD)
        if not cart.hold or not state.options.missions:
            return state
        state = self.note(state, 3, cart.speed == 6)
        state = self.note(state, 4, cart.speed == 1)
        state = self.note(state, 5, side == self.far_side(state))
        return with_changes(state, banked=state.banked | {state.moving.cart})

    def far_side(self, state: State) -> str:
        """Mission 5: the Surface opposite the own."""
        return OPPOSITE[state.side]
