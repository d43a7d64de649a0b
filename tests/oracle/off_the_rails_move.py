"""The moves of Off the Rails by the rules: which cart, step by step, what it takes, its facing.

Each rule is a small method, so that a planted fault is a subclass overriding one.
"""

from __future__ import annotations

from .off_the_rails_board import LETTERS, OPPOSITE, Place, place_text
from .off_the_rails_collision import CollisionRules
from .off_the_rails_state import (
    Doing,
    Move,
    State,
    asks,
    cart_text,
    goes_on,
    is_centre,
    is_underground,
    with_cart,
    with_changes,
    with_move,
)


class MoveRules(CollisionRules):
    """The rules of how carts move."""

    # Which cart

    def begin_moves(self, state: State) -> State:
        """2. Moves: every own cart on the board moves, those placed this turn too."""
        carts = state.own.carts
        there = tuple(number for number, cart in enumerate(carts) if cart.place is not None)
        state = with_changes(state, to_move=there)
        return asks(state, "first") if len(there) > 1 else goes_on(state, "moved")

    def choose_first(self, state: State, cart: int, doing: Doing) -> State:
        """2. Moves: the seat chooses which of two goes first (F)."""
        return goes_on(with_changes(state, to_move=(cart, 1 - cart)), "moved")

    def next_cart(self, state: State, doing: Doing) -> State:
        """2. Moves: a cart that a collision took off the board does not move."""
        state = with_changes(state, move=None)
        while state.to_move:
            number, *rest = state.to_move
            state = with_changes(state, to_move=tuple(rest))
            if state.own.carts[number].place is not None:
                return self.begin_move(state, number, doing)
        return goes_on(state, "missions")

    def begin_move(self, state: State, number: int, doing: Doing) -> State:
        """2. Moves: as many steps as the cart's speed."""
        doing.report("MOVE_STARTED", cart_text((state.seat, number)))
        return goes_on(
            with_changes(state, move=Move(number, state.own.carts[number].speed)), "step"
        )

    # A step

    def step(self, state: State, doing: Doing) -> State:
        """2. Moves, 1: collision, bank, derailment or entering."""
        if not state.moving.left:
            return goes_on(state, "moved")
        cart = state.cart(state.active)
        assert cart.place is not None and cart.facing is not None
        target = cart.place.to(cart.facing)
        opposing = state.cart_at(target) if is_underground(state, target) else None
        if opposing is not None:
            return self.collide(state, opposing, doing)
        if not is_underground(state, target):
            return self.bank(state, target, doing)
        if not self.may_enter(state, cart.place, cart.facing):
            return goes_on(self.derail(state, state.active, doing), "moved")
        return self.enter(state, target, doing)

    def may_enter(self, state: State, place: Place, facing: str) -> bool:
        """2. Moves, 1: no track, no matching exit, a mine centre: not connected."""
        centre = is_centre(state, place.to(facing))
        return not centre and self.is_connected(state, place, facing)

    def enter(self, state: State, target: Place, doing: Doing) -> State:
        """2. Moves, 1 and 2: the cart enters the square; two may be taken at the last step."""
        facing = state.cart(state.active).facing
        assert facing is not None
        doing.report("ENTERED", cart_text(state.active), place_text(state.options.board, target))
        state = with_cart(state, state.active, place=target, facing=None)
        move = state.moving
        state = with_move(state, left=move.left - 1, via=OPPOSITE[facing])
        state = with_move(state, takings=self.takings(state))
        return goes_on(self.note(state, 11, self.is_long(state)), "taking")

    def takings(self, state: State) -> int:
        """2. Moves, 2: one, or two if the step used up the cart's speed (R8)."""
        return 1 if state.moving.left else 2

    def is_long(self, state: State) -> bool:
        """Mission 11: six squares in one move, one entered twice counting twice."""
        return state.cart(state.active).speed - state.moving.left == 6

    # Taking

    def taking(self, state: State, doing: Doing) -> State:
        """2. Moves, 2: R9: as long as there is something to take, the seat may."""
        if self.may_take(state):
            return asks(state, "take")
        return goes_on(with_move(state, takings=0), "facing")

    def take(self, state: State, kind: int | None, doing: Doing) -> State:
        """2. Moves, 2: one jewel, or none, which ends the taking on the square (R9)."""
        place = state.cart(state.active).place
        assert place is not None
        where = cart_text(state.active), place_text(state.options.board, place)
        if kind is None:
            doing.report("TOOK_NOTHING", *where)
            return goes_on(with_move(state, takings=0), "facing")
        doing.report("TOOK", *where, LETTERS[kind])
        state = self.take_aboard(state, state.active, kind)
        state = with_move(state, takings=state.moving.takings - 1)
        return goes_on(self.note_taking(state, place), "taking")

    def note_taking(self, state: State, place: Place) -> State:
        """Mission 10: jewels from three different squares in one move."""
        if not state.options.missions or 10 in state.feats:
            return state
        took = state.moving.took | {place}
        if len(took) < 3:
            return with_move(state, took=took)
        return self.note(with_move(state, took=frozenset()), 10)

    # Facing

    def facing(self, state: State, doing: Doing) -> State:
        """2. Moves, 3: asked now, whether the move goes on or not."""
        exits = self.ahead(state)
        return asks(state, "face") if len(exits) > 1 else self.face(state, exits, doing)

    def ahead(self, state: State) -> str:
        """2. Moves, 3: the exits that the cart may face."""
        place, via = state.cart(state.active).place, state.moving.via
        assert place is not None and via is not None
        return self.onward(state, place, via)

    def face(self, state: State, exit: str, doing: Doing) -> State:
        """2. Moves, 3: the cart faces an exit, and goes on if it has steps left."""
        doing.report("FACED", cart_text(state.active), exit)
        return goes_on(with_cart(state, state.active, facing=exit), "step")
