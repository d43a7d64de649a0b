"""Boards drawn in a terminal; needs the extra `tablestate[terminal]`.

To add a game, add a module of the game's name here with a class that does what
`Board` says, under the name `BOARD`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Protocol, cast

from rich.console import RenderableType
from rich.text import Text

from tablestate.v1.game_pb2 import GameAction, GameEvent, GameOptions, GameView, OutcomeReason


class Board(Protocol):
    """How one game is shown."""

    def render(self, view: GameView) -> RenderableType:
        """Draw what a viewer may see."""

    def listing(self, view: GameView) -> str:
        """Tell in words what a drawing shows by place alone, and what it leaves out."""

    def describe(self, event: GameEvent, options: GameOptions) -> str:
        """Tell an event of a match with these options in a few words.

        Returns nothing if it goes without saying.
        """

    def heading(self, action: GameAction) -> str:
        """Say what kind of action this is, as a heading over a list of its kind."""

    def seat_name(self, seat: int) -> str:
        """Return what a seat is called at the table, as "red"."""

    def reason(self, reason: OutcomeReason.ValueType) -> str:
        """Say why the game ended; nothing for a reason that is not of this game alone."""

    @property
    def notation_help(self) -> str:
        """How actions are written."""


class _PlainBoard:
    """Shows a game without a module of its own: every field, in text."""

    notation_help = "See the rules of the game."

    def render(self, view: GameView) -> RenderableType:
        return Text(str(view).strip())

    def listing(self, view: GameView) -> str:
        return ""

    def describe(self, event: GameEvent, options: GameOptions) -> str:
        return " ".join(str(event).split())

    def heading(self, action: GameAction) -> str:
        return "Actions"

    def seat_name(self, seat: int) -> str:
        return f"seat {seat}"

    def reason(self, reason: OutcomeReason.ValueType) -> str:
        return ""


def reason_words(game: str, reason: OutcomeReason.ValueType) -> str:
    """Say why a game ended: in its words, or, of a reason newer than them, in the enum's."""
    if reason == OutcomeReason.OUTCOME_REASON_FORFEIT:
        return "all others have forfeited"
    if reason == OutcomeReason.OUTCOME_REASON_AGREEMENT:
        return "agreed"
    if reason not in OutcomeReason.values():
        return f"for reason {reason}"
    name = OutcomeReason.Name(reason).removeprefix("OUTCOME_REASON_")
    return board(game).reason(reason) or name.lower().replace("_", " ")


def board(game: str) -> Board:
    """Return the board of a game; one that shows the bare fields if it has none of its own."""
    name = f"{__name__}.{game}"
    try:
        module = import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        return _PlainBoard()
    return cast(Board, module.BOARD)


def render(view: GameView) -> RenderableType:
    """Draw what a viewer may see of any game."""
    return board(view.WhichOneof("game") or "").render(view)
