"""The state of an Offboard game and a move taken apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from .common import Event, Outcome
from .offboard_board import MOVES, RECOVERIES, Action, Cell
from .offboard_setup import Options, Position

Marbles = Mapping[Cell, int]


@dataclass(frozen=True)
class State:
    """A state: the position's fields, the options, R4's history and the result once over."""

    options: Options
    marbles: Marbles
    seat: int
    targets: tuple[int | None, ...]
    scores: tuple[int, int]
    pending: int | None
    quiet: int
    turn: int
    history: tuple[str, ...] = ()
    result: Outcome | None = None

    @property
    def actor(self) -> int | None:
        """The seat that must decide, None when the game is over."""
        return self.seat if self.result is None else None

    @property
    def position(self) -> Position:
        """The seven fields of the position."""
        return Position(
            self.marbles,
            self.seat,
            self.targets,
            self.scores,
            self.pending,
            self.quiet,
            self.turn,
        )


class Move(NamedTuple):
    """A legal move taken apart: who moves, who is pushed, whether the last one leaves."""

    tail: Cell
    direction: str
    group: tuple[Cell, ...]
    pushed: tuple[Cell, ...]
    ejects: bool


def run(marbles: Marbles, cells: tuple[Cell, ...], colour: int) -> tuple[Cell, ...]:
    """Take the unbroken run of a colour at the head of a line of cells."""
    length = 0
    for cell in cells:
        if marbles.get(cell) != colour:
            break
        length += 1
    return cells[:length]


def candidates(state: State) -> list[Action]:
    """List the actions in canonical order without the moves of cells that hold no own marble."""
    marbles, seat = state.marbles, state.seat
    return [move for move in MOVES if marbles.get(move.cell) == seat] + RECOVERIES


def scored(events: list[Event]) -> bool:
    """Say whether a marble came to rest in an empty target in this turn."""
    return any(event[0] == "EJECTED" and event[5] != 0 for event in events)
