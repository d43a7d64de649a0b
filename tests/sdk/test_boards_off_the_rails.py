from __future__ import annotations

import io
import sys
from collections.abc import Iterable

import pytest
from rich.console import Console, RenderableType

from support.off_the_rails import (
    AISLE,
    BLACK,
    BLUE,
    COMPACT,
    EAST,
    GREEN,
    NORTH,
    RED,
    SOUTH,
    WHITE,
    cart,
    exits,
    jewels,
    square,
)
from tablestate.boards import board, reason_words, render
from tablestate.v1 import off_the_rails_pb2 as pb
from tablestate.v1.game_pb2 import GameAction, GameView, OutcomeReason
from tablestate_service.cli.output import allow_any_output

Cart = pb.OffTheRailsCart
SUPPLY, UNDERGROUND, SURFACE, OUT = pb.OffTheRailsCartPlace.values()[1:]

PICTURE = """\
     Na     Nb     Nc     Nd     Ne     Nf     Ng     Nh
                   │krgd          kkrgd
W8   ·      ·      ├0w▾3─────────┬───── ·      ·     ────────E8
             g     │             │7*
W7──────────┬──────┤      r3    ─┼1w?6──┐      y3     ·      E7
            │       kr           │
W6   ·      │     [r]     r5     └─────(r)     y5     ·      E6
            │
W5   ·     ─┘      r7     r8     y6     y7     y8     ·      E5

W4   ·      b1     b2     b3     g1     g2     g3     ·      E4

W3   ·      b4    [b]     b5     g4    [g]     g5     ·      E3
                   │
W2   ·      b6     │      b8     g6     g7     g8     ·      E2
            │r     │                           │
W1   ·      ├──────┘      ·      ·      ·      │      ·      E1
     Sa     Sb     Sc     Sd     Se     Sf     1b▴3   Sh
* e7: 4 Rubies, 2 Emeralds, 1 Gold

   seat     side   score  Rock  Ruby  Emerald  Gold  Diamond  missions
   seat 0   north     12     1     3        0     0        1  2 11
▸  seat 1   south      0     0     0        0     0        0  -
   bag                       8    20       12     9        4
   removed                   0     1        0     0        0

cart  at      faces  speed  hold   where it would go now
0w    c8      south  3      kkred  c7 b7 b6, collide facing south, 1 left
0b    supply
1w    e7      ?      6      rg
1b    Sg      north  3      -      g1, derail facing north, 2 left

Cards shown: red 1 3, yellow 2, green 5, blue -
Deposit cards to come: 9, the next one of red, blue, Chasm Card
Chasm tokens to come: 4 red, 4 yellow, 3 green, 4 blue
Chasm tokens put out: 1 green
Seat 1 has turned the Chasm Card. The Chasm opens after its next turn.
Mission 1, Full Hold: bank five jewels with one cart
Mission 9, Double Shift: bank a jewel with each of your two carts
This turn has brought: 1b has banked, Full Hold, Shakedown
1w moves, 2 steps left, in from the north, may take 1 jewel
It has taken jewels from e8 d8
Then the other cart moves
Seat 1 is to decide: take a jewel, or nothing more.
"""


def squares() -> Iterable[pb.OffTheRailsSquare]:
    laid = """b1NES:r c1NW g1NS c2NS b5NW b6NS c6:kr e6NE a7EW b7ESW:g c7NSW e7NESW:rrrreeg f7SW
    c8NES:krgd d8EW e8ESW:kkrgd h8EW"""
    for each in laid.split():
        track, _, lying = each.partition(":")
        yield pb.OffTheRailsSquare(
            square=square(track), exits=exits(track[2:]), jewels=jewels(lying)
        )
    yield pb.OffTheRailsSquare(square=square("f6"), token=RED)


def players() -> list[pb.OffTheRailsPlayer]:
    first = Cart(
        place=UNDERGROUND, square=square("c8"), facing=SOUTH, speed=3, hold=jewels("kkred")
    )
    second = Cart(place=UNDERGROUND, square=square("e7"), speed=6, hold=jewels("rg"))
    placed = Cart(place=SURFACE, square=6, facing=NORTH, speed=3)
    in_supply = Cart(place=SUPPLY)
    return [
        pb.OffTheRailsPlayer(
            white=first, black=in_supply, stockpile=[1, 3, 0, 0, 1], claimed=[2, 11]
        ),
        pb.OffTheRailsPlayer(white=second, black=placed, stockpile=[0] * 5),
    ]


def table() -> pb.OffTheRailsTable:
    return pb.OffTheRailsTable(
        step=pb.OFF_THE_RAILS_STEP_TAKE,
        turn_of=1,
        squares=squares(),
        players=players(),
        bag=[8, 20, 12, 9, 4],
        removed=[0, 1, 0, 0, 0],
        cards=[pb.OffTheRailsCards(numbers=shown) for shown in ([1, 3], [2], [5], [])],
        deck=pb.OffTheRailsDeck(size=9, top=[RED, BLUE], chasm_card_on_top=True),
        chasm=pb.OffTheRailsChasm(opener=1, to_come=[4, 4, 3, 4], put_out=[0, 0, 1, 0]),
        missions=[1, 9],
        deeds=pb.OffTheRailsDeeds(black_banked=True, met=[1, 6]),
        move=pb.OffTheRailsMove(
            cart=WHITE,
            steps_left=2,
            takings_left=1,
            entered_by=NORTH,
            other_to_move=True,
            taken_from=[square("e8"), square("d8")],
        ),
    )


def view() -> pb.OffTheRailsView:
    ways = [
        pb.OffTheRailsPreview(
            cart=cart(0, WHITE),
            squares=map(square, ("c7", "b7", "b6")),
            end=pb.OFF_THE_RAILS_PREVIEW_END_COLLISION,
            steps_left=1,
            facing=SOUTH,
        ),
        pb.OffTheRailsPreview(
            cart=cart(1, BLACK),
            squares=[square("g1")],
            end=pb.OFF_THE_RAILS_PREVIEW_END_DERAILMENT,
            steps_left=2,
            facing=NORTH,
        ),
    ]
    return pb.OffTheRailsView(
        board=COMPACT, sides=[NORTH, SOUTH], table=table(), scores=[12, 0], preview=ways
    )


def drawn(shown: pb.OffTheRailsView) -> str:
    return printed(render(GameView(off_the_rails=shown)))


def printed(renderable: RenderableType) -> str:
    console = Console(width=80, color_system=None)
    with console.capture() as capture:
        console.print(renderable)
    return "".join(f"{line.rstrip()}\n" for line in capture.get().splitlines())


def test_a_position_is_drawn() -> None:
    assert drawn(view()) == PICTURE


def test_lines_are_shown_where_not_every_character_can_be(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    allow_any_output()
    plain = PICTURE.encode("ascii", "tablestate.look-alike").decode()
    assert "W7----------+------+      r3    -+1w?6--+      y3     .      E7\n" in plain
    assert "            |       kr           |\n" in plain
    assert "W6   .      |     [r]     r5     '-----(r)     y5     .      E6\n" in plain
    assert plain.count("?") == PICTURE.count("?")


def test_every_track_has_a_node_of_its_own_and_arms_to_its_sides() -> None:
    forms = ("NE", "NS", "NW", "ES", "EW", "SW", "NES", "NEW", "NSW", "ESW", "NESW")
    nodes = set()
    for form in forms:
        shown = view()
        del shown.table.squares[:], shown.table.players[:], shown.preview[:]
        shown.table.squares.add(square=square("d4"), exits=exits(form))
        lines = drawn(shown).splitlines()
        upper, lower = (line[25:32].ljust(7) for line in lines[9:11])
        assert (upper == " │     ") is ("N" in form)
        assert (lower[0] == "─") is ("W" in form)
        assert (lower[2:] == "─────") is ("E" in form)
        nodes.add(lower[1])
    assert nodes == set("└│┘┌─┐├┴┤┬┼")


def test_the_other_board_and_its_carts_are_drawn() -> None:
    shown = view()
    shown.board = AISLE
    shown.sides[:] = [NORTH, EAST]
    shown.table.players[0].white.square = square("i9", 9)
    shown.table.squares.add(square=square("i9", 9), exits=exits("NE"), jewels=jewels("kkkkk"))
    lines = drawn(shown).splitlines()
    assert lines[0].split()[-1] == "Ni"
    assert lines[1].endswith("│kkkkk")
    assert lines[2].endswith("└0w▾3──E9")
    assert [line[:2] for line in lines[2:20:2]] == [f"W{rank}" for rank in range(9, 0, -1)]
    assert lines[6].index("[r]") == 4 + 2 * 7
    assert lines[14].index("[g]") == 4 + 6 * 7
    assert lines[6].endswith("1b▴3")
    assert max(map(len, lines)) < 80


def hands_closed() -> pb.OffTheRailsView:
    shown = view()
    shown.table.step = pb.OFF_THE_RAILS_STEP_HAND
    shown.table.turn_of = 1
    shown.table.collision.CopyFrom(pb.OffTheRailsCollision(opposing=cart(0, WHITE), hit_side=SOUTH))
    shown.table.players[0].white.hold[:] = jewels("krgd")
    return shown


def test_a_split_is_shown_to_its_owner() -> None:
    assert "hands" not in drawn(hands_closed())
    own = hands_closed()
    own.left_hand[:] = jewels("kd")
    lines = drawn(own).splitlines()
    assert "0w has been hit from the south" in lines
    assert "Your hands: left kd, right rg" in lines
    assert lines[-1] == "Seat 1 is to decide: which hand is dropped."


def test_what_the_owner_of_the_cart_hit_decides_is_its_own() -> None:
    shown = hands_closed()
    for step in (
        pb.OFF_THE_RAILS_STEP_ODD,
        pb.OFF_THE_RAILS_STEP_SPLIT,
        pb.OFF_THE_RAILS_STEP_TURN_OPPOSING,
    ):
        shown.table.step = step
        assert drawn(shown).splitlines()[-1].startswith("Seat 0 is to decide: ")


def test_the_open_chasm_is_shown_and_the_end() -> None:
    shown = view()
    shown.table.step = pb.OFF_THE_RAILS_STEP_TOKEN
    shown.table.chasm.open = True
    shown.table.token.CopyFrom(pb.OffTheRailsToken(colour=GREEN, die=5))
    picture = drawn(shown)
    assert "Seat 1 has turned the Chasm Card. The Chasm is open." in picture
    assert "A green token is drawn, the die shows 5" in picture
    over = view()
    del over.preview[:]
    for field in ("move", "deeds", "step"):
        over.table.ClearField(field)
    over.table.players[1].black.CopyFrom(Cart(place=OUT))
    picture = drawn(over)
    assert "▸" not in picture.replace("▸3", "")
    assert picture.count("out\n") == 1
    assert picture.endswith("To decide: nothing, the match is over.\n")


def test_actions_left_are_counted() -> None:
    shown = view()
    shown.table.step, shown.table.actions_taken = pb.OFF_THE_RAILS_STEP_ACTIONS, 3
    shown.table.ClearField("move")
    assert drawn(shown).splitlines()[-1].endswith("or to end (1 action left).")


def test_actions_are_listed_by_kind_and_tracks_by_form() -> None:
    headings = set()
    for field in pb.OffTheRailsAction.DESCRIPTOR.fields:
        action = pb.OffTheRailsAction()
        if field.message_type is None:
            setattr(action, field.name, 1)
        else:
            getattr(action, field.name).SetInParent()
        headings.add(board("off_the_rails").heading(GameAction(off_the_rails=action)))
    assert len(headings) == 16
    assert "Claim no mission" in headings
    laid = pb.OffTheRailsAction(place_track=pb.OffTheRailsTrack(square=1, exits=exits("NW")))
    upgraded = pb.OffTheRailsAction(upgrade=pb.OffTheRailsTrack(square=1, exits=exits("NEW")))
    for action, words in ((laid, "Lay a track NW"), (upgraded, "Upgrade to NEW")):
        assert board("off_the_rails").heading(GameAction(off_the_rails=action)) == words


def test_the_help_names_every_mission_and_the_ends_their_words() -> None:
    shown = board("off_the_rails")
    assert "11 Long Haul: enter six squares in one move" in shown.notation_help
    assert max(map(len, shown.notation_help.splitlines())) <= 80
    reasons = (
        OutcomeReason.OUTCOME_REASON_OFF_THE_RAILS_NO_CART_ON_BOARD,
        OutcomeReason.OUTCOME_REASON_OFF_THE_RAILS_LAST_TOKEN,
    )
    words = [reason_words("off_the_rails", reason) for reason in reasons]
    assert words == ["no cart is on the board", "the last Chasm token is drawn"]
    assert shown.seat_name(3) == "seat 3"
