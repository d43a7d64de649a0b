"""Planted faults of Off the Rails: moves, takings and banks."""

from __future__ import annotations

from collections.abc import Iterator

from .fault import Fault, planted
from .off_the_rails import Rules
from .off_the_rails_actions import Action
from .off_the_rails_board import ROCK, Jewels, Place, sides, together
from .off_the_rails_state import (
    HOLD,
    Doing,
    Spot,
    State,
    goes_on,
    with_cart,
    with_changes,
    with_move,
)

MOVE_FAULTS: list[Fault[Rules]] = []
TAKING_FAULTS: list[Fault[Rules]] = []
BANK_FAULTS: list[Fault[Rules]] = []


# Moves


@planted(MOVE_FAULTS, "2. Moves")
class PlacedCartsWait(Rules):
    """A cart placed in this turn does not move."""

    def begin_moves(self, state: State) -> State:
        """Leave those on the Surface out."""
        state = super().begin_moves(state)
        carts, squares = state.own.carts, sides(state.options.board)
        there = tuple(number for number in state.to_move if carts[number].place not in squares)
        if there == state.to_move:
            return state
        return goes_on(with_changes(state, to_move=there), "moved")


@planted(MOVE_FAULTS, "2. Moves")
class WhiteGoesFirst(Rules):
    """The white cart always moves first."""

    def begin_moves(self, state: State) -> State:
        """Do not ask."""
        return goes_on(super().begin_moves(state), "moved")


@planted(MOVE_FAULTS, "2. Moves")
class CollisionEndsMoves(Rules):
    """After a collision the seat's other cart does not move."""

    def collide(self, state: State, opposing: Spot, doing: Doing) -> State:
        """Forget it."""
        return super().collide(with_changes(state, to_move=()), opposing, doing)


@planted(MOVE_FAULTS, "2. Moves, 1")
class EntersAnyTrack(Rules):
    """A cart enters a track without an exit on the shared edge."""

    def may_enter(self, state: State, place: Place, facing: str) -> bool:
        """Look for track alone."""
        return place.to(facing) in state.tracks

    def onward(self, state: State, place: Place, via: str) -> str:
        """Leave by another exit, any."""
        return super().onward(state, place, via)[:2]


@planted(MOVE_FAULTS, "R10")
class TurnsBack(Rules):
    """On a junction a cart may face the exit it came in by."""

    def onward(self, state: State, place: Place, via: str) -> str:
        """Offer all exits."""
        exits = self.exits(state, place)
        return exits if len(exits) > 2 else super().onward(state, place, via)


@planted(MOVE_FAULTS, "2. Moves, 3")
class StraightOnAtTheEnd(Rules):
    """A cart that comes to stand is not asked which exit it faces."""

    def ahead(self, state: State) -> str:
        """Take the first."""
        exits = super().ahead(state)
        return exits if state.moving.left else exits[:1]


@planted(MOVE_FAULTS, "Derailed")
class WreckSpillsItsHold(Rules):
    """The jewels of a derailed cart are removed from the game."""

    def derail(self, state: State, spot: Spot, doing: Doing) -> State:
        """Remove them."""
        bag, hold = state.bag, state.cart(spot).hold
        state = super().derail(state, spot, doing)
        return with_changes(state, bag=bag, removed=together(state.removed, hold))


@planted(MOVE_FAULTS, "Derailed")
class DerailedIsLost(Rules):
    """A derailed cart is out of the game before the Chasm opens, too."""

    def is_lost(self, state: State) -> bool:
        """Always."""
        return True


@planted(MOVE_FAULTS, "Derailed")
class NeverLost(Rules):
    """A cart that derails in the open Chasm goes to supply."""

    def is_lost(self, state: State) -> bool:
        """Never."""
        return False


# Taking


@planted(TAKING_FAULTS, "2. Moves, 2")
class TwoEverywhere(Rules):
    """Two jewels may be taken in passing."""

    def takings(self, state: State) -> int:
        """Always two."""
        return 2


@planted(TAKING_FAULTS, "2. Moves, 2")
class OneEverywhere(Rules):
    """One jewel may be taken at the last step."""

    def takings(self, state: State) -> int:
        """Always one."""
        return 1


@planted(TAKING_FAULTS, "2. Moves, 2, case 3")
class RocksLieAround(Rules):
    """A Rock need not be taken first."""

    def takeable(self, state: State) -> Jewels:
        """Offer every kind."""
        place = state.cart(state.active).place
        assert place is not None
        return tuple(sorted(set(state.deposits.get(place, ()))))


@planted(TAKING_FAULTS, "2. Moves, 2")
class RocksBarAll(Rules):
    """Where a Rock lies nothing may be taken."""

    def takeable(self, state: State) -> Jewels:
        """Offer nothing."""
        kinds = super().takeable(state)
        return () if ROCK in kinds else kinds


@planted(TAKING_FAULTS, "Carts")
class HoldOfFour(Rules):
    """A hold takes four jewels."""

    def may_take(self, state: State) -> bool:
        """Stop earlier."""
        return len(state.cart(state.active).hold) < HOLD - 1 and super().may_take(state)


@planted(TAKING_FAULTS, "R9")
class TakingIsForced(Rules):
    """What can be taken must be."""

    def answers(self, state: State) -> Iterator[Action]:
        """Do not offer to take nothing."""
        for action in super().answers(state):
            if action.kind != "TAKE_NOTHING" or state.moving.left == 0:
                yield action


@planted(TAKING_FAULTS, "R9")
class NothingIsForOneJewel(Rules):
    """`TAKE_NOTHING` leaves the second jewel to be taken."""

    def take(self, state: State, kind: int | None, doing: Doing) -> State:
        """Ask again."""
        takings = state.moving.takings
        state = super().take(state, kind, doing)
        if kind is not None or takings < 2:
            return state
        return goes_on(with_move(state, takings=1), "taking")


@planted(TAKING_FAULTS, "2. Moves, 2")
class FastCartsTakeNothing(Rules):
    """A cart of speed 6 takes nothing."""

    def taking(self, state: State, doing: Doing) -> State:
        """Do not ask."""
        if state.cart(state.active).speed == 6:
            return goes_on(with_move(state, takings=0), "facing")
        return super().taking(state, doing)


# Banking


@planted(BANK_FAULTS, "2. Moves, 1, case 2")
class BankNeedsExactSpeed(Rules):
    """A cart banks with its last step only."""

    def bank(self, state: State, place: Place, doing: Doing) -> State:
        """Derail it otherwise."""
        if state.moving.left > 1:
            return goes_on(self.derail(state, state.active, doing), "moved")
        return super().bank(state, place, doing)


@planted(BANK_FAULTS, "2. Moves, 1, case 2")
class BankAtHomeOnly(Rules):
    """A cart banks on its own Surface only."""

    def bank(self, state: State, place: Place, doing: Doing) -> State:
        """Derail it elsewhere."""
        if sides(state.options.board)[place] != state.side:
            return goes_on(self.derail(state, state.active, doing), "moved")
        return super().bank(state, place, doing)


@planted(BANK_FAULTS, "R7")
class SurfaceCartBars(Rules):
    """A cart on a Surface square keeps others from banking there."""

    def bank(self, state: State, place: Place, doing: Doing) -> State:
        """Derail the one that comes."""
        if state.cart_at(place) is not None:
            return goes_on(self.derail(state, state.active, doing), "moved")
        return super().bank(state, place, doing)


@planted(BANK_FAULTS, "2. Moves, 1")
class BankedCartIsLost(Rules):
    """A cart that banks in the open Chasm is out of the game."""

    def bank(self, state: State, place: Place, doing: Doing) -> State:
        """Lose it."""
        spot = state.active
        return with_cart(super().bank(state, place, doing), spot, out=state.open)


@planted(BANK_FAULTS, "2. Moves, 1")
class RocksAreNotBanked(Rules):
    """Rocks go back to the bag when a cart banks."""

    def bank(self, state: State, place: Place, doing: Doing) -> State:
        """Take them out first."""
        spot = state.active
        hold = state.cart(spot).hold
        rocks, rest = (ROCK,) * hold.count(ROCK), tuple(kind for kind in hold if kind != ROCK)
        state = with_changes(with_cart(state, spot, hold=rest), bag=together(state.bag, rocks))
        return super().bank(state, place, doing)
