"""The decks, hands and scores of OffTrack by its rules, round by round.

Each rule is a small method, so that a planted fault is a subclass overriding one.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from .common import Outcome
from .offtrack_cards import ACTIONS, Cards, sorted_actions
from .offtrack_effects import EffectRules
from .offtrack_state import HAND, Options, State
from .offtrack_table import Doing


class RoundRules(EffectRules):
    """The rules of what is dealt, drawn, refilled and scored."""

    # The deal

    def full_action_deck(self, options: Options) -> tuple[str, ...]:
        """R2: copies of each of the eight actions."""
        return sorted_actions(ACTIONS * options.action_copies)

    def starter(self, options: Options, number: int) -> int:
        """R8: seat 0 starts round 1, seat 1 round 2, and so on in a circle."""
        return (number - 1) % options.seats

    def turn_order(self, state: State) -> list[int]:
        """R8: turns go round by rising seat from the round's first."""
        seats = state.options.seats
        first = self.starter(state.options, state.round)
        return [(first + place) % seats for place in range(seats)]

    def deal(self, state: State, seat: int, doing: Doing) -> State:
        """A round: a seat is dealt its five at once."""
        state, dealt = self.draw_cards(state, HAND, doing)
        state = self.into_hand(state, seat, dealt)
        doing.report("DEALT", seat, HAND, state.sorted_text(dealt))
        return state

    def draw_cards(self, state: State, number: int, doing: Doing) -> tuple[State, Cards]:
        """Draw cards from the sorted character deck, one number for each."""
        deck, drawn = list(state.deck), []
        for _ in range(number):
            drawn.append(deck.pop(doing.draws.draw(len(deck))))
        return replace(state, deck=tuple(deck)), tuple(drawn)

    def into_hand(self, state: State, seat: int, cards: Cards) -> State:
        """Put cards into a hand, which is kept sorted."""
        return self.with_hand(state, seat, tuple(sorted(state.hands[seat] + cards)))

    def with_hand(self, state: State, seat: int, hand: Cards) -> State:
        """Replace a seat's hand."""
        hands = list(state.hands)
        hands[seat] = hand
        return replace(state, hands=tuple(hands))

    def out_of_hand(self, state: State, cards: Cards) -> State:
        """Take cards from the hand of the seat to act."""
        hand = tuple(card for card in state.hands[state.seat] if card not in cards)
        return self.with_hand(state, state.seat, hand)

    # Drawing

    def draw_action(self, state: State, doing: Doing) -> State:
        """e. Action: draw from the sorted action deck; only its drawer sees the card (R14)."""
        deck = list(state.action_deck)
        letter = deck.pop(doing.draws.draw(len(deck)))
        doing.report("ACTION_DRAWN", state.seat, letter)
        return replace(state, action_deck=tuple(deck), drawn=letter, step="A")

    # Refill

    def refill(self, state: State, doing: Doing) -> State:
        """d. Refill: back to 5; the end is called when deck and discards are both empty."""
        drawn: Cards = ()
        while len(state.hands[state.seat]) + len(drawn) < HAND:
            state = self.reshuffle(state, doing) if not state.deck else state
            if not state.deck:
                break
            state, cards = self.draw_cards(state, 1, doing)
            drawn += cards
        if drawn:
            doing.report("REFILLED", state.seat, len(drawn), state.sorted_text(drawn))
        return self.call_end(self.into_hand(state, state.seat, drawn), doing)

    def reshuffle(self, state: State, doing: Doing) -> State:
        """d. Refill: a card must be drawn and the deck is empty; the discards become the deck."""
        if not state.discards:
            return state
        doing.report("RESHUFFLED", len(state.discards))
        return replace(state, deck=state.discards, discards=())

    def call_end(self, state: State, doing: Doing) -> State:
        """The end: called once and not withdrawn (R9)."""
        if state.called or not self.is_end(state):
            return state
        doing.report("END_CALLED", state.seat)
        return replace(state, called=True)

    def is_end(self, state: State) -> bool:
        """The end: after a refill the character deck and the discard pile are both empty."""
        return not state.deck and not state.discards

    # What a seat has

    def with_held(self, state: State, letter: str | None) -> State:
        """Replace what the seat to act holds."""
        held = list(state.held)
        held[state.seat] = letter
        return replace(state, held=tuple(held))

    def discard_action(self, state: State, letter: str) -> State:
        """Put an action card on the action discards."""
        return replace(state, action_discards=sorted_actions((*state.action_discards, letter)))

    def marked_cycled(self, state: State, cycled: bool) -> State:
        """Note whether the last main step other than a skip was a cycle."""
        marks = list(state.cycled)
        marks[state.seat] = cycled
        return replace(state, cycled=tuple(marks))

    # Scores

    def pile_score(self, state: State, pile: Cards) -> int:
        """A round, 4: the sum of the values in a score pile."""
        return sum(self.value(state, card) for card in pile)

    def outcome(self, state: State) -> Outcome | None:
        """Give the outcome, None while the match goes on."""
        if state.actor is not None:
            return None
        totals = self.totals(state)
        best = self.best(state.options, totals)
        winners = tuple(seat for seat, total in enumerate(totals) if total == best)
        return Outcome(winners, "ROUNDS_PLAYED", totals)

    def totals(self, state: State) -> tuple[int, ...]:
        """A round, 5: each seat's sum of round scores."""
        return tuple(map(sum, zip(*state.scores, strict=True)))

    def best(self, options: Options, totals: tuple[int, ...]) -> int:
        """A round, 4 and 5: the highest, or under LOW the lowest."""
        return max(totals) if options.scoring == "HIGH" else min(totals)

    def returns(self, state: State) -> tuple[Fraction, ...] | None:
        """Give the returns (n·w - 1) / (n - 1), w shared by the winners; None in play."""
        result = self.outcome(state)
        if result is None:
            return None
        seats = state.options.seats
        shares = [Fraction(seat in result.winners, len(result.winners)) for seat in range(seats)]
        return tuple((seats * share - 1) / (seats - 1) for share in shares)
