"""Planted faults of OffTrack: the turn, the decks, the rounds, the match and what is told."""

from __future__ import annotations

from dataclasses import replace

from .common import Event, Outcome
from .fault import Fault, planted
from .offtrack import Rules
from .offtrack_cards import Card, Cards
from .offtrack_state import Line, Options, State
from .offtrack_table import Doing

TURN_FAULTS: list[Fault[Rules]] = []
JAM_FAULTS: list[Fault[Rules]] = []
ROUND_FAULTS: list[Fault[Rules]] = []


# Seals, held actions


@planted(TURN_FAULTS, "a. Start")
class SealsLiftAtAnyStart(Rules):
    """A seal lifts at the start of the next turn, whosever it is."""

    def lifts(self, state: State, line: Line) -> bool:
        """Forget the seat."""
        return not line.open


@planted(TURN_FAULTS, "a. Start")
class SealsStay(Rules):
    """A seal lifts only by a Breach."""

    def lifts(self, state: State, line: Line) -> bool:
        """Leave it."""
        return False


@planted(TURN_FAULTS, "R10")
class HoldsAgain(Rules):
    """A held action can be held again."""

    def may_hold(self, state: State) -> bool:
        """Forget the step."""
        return not state.options.every_turn


@planted(ROUND_FAULTS, "R13")
class HoldsUnderEveryTurn(Rules):
    """With every_turn a drawn action can be held."""

    def may_hold(self, state: State) -> bool:
        """Forget the house rule."""
        return state.step == "A"


@planted(ROUND_FAULTS, "e. Action")
class EveryTurnAsks(Rules):
    """With every_turn the seat is asked whether to draw."""

    def action_step(self, state: State, doing: Doing) -> State:
        """Forget the house rule."""
        if not state.action_deck:
            return self.end_turn(state, doing)
        return replace(state, step="E")


@planted(TURN_FAULTS, "R6")
class ReshufflesActions(Rules):
    """Action discards are shuffled back when the action deck is empty."""

    def action_step(self, state: State, doing: Doing) -> State:
        """Put them back."""
        if not state.action_deck:
            state = replace(state, action_deck=state.action_discards, action_discards=())
        return super().action_step(state, doing)


# Skip and cycle


@planted(TURN_FAULTS, "R11")
class CyclesUnderFullSeal(Rules):
    """A seat may cycle when no line is open."""

    def may_cycle(self, state: State, cards: Cards) -> bool:
        """Forget R11."""
        return len(cards) > 0 and not state.cycled[state.seat]


@planted(JAM_FAULTS, "R11b")
class StuckSeatCycles(Rules):
    """A seat that can only skip by R11b may cycle again instead."""

    def may_cycle(self, state: State, cards: Cards) -> bool:
        """Allow it."""
        stuck = self.any_open(state) and self.is_stuck(state)
        return super().may_cycle(state, cards) or (len(cards) > 0 and stuck)


@planted(TURN_FAULTS, "R12")
class SkipGivesAction(Rules):
    """After a skip the seat may draw an action."""

    def skip(self, state: State, doing: Doing) -> State:
        """Go on to the action."""
        doing.report("SKIPPED", state.seat)
        return self.action_step(state, doing)


@planted(TURN_FAULTS, "c. Main step")
class CyclesTwice(Rules):
    """A seat may cycle twice in a row."""

    def may_cycle(self, state: State, cards: Cards) -> bool:
        """Forget the mark."""
        return len(cards) > 0 and self.any_open(state)


@planted(TURN_FAULTS, "c. Main step")
class SkipClearsMark(Rules):
    """A skip clears the cycle mark."""

    def skip(self, state: State, doing: Doing) -> State:
        """Clear it."""
        return super().skip(self.marked_cycled(state, False), doing)


@planted(TURN_FAULTS, "c. Main step")
class AppendKeepsMark(Rules):
    """An append does not clear the cycle mark."""

    def marked_cycled(self, state: State, cycled: bool) -> State:
        """Only set it."""
        return super().marked_cycled(state, cycled) if cycled else state


# Refill


@planted(TURN_FAULTS, "d. Refill")
class ReshufflesEarly(Rules):
    """A deck that is merely empty is reshuffled at once."""

    def refill(self, state: State, doing: Doing) -> State:
        """Reshuffle before anything must be drawn."""
        after = super().refill(state, doing)
        return after if after.deck else self.reshuffle(after, doing)


@planted(TURN_FAULTS, "d. Refill")
class NeverReshuffles(Rules):
    """An empty character deck is not refilled from the discards."""

    def reshuffle(self, state: State, doing: Doing) -> State:
        """Do nothing."""
        return state


@planted(TURN_FAULTS, "A round 3")
class EndByDeckAlone(Rules):
    """The end is called when the deck is empty, whatever is discarded."""

    def is_end(self, state: State) -> bool:
        """Forget the discards."""
        return not state.deck


@planted(ROUND_FAULTS, "R9")
class EndIsWithdrawn(Rules):
    """The call of the end is withdrawn when cards are discarded again."""

    def cycle(self, state: State, cards: Cards, doing: Doing) -> State:
        """Withdraw it."""
        return replace(super().cycle(state, cards, doing), called=False)


@planted(ROUND_FAULTS, "A round 3")
class CallEndsRound(Rules):
    """The round ends with the turn in which the end is called."""

    def is_last_turn(self, state: State) -> bool:
        """End at once."""
        return True


@planted(ROUND_FAULTS, "A round 3")
class HighestSeatIsLast(Rules):
    """The last turn of a round is always that of the highest seat."""

    def is_last_turn(self, state: State) -> bool:
        """Forget who started."""
        return state.seat == state.options.seats - 1


@planted(ROUND_FAULTS, "A round 3")
class LastSeatCallsInVain(Rules):
    """A call in the turn of the last seat does not end the round."""

    def call_end(self, state: State, doing: Doing) -> State:
        """Forget the call."""
        after = super().call_end(state, doing)
        vain = self.is_last_turn(state) and after.called and not state.called
        return replace(after, called=False) if vain else after


@planted(ROUND_FAULTS, "A round 3")
class CallRepeated(Rules):
    """The end is called again by the seats after the caller."""

    def call_end(self, state: State, doing: Doing) -> State:
        """Forget that it is called."""
        return super().call_end(replace(state, called=False), doing)


# Rounds and match


@planted(ROUND_FAULTS, "R8")
class SeatZeroStarts(Rules):
    """Seat 0 starts every round."""

    def starter(self, options: Options, number: int) -> int:
        """Forget the number."""
        return 0


@planted(ROUND_FAULTS, "R7")
class ActionsStayDiscarded(Rules):
    """A new round starts with the action deck of the last one."""

    def cleared(self, before: State, number: int, first: int) -> State:
        """Keep both action piles."""
        state = super().cleared(before, number, first)
        if number == 1:
            return state
        return replace(
            state, action_deck=before.action_deck, action_discards=before.action_discards
        )


@planted(ROUND_FAULTS, "A round 1")
class MarksSurviveRound(Rules):
    """Cycle marks are kept for the next round."""

    def cleared(self, before: State, number: int, first: int) -> State:
        """Keep them."""
        return replace(super().cleared(before, number, first), cycled=before.cycled)


@planted(ROUND_FAULTS, "Cards")
class RedeemsSurviveRound(Rules):
    """A redeemed card keeps its positive value in the next round."""

    def cleared(self, before: State, number: int, first: int) -> State:
        """Keep it."""
        return replace(super().cleared(before, number, first), redeemed=before.redeemed)


@planted(ROUND_FAULTS, "Cards, case 10")
class PilesForgetRedeem(Rules):
    """A redeemed card counts its printed value in a score pile."""

    def pile_score(self, state: State, pile: Cards) -> int:
        """Count what is printed."""
        return sum(card.printed for card in pile)


@planted(ROUND_FAULTS, "Options, scoring")
class LowIgnored(Rules):
    """The highest total wins under LOW, too."""

    def best(self, options: Options, totals: tuple[int, ...]) -> int:
        """Forget the option."""
        return max(totals)


@planted(ROUND_FAULTS, "A round 5")
class FirstOfTiedWins(Rules):
    """Of equal totals the lowest seat alone wins."""

    def outcome(self, state: State) -> Outcome | None:
        """Take the first."""
        result = super().outcome(state)
        return result and result._replace(winners=result.winners[:1])


@planted(ROUND_FAULTS, "A round 5")
class LastRoundDecides(Rules):
    """The last round's scores decide the match."""

    def totals(self, state: State) -> tuple[int, ...]:
        """Take the last."""
        return state.scores[-1]


# Default action, what is told


@planted(TURN_FAULTS, "Default action")
class DefaultAppendsLowestType(Rules):
    """The default action appends the card of the lowest type."""

    def append_order(self, card: Card) -> tuple[int, int]:
        """Forget the value."""
        return card.type, card.type


@planted(TURN_FAULTS, "Default action")
class DefaultHolds(Rules):
    """The default action holds what was drawn."""

    def default_action(self, state: State) -> str:
        """Hold it if allowed."""
        return "H" if self.may_hold(state) else super().default_action(state)


@planted(TURN_FAULTS, "R14")
class DrawnActionTold(Rules):
    """All are told which action was drawn."""

    def shown(self, event: Event, viewer: int | None) -> Event:
        """Tell it."""
        return event if event[0] == "ACTION_DRAWN" else super().shown(event, viewer)


@planted(TURN_FAULTS, "Who sees what")
class HeldActionsShown(Rules):
    """All see which action a seat holds."""

    def views(self, state: State) -> dict[int | None, dict[str, object]]:
        """Show them."""
        return {
            viewer: {**seen, "held": state.held} for viewer, seen in super().views(state).items()
        }


@planted(TURN_FAULTS, "Draws")
class DealsInTurns(Rules):
    """Hands are dealt card by card, not five at once."""

    def deal(self, state: State, seat: int, doing: Doing) -> State:
        """Leave the hands to the last seat, then deal all in turns."""
        order = self.turn_order(state)
        if seat != order[-1]:
            return state
        for other in order * 5:
            state, dealt = self.draw_cards(state, 1, doing)
            state = self.into_hand(state, other, dealt)
        for other in order:
            doing.report("DEALT", other, 5, state.sorted_text(state.hands[other]))
        return state
