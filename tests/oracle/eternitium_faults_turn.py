"""Planted faults of Eternitium: the turn, the draws and the market."""

from __future__ import annotations

from dataclasses import replace

from .eternitium import Rules
from .eternitium_actions import Action
from .eternitium_cards import Cards, Pile, shuffled
from .eternitium_market import put
from .eternitium_piles import Doing
from .eternitium_state import ROW, Options, Row, State, with_own
from .fault import Fault, planted

SETUP_FAULTS: list[Fault[Rules]] = []
TURN_FAULTS: list[Fault[Rules]] = []
REFIT_FAULTS: list[Fault[Rules]] = []
LOOP_FAULTS: list[Fault[Rules]] = []
MARKET_FAULTS: list[Fault[Rules]] = []
ERA_FAULTS: list[Fault[Rules]] = []


# Set-up


@planted(SETUP_FAULTS, "Set-up 1, case 1")
class SupplyOfAll(Rules):
    """The supply holds all Portals that are in no starter deck, whatever the seats."""

    def portals(self, options: Options) -> int:
        """Count the box."""
        return 15 - options.seats


@planted(SETUP_FAULTS, "Set-up 2, draws")
class TopsTurnedAtOnce(Rules):
    """Each seat's top Era is turned up before the next seat is dealt its stack."""

    def deal(self, state: State, doing: Doing) -> State:
        """Deal and turn, seat by seat."""
        for number in range(state.options.seats):
            state = self.turn_up(self.deal_eras(state, number, doing), number, doing)
        return state


@planted(SETUP_FAULTS, "Set-up 5")
class FirstTechnologyOnTop(Rules):
    """The Basic of the set-up stays on top of the deck."""

    def first_hands(self, state: State, doing: Doing) -> State:
        """Draw without shuffling."""
        seats = [replace(seat, discard=seat.discard) for seat in state.seats]
        for number, _ in enumerate(seats):
            state = self.draw_cards(replace(state, seat=number), 5, doing)
        return state


@planted(SETUP_FAULTS, "Set-up 4")
class FirstTechnologyBringsEra(Rules):
    """The Basic of the set-up brings the left Era with it."""

    def take_basic(self, state: State, action: Action, doing: Doing) -> State:
        """Gain it first."""
        state = self.show_eras(self.gain_eras(state, (0,), doing), doing)
        return super().take_basic(state, action, doing)


# The turn


@planted(TURN_FAULTS, "a. Portal")
class PortalIsDiscarded(Rules):
    """The Portal of step a goes to the discard pile."""

    def take_portal(self, state: State, symbol: str, doing: Doing) -> State:
        """Put it there."""
        own = state.own
        state = super().take_portal(state, symbol, doing)
        return with_own(state, hand=own.hand, discard=(*own.discard, symbol))


@planted(TURN_FAULTS, "a. Portal, case 9")
class EmptySupplyEndsTurns(Rules):
    """When the supply is empty the turn begins with step d."""

    def begin_turn(self, state: State, seat: int, doing: Doing, extra: bool = False) -> State:
        """Skip the play step, too."""
        state = super().begin_turn(state, seat, doing, extra)
        return state if state.supply else replace(state, step="technology")


@planted(TURN_FAULTS, "c. Discard")
class HandIsKept(Rules):
    """Only the play area is discarded."""

    def discard_step(self, state: State, kept: str | None, doing: Doing) -> State:
        """Keep the whole hand."""
        hand = state.own.hand
        state = super().discard_step(state, kept, doing)
        discard = list(state.own.discard)
        for card in hand:
            if card != kept:
                discard.remove(card)
        return with_own(state, hand=hand, discard=tuple(discard))


@planted(TURN_FAULTS, "R9")
class PlayAreaIsShuffledIn(Rules):
    """A reshuffle takes the play area with it."""

    def replenish(self, state: State, doing: Doing) -> State:
        """Discard it first."""
        own = state.own
        if own.deck.size or not (own.discard or own.area):
            return state
        return super().replenish(with_own(state, discard=(*own.discard, *own.area), area=()), doing)


@planted(TURN_FAULTS, "R9")
class EmptyDeckIsRefilled(Rules):
    """The discards become the deck as soon as it is empty."""

    def into_hand(self, state: State, drawn: Cards, doing: Doing) -> State:
        """Do it after a draw."""
        return self.replenish(super().into_hand(state, drawn, doing), doing)


@planted(TURN_FAULTS, "e. Refill")
class RefillIgnoresHand(Rules):
    """A refill draws as many cards as its size, whatever is kept."""

    def missing(self, state: State) -> int:
        """Forget the kept card."""
        return state.refill


# Refit


@planted(REFIT_FAULTS, "b. Refit, case 6")
class RefitAfterPlay(Rules):
    """A refit can follow after cards were played."""

    def may_refit(self, state: State, action: Action) -> bool:
        """Always allow it."""
        return True


@planted(REFIT_FAULTS, "b. Refit, case 5")
class RefitRefillsFive(Rules):
    """After a refit the hand is refilled to 5."""

    def refill_after_refit(self) -> int:
        """Forget the refit."""
        return 5


@planted(REFIT_FAULTS, "b. Refit, case 5")
class RefitRemovesAny(Rules):
    """A refit may remove cards below six owned ones."""

    def may_remove(self, state: State, action: Action) -> bool:
        """Look at the hand alone."""
        return action.cards[0] in state.own.hand


@planted(REFIT_FAULTS, "b. Refit")
class RefitRemovesOne(Rules):
    """A refit ends with its first removal."""

    def refit_step(self, state: State, action: Action, doing: Doing) -> State:
        """Discard the rest."""
        after = super().refit_step(state, action, doing)
        return self.discard_step(after, None, doing) if after.step == "refit" else after


@planted(REFIT_FAULTS, "b. Refit")
class KeptIsDiscarded(Rules):
    """The card kept is discarded as well."""

    def discard_step(self, state: State, kept: str | None, doing: Doing) -> State:
        """Keep none."""
        return super().discard_step(state, None, doing)


# Time Loop


@planted(LOOP_FAULTS, "f. Extra turn")
class NoExtraWithoutEras(Rules):
    """There is no extra turn for a seat without Eras."""

    def has_extra(self, state: State) -> bool:
        """Look at the stack."""
        return state.looped and state.own.eras.size > 0


@planted(LOOP_FAULTS, "f. Extra turn")
class NoExtraAfterLoss(Rules):
    """There is no extra turn after a lost gamble."""

    def has_extra(self, state: State) -> bool:
        """Look at the refill size."""
        return state.looped and state.refill != 4


@planted(LOOP_FAULTS, "R20")
class MarksOutlastTurn(Rules):
    """That a card was played still counts in the extra turn."""

    def begin_turn(self, state: State, seat: int, doing: Doing, extra: bool = False) -> State:
        """Keep the mark."""
        after = super().begin_turn(state, seat, doing, extra)
        return replace(after, played=state.played) if extra else after


@planted(LOOP_FAULTS, "f. Extra turn, a")
class ExtraTurnWithoutPortal(Rules):
    """An extra turn has no step a."""

    def begin_turn(self, state: State, seat: int, doing: Doing, extra: bool = False) -> State:
        """Begin with the play step."""
        after = super().begin_turn(state, seat, doing, extra)
        return replace(after, step="play") if extra else after


# Technologies


@planted(MARKET_FAULTS, "R6")
class TechnologyIsDiscarded(Rules):
    """A technology goes to the discard pile."""

    def acquire(self, state: State, kind: str) -> State:
        """Put it there."""
        return with_own(state, discard=(*state.own.discard, kind))


@planted(MARKET_FAULTS, "R6")
class TechnologyIsShuffledIn(Rules):
    """A technology is shuffled into the own deck."""

    def acquire(self, state: State, kind: str) -> State:
        """Shuffle it in."""
        return with_own(state, deck=shuffled((*state.own.deck.cards, kind)))


@planted(MARKET_FAULTS, "Set-up 3")
class RowsRepeat(Rules):
    """A row may show a kind twice."""

    def fits(self, row: Row, kind: str) -> bool:
        """Take anything."""
        return True


@planted(MARKET_FAULTS, "Set-up 3")
class MisfitIsShuffledIn(Rules):
    """A card that does not fit is shuffled back."""

    def misfit(self, deck: Pile, kind: str) -> Pile:
        """Put it into the pool."""
        return shuffled((*deck.cards, kind))


@planted(MARKET_FAULTS, "Set-up 3")
class DeckIsTurnedOver(Rules):
    """A deck that holds no kind that fits is turned over once before the place stays empty."""

    def fill(self, state: State, advanced: bool, place: int, doing: Doing) -> State:
        """Draw it through, if it is not empty."""
        row, deck = self.row(state, advanced), self.deck(state, advanced)
        if deck.size and not self.any_fits(row, deck):
            deck, kind = self.take_top(deck, doing)
            return self.with_row(state, advanced, row, deck.under(kind))
        return super().fill(state, advanced, place, doing)


@planted(MARKET_FAULTS, "R15")
class RowSlides(Rules):
    """The cards of a row slide to the left when one is taken."""

    def fill(self, state: State, advanced: bool, place: int, doing: Doing) -> State:
        """Slide and fill the last place."""
        row = self.row(state, advanced)
        if row[place] is not None or state.step == "basic":
            return super().fill(state, advanced, place, doing)
        slid = (*row[:place], *row[place + 1 :], None)
        state = self.with_row(state, advanced, slid, self.deck(state, advanced))
        return super().fill(state, advanced, ROW - 1, doing)


@planted(MARKET_FAULTS, "d. Technology")
class RowIsRefilledLater(Rules):
    """A place whose card was taken stays empty."""

    def fill(self, state: State, advanced: bool, place: int, doing: Doing) -> State:
        """Fill it in the set-up alone."""
        return super().fill(state, advanced, place, doing) if state.step == "basic" else state


@planted(MARKET_FAULTS, "R8")
class UnseenNeedsShuffled(Rules):
    """A deck of cards that all know cannot be drawn from unseen."""

    def takes(self, state: State, advanced: bool, place: int) -> bool:
        """Ask for shuffled cards."""
        if place == ROW:
            return len(self.deck(state, advanced).pool) > 0
        return super().takes(state, advanced, place)


# Eras that come with them


@planted(ERA_FAULTS, "R7")
class ErasOnTop(Rules):
    """Gained Eras go on top of the stack."""

    def gain_eras(self, state: State, places: tuple[int, ...], doing: Doing) -> State:
        """Move them."""
        before = state.own.eras.size
        state = super().gain_eras(state, places, doing)
        eras = state.own.eras
        gained = eras.size - before
        if not gained:
            return state
        moved = Pile(eras.bottom[-gained:] + eras.top, eras.pool, eras.bottom[:-gained])
        return with_own(state, eras=moved, face_up=False)


@planted(ERA_FAULTS, "R7")
class RightEraFirst(Rules):
    """Of two Eras the right one goes under the stack first."""

    def era_places(self, advanced: bool, era: int | None) -> tuple[int, ...]:
        """Turn the order round."""
        return super().era_places(advanced, era)[::-1]


@planted(ERA_FAULTS, "d. Technology")
class AdvancedBringsOne(Rules):
    """An Advanced brings the left Era alone."""

    def era_places(self, advanced: bool, era: int | None) -> tuple[int, ...]:
        """Take the left one."""
        return (0,) if advanced else super().era_places(advanced, era)


@planted(ERA_FAULTS, "R7")
class ErasSlide(Rules):
    """The right Era slides to the left place."""

    def show_eras(self, state: State, doing: Doing) -> State:
        """Slide before the refill."""
        if state.visible[0] is None:
            state = replace(state, visible=(state.visible[1], None))
        return super().show_eras(state, doing)


@planted(ERA_FAULTS, "R7")
class RightPlaceFirst(Rules):
    """The right place is refilled first."""

    def show_eras(self, state: State, doing: Doing) -> State:
        """Fill the right one, then the left one."""
        left = state.visible[0]
        if left is not None or state.step == "basic":
            return super().show_eras(state, doing)
        state = super().show_eras(replace(state, visible=put(state.visible, 0, "circle")), doing)
        return super().show_eras(replace(state, visible=put(state.visible, 0, None)), doing)


@planted(ERA_FAULTS, "R14")
class ErasBeforeTechnology(Rules):
    """The Eras are gained before the technology's place is filled."""

    def buy(self, state: State, action: Action, doing: Doing) -> State:
        """Swap the two."""
        advanced = action.kind == "a"
        state = self.gain_eras(state, self.era_places(advanced, action.era), doing)
        state = self.show_eras(state, doing)
        return self.take(state, advanced, action.place or 0, doing)


@planted(ERA_FAULTS, "d. Technology")
class BasicMayDecline(Rules):
    """A Basic can be taken without an Era."""

    def may_choose_era(self, state: State, era: int | None) -> bool:
        """Allow none."""
        return era is None or super().may_choose_era(state, era)


@planted(ERA_FAULTS, "d. Technology, case 9")
class NothingWithoutEras(Rules):
    """Without a visible Era no Basic can be taken."""

    def may_choose_era(self, state: State, era: int | None) -> bool:
        """Ask for an Era."""
        return era is not None and super().may_choose_era(state, era)
