"""Planted faults of Off the Rails: collisions."""

from __future__ import annotations

from .fault import Fault, planted
from .off_the_rails import Rules
from .off_the_rails_board import OPPOSITE, Jewels, Place, together, without
from .off_the_rails_state import (
    Doing,
    Spot,
    State,
    asks,
    goes_on,
    is_underground,
    with_cart,
    with_changes,
    with_hit,
)

HIT_FAULTS: list[Fault[Rules]] = []
BUMPER_FAULTS: list[Fault[Rules]] = []
SURFACE_FAULTS: list[Fault[Rules]] = []


# 1. Empty carts


@planted(HIT_FAULTS, "Collisions, 1, case 5")
class ActiveNeverDerails(Rules):
    """An empty active cart stays."""

    def derail_empty(self, state: State, doing: Doing) -> State:
        """Look at the opposing one alone."""
        opposing = state.collision.opposing
        return state if state.cart(opposing).hold else self.derail(state, opposing, doing)


@planted(HIT_FAULTS, "Collisions, 1, case 5")
class OpposingNeverDerails(Rules):
    """An empty opposing cart stays."""

    def derail_empty(self, state: State, doing: Doing) -> State:
        """Look at the active one alone."""
        return state if state.cart(state.active).hold else self.derail(state, state.active, doing)


@planted(HIT_FAULTS, "Collisions, 1, case 5")
class EmptyIsJudgedLater(Rules):
    """An opposing cart that drops its only jewel derails."""

    def begin_turning(self, state: State) -> State:
        """Judge it once more."""
        spot = state.collision.opposing
        cart = state.cart(spot)
        if cart.place is not None and not cart.hold and self.has_dropped(state, cart.place):
            state = self.to_supply(state, spot)
        return super().begin_turning(state)

    def has_dropped(self, state: State, place: Place) -> bool:
        """Look for what it dropped."""
        return place in state.deposits and not state.options.bumper_cars


@planted(HIT_FAULTS, "Collisions, 1, case 5")
class LostRammerSparesTheOther(Rules):
    """When the active cart derails the opposing one drops nothing."""

    def drop_odd(self, state: State, doing: Doing) -> State:
        """Go on to turning."""
        if state.cart(state.active).place is None:
            return self.begin_turning(state)
        return super().drop_odd(state, doing)


@planted(HIT_FAULTS, "R27")
class OpposingDerailsFirst(Rules):
    """Of two empty carts the opposing one derails first."""

    def derail_empty(self, state: State, doing: Doing) -> State:
        """Turn the order round."""
        spots = (state.collision.opposing, state.active)
        for spot in [spot for spot in spots if not state.cart(spot).hold]:
            state = self.derail(state, spot, doing)
            state = self.note(state, 7, spot[0] != state.seat)
        return state


# 2. Dropping


@planted(HIT_FAULTS, "Collisions, 2 (F)")
class HalfRoundedDown(Rules):
    """Of an odd number the half rounded down is dropped."""

    def dropped_odd(self, state: State, kind: int, doing: Doing) -> State:
        """Keep the odd one."""
        state = super().dropped_odd(state, kind, doing)
        opposing = state.collision.opposing if state.hit is not None else None
        place = None if opposing is None else state.cart(opposing).place
        if opposing is None or place is None:
            return state
        deposits = dict(state.deposits)
        deposits[place] = without(deposits[place], (kind,))
        hold = together(state.cart(opposing).hold, (kind,))
        return with_cart(with_changes(state, deposits=deposits), opposing, hold=hold)


@planted(HIT_FAULTS, "Collisions, 2")
class DroppedIntoBag(Rules):
    """What is dropped goes to the bag."""

    def drop(self, state: State, spot: Spot, jewels: Jewels) -> State:
        """Put it there."""
        state = with_cart(state, spot, hold=without(state.cart(spot).hold, jewels))
        return with_changes(state, bag=together(state.bag, jewels))


@planted(HIT_FAULTS, "Collisions, 2")
class EverythingIsDropped(Rules):
    """The hand that is not chosen falls, too."""

    def choose_hand(self, state: State, is_right: bool, doing: Doing) -> State:
        """Drop all."""
        opposing = state.collision.opposing
        state = super().choose_hand(state, is_right, doing)
        return self.drop(state, opposing, state.cart(opposing).hold)


@planted(HIT_FAULTS, "R11")
class ActiveChoosesOdd(Rules):
    """The active seat chooses the odd jewel."""

    def drop_odd(self, state: State, doing: Doing) -> State:
        """Ask it."""
        state = super().drop_odd(state, doing)
        return asks(state, "odd") if state.step == "odd" else state


@planted(HIT_FAULTS, "R11")
class FirstKindIsOdd(Rules):
    """The odd jewel is not chosen."""

    def drop_odd(self, state: State, doing: Doing) -> State:
        """Drop the first."""
        state = super().drop_odd(state, doing)
        if state.step != "odd":
            return state
        return self.dropped_odd(state, state.cart(state.collision.opposing).hold[0], doing)


@planted(HIT_FAULTS, "Collisions, 2")
class ActiveSplits(Rules):
    """The active seat splits the jewels."""

    def split_rest(self, state: State, doing: Doing) -> State:
        """Ask it."""
        state = super().split_rest(state, doing)
        return asks(state, "split") if state.step == "split" else state


@planted(HIT_FAULTS, "Collisions, 2")
class OwnerChoosesHand(Rules):
    """The owner of the cart chooses the hand."""

    def split(self, state: State, left: Jewels, doing: Doing) -> State:
        """Ask it."""
        state = super().split(state, left, doing)
        return asks(state, "hand", state.collision.opposing[0])


@planted(HIT_FAULTS, "Collisions, 2")
class OtherHandFalls(Rules):
    """The hand that was not chosen is dropped."""

    def choose_hand(self, state: State, is_right: bool, doing: Doing) -> State:
        """Choose the other."""
        return super().choose_hand(state, not is_right, doing)


@planted(HIT_FAULTS, "R27")
class EqualHandsAreNotAsked(Rules):
    """Of two equal hands one is dropped at once."""

    def split(self, state: State, left: Jewels, doing: Doing) -> State:
        """Drop the left one."""
        state = super().split(state, left, doing)
        one, other = self.hands(state)
        return self.choose_hand(state, False, doing) if one == other else state


@planted(HIT_FAULTS, "Decisions")
class EqualJewelsAreSplitByChoice(Rules):
    """How equal jewels are split is asked."""

    def split_rest(self, state: State, doing: Doing) -> State:
        """Ask for the one answer."""
        if len(self.left_hands(state)) == 1:
            return asks(state, "split", state.collision.opposing[0])
        return super().split_rest(state, doing)


@planted(HIT_FAULTS, "Decisions")
class HandsAreNotToldApart(Rules):
    """A split and the one with left and right exchanged are one decision."""

    def left_hands(self, state: State) -> list[Jewels]:
        """Keep the first of each two."""
        hold = state.cart(state.collision.opposing).hold
        return [left for left in super().left_hands(state) if left <= without(hold, left)]


@planted(HIT_FAULTS, "Collisions (F)")
class OwnCartsDropNothing(Rules):
    """An own cart is not opposing: it drops nothing."""

    def drop_odd(self, state: State, doing: Doing) -> State:
        """Spare it."""
        if state.collision.opposing[0] == state.seat:
            return self.begin_turning(state)
        return super().drop_odd(state, doing)


# 3. Turning


@planted(HIT_FAULTS, "Collisions, 3, case 6")
class OpposingAlwaysTurns(Rules):
    """The opposing cart turns wherever it was hit."""

    def is_front(self, state: State) -> bool:
        """Always."""
        return True


@planted(HIT_FAULTS, "Collisions, 3, case 5")
class OpposingNeverTurns(Rules):
    """The opposing cart never turns."""

    def is_front(self, state: State) -> bool:
        """Never."""
        return False


@planted(HIT_FAULTS, "Collisions, 3, case 6")
class ActiveTurnsHeadOnOnly(Rules):
    """The active cart turns only if the opposing one faced it."""

    def begin_turning(self, state: State) -> State:
        """Leave it as it is."""
        front = self.is_front(state)
        state = super().begin_turning(state)
        left = tuple(spot for spot in state.collision.turning if front or spot != state.active)
        return with_hit(state, turning=left)


@planted(HIT_FAULTS, "Collisions, 3")
class ActiveTurnsToOpposite(Rules):
    """The active cart turns away from where it faced, whatever side it came in by."""

    def turns(self, state: State, spot: Spot, place: Place) -> str:
        """Forget the side."""
        facing = state.cart(spot).facing
        assert facing is not None
        return self.away_from(state, place, facing)


@planted(HIT_FAULTS, "Collisions, 3, case 7")
class AnyExitButTheFaced(Rules):
    """A cart that turns may choose any exit but the one it faced."""

    def away_from(self, state: State, place: Place, facing: str) -> str:
        """Offer them all."""
        return self.exits(state, place).replace(facing, "")


@planted(HIT_FAULTS, "Collisions, 3, case 7")
class FirstExitOfStem(Rules):
    """A cart hit out of the stem of a T does not choose."""

    def away_from(self, state: State, place: Place, facing: str) -> str:
        """Take the first."""
        return super().away_from(state, place, facing)[:1]


@planted(HIT_FAULTS, "Collisions, 3, case 7")
class ActiveChoosesTurn(Rules):
    """The active seat chooses where the opposing cart turns."""

    def turn_next(self, state: State, doing: Doing) -> State:
        """Ask it."""
        state = super().turn_next(state, doing)
        return asks(state, "turn") if state.step == "turn" else state


@planted(HIT_FAULTS, "Collisions, 3")
class OpposingTurnsFirst(Rules):
    """The opposing cart turns first."""

    def begin_turning(self, state: State) -> State:
        """Turn the order round."""
        state = super().begin_turning(state)
        return with_hit(state, turning=state.collision.turning[::-1])


@planted(HIT_FAULTS, "R28")
class GoneRammerTurnsNobody(Rules):
    """The opposing cart does not turn if the active one has left the board."""

    def begin_turning(self, state: State) -> State:
        """Forget it."""
        gone = state.cart(state.active).place is None
        state = super().begin_turning(state)
        return with_hit(state, turning=()) if gone else state


@planted(HIT_FAULTS, "R21")
class ActiveKeepsItsFacing(Rules):
    """After a collision the active cart faces ahead if it has steps left."""

    def collide(self, state: State, opposing: Spot, doing: Doing) -> State:
        """Do not turn it."""
        left, spot = state.moving.left, state.active
        facing = state.cart(spot).facing
        state = super().collide(state, opposing, doing)
        if left < 3 or state.cart(spot).place is None or facing is None:
            return state
        turning = tuple(each for each in state.collision.turning if each != spot)
        return with_hit(state, turning=turning)


# Unconnected squares and bumper cars


@planted(HIT_FAULTS, "Collisions, case 8")
class ApartIsAsConnected(Rules):
    """On unconnected squares carts drop and derail, too."""

    def begin_turning(self, state: State) -> State:
        """Let an empty active cart go."""
        if state.options.bumper_cars or self.meets_exit(state):
            return super().begin_turning(state)
        if not state.cart(state.active).hold:
            state = self.to_supply(state, state.active)
        return super().begin_turning(state)

    def meets_exit(self, state: State) -> bool:
        """Look whether the squares are connected."""
        cart = state.cart(state.collision.opposing)
        return cart.place is None or state.collision.side in self.exits(state, cart.place)


@planted(HIT_FAULTS, "Collisions, case 8")
class ApartIsNoCollision(Rules):
    """A cart that runs into one on an unconnected square derails."""

    def collide(self, state: State, opposing: Spot, doing: Doing) -> State:
        """Derail it."""
        cart = state.cart(state.active)
        assert cart.place is not None and cart.facing is not None
        if not self.is_connected(state, cart.place, cart.facing):
            return goes_on(self.derail(state, state.active, doing), "moved")
        return super().collide(state, opposing, doing)


@planted(BUMPER_FAULTS, "Collisions")
class BumpersDerail(Rules):
    """With `bumper_cars` empty carts derail."""

    def begin_turning(self, state: State) -> State:
        """Take the active cart off."""
        if state.options.bumper_cars and not state.cart(state.active).hold:
            state = self.to_supply(state, state.active)
        return super().begin_turning(state)


@planted(BUMPER_FAULTS, "Collisions")
class BumpersDrop(Rules):
    """With `bumper_cars` a jewel is dropped."""

    def begin_turning(self, state: State) -> State:
        """Drop the first."""
        opposing = state.collision.opposing
        hold = state.cart(opposing).hold
        if state.options.bumper_cars and hold:
            state = self.drop(state, opposing, hold[:1])
        return super().begin_turning(state)


@planted(BUMPER_FAULTS, "Collisions")
class BumpersDoNotTurn(Rules):
    """With `bumper_cars` no cart turns."""

    def begin_turning(self, state: State) -> State:
        """Leave them."""
        state = super().begin_turning(state)
        return with_hit(state, turning=()) if state.options.bumper_cars else state


@planted(SURFACE_FAULTS, "R12, case 9")
class ReturnIsDerailment(Rules):
    """A cart that would turn round on the Surface derails."""

    def turn_on_surface(self, state: State, spot: Spot, doing: Doing) -> State:
        """Derail it."""
        rest = state.collision.turning[1:]
        return with_hit(self.derail(state, spot, doing), turning=rest)


@planted(SURFACE_FAULTS, "R12, case 9")
class StaysOnSurface(Rules):
    """A cart that would turn round on the Surface stays there."""

    def turn_on_surface(self, state: State, spot: Spot, doing: Doing) -> State:
        """Leave it."""
        return with_hit(state, turning=state.collision.turning[1:])


@planted(SURFACE_FAULTS, "R12, case 9")
class SurfaceIsConnected(Rules):
    """A Surface square is connected with any border square that has track."""

    def is_connected(self, state: State, place: Place, exit: str) -> bool:
        """Do not look for the exit."""
        if not is_underground(state, place):
            return place.to(exit) in state.tracks
        return super().is_connected(state, place, exit)

    def onward(self, state: State, place: Place, via: str) -> str:
        """Go straight on or elsewhere."""
        exits = super().onward(state, place, via)
        return OPPOSITE[via] if OPPOSITE[via] in exits else exits[:1]
