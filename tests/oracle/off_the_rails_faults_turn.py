"""Planted faults of Off the Rails: set-up and actions."""

from __future__ import annotations

from collections.abc import Iterator

from .fault import Fault, planted
from .off_the_rails import Rules
from .off_the_rails_actions import LARGER, Action
from .off_the_rails_board import Place, sides, together
from .off_the_rails_state import (
    CHASM,
    Cart,
    Doing,
    Options,
    State,
    is_centre,
    with_cart,
    with_changes,
    with_deposit,
)

SETUP_FAULTS: list[Fault[Rules]] = []
ACTION_FAULTS: list[Fault[Rules]] = []


# Set-up


@planted(SETUP_FAULTS, "Jewels and decks")
class ChasmCardInDeckFive(Rules):
    """The Chasm Card is in Deck 5."""

    def decks(self, options: Options) -> tuple[tuple[int, ...], ...]:
        """Put it there."""
        *above, fourth, fifth = super().decks(options)
        return (*above, fourth[:-1], (*fifth, CHASM))


@planted(SETUP_FAULTS, "Options")
class DecksOfTwoSeats(Rules):
    """Four seats play with 17 cards."""

    def decks(self, options: Options) -> tuple[tuple[int, ...], ...]:
        """Forget the seats."""
        return super().decks(with_changes(options, deposit_cards=options.deposit_cards or 17))


@planted(SETUP_FAULTS, "R3")
class EvenSquaresAskForTwo(Rules):
    """A card asks for 2 jewels on an even square and 3 on an odd one."""

    def asked_for(self, number: int) -> int:
        """Swap them."""
        return 3 if number % 2 else 2


@planted(SETUP_FAULTS, "Missions")
class AsManyMissionsAsSeats(Rules):
    """A mission is dealt for each seat."""

    def deal_missions(self, state: State, doing: Doing) -> State:
        """Leave the last one out."""
        state = super().deal_missions(state, doing)
        return with_changes(state, missions=state.missions[:-1])


@planted(SETUP_FAULTS, "Missions")
class BumperMissionsStay(Rules):
    """With `bumper_cars` all missions are shuffled."""

    def is_in_shuffle(self, options: Options, mission: int) -> bool:
        """Leave none out."""
        return True


@planted(SETUP_FAULTS, "R20")
class CounterClockwise(Rules):
    """The turn passes to the right."""

    def next_seat(self, state: State) -> int:
        """Count down."""
        return (state.seat - 1) % state.options.seats


# Actions


@planted(ACTION_FAULTS, "A turn, 1")
class ThreeActions(Rules):
    """A turn has three actions."""

    def begin_turn(self, state: State, seat: int, doing: Doing) -> State:
        """Take one away."""
        return with_changes(super().begin_turn(state, seat, doing), actions=3)


@planted(ACTION_FAULTS, "Board")
class TrackOnCentre(Rules):
    """Track may be laid on a mine's centre."""

    def may_place_track(self, state: State, place: Place) -> bool:
        """Allow it."""
        return super().may_place_track(state, place) or is_centre(state, place)


@planted(ACTION_FAULTS, "PLACE_TRACK")
class TrackOnToken(Rules):
    """Track may be laid over a token."""

    def may_place_track(self, state: State, place: Place) -> bool:
        """Look at the tracks alone."""
        return place not in state.tracks and not is_centre(state, place)


@planted(ACTION_FAULTS, "PLACE_TRACK")
class TrackCoversJewels(Rules):
    """Jewels under a new track go back to the bag."""

    def place_track(self, state: State, action: Action, doing: Doing) -> State:
        """Put them there."""
        state = super().place_track(state, action, doing)
        assert action.place is not None
        lying = state.deposits.get(action.place, ())
        state = with_deposit(state, action.place, ())
        return with_changes(state, bag=together(state.bag, lying))


@planted(ACTION_FAULTS, "UPGRADE, case 4")
class UpgradeUnderCart(Rules):
    """A track with a cart on it may be upgraded."""

    def may_touch(self, state: State, place: Place) -> bool:
        """Do not look."""
        return True


@planted(ACTION_FAULTS, "UPGRADE, case 4")
class UpgradeLosesExits(Rules):
    """An upgrade may take an exit away."""

    def may_become(self, old: str, new: str) -> bool:
        """Count the exits alone."""
        return len(new) == len(old) + 1


@planted(ACTION_FAULTS, "UPGRADE, case 4")
class PairBecomesCross(Rules):
    """A straight or corner may become a cross at once."""

    def may_become(self, old: str, new: str) -> bool:
        """Let it be larger."""
        return new in LARGER and set(old) < set(new)


@planted(ACTION_FAULTS, "R6")
class BlackIsPlacedFirst(Rules):
    """The black cart is placed before the white one."""

    def cart_to_place(self, state: State) -> int | None:
        """Look from the end."""
        carts = [cart.place is None and not cart.out for cart in state.own.carts]
        return 1 if carts[1] else (0 if carts[0] else None)


@planted(ACTION_FAULTS, "Derailed")
class LostCartsComeBack(Rules):
    """A cart that is out of the game may be placed."""

    def cart_to_place(self, state: State) -> int | None:
        """Take any that is off the board."""
        carts = enumerate(state.own.carts)
        return next((number for number, cart in carts if cart.place is None), None)


@planted(ACTION_FAULTS, "PLACE_CART")
class PlacedAtSpeedOne(Rules):
    """A cart is placed with speed 1."""

    def place_cart(self, state: State, action: Action, doing: Doing) -> State:
        """Slow it down."""
        cart = self.cart_to_place(state)
        state = super().place_cart(state, action, doing)
        return state if cart is None else with_cart(state, (state.seat, cart), speed=1)


@planted(ACTION_FAULTS, "PLACE_CART")
class PlacedOntoCart(Rules):
    """A cart may be placed on a square with a cart."""

    def may_place_cart(self, state: State, place: Place) -> bool:
        """Do not look."""
        return True


@planted(ACTION_FAULTS, "SPEED")
class SpeedGoesRound(Rules):
    """The speed goes on from 6 to 1 and back."""

    def changed(self, cart: Cart, action: Action) -> int:
        """Count round."""
        return (super().changed(cart, action) - 1) % 6 + 1


@planted(ACTION_FAULTS, "SPEED")
class NoSpeedOfPlaced(Rules):
    """The speed of a cart on the Surface cannot be changed."""

    def speeds(self, state: State) -> Iterator[Action]:
        """Leave it out."""
        for action in super().speeds(state):
            if not self.is_on_surface(state, state.own.carts[action.number]):
                yield action

    def is_on_surface(self, state: State, cart: Cart) -> bool:
        """Look where it stands."""
        return cart.place in sides(state.options.board)


@planted(ACTION_FAULTS, "A turn, 1")
class ThirdActionIsTheEnd(Rules):
    """The action phase ends after the third action if no cart is on the board."""

    def action_step(self, state: State, action: Action, doing: Doing) -> State:
        """End it."""
        state = super().action_step(state, action, doing)
        on_board = any(cart.place is not None for cart in state.own.carts)
        if state.step == "actions" and state.actions == 1 and not on_board:
            return self.end_actions(state, doing)
        return state
