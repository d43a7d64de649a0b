"""Planted faults of Offboard: the win, R4, R5, R6 and R7."""

from __future__ import annotations

from dataclasses import replace

from .common import Event, SetupFault
from .fault import Fault, planted
from .offboard import RULES, Rules
from .offboard_setup import RED, YELLOW, Options
from .offboard_state import State

END_FAULTS: list[Fault[Rules]] = []


class InPlay(Rules):
    """Rules that refuse set-ups like the clean ones, so that a fault shows in play only."""

    def validate(self, options: Options) -> list[SetupFault]:
        """Ask the clean rules."""
        return RULES.validate(options)


# Win


@planted(END_FAULTS, "End")
class WinNeedsMore(Rules):
    """The points to win are not enough, it takes more."""

    def has_won(self, state: State) -> bool:
        """Compare off by one."""
        return state.scores[state.seat] > state.options.points_to_win


@planted(END_FAULTS, "End")
class WinAdvancesTurn(Rules):
    """After a win the turn number is that of the next turn."""

    def win(self, state: State) -> State:
        """Count on."""
        return super().win(replace(state, turn=state.turn + 1))


@planted(END_FAULTS, "End")
class WinPassesSeat(Rules):
    """After a win the seat to act is the loser."""

    def win(self, state: State) -> State:
        """Pass the turn on."""
        won = super().win(state)
        return replace(won, seat=1 - won.seat)


@planted(END_FAULTS, "End")
class WinKeepsQuiet(Rules):
    """The winning move does not reset the quiet turns."""

    def quiet_after(self, state: State, events: list[Event]) -> int:
        """Leave the count as it is."""
        return state.quiet if self.has_won(state) else super().quiet_after(state, events)


# Draws


@planted(END_FAULTS, "End")
class DrawKeepsSeat(Rules):
    """After a draw the seat to act is the one that moved last."""

    def draw(self, state: State, reason: str) -> State:
        """Take the seat back."""
        return super().draw(replace(state, seat=1 - state.seat), reason)


@planted(END_FAULTS, "End")
class DrawKeepsTurn(Rules):
    """After a draw the turn number is that of the last move."""

    def draw(self, state: State, reason: str) -> State:
        """Take the number back."""
        return super().draw(replace(state, turn=state.turn - 1), reason)


@planted(END_FAULTS, "End")
class DrawDropsRecovery(Rules):
    """After a draw no recovery is pending."""

    def draw(self, state: State, reason: str) -> State:
        """Drop it."""
        return super().draw(replace(state, pending=None), reason)


# R4


@planted(END_FAULTS, "R4")
class RepetitionTwice(Rules):
    """The game is drawn when a position stands for the second time."""

    def repeated(self, state: State) -> bool:
        """Count to two."""
        return state.history.count(state.history[-1]) >= 2


@planted(END_FAULTS, "R4")
class RepetitionFourTimes(Rules):
    """The game is drawn only when a position stands for the fourth time."""

    def repeated(self, state: State) -> bool:
        """Count to four."""
        return state.history.count(state.history[-1]) >= 4


@planted(END_FAULTS, "R4")
class StartNotCounted(Rules):
    """The position at the start does not count as the first."""

    def first_history(self, state: State) -> tuple[str, ...]:
        """Begin with nothing."""
        return ()


@planted(END_FAULTS, "R4")
class RepetitionIgnoresPending(Rules):
    """Positions that differ in the pending recovery alone count as the same."""

    def repetition_key(self, state: State) -> str:
        """Leave the recovery out."""
        return super().repetition_key(replace(state, pending=None))


@planted(END_FAULTS, "R4")
class RepetitionIgnoresSeat(Rules):
    """Positions that differ in the seat to act alone count as the same."""

    def repetition_key(self, state: State) -> str:
        """Leave the seat out."""
        return super().repetition_key(replace(state, seat=RED))


@planted(END_FAULTS, "R4")
class RepetitionComparesQuiet(Rules):
    """Positions that differ in the quiet turns alone count as different."""

    def repetition_key(self, state: State) -> str:
        """Put the count in."""
        return f"{super().repetition_key(state)} {state.quiet}"


@planted(END_FAULTS, "R4")
class DeclineCountsForRepetition(Rules):
    """The position after a DECLINE counts though no turn has ended."""

    def decline(self, state: State) -> tuple[State, list[Event]]:
        """Note the position."""
        after, events = super().decline(state)
        return replace(after, history=(*after.history, self.repetition_key(after))), events


# R5


@planted(END_FAULTS, "R5")
class QuietOneLate(InPlay):
    """The draw comes one quiet turn too late."""

    def too_quiet(self, state: State) -> bool:
        """Compare off by one."""
        return state.quiet > state.options.quiet_limit


@planted(END_FAULTS, "R5")
class QuietOneEarly(InPlay):
    """The draw comes one quiet turn too early."""

    def draw_reason(self, state: State) -> str | None:
        """Count one more."""
        return super().draw_reason(replace(state, quiet=state.quiet + 1))


@planted(END_FAULTS, "R5")
class QuietNotReset(InPlay):
    """A marble resting in an empty target does not reset the quiet turns."""

    def quiet_after(self, state: State, events: list[Event]) -> int:
        """Only count."""
        return state.quiet + 1


@planted(END_FAULTS, "R5")
class FullEjectionResetsQuiet(InPlay):
    """An ejection to a full target resets the quiet turns."""

    def quiet_after(self, state: State, events: list[Event]) -> int:
        """Take any ejection."""
        return 0 if any(event[0] == "EJECTED" for event in events) else state.quiet + 1


@planted(END_FAULTS, "R5")
class PlaceIsNoQuietTurn(InPlay):
    """A turn with PLACE does not count as a quiet one."""

    def quiet_after(self, state: State, events: list[Event]) -> int:
        """Skip it."""
        return state.quiet if events[0][0] == "PLACED" else super().quiet_after(state, events)


@planted(END_FAULTS, "R5")
class QuietBeforeRepetition(InPlay):
    """R5 is tested before R4."""

    def draw_reason(self, state: State) -> str | None:
        """Test in the wrong order."""
        return "QUIET_LIMIT" if self.too_quiet(state) else super().draw_reason(state)


# R6


@planted(END_FAULTS, "R6")
class ReachOfEither(InPlay):
    """The game is drawn when one of the seats cannot reach the points any more."""

    def out_of_reach(self, state: State) -> bool:
        """Ask for any instead of all."""
        points = state.options.points_to_win
        return any(self.reach(state, seat) < points for seat in (RED, YELLOW))


@planted(END_FAULTS, "R6")
class ReachOfSeatToAct(InPlay):
    """R6 looks at the seat to act alone, after a turn."""

    def draw_reason(self, state: State) -> str | None:
        """Look at one seat."""
        right = super().draw_reason(state)
        short = self.reach(state, state.seat) < state.options.points_to_win
        return "OUT_OF_REACH" if right is None and short else right


@planted(END_FAULTS, "R6")
class ReachMustExceed(InPlay):
    """R6 holds already when the points can just be reached."""

    def reach(self, state: State, seat: int) -> int:
        """Compare off by one."""
        return super().reach(state, seat) - 1


@planted(END_FAULTS, "R6")
class ReachByMarblesLeft(InPlay):
    """R6 counts only as many targets as the other colour has marbles left."""

    def reach(self, state: State, seat: int) -> int:
        """Sum the best targets, one a marble."""
        left = sum(colour != seat for colour in state.marbles.values())
        left += state.pending == 1 - seat
        return state.scores[seat] + sum(sorted(self.empty_values(state), reverse=True)[:left])


@planted(END_FAULTS, "R6")
class ReachNeverTested(InPlay):
    """R6 is not tested after a turn."""

    def draw_reason(self, state: State) -> str | None:
        """Forget R6."""
        right = super().draw_reason(state)
        return None if right == "OUT_OF_REACH" else right


# R7


@planted(END_FAULTS, "R7")
class StuckNotTestedAfterDecline(InPlay):
    """R7 is not tested after a DECLINE."""

    def decline(self, state: State) -> tuple[State, list[Event]]:
        """Skip the test."""
        _, events = super().decline(state)
        return replace(state, pending=None), events


@planted(END_FAULTS, "R7")
class StuckPasses(InPlay):
    """A seat that has no move when its turn begins is passed over."""

    def end_turn(self, state: State, events: list[Event]) -> State:
        """Give the turn back."""
        after = super().end_turn(state, events)
        if after.result is None or after.result.reason != "NO_MOVE":
            return after
        return replace(after, result=None, seat=state.seat)


@planted(END_FAULTS, "R7")
class StuckBeforeDraws(InPlay):
    """R7 is tested before the draws."""

    def draw_reason(self, state: State) -> str | None:
        """Prefer the loss."""
        return None if self.cannot_act(state) else super().draw_reason(state)


@planted(END_FAULTS, "R7")
class StuckWins(InPlay):
    """The seat without a move wins."""

    def lose_if_stuck(self, state: State) -> State:
        """Swap the winner."""
        right = super().lose_if_stuck(state)
        return right if right.result is None else self.over(state, (state.seat,), "NO_MOVE")


@planted(END_FAULTS, "R7")
class StuckIsDraw(InPlay):
    """The game is drawn when the seat to act has no move."""

    def lose_if_stuck(self, state: State) -> State:
        """Let nobody win."""
        right = super().lose_if_stuck(state)
        return right if right.result is None else self.over(state, (), "NO_MOVE")


@planted(END_FAULTS, "R7")
class StuckSeatIsWinner(InPlay):
    """After R7 the seat to act is the winner."""

    def lose_if_stuck(self, state: State) -> State:
        """Turn the seat round."""
        right = super().lose_if_stuck(state)
        return right if right.result is None else replace(right, seat=1 - right.seat)


@planted(END_FAULTS, "R7")
class StuckDespiteRecovery(InPlay):
    """A seat with a recovery but no move loses at once."""

    def cannot_act(self, state: State) -> bool:
        """Look at the moves alone."""
        return super().cannot_act(replace(state, pending=None))
