"""The market of Eternitium by its rules: supply, rows, visible Eras, and what is acquired.

Each rule is a small method, so that a planted fault is a subclass overriding one.
"""

from __future__ import annotations

from dataclasses import replace

from .eternitium_actions import UNSEEN
from .eternitium_cards import NONE, Cards, Pile, cards_text, is_advanced, is_basic, without
from .eternitium_effects import EffectRules
from .eternitium_piles import Doing
from .eternitium_state import Row, State, with_own

TYPES = ("BASIC", "ADVANCED")
"""The types of technologies."""


def put(row: Row, place: int, card: str | None) -> Row:
    """Put a card into a place of a row, or None to leave it empty."""
    return (*row[:place], card, *row[place + 1 :])


class MarketRules(EffectRules):
    """The rules of what lies in the middle, and of taking it."""

    # Supply

    def take_portal(self, state: State, symbol: str, doing: Doing) -> State:
        """a. Portal: one of a symbol of its choice, into the hand."""
        doing.report("PORTAL_TAKEN", state.seat, cards_text((symbol,)))
        state = replace(state, supply=without(state.supply, symbol))
        return with_own(state, hand=(*state.own.hand, symbol))

    # Rows

    def row(self, state: State, advanced: bool) -> Row:
        """Give the row of Basics or of Advanced."""
        return state.advanced_row if advanced else state.basic_row

    def deck(self, state: State, advanced: bool) -> Pile:
        """Give the deck of Basics or of Advanced."""
        return state.advanced_deck if advanced else state.basic_deck

    def with_row(self, state: State, advanced: bool, row: Row, deck: Pile) -> State:
        """Replace a row and its deck."""
        if advanced:
            return replace(state, advanced_row=row, advanced_deck=deck)
        return replace(state, basic_row=row, basic_deck=deck)

    def fill(self, state: State, advanced: bool, place: int, doing: Doing) -> State:
        """Set-up 3: cards are turned until one fits; none is if the deck holds none that fits."""
        row, deck = self.row(state, advanced), self.deck(state, advanced)
        while self.any_fits(row, deck):
            deck, kind = self.take_top(deck, doing)
            if self.fits(row, kind):
                doing.report("TECHNOLOGY_TURNED", TYPES[advanced], place, cards_text((kind,)))
                return self.with_row(state, advanced, put(row, place, kind), deck)
            doing.report("TECHNOLOGY_UNDER", TYPES[advanced], cards_text((kind,)))
            deck = self.misfit(deck, kind)
        return state

    def misfit(self, deck: Pile, kind: str) -> Pile:
        """Set-up 3: a card that would repeat one in its row goes under its deck."""
        return deck.under(kind)

    def any_fits(self, row: Row, deck: Pile) -> bool:
        """Set-up 3: as long as the deck holds a kind that fits."""
        return any(self.fits(row, kind) for kind in deck.cards)

    def fits(self, row: Row, kind: str) -> bool:
        """Set-up 3: all kinds in a row are different."""
        return kind not in row

    def takes(self, state: State, advanced: bool, place: int) -> bool:
        """R8: a place that is filled, or the deck while it has cards."""
        if place == UNSEEN:
            return self.deck(state, advanced).size > 0
        return self.row(state, advanced)[place] is not None

    def take(self, state: State, advanced: bool, place: int, doing: Doing) -> State:
        """d. Technology: take a card, which goes on top of the own deck (R6)."""
        row, deck = self.row(state, advanced), self.deck(state, advanced)
        if place == UNSEEN:
            deck, kind = self.take_top(deck, doing)
            self.report_taken(state, advanced, NONE, kind, doing)
            return self.acquire(self.with_row(state, advanced, row, deck), kind)
        kind = row[place] or ""
        self.report_taken(state, advanced, place, kind, doing)
        state = self.with_row(state, advanced, put(row, place, None), deck)
        return self.fill(self.acquire(state, kind), advanced, place, doing)

    def report_taken(
        self, state: State, advanced: bool, place: int | str, kind: str, doing: Doing
    ) -> None:
        """Events: a technology is taken; one taken unseen is told to its buyer alone (R8)."""
        doing.report("TECHNOLOGY_TAKEN", state.seat, TYPES[advanced], place, cards_text((kind,)))

    def acquire(self, state: State, kind: str) -> State:
        """R6: the technology goes on top of the own deck."""
        return with_own(state, deck=state.own.deck.on_top(kind))

    # Eras

    def may_choose_era(self, state: State, era: int | None) -> bool:
        """d. Technology: a Basic comes with one of the visible Eras, or none if none is visible."""
        if era is None:
            return state.visible == (None, None)
        return state.visible[era] is not None

    def gain_eras(self, state: State, places: tuple[int, ...], doing: Doing) -> State:
        """R7: visible Eras go face down under the own stack, the left one first."""
        gained: Cards = ()
        for place in places:
            era = state.visible[place]
            if era is not None:
                gained += (era,)
                state = replace(state, visible=put(state.visible, place, None))
        if gained:
            doing.report("ERAS_GAINED", state.seat, cards_text(gained))
        return self.eras_under(state, state.seat, gained)

    def show_eras(self, state: State, doing: Doing) -> State:
        """R7: the empty places are refilled from the pile, the left one first; nothing slides."""
        for place, era in enumerate(state.visible):
            if era is None and state.era_pile.size:
                pile, shown = self.take_top(state.era_pile, doing)
                doing.report("VISIBLE_ERA", place, cards_text((shown,)))
                state = replace(state, era_pile=pile, visible=put(state.visible, place, shown))
        return state

    def era_places(self, advanced: bool, era: int | None) -> tuple[int, ...]:
        """d. Technology: a Basic brings the Era chosen, an Advanced all visible ones."""
        if advanced:
            return (0, 1)
        return () if era is None else (era,)

    # Points

    def points(self, cards: Cards) -> int:
        """R10: 1 for each Basic, the Droid included, and 2 for each Advanced."""
        return sum(self.worth(kind) for kind in cards)

    def worth(self, kind: str) -> int:
        """R10: what a card counts."""
        if is_advanced(kind):
            return 2
        return int(is_basic(kind))
