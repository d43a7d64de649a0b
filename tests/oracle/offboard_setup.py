"""Options and positions of Offboard as text: reading, writing and their formal faults."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from .common import SetupFault
from .offboard_board import ROW_CELLS, Cell

RED, YELLOW = 0, 1
COLOURS = "RY"
SEATS = "ry"
START = "5/YYYRRR/1YY1RR1/2Y2R2/9/2R2Y2/1RR1YY1/RRRYYY/5 r ............ 0-0 - 0 1"
TARGET_VALUES = (1, 1, 2, 3, 1, 3, 2, 2, 3, 1, 3, 2)
MOST_MARBLES = 30
NUMBER = "(0|[1-9][0-9]{0,999})"


@dataclass(frozen=True)
class Options:
    """The options of a match (R1 for the default target values)."""

    points_to_win: int = 6
    quiet_limit: int = 100
    position: str | None = None
    target_values: tuple[int, ...] = TARGET_VALUES


class Position(NamedTuple):
    """The seven fields of a position; a target holds the colour lying there or None."""

    marbles: Mapping[Cell, int]
    seat: int
    targets: tuple[int | None, ...]
    scores: tuple[int, int]
    pending: int | None
    quiet: int
    turn: int


def row_text(marbles: Mapping[Cell, int], row: int) -> str:
    """Write a row: a letter for a marble, one digit for a run of empty cells."""
    text, empty = "", 0
    for cell in ROW_CELLS[row]:
        colour = marbles.get(cell)
        if colour is None:
            empty += 1
            continue
        text += (str(empty) if empty else "") + COLOURS[colour]
        empty = 0
    return text + (str(empty) if empty else "")


def target_text(target: int | None) -> str:
    """Write a target: the colour lying there or a dot."""
    return "." if target is None else COLOURS[target]


def repetition_text(position: Position) -> str:
    """Write the first five fields: the whole position that R4 compares."""
    rows = "/".join(row_text(position.marbles, row) for row in range(9, 0, -1))
    targets = "".join(map(target_text, position.targets))
    pending = "-" if position.pending is None else SEATS[position.pending]
    red, yellow = position.scores
    return f"{rows} {SEATS[position.seat]} {targets} {red}-{yellow} {pending}"


def position_text(position: Position) -> str:
    """Write a position's seven fields."""
    return f"{repetition_text(position)} {position.quiet} {position.turn}"


def _read_row(text: str, row: int) -> dict[Cell, int] | None:
    """Read a row, or give None when it is malformed."""
    if not re.fullmatch("[RY1-9]*", text) or re.search("[0-9][0-9]", text):
        return None
    spread = "".join("." * int(sign) if sign.isdigit() else sign for sign in text)
    cells = ROW_CELLS[row]
    if len(spread) != len(cells):
        return None
    return {
        cell: COLOURS.index(sign) for cell, sign in zip(cells, spread, strict=True) if sign != "."
    }


def _read_rows(text: str) -> dict[Cell, int] | None:
    """Read the rows i to a, or give None when they are malformed."""
    parts = text.split("/")
    if len(parts) != 9:
        return None
    marbles: dict[Cell, int] = {}
    for row, part in zip(range(9, 0, -1), parts, strict=True):
        found = _read_row(part, row)
        if found is None:
            return None
        marbles.update(found)
    return marbles


FIELD_FORMS: tuple[tuple[str, str], ...] = (
    ("SEAT", "[ry]"),
    ("TARGETS", "[.RY]{12}"),
    ("SCORES", f"{NUMBER}-{NUMBER}"),
    ("PENDING", "[ry-]"),
    ("QUIET", NUMBER),
    ("TURN", "[1-9][0-9]{0,999}"),
)
"""The forms of the fields after the rows; numbers have no leading zeros."""


def malformed(text: str) -> list[str]:
    """List the malformed fields of a position's text (FIELDS when there are not seven)."""
    fields = text.split(" ")
    if len(fields) != 7:
        return ["FIELDS"]
    rows = [] if _read_rows(fields[0]) is not None else ["ROWS"]
    forms = zip(FIELD_FORMS, fields[1:], strict=True)
    return rows + [kind for (kind, form), field in forms if not re.fullmatch(form, field)]


def _read_target(sign: str) -> int | None:
    """Read one target's sign."""
    return None if sign == "." else COLOURS.index(sign)


def read_position(text: str) -> Position:
    """Read a position; raises ValueError when it is malformed."""
    if faults := malformed(text):
        raise ValueError(f"malformed position: {', '.join(faults)}")
    rows, seat, targets, scores, pending, quiet, turn = text.split(" ")
    red, yellow = scores.split("-")
    return Position(
        marbles=_read_rows(rows) or {},
        seat=SEATS.index(seat),
        targets=tuple(map(_read_target, targets)),
        scores=(int(red), int(yellow)),
        pending=None if pending == "-" else SEATS.index(pending),
        quiet=int(quiet),
        turn=int(turn),
    )


def option_faults(options: Options) -> list[SetupFault]:
    """List the faults of the options without the position."""
    faults = []
    values_good = len(options.target_values) == 12
    if not values_good:
        faults.append(("target_values", "COUNT"))
    if any(not 1 <= value <= 3 for value in options.target_values):
        faults.append(("target_values", "RANGE"))
        values_good = False
    if not 1 <= options.points_to_win <= 24:
        faults.append(("points_to_win", "RANGE"))
    elif values_good and options.points_to_win > sum(options.target_values):
        faults.append(("points_to_win", "ABOVE_SUM"))
    if not 10 <= options.quiet_limit <= 1000:
        faults.append(("quiet_limit", "RANGE"))
    return faults


def count_faults(position: Position) -> list[str]:
    """List too many marbles of a colour (a pending one counted), and a pending out of turn."""
    faults = []
    for seat, name in ((RED, "RED"), (YELLOW, "YELLOW")):
        count = sum(colour == seat for colour in position.marbles.values())
        if count + (position.pending == seat) > MOST_MARBLES:
            faults.append(f"TOO_MANY_{name}")
    if position.pending is not None and position.pending != position.seat:
        faults.append("PENDING_NOT_TO_ACT")
    return faults
