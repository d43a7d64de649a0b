"""The hexagonal board of Offboard with the targets round its rim."""

from __future__ import annotations

from collections import defaultdict

from rich.text import Text

from tablestate.v1.game_pb2 import GameAction, GameEvent, GameOptions, GameView, OutcomeReason
from tablestate.v1.offboard_pb2 import (
    OffboardDirection,
    OffboardEjected,
    OffboardMarble,
    OffboardMoved,
    OffboardTarget,
    OffboardView,
)

_ROWS = "abcdefghi"
_NAMES = ("red", "yellow")
_STYLES = {
    OffboardMarble.OFFBOARD_MARBLE_RED: "bold red",
    OffboardMarble.OFFBOARD_MARBLE_YELLOW: "bold yellow",
}
_MARBLES = {
    OffboardMarble.OFFBOARD_MARBLE_UNSPECIFIED: "·",
    OffboardMarble.OFFBOARD_MARBLE_RED: "●",
    OffboardMarble.OFFBOARD_MARBLE_YELLOW: "○",  # told apart without colours as well
}

_CELLS = [
    (row, number)
    for row in range(9)
    for number in range(max(1, row - 3), min(9, row + 5) + 1)
]  # fmt: skip
_LEFT = 8

_HEADINGS = {
    "move": "Move: the group's last marble, and the cell it steps onto",
    "place": "Put the waiting marble on a cell",
    "decline": "Give the waiting marble up",
}

_REASONS = {
    OutcomeReason.OUTCOME_REASON_OFFBOARD_POINTS: "the points to win are reached",
    OutcomeReason.OUTCOME_REASON_OFFBOARD_REPETITION: "the position stood for the third time",
    OutcomeReason.OUTCOME_REASON_OFFBOARD_QUIET_LIMIT: "too many turns without a score",
    OutcomeReason.OUTCOME_REASON_OFFBOARD_OUT_OF_REACH: "nobody can reach the points to win",
    OutcomeReason.OUTCOME_REASON_OFFBOARD_NO_MOVE: "there is no legal move",
}

# Where each target's marker begins: outside the middle of its half of a side.
_TARGET_PLACES = (
    (-2, 11), (-2, 15),  # along the bottom
    (1, 24), (3, 26),    # up the right
    (5, 26), (7, 24),
    (9, 15), (9, 11),    # along the top, from the right
    (7, 4), (5, 2),      # down the left
    (3, 2), (1, 4),
)  # fmt: skip


class _Canvas:
    """Styled characters by line (upwards) and column."""

    def __init__(self) -> None:
        self._lines: defaultdict[int, dict[int, tuple[str, str]]] = defaultdict(dict)

    def put(self, line: int, column: int, text: str, style: str = "") -> None:
        for offset, mark in enumerate(text):
            self._lines[line][column + offset] = (mark, style)

    def to_text(self) -> Text:
        upwards = sorted(self._lines)
        return Text("\n").join(self._line(line) for line in reversed(upwards))

    def _line(self, line: int) -> Text:
        marks, text = self._lines[line], Text()
        for column in range(max(marks) + 1):
            text.append(*marks.get(column, (" ", "")))
        return text


def _column(row: int, number: int) -> int:
    """Return where a cell stands: a step E is two to the right, a step NW one to the left."""
    return _LEFT + 2 * number - row


def cell_name(cell: int) -> str:
    """Return the name of a cell, 0 to 60, as "e5"."""
    row, number = _CELLS[cell]
    return f"{_ROWS[row]}{number}"


class OffboardBoard:
    """Draws Offboard."""

    notation_help = (
        "A move is the cell of the group's last marble and the cell it steps onto:\n"
        "e3e4 steps the unbroken run of your marbles from e3 towards e4. *d5 puts a\n"
        "waiting marble on d5, - gives it up. On the board, [2] is an empty target\n"
        "worth 2."
    )

    def seat_name(self, seat: int) -> str:
        """Return the colour of a seat."""
        return _NAMES[seat]

    def render(self, view: GameView) -> Text:
        """Draw the board, the targets and the scores."""
        offboard, canvas = view.offboard, _Canvas()
        _draw_labels(canvas)
        for (row, number), marble in zip(_CELLS, offboard.cells, strict=True):
            canvas.put(row, _column(row, number), _MARBLES[marble], _STYLES.get(marble, "dim"))
        for (line, column), target in zip(_TARGET_PLACES, offboard.targets, strict=True):
            _draw_target(canvas, line, column, target)
        return Text("\n").join([canvas.to_text(), _scores(offboard), Text(_standing(offboard))])

    def listing(self, view: GameView) -> str:
        """Name the cells of each colour's marbles, what the targets hold, and who is to act."""
        offboard = view.offboard
        lines = [f"{name}: {_cells_of(offboard, seat)}" for seat, name in enumerate(_NAMES)]
        targets = " ".join(map(_target_words, range(len(offboard.targets)), offboard.targets))
        to_act = _NAMES["ry".index(offboard.position.split()[1])]
        return "\n".join([*lines, f"targets, by number: {targets}", f"{to_act} is to act"])

    def describe(self, event: GameEvent, options: GameOptions) -> str:
        """Tell an event in a few words."""
        offboard = event.offboard
        match offboard.WhichOneof("event"):
            case "moved":
                return _describe_move(offboard.moved)
            case "ejected":
                return _describe_ejection(offboard.ejected)
            case "placed":
                placed = offboard.placed
                return f"{_NAMES[placed.seat]} puts a marble back on {cell_name(placed.cell)}"
            case "declined":
                return f"{_NAMES[offboard.declined.seat]} gives a marble up"
        return ""

    def reason(self, reason: OutcomeReason.ValueType) -> str:
        """Say why the game ended."""
        return _REASONS.get(reason, "")

    def heading(self, action: GameAction) -> str:
        """Say what kind of action this is."""
        return _HEADINGS[action.offboard.WhichOneof("action") or "move"]


def _draw_labels(canvas: _Canvas) -> None:
    for row, name in enumerate(_ROWS):
        canvas.put(row, 0, name, "dim")
    for number in range(1, 10):
        below = max(0, number - 5) - 1  # one step SE of the column's lowest cell
        canvas.put(below, _column(below, number), str(number), "dim")


def _draw_target(canvas: _Canvas, line: int, column: int, target: OffboardTarget) -> None:
    style = _STYLES.get(target.marble, "cyan")
    inside = _MARBLES[target.marble] if target.marble else str(target.value)
    canvas.put(line, column, f"[{inside}]", style)


def _cells_of(view: OffboardView, seat: int) -> str:
    marble = OffboardMarble.values()[1 + seat]
    named = (cell_name(cell) for cell, each in enumerate(view.cells) if each == marble)
    return " ".join(named) or "no marbles"


def _target_words(number: int, target: OffboardTarget) -> str:
    inside = _NAMES[target.marble - 1] if target.marble else "empty"
    return f"{number}={target.value},{inside}"


def _scores(view: OffboardView) -> Text:
    text = Text()
    marbles = (OffboardMarble.OFFBOARD_MARBLE_RED, OffboardMarble.OFFBOARD_MARBLE_YELLOW)
    for name, marble, score in zip(_NAMES, marbles, view.scores, strict=True):
        text.append(f"{_MARBLES[marble]} {name} {score}", _STYLES[marble])
        text.append("   ")
    return text.append(f"of {view.points_to_win} points to win")


def _standing(view: OffboardView) -> str:
    standing = f"turn {view.turn}, {view.quiet_turns} of {view.quiet_limit} quiet turns"
    if view.repetitions > 1:
        standing += f", position seen {view.repetitions} times"
    if view.HasField("recovering"):
        standing += f", {_NAMES[view.recovering]} has a marble to place or give up"
    return standing


def _direction(direction: OffboardDirection.ValueType) -> str:
    return OffboardDirection.Name(direction).rpartition("_")[2]


def _describe_move(moved: OffboardMoved) -> str:
    group = f"{moved.group} marble" + "s" * (moved.group > 1)
    pushed = f", pushing {moved.pushed}" if moved.pushed else ""
    steps = f"{group} {_direction(moved.direction)} from {cell_name(moved.tail)}"
    return f"{_NAMES[moved.seat]} steps {steps}{pushed}"


def _describe_ejection(ejected: OffboardEjected) -> str:
    full = "" if ejected.scored else ", which is full,"
    marble = f"a {_NAMES[ejected.owner]} marble leaves from {cell_name(ejected.cell)}"
    return f"{marble} into target {ejected.target}{full} for {ejected.scored}"


BOARD = OffboardBoard()
