"""Planted faults of Off the Rails: missions, the end, the score and what is told."""

from __future__ import annotations

from .common import Event
from .fault import Fault, planted
from .off_the_rails import Rules
from .off_the_rails_board import DIAMOND, GOLD, ROCK, Place, jewels_text
from .off_the_rails_state import (
    HOLD,
    Cart,
    Doing,
    Seat,
    State,
    asks,
    goes_on,
    with_changes,
    with_move,
)

MISSION_FAULTS: list[Fault[Rules]] = []
WRECK_FAULTS: list[Fault[Rules]] = []
END_FAULTS: list[Fault[Rules]] = []
TIE_FAULTS: list[Fault[Rules]] = []
TOLD_FAULTS: list[Fault[Rules]] = []
CHOICE_FAULTS: list[Fault[Rules]] = []


# Missions


@planted(MISSION_FAULTS, "3. Missions")
class MissionsStay(Rules):
    """A mission that was claimed stays in the row."""

    def claim(self, state: State, mission: int | None, doing: Doing) -> State:
        """Keep it."""
        return with_changes(super().claim(state, mission, doing), missions=state.missions)


@planted(MISSION_FAULTS, "3. Missions")
class SeveralAreClaimed(Rules):
    """A seat may claim one mission after another."""

    def claim(self, state: State, mission: int | None, doing: Doing) -> State:
        """Ask again if another is met."""
        after = super().claim(state, mission, doing)
        again = with_changes(after, feats=state.feats, banked=state.banked)
        return asks(again, "claim") if mission is not None and self.met(again) else after


@planted(MISSION_FAULTS, "3. Missions")
class ClaimIsForced(Rules):
    """The first mission that is met is claimed without asking."""

    def missions_step(self, state: State, doing: Doing) -> State:
        """Claim it."""
        met = self.met(state)
        return self.claim(state, met[0], doing) if met else super().missions_step(state, doing)


@planted(MISSION_FAULTS, "R29")
class FeatsAreRemembered(Rules):
    """What a turn has brought is kept for the next."""

    def end_missions(self, state: State) -> State:
        """Forget the banks alone."""
        return goes_on(with_changes(state, banked=frozenset()), "deposit")


@planted(MISSION_FAULTS, "Mission 1")
class FullHoldOfFour(Rules):
    """Four jewels are a full hold."""

    def note_bank(self, state: State, side: str) -> State:
        """Note it earlier."""
        almost = len(state.cart(state.active).hold) == HOLD - 1
        return super().note_bank(self.note(state, 1, almost), side)


@planted(MISSION_FAULTS, "Mission 2")
class SpectrumWithoutDiamond(Rules):
    """A Spectrum needs no Diamond."""

    def meets(self, state: State, mission: int) -> bool:
        """Leave it out."""
        kinds = {*state.own.stock, DIAMOND} if mission == 2 else set()
        if kinds >= {1, 2, 3, 4}:
            return True
        return super().meets(state, mission)


@planted(MISSION_FAULTS, "Missions 3, 4")
class EmptyCartsRace(Rules):
    """A cart that banks nothing meets Express and Slow Freight."""

    def note_bank(self, state: State, side: str) -> State:
        """Note them."""
        speed = state.cart(state.active).speed
        state = self.note(self.note(state, 3, speed == 6), 4, speed == 1)
        return super().note_bank(state, side)


@planted(MISSION_FAULTS, "Mission 5")
class ThroughTrafficEndsAtHome(Rules):
    """Through Traffic is met on the own Surface."""

    def far_side(self, state: State) -> str:
        """Mistake it."""
        return state.side


@planted(WRECK_FAULTS, "Mission 6")
class OwnCartsAreShaken(Rules):
    """An own cart that drops two jewels meets Shakedown."""

    def note_shakedown(self, state: State) -> State:
        """Do not look whose it is."""
        return self.note(state, 6, len(state.cart(state.collision.opposing).hold) >= 3)


@planted(WRECK_FAULTS, "Mission 6")
class OneJewelIsAShakedown(Rules):
    """A cart that drops one jewel meets Shakedown."""

    def note_shakedown(self, state: State) -> State:
        """Count one."""
        opposing = state.collision.opposing
        return self.note(state, 6, opposing[0] != state.seat and bool(state.cart(opposing).hold))


@planted(WRECK_FAULTS, "Mission 7")
class WreckerMustSurvive(Rules):
    """Wrecker is met only if the rammer stays on the board."""

    def derail_empty(self, state: State, doing: Doing) -> State:
        """Forget it otherwise."""
        feats = state.feats
        state = super().derail_empty(state, doing)
        return (
            state
            if state.cart(state.active).place is not None
            else with_changes(state, feats=feats)
        )


@planted(WRECK_FAULTS, "Mission 7")
class OwnWreckCounts(Rules):
    """Derailing an own cart meets Wrecker."""

    def derail_empty(self, state: State, doing: Doing) -> State:
        """Note any."""
        empty = not state.cart(state.collision.opposing).hold
        return self.note(super().derail_empty(state, doing), 7, empty)


@planted(MISSION_FAULTS, "Mission 8")
class TwoRocksAreEnough(Rules):
    """Quarryman needs two Rocks."""

    def meets(self, state: State, mission: int) -> bool:
        """Count two."""
        if mission == 8 and state.own.stock.count(ROCK) >= 2:
            return True
        return super().meets(state, mission)


@planted(MISSION_FAULTS, "Mission 9")
class OneCartIsADoubleShift(Rules):
    """Double Shift is met with one cart."""

    def meets(self, state: State, mission: int) -> bool:
        """Count one."""
        return bool(state.banked) if mission == 9 else super().meets(state, mission)


@planted(MISSION_FAULTS, "Mission 10")
class TourOfTwo(Rules):
    """A Grand Tour needs two squares."""

    def note_taking(self, state: State, place: Place) -> State:
        """Note it earlier."""
        state = super().note_taking(state, place)
        if len(state.moving.took) < 2:
            return state
        return self.note(with_move(state, took=frozenset()), 10)


@planted(MISSION_FAULTS, "Mission 11")
class LongHaulOfFive(Rules):
    """Long Haul needs five squares."""

    def is_long(self, state: State) -> bool:
        """Count five."""
        return state.cart(state.active).speed - state.moving.left == 5


# The end


@planted(END_FAULTS, "The end")
class OneTokenIsLeft(Rules):
    """The match ends when one token is left."""

    def tokens_are_gone(self, state: State) -> bool:
        """Count one less."""
        return len(state.left_tokens) <= 1


@planted(END_FAULTS, "The end, case 12")
class EmptyBoardGoesOn(Rules):
    """The match goes on without carts on the board."""

    def board_is_empty(self, state: State) -> bool:
        """Never."""
        return False


@planted(END_FAULTS, "The end")
class CartsStayAtTheEnd(Rules):
    """Carts on the board at the end are not derailed."""

    def end_match(self, state: State, doing: Doing) -> State:
        """Leave them."""
        return goes_on(state, "over")


@planted(END_FAULTS, "R33")
class BlackDerailsFirstAtTheEnd(Rules):
    """At the end the black carts derail first."""

    def end_match(self, state: State, doing: Doing) -> State:
        """Turn the order round."""
        for spot in [spot for spot, _ in state.carts()][::-1]:
            state = self.derail(state, spot, doing)
        return goes_on(state, "over")


@planted(END_FAULTS, "The end")
class EmptyBoardIsTheReason(Rules):
    """If both hold, the reason is that no cart is on the board."""

    def reason(self, state: State) -> str:
        """Forget the tokens."""
        return "NO_CART_ON_BOARD"


# Score


@planted(TIE_FAULTS, "R17")
class TiedRubiesGetNothing(Rules):
    """Seats that are tied for the most Rubies get no bonus."""

    def most_rubies(self, state: State) -> list[int]:
        """Look for one alone."""
        most = super().most_rubies(state)
        return most if len(most) == 1 else []


@planted(TIE_FAULTS, "Score")
class NoRubyIsEnough(Rules):
    """Without Rubies all seats get the Ruby bonus."""

    def most_rubies(self, state: State) -> list[int]:
        """Take all."""
        return super().most_rubies(state) or list(range(state.options.seats))


@planted(END_FAULTS, "Score")
class LostCartsCount(Rules):
    """A cart that is out of the game counts +3."""

    def is_in_supply(self, cart: Cart) -> bool:
        """Look at the board alone."""
        return cart.place is None


@planted(END_FAULTS, "R36")
class CartsOnTheBoardCount(Rules):
    """A cart on the board counts +3 while the match goes on."""

    def is_in_supply(self, cart: Cart) -> bool:
        """Look whether it is lost."""
        return not cart.out


@planted(END_FAULTS, "Score")
class GoldCountsFour(Rules):
    """Gold counts as much as a Diamond."""

    def worth(self, seat: Seat) -> int:
        """Add one for each."""
        return super().worth(seat) + seat.stock.count(GOLD)


@planted(MISSION_FAULTS, "Score")
class MissionsCountThree(Rules):
    """A mission counts +3."""

    def points(self, state: State, number: int) -> int:
        """Take one off."""
        return super().points(state, number) - len(state.seats[number].missions)


@planted(TIE_FAULTS, "R18")
class RocksAreNoJewels(Rules):
    """Rocks do not count when jewels decide."""

    def rank(self, state: State, number: int) -> tuple[int, int, int]:
        """Leave them out."""
        points, jewels, rocks = super().rank(state, number)
        return points, jewels + rocks, rocks


@planted(TIE_FAULTS, "Score")
class MostRocksWin(Rules):
    """Of equal points and jewels the most Rocks win."""

    def rank(self, state: State, number: int) -> tuple[int, int, int]:
        """Turn the sign round."""
        points, jewels, rocks = super().rank(state, number)
        return points, jewels, -rocks


@planted(TIE_FAULTS, "Score")
class JewelsDoNotDecide(Rules):
    """Equal points share the victory."""

    def rank(self, state: State, number: int) -> tuple[int, int, int]:
        """Look at the points alone."""
        return super().rank(state, number)[0], 0, 0


@planted(TIE_FAULTS, "Score")
class FewestJewelsWin(Rules):
    """Of equal points the fewest jewels win."""

    def rank(self, state: State, number: int) -> tuple[int, int, int]:
        """Turn the sign round."""
        points, jewels, rocks = super().rank(state, number)
        return points, -jewels, rocks


# Default actions, views and events


@planted(CHOICE_FAULTS, "Default action")
class DefaultIsTheLast(Rules):
    """The default of a choice is the last one, where the first is meant."""

    def default_action(self, state: State) -> str:
        """Take it."""
        if state.step in ("actions", "take", "claim"):
            return super().default_action(state)
        return self.legal(state)[-1]


@planted(CHOICE_FAULTS, "Default action")
class DefaultTakes(Rules):
    """The default of a taking is the first jewel."""

    def default_action(self, state: State) -> str:
        """Take it."""
        return self.legal(state)[0] if state.step == "take" else super().default_action(state)


@planted(MISSION_FAULTS, "Default action")
class DefaultClaims(Rules):
    """The default of a claim is the first mission."""

    def default_action(self, state: State) -> str:
        """Claim it."""
        return self.legal(state)[0] if state.step == "claim" else super().default_action(state)


@planted(TOLD_FAULTS, "Who sees what")
class SplitIsTold(Rules):
    """All are told how the hands were split."""

    def shown(self, event: Event, viewer: int | None) -> Event:
        """Tell it."""
        return event


@planted(TOLD_FAULTS, "Who sees what")
class SplitIsHidden(Rules):
    """The owner is not told how it split the hands."""

    def shown(self, event: Event, viewer: int | None) -> Event:
        """Tell nobody."""
        return super().shown(event, None)


@planted(TOLD_FAULTS, "Who sees what")
class SplitIsSeen(Rules):
    """The active seat sees the left hand."""

    def views(self, state: State) -> dict[int | None, dict[str, object]]:
        """Show it."""
        views = super().views(state)
        if state.hit is not None and state.hit.left is not None:
            left = jewels_text(state.hit.left)
            views[state.seat] = {**views[state.seat], "left_hand": left}
        return views


@planted(TOLD_FAULTS, "Preview")
class PreviewEndsAtOnce(Rules):
    """No preview is given in a collision."""

    def views(self, state: State) -> dict[int | None, dict[str, object]]:
        """Leave it out."""
        views = super().views(state)
        if state.hit is None:
            return views
        return {viewer: {**view, "preview": []} for viewer, view in views.items()}
