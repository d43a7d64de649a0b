"""The board of Offboard: cells, directions, exits, targets and the notation of actions.

Everything here is a table built once from the text of R1 and R2.
"""

from __future__ import annotations

from typing import NamedTuple

Cell = tuple[int, int]
"""A cell as (row, number), row a being 1."""

ROW_NAMES = "abcdefghi"
STEPS: dict[str, Cell] = {
    "E": (0, 1),
    "NE": (1, 1),
    "NW": (1, 0),
    "W": (0, -1),
    "SW": (-1, -1),
    "SE": (-1, 0),
}
DIRECTIONS = tuple(STEPS)
"""The six directions in canonical order, which is also once round against the clock."""


def row_cells(row: int) -> list[Cell]:
    """Give the cells of a row: a1-a5, b1-b6 ... e1-e9, f2-f9 ... i5-i9."""
    return [(row, number) for number in range(max(1, row - 4), min(9, row + 4) + 1)]


ROW_CELLS: dict[int, list[Cell]] = {row: row_cells(row) for row in range(1, 10)}
CELLS: tuple[Cell, ...] = tuple(cell for row in range(1, 10) for cell in ROW_CELLS[row])
CELL_INDEX: dict[Cell, int] = {cell: index for index, cell in enumerate(CELLS)}


def cell_text(cell: Cell) -> str:
    """Write a cell, such as `e5`."""
    return f"{ROW_NAMES[cell[0] - 1]}{cell[1]}"


CELL_OF: dict[str, Cell] = {cell_text(cell): cell for cell in CELLS}


def beside(cell: Cell, direction: str) -> Cell | None:
    """Give the next cell in a direction, or None beyond the rim."""
    rows, numbers = STEPS[direction]
    found = (cell[0] + rows, cell[1] + numbers)
    return found if found in CELL_INDEX else None


def ray(cell: Cell, direction: str) -> tuple[Cell, ...]:
    """Give the cells from a cell (itself the first) straight on to the rim."""
    cells = [cell]
    while (following := beside(cells[-1], direction)) is not None:
        cells.append(following)
    return tuple(cells)


NEXT: dict[str, dict[Cell, Cell | None]] = {
    direction: {cell: beside(cell, direction) for cell in CELLS} for direction in DIRECTIONS
}
RAYS: dict[str, dict[Cell, tuple[Cell, ...]]] = {
    direction: {cell: ray(cell, direction) for cell in CELLS} for direction in DIRECTIONS
}


def turned(direction: str, sixths: int) -> str:
    """Turn a direction by so many sixths of a circle against the clock."""
    return DIRECTIONS[(DIRECTIONS.index(direction) + sixths) % 6]


def opposite(direction: str) -> str:
    """Give the direction back."""
    return turned(direction, 3)


CORNERS: tuple[Cell, ...] = tuple(CELL_OF[text] for text in ("a1", "a5", "e9", "i9", "i5", "e1"))
Exit = tuple[Cell, str]
"""Where a marble leaves the board: its last cell and the direction."""


def side_exits(side: int) -> list[Exit]:
    """List a side's 8 exits in the order of R1: the bottom side's, with the board turned."""
    edge = RAYS[turned("E", side)][CORNERS[side]]
    bottom = (
        (0, "SE"),
        (1, "SW"),
        (1, "SE"),
        (2, "SW"),
        (2, "SE"),
        (3, "SW"),
        (3, "SE"),
        (4, "SW"),
    )
    return [(edge[place], turned(direction, side)) for place, direction in bottom]


SIDE_TARGET: dict[Exit, int] = {
    way_out: 2 * side + place // 4
    for side in range(6)
    for place, way_out in enumerate(side_exits(side))
}
"""R1: the target of each of the 48 exits that a side owns."""


class Corner(NamedTuple):
    """R2: the two targets that meet at a corner and the one that a tie goes to."""

    targets: tuple[int, int]
    on_tie: int


CORNER_EXITS: dict[Exit, Corner] = {
    (cell, turned("SW", side)): Corner(((2 * side - 1) % 12, 2 * side), on_tie)
    for side, (cell, on_tie) in enumerate(zip(CORNERS, (0, 1, 3, 5, 8, 10), strict=True))
}
EXITS: tuple[Exit, ...] = tuple(
    (cell, direction) for direction in DIRECTIONS for cell in CELLS if NEXT[direction][cell] is None
)


class Action(NamedTuple):
    """An action that can be written: `number` is its dense index, `kind` MOVE, PLACE or DECLINE."""

    text: str
    number: int
    kind: str
    cell: Cell
    direction: str


def _moves() -> list[Action]:
    """List every move that can be written: a tail cell and the cell it steps onto."""
    found = []
    for place, direction in enumerate(DIRECTIONS):
        for tail in CELLS:
            onto = NEXT[direction][tail]
            if onto is not None:
                text = cell_text(tail) + cell_text(onto)
                number = place * 61 + CELL_INDEX[tail]
                found.append(Action(text, number, "MOVE", tail, direction))
    return found


def _places() -> list[Action]:
    """List the placements of a recovered marble."""
    return [
        Action("*" + cell_text(cell), 366 + CELL_INDEX[cell], "PLACE", cell, "") for cell in CELLS
    ]


MOVES: list[Action] = _moves()
RECOVERIES: list[Action] = [*_places(), Action("-", 427, "DECLINE", (0, 0), "")]
ACTIONS: tuple[Action, ...] = (*MOVES, *RECOVERIES)
"""Every action that can be written, in canonical order, which is that of the dense index."""

ACTION_OF: dict[str, Action] = {action.text: action for action in ACTIONS}


def index_of(notation: str) -> int:
    """Give the dense index (0-427) of an action; raises ValueError for bad notation."""
    if notation not in ACTION_OF:
        raise ValueError(f"not an action: {notation!r}")
    return ACTION_OF[notation].number


def notation_of(index: int) -> str:
    """Give the action of a dense index; raises ValueError for one that no action has."""
    for action in ACTIONS:
        if action.number == index:
            return action.text
    raise ValueError(f"no action has the index {index}")
