"""Missions, the end and the score of Off the Rails by the rules.

Each rule is a small method, so that a planted fault is a subclass overriding one.
"""

from __future__ import annotations

from fractions import Fraction

from .common import Outcome
from .off_the_rails_board import DIAMOND, EMERALD, GOLD, ROCK, RUBY, WORTH
from .off_the_rails_chasm import ChasmRules
from .off_the_rails_state import Cart, Doing, Seat, State, asks, goes_on, with_changes, with_seat

RUBY_BONUS, CART_BONUS, MISSION_BONUS = 5, 3, 4


class EndRules(ChasmRules):
    """The rules of missions, of when a match is over, and of who wins it."""

    # Missions

    def missions_step(self, state: State, doing: Doing) -> State:
        """3. Missions: if the seat meets one or more of those face up, it may claim one."""
        return asks(state, "claim") if self.met(state) else self.end_missions(state)

    def met(self, state: State) -> list[int]:
        """3. Missions: those face up that the seat now meets."""
        return [mission for mission in state.missions if self.meets(state, mission)]

    def meets(self, state: State, mission: int) -> bool:
        """Missions: 2 and 8 are judged on the stockpile as it is, others on the turn."""
        if mission == 2:
            return {RUBY, EMERALD, GOLD, DIAMOND} <= set(state.own.stock)
        if mission == 8:
            return state.own.stock.count(ROCK) >= 3
        if mission == 9:
            return len(state.banked) == 2
        return mission in state.feats

    def claim(self, state: State, mission: int | None, doing: Doing) -> State:
        """3. Missions: the card leaves the row and is not replaced; at most one a turn."""
        if mission is None:
            doing.report("NO_CLAIM", state.seat)
        else:
            doing.report("MISSION_CLAIMED", state.seat, mission)
            row = tuple(each for each in state.missions if each != mission)
            claimed = (*state.own.missions, mission)
            state = with_seat(with_changes(state, missions=row), state.seat, missions=claimed)
        return self.end_missions(state)

    def end_missions(self, state: State) -> State:
        """R29: what the turn has brought is forgotten when step 3 is over."""
        return goes_on(with_changes(state, banked=frozenset(), feats=frozenset()), "deposit")

    # The end

    def is_over(self, state: State) -> bool:
        """R16: after every turn from the one in which the Chasm opened."""
        return state.open and (self.board_is_empty(state) or self.tokens_are_gone(state))

    def board_is_empty(self, state: State) -> bool:
        """The end: no cart is on the board."""
        return not any(state.carts())

    def tokens_are_gone(self, state: State) -> bool:
        """The end: the last of the 16 tokens has been drawn."""
        return not state.left_tokens

    def end_match(self, state: State, doing: Doing) -> State:
        """The end: carts then on the board are derailed."""
        for spot in [spot for spot, _ in state.carts()]:
            state = self.derail(state, spot, doing)
        return goes_on(state, "over")

    def reason(self, state: State) -> str:
        """The end: if both hold, the last token."""
        return "LAST_TOKEN" if self.tokens_are_gone(state) else "NO_CART_ON_BOARD"

    # Score

    def points(self, state: State, number: int) -> int:
        """Score: jewels, Rubies, carts in supply, missions."""
        seat = state.seats[number]
        rubies = self.ruby_bonus() if number in self.most_rubies(state) else 0
        carts = CART_BONUS * sum(map(self.is_in_supply, seat.carts))
        return self.worth(seat) + rubies + carts + MISSION_BONUS * len(seat.missions)

    def worth(self, seat: Seat) -> int:
        """Score: what the stockpile counts."""
        return sum(WORTH[kind] for kind in seat.stock)

    def is_in_supply(self, cart: Cart) -> bool:
        """Score: never used ones included; out of the game, or on the board (R36): nothing."""
        return cart.place is None and not cart.out

    def ruby_bonus(self) -> int:
        """Score: for the most Rubies."""
        return RUBY_BONUS

    def most_rubies(self, state: State) -> list[int]:
        """Score: the seats with the most Rubies, at least one; each of those tied (R17)."""
        rubies = [seat.stock.count(RUBY) for seat in state.seats]
        most = max(rubies)
        return [seat for seat, number in enumerate(rubies) if most and number == most]

    def rank(self, state: State, number: int) -> tuple[int, int, int]:
        """Score: most points, then most jewels, Rocks counted (R18), then fewest Rocks."""
        stock = state.seats[number].stock
        return self.points(state, number), len(stock), -stock.count(ROCK)

    def in_play(self, state: State) -> list[int]:
        """Leaving: the seats that have not forfeited; no other can win."""
        return [seat for seat in range(state.options.seats) if seat not in state.forfeited]

    def outcome(self, state: State) -> Outcome | None:
        """Give the outcome, None while the match goes on."""
        if state.actor is not None:
            return None
        points = tuple(self.points(state, seat) for seat in range(state.options.seats))
        best = max(self.rank(state, seat) for seat in self.in_play(state))
        winners = [seat for seat in self.in_play(state) if self.rank(state, seat) == best]
        return Outcome(tuple(winners), self.reason(state), points)

    def returns(self, state: State) -> tuple[Fraction, ...] | None:
        """Give the returns (n·w - 1) / (n - 1), w shared by the winners; None in play."""
        result = self.outcome(state)
        if result is None:
            return None
        seats = state.options.seats
        shares = [Fraction(seat in result.winners, len(result.winners)) for seat in range(seats)]
        return tuple((seats * share - 1) / (seats - 1) for share in shares)
