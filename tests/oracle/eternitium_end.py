"""The end of Eternitium by its rules: rounds, winners and returns.

Each rule is a small method, so that a planted fault is a subclass overriding one.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from .common import Outcome
from .eternitium_market import MarketRules
from .eternitium_piles import Doing
from .eternitium_state import State


class EndRules(MarketRules):
    """The rules of when a match is over, and of who wins it."""

    def end_round(self, state: State, doing: Doing) -> State:
        """R10, R12: the match is over, or the next round begins."""
        if self.is_over(state):
            return replace(state, step="over")
        return replace(state, round=state.round + 1)

    def is_over(self, state: State) -> bool:
        """R10: a seat has no Eras; R12: else at the end of the last round."""
        return bool(self.without_eras(state)) or self.is_last_round(state)

    def is_last_round(self, state: State) -> bool:
        """R12: round `max_rounds` is over."""
        return state.round >= state.options.max_rounds

    def in_play(self, state: State) -> list[int]:
        """R10: the seats that have not forfeited."""
        return [seat for seat in range(state.options.seats) if seat not in state.forfeited]

    def without_eras(self, state: State) -> list[int]:
        """R10: the seats without Eras that have not forfeited."""
        return [seat for seat in self.in_play(state) if not state.seats[seat].eras.size]

    def fewest_eras(self, state: State) -> list[int]:
        """R12: the seats with the fewest Eras that have not forfeited."""
        counts = {seat: state.seats[seat].eras.size for seat in self.in_play(state)}
        return [seat for seat, count in counts.items() if count == min(counts.values())]

    def candidates(self, state: State) -> list[int]:
        """R10, R12: the seats of whom one wins, or several."""
        return self.without_eras(state) or self.fewest_eras(state)

    def outcome(self, state: State) -> Outcome | None:
        """Give the outcome, None while the match goes on."""
        if state.actor is not None:
            return None
        points = tuple(self.points(seat.owned) for seat in state.seats)
        best = max(self.rank(state, seat) for seat in self.candidates(state))
        winners = [seat for seat in self.candidates(state) if self.rank(state, seat) == best]
        return Outcome(tuple(winners), self.reason(state), points)

    def reason(self, state: State) -> str:
        """Say whether a seat without Eras ended the match, or the last round."""
        return "ERAS_GONE" if self.without_eras(state) else "MAX_ROUNDS"

    def rank(self, state: State, seat: int) -> tuple[int, int]:
        """R10: most points, then most Advanced; then the victory is shared."""
        return self.points(state.seats[seat].owned), state.seats[seat].advanced

    def returns(self, state: State) -> tuple[Fraction, ...] | None:
        """Give the returns (n·w - 1) / (n - 1), w shared by the winners; None in play."""
        result = self.outcome(state)
        if result is None:
            return None
        seats = state.options.seats
        shares = [Fraction(seat in result.winners, len(result.winners)) for seat in range(seats)]
        return tuple((seats * share - 1) / (seats - 1) for share in shares)
