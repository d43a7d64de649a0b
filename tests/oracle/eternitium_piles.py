"""The piles of Eternitium by its rules: drawing, shuffling, Era stacks, hands and decks.

Each rule is a small method, so that a planted fault is a subclass overriding one.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from .chance import Draws
from .common import Event
from .eternitium_cards import Cards, Pile, cards_text, shuffled, sorted_cards, without
from .eternitium_state import Seat, State, with_own, with_seat


@dataclass
class Doing:
    """What happens while one action is done: the numbers drawn and the events reported."""

    draws: Draws
    events: list[Event] = field(default_factory=list)

    def report(self, *event: str | int) -> None:
        """Report an event."""
        self.events.append(event)


class PileRules:
    """The rules of piles: where a card comes from and where it goes."""

    # Any pile

    def take_any(self, cards: Cards, doing: Doing) -> tuple[Cards, str]:
        """Chance: every card that may come is equally likely; one draw, n = 1 included."""
        card = cards[doing.draws.draw(len(cards))]
        return without(cards, card), card

    def take_top(self, pile: Pile, doing: Doing) -> tuple[Pile, str]:
        """Chance: a card with a fixed place is drawn from nowhere, others as they come."""
        if pile.top:
            return replace(pile, top=pile.top[1:]), pile.top[0]
        if pile.pool:
            pool, card = self.take_any(pile.pool, doing)
            return replace(pile, pool=pool), card
        return replace(pile, bottom=pile.bottom[1:]), pile.bottom[0]

    def shuffle(self, pile: Pile) -> Pile:
        """Chance: a card keeps its place until the next shuffle."""
        return shuffled(pile.cards)

    # Era stacks

    def fix_eras(self, pile: Pile, number: int, doing: Doing) -> Pile:
        """Chance: a face-down Era is drawn when it is shown or its place is fixed."""
        known: Cards = ()
        for _ in range(min(number, pile.size)):
            pile, era = self.take_top(pile, doing)
            known += (era,)
        return pile.on_top(*known)

    def turn_up(self, state: State, number: int, doing: Doing) -> State:
        """The top Era is turned face up; nothing if it is so already or there is none."""
        seat = state.seats[number]
        if seat.face_up or not seat.eras.size:
            return state
        eras = self.fix_eras(seat.eras, 1, doing)
        doing.report("ERA_TURNED", number, cards_text(eras.top[:1]))
        return with_seat(state, number, eras=eras, face_up=True)

    def turn_own_up(self, state: State, doing: Doing) -> State:
        """The own top Era is turned face up, as most technologies do."""
        return self.turn_up(state, state.seat, doing)

    def shuffle_eras(self, state: State, number: int, doing: Doing) -> State:
        """An Era stack is shuffled, all face down."""
        doing.report("STACK_SHUFFLED", number)
        eras = self.shuffle(state.seats[number].eras)
        return with_seat(state, number, eras=eras, face_up=False)

    def take_era(self, state: State, number: int, doing: Doing) -> tuple[State, str]:
        """Take the top Era off a stack; R4: the next one stays face down."""
        eras, era = self.take_top(state.seats[number].eras, doing)
        return with_seat(state, number, eras=eras, face_up=False), era

    def eras_under(self, state: State, number: int, eras: Cards) -> State:
        """R7, Exile: Eras go face down under a stack, the first given uppermost."""
        return with_seat(state, number, eras=state.seats[number].eras.under(*eras))

    def discard_era(self, state: State, doing: Doing) -> State:
        """b. Play: the own top Era leaves the game."""
        state, era = self.take_era(state, state.seat, doing)
        doing.report("ERA_LEFT", state.seat, cards_text((era,)))
        return replace(state, gone=sorted_cards((*state.gone, era)))

    # Hands and decks

    def draw_cards(self, state: State, number: int, doing: Doing) -> State:
        """Draw so many cards into the own hand; fewer when deck and discards run out."""
        drawn: Cards = ()
        for _ in range(number):
            state = self.replenish(state, doing)
            if not state.own.deck.size:
                break
            deck, card = self.take_top(state.own.deck, doing)
            state = with_own(state, deck=deck)
            drawn += (card,)
        return self.into_hand(state, drawn, doing)

    def into_hand(self, state: State, drawn: Cards, doing: Doing) -> State:
        """Put drawn cards into the hand; only their number is public."""
        if drawn:
            doing.report("DRAWN", state.seat, len(drawn), cards_text(sorted_cards(drawn)))
        return with_own(state, hand=(*state.own.hand, *drawn))

    def replenish(self, state: State, doing: Doing) -> State:
        """R9: when a card must be drawn and the deck is empty, the discards become the deck."""
        own = state.own
        if own.deck.size or not own.discard:
            return state
        doing.report("RESHUFFLED", state.seat, len(own.discard))
        return with_own(state, deck=shuffled(own.discard), discard=())

    def owns_enough(self, seat: Seat) -> bool:
        """Refit, Recycler: a card may be removed only while at least seven are owned."""
        return len(seat.owned) >= 7

    def remove(self, state: State, kind: str, doing: Doing) -> State:
        """R13: a hand card is removed from the game, for all to see, and no longer owned."""
        doing.report("REMOVED", state.seat, cards_text((kind,)))
        own = state.own
        return with_own(state, hand=without(own.hand, kind), removed=(*own.removed, kind))
