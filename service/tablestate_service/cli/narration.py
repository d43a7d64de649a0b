"""A match told in lines and boards."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console

from tablestate import (
    GameView,
    Match,
    MatchChange,
    MatchPhase,
    MatchUpdate,
    Outcome,
    OutcomeReason,
)
from tablestate.boards import board


class Narrator:
    """Tells the entries of one match, in the order in which they come."""

    def __init__(self, console: Console, match: Match) -> None:
        """Tell about `match` on `console`."""
        self._console = console
        self._board = board(match.game)
        self._names = {seat.seat: seat.display_name for seat in match.seats}

    @property
    def notation_help(self) -> str:
        """How actions of the game are written."""
        return self._board.notation_help

    def seat(self, seat: int) -> str:
        """Return what a seat is called, with its player: "red (Ada)"."""
        name, player = self._board.seat_name(seat), self._names.get(seat)
        return f"{name} ({player})" if player else name

    def follow(self, updates: Iterable[MatchUpdate], board_every: int) -> list[MatchUpdate]:
        """Tell all entries, draw the board after every so many actions and at the end.

        With `board_every` 0 the board is drawn at the end only. Returns the entries.
        """
        told = []
        for update in updates:
            self.tell(update)
            if update.HasField("view") and _is_shown(update, board_every):
                self.draw(update.view)
            told.append(update)
        return told

    def tell(self, update: MatchUpdate) -> None:
        """Print what an entry says, and the result if it is the last."""
        if update.display_name:
            self._names[update.seat] = update.display_name
        line = f"{update.version:>4}  {self._line(update)}"
        self._console.print(line, highlight=False, markup=False, soft_wrap=True)
        if update.phase == MatchPhase.MATCH_PHASE_OVER:
            result = self.result(update.outcome)
            self._console.print(result, style="bold", highlight=False, markup=False)

    def draw(self, view: GameView) -> None:
        """Draw the board."""
        self._console.print()
        self._console.print(self._board.render(view))
        self._console.print()

    def result(self, outcome: Outcome) -> str:
        """Return the result in a line."""
        winners = " and ".join(map(self.seat, outcome.winners))
        verdict = f"{winners} wins" if winners else "a draw"
        scores = "-".join(map(str, outcome.scores))
        reason = OutcomeReason.Name(outcome.reason).removeprefix("OUTCOME_REASON_")
        return f"Result: {verdict}, {scores}, {reason.lower().replace('_', ' ')}"

    def _line(self, update: MatchUpdate) -> str:
        if update.events:
            return "; ".join(self._board.describe(event) for event in update.events)
        change = MatchChange.Name(update.change).removeprefix("MATCH_CHANGE_")
        words = change.lower().replace("_", " ")
        return f"{words}: {self.seat(update.seat)}" if update.HasField("seat") else words


def _is_shown(update: MatchUpdate, every: int) -> bool:
    if update.phase == MatchPhase.MATCH_PHASE_OVER:
        return True
    is_action = update.change == MatchChange.MATCH_CHANGE_ACTION
    return is_action and every > 0 and update.ply % every == 0
