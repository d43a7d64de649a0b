from __future__ import annotations

import pytest
from rich.console import Console, RenderableType

from tablestate.boards import board, render
from tablestate.boards.offboard import cell_name
from tablestate.v1.game_pb2 import GameEvent, GameView
from tablestate.v1.offboard_pb2 import (
    OffboardDeclined,
    OffboardDirection,
    OffboardEjected,
    OffboardEvent,
    OffboardMarble,
    OffboardMoved,
    OffboardPlaced,
    OffboardTarget,
    OffboardView,
)

START = "5/YYYRRR/1YY1RR1/2Y2R2/9/2R2Y2/1RR1YY1/RRRYYY/5"
VALUES = (1, 1, 2, 3, 1, 3, 2, 2, 3, 1, 3, 2)
RED = OffboardMarble.OFFBOARD_MARBLE_RED
MARBLES = {"R": RED, "Y": OffboardMarble.OFFBOARD_MARBLE_YELLOW}
EAST = OffboardDirection.OFFBOARD_DIRECTION_E

PICTURE = """\
           [2] [2]
i         · · · · ·
h   [3]  ○ ○ ○ ● ● ●    [3]
g       · ○ ○ · ● ● ·
f [1]  · · ○ · · ● · ·    [●]
e     · · · · · · · · ·
d [3]  · · ● · · ○ · · 9  [3]
c       · ● ● · ○ ○ · 8
b   [2]  ● ● ● ○ ○ ○ 7  [2]
a         · · · · · 6
           1 2 3 4 5
           [1] [1]
● red 1   ○ yellow 0   of 6 points to win
turn 3, 2 of 100 quiet turns, position seen 2 times, red has a marble to place or give up
"""


def start_view() -> GameView:
    view = OffboardView(
        scores=[1, 0],
        recovering=0,
        quiet_turns=2,
        turn=3,
        points_to_win=6,
        quiet_limit=100,
        repetitions=2,
    )
    for row in reversed(START.split("/")):
        for mark in row:
            empty = [OffboardMarble.OFFBOARD_MARBLE_UNSPECIFIED]
            view.cells.extend(empty * int(mark) if mark.isdigit() else [MARBLES[mark]])
    view.targets.extend(OffboardTarget(value=value) for value in VALUES)
    view.targets[4].marble = RED
    return GameView(offboard=view)


def drawn(board: RenderableType) -> str:
    console = Console(width=120, no_color=True)
    with console.capture() as capture:
        console.print(board)
    return capture.get()


def test_the_start_of_offboard_is_drawn() -> None:
    assert drawn(render(start_view())) == PICTURE


def test_cells_have_the_names_of_the_rules() -> None:
    assert [cell_name(cell) for cell in (0, 4, 5, 30, 60)] == ["a1", "a5", "b1", "e5", "i9"]
    assert len({cell_name(cell) for cell in range(61)}) == 61


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (
            OffboardEvent(moved=OffboardMoved(seat=0, tail=26, direction=EAST, group=1)),
            "red steps 1 marble E from e1",
        ),
        (
            OffboardEvent(moved=OffboardMoved(seat=1, tail=26, direction=EAST, group=3, pushed=2)),
            "yellow steps 3 marbles E from e1, pushing 2",
        ),
        (
            OffboardEvent(
                ejected=OffboardEjected(owner=1, cell=34, direction=EAST, target=4, scored=1)
            ),
            "a yellow marble leaves from e9 into target 4 for 1",
        ),
        (
            OffboardEvent(ejected=OffboardEjected(owner=0, cell=34, direction=EAST, target=4)),
            "a red marble leaves from e9 into target 4, which is full, for 0",
        ),
        (
            OffboardEvent(placed=OffboardPlaced(seat=1, cell=0)),
            "yellow puts a marble back on a1",
        ),
        (OffboardEvent(declined=OffboardDeclined(seat=0)), "red gives a marble up"),
        (OffboardEvent(), ""),
    ],
)
def test_events_of_offboard_are_told_in_words(event: OffboardEvent, words: str) -> None:
    assert board("offboard").describe(GameEvent(offboard=event)) == words


def test_a_game_without_a_board_of_its_own_is_shown_plainly() -> None:
    plain = board("chess")
    assert "points_to_win: 6" in drawn(plain.render(start_view()))
    assert plain.describe(GameEvent(offboard=OffboardEvent())) == "offboard { }"
    assert plain.seat_name(2) == "seat 2"
