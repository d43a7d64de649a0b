"""Collisions of Off the Rails by the rules, in the order of the text.

Each rule is a small method, so that a planted fault is a subclass overriding one.
"""

from __future__ import annotations

from .off_the_rails_board import OPPOSITE, Jewels, Place, jewels_text, place_text, without
from .off_the_rails_carts import CartRules
from .off_the_rails_state import (
    Doing,
    Hit,
    Spot,
    State,
    asks,
    cart_text,
    goes_on,
    is_underground,
    with_cart,
    with_changes,
    with_hit,
    with_move,
)

HANDS = "LR"
"""The hands, as they are written."""


class CollisionRules(CartRules):
    """The rules of what happens when a cart runs into another."""

    def collide(self, state: State, opposing: Spot, doing: Doing) -> State:
        """2. Moves, 1: the move ends; R21: the active cart stays on its own square."""
        active = state.cart(state.active)
        assert active.place is not None and active.facing is not None
        connected = self.is_connected(state, active.place, active.facing)
        state = with_changes(state, hit=Hit(opposing, OPPOSITE[active.facing]))
        pair = cart_text(state.active), cart_text(opposing)
        doing.report("COLLIDED", *pair, int(connected), int(self.is_front(state)))
        state = with_move(state, left=0, takings=0, took=frozenset())
        if not connected or state.options.bumper_cars:
            return self.begin_turning(state)
        return self.drop_odd(self.derail_empty(self.note_shakedown(state), doing), doing)

    def is_front(self, state: State) -> bool:
        """3: the opposing cart was hit front first if it faced the active one."""
        hit = state.collision
        return state.cart(hit.opposing).facing == hit.side

    def note_shakedown(self, state: State) -> State:
        """Mission 6: of three or more jewels another seat's cart will drop two or more."""
        opposing = state.collision.opposing
        big = len(state.cart(opposing).hold) >= 3
        return self.note(state, 6, big and opposing[0] != state.seat)

    # 1. Empty carts

    def derail_empty(self, state: State, doing: Doing) -> State:
        """1: each of the two with an empty hold derails; judged before anything is dropped."""
        spots = (state.active, state.collision.opposing)
        for spot in [spot for spot in spots if not state.cart(spot).hold]:
            state = self.derail(state, spot, doing)
            state = self.note(state, 7, spot[0] != state.seat)
        return state

    # 2. Dropping

    def drop_odd(self, state: State, doing: Doing) -> State:
        """2: with an odd number the owner first chooses one to drop (R11)."""
        opposing = state.collision.opposing
        hold = state.cart(opposing).hold
        if len(hold) % 2 == 0:
            return self.split_rest(state, doing)
        if len(set(hold)) == 1:
            return self.dropped_odd(state, hold[0], doing)
        return asks(state, "odd", opposing[0])

    def dropped_odd(self, state: State, kind: int, doing: Doing) -> State:
        """R11: openly."""
        return self.split_rest(self.let_fall(state, (kind,), doing), doing)

    def let_fall(self, state: State, jewels: Jewels, doing: Doing) -> State:
        """2: onto the opposing cart's square."""
        opposing = state.collision.opposing
        place = state.cart(opposing).place
        assert place is not None
        text = place_text(state.options.board, place)
        doing.report("DROPPED", cart_text(opposing), text, jewels_text(jewels))
        return self.drop(state, opposing, jewels)

    def split_rest(self, state: State, doing: Doing) -> State:
        """2: the owner splits the rest, if any, into two hands of equal size."""
        hands = self.left_hands(state)
        if not hands:
            return self.begin_turning(state)
        if len(hands) == 1:
            return self.split(state, hands[0], doing)
        return asks(state, "split", state.collision.opposing[0])

    def left_hands(self, state: State) -> list[Jewels]:
        """2: any content in either hand; in order, equal lists being one decision."""
        hold = state.cart(state.collision.opposing).hold
        return sorted(halves(hold)) if hold else []

    def split(self, state: State, left: Jewels, doing: Doing) -> State:
        """2: unseen; then the active seat chooses the hand that is dropped."""
        state = with_hit(state, left=left)
        doing.report("HANDS_CLOSED", cart_text(state.collision.opposing), *self.hands(state))
        return asks(state, "hand")

    def hands(self, state: State) -> tuple[str, str]:
        """2: both hands, written."""
        hit = state.collision
        assert hit.left is not None
        right = without(state.cart(hit.opposing).hold, hit.left)
        return jewels_text(hit.left), jewels_text(right)

    def choose_hand(self, state: State, is_right: bool, doing: Doing) -> State:
        """2: both hands are seen, one falls."""
        hit = state.collision
        assert hit.left is not None
        which = HANDS[is_right]
        doing.report("HAND_CHOSEN", cart_text(hit.opposing), which, *self.hands(state))
        chosen = without(state.cart(hit.opposing).hold, hit.left) if is_right else hit.left
        return self.begin_turning(self.let_fall(with_hit(state, left=None), chosen, doing))

    # 3. Turning

    def begin_turning(self, state: State) -> State:
        """3: the active cart first, which was always hit front first."""
        opposing = state.collision.opposing
        spots = (state.active, opposing) if self.is_front(state) else (state.active,)
        there = tuple(spot for spot in spots if state.cart(spot).place is not None)
        return goes_on(with_hit(state, turning=there), "turning")

    def turn_next(self, state: State, doing: Doing) -> State:
        """3: a cart turns, or its owner chooses; the move is over when all have turned."""
        turning = state.collision.turning
        if not turning:
            return goes_on(with_changes(state, hit=None), "moved")
        spot, place = turning[0], state.cart(turning[0]).place
        assert place is not None
        if not is_underground(state, place):
            return self.turn_on_surface(state, spot, doing)
        exits = self.turns(state, spot, place)
        if len(exits) > 1:
            return asks(state, "turn", spot[0])
        return self.turn(state, exits, doing)

    def turn_exits(self, state: State) -> str:
        """3: what the owner of the cart that is to turn chooses from."""
        spot = state.collision.turning[0]
        place = state.cart(spot).place
        assert place is not None
        return self.turns(state, spot, place)

    def turns(self, state: State, spot: Spot, place: Place) -> str:
        """3: the side by which the active cart came in; else away from where a cart faced."""
        if spot == state.active and state.moving.via is not None:
            return state.moving.via
        facing = state.cart(spot).facing
        assert facing is not None
        return self.away_from(state, place, facing)

    def turn(self, state: State, exit: str, doing: Doing) -> State:
        """3: the next cart to turn faces an exit."""
        spot, *rest = state.collision.turning
        doing.report("TURNED", cart_text(spot), exit)
        state = with_cart(state, spot, facing=exit)
        return goes_on(with_hit(state, turning=tuple(rest)), "turning")

    def turn_on_surface(self, state: State, spot: Spot, doing: Doing) -> State:
        """R12: it goes back to supply, which is no derailment."""
        doing.report("RETURNED", cart_text(spot))
        rest = state.collision.turning[1:]
        return with_hit(self.to_supply(state, spot), turning=rest)


def halves(jewels: Jewels) -> set[Jewels]:
    """List what can be half of some jewels, each content once."""
    found: set[Jewels] = {()}
    for _ in range(len(jewels) // 2):
        found = {
            tuple(sorted((*half, kind))) for half in found for kind in set(without(jewels, half))
        }
    return found
