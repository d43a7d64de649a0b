"""A match told in lines and boards."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console

from tablestate import (
    GameAction,
    GameView,
    Match,
    MatchChange,
    MatchPhase,
    MatchUpdate,
    Outcome,
)
from tablestate.boards import board
from tablestate.text import describe_outcome, describe_update


class Narrator:
    """Tells the entries of one match, in the order in which they come."""

    def __init__(self, console: Console, match: Match) -> None:
        """Tell about `match` on `console`."""
        self._console = console
        self._game = match.game
        self._options = match.options
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

    def heading(self, action: GameAction) -> str:
        """Say what kind of action this is."""
        return self._board.heading(action)

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
        if update.previous_seats:
            before = self._names
            self._names = {
                now: before.get(was, "") for now, was in enumerate(update.previous_seats)
            }
        told = describe_update(update, self._options, self.seat)
        lines = _folded(told, self._console.width - 6)
        text = f"{update.version:>4}  " + "\n      ".join(lines)
        self._console.print(text, highlight=False, markup=False, soft_wrap=True)
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
        return describe_outcome(self._game, outcome, self.seat)


def _folded(parts: Iterable[str], width: int) -> list[str]:
    """Join what is told into lines that are no wider, breaking none of the parts."""
    lines: list[str] = []
    for part in parts:
        if lines and len(lines[-1]) + len("; ") + len(part) <= width:
            lines[-1] += f"; {part}"
        else:
            lines.append(part)
    return lines


def _is_shown(update: MatchUpdate, every: int) -> bool:
    if update.phase == MatchPhase.MATCH_PHASE_OVER:
        return True
    is_action = update.change == MatchChange.MATCH_CHANGE_ACTION
    return is_action and every > 0 and update.ply % every == 0
