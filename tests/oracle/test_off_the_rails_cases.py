"""The worked cases of the rules of Off the Rails, in states made by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from .chance import Draws
from .common import Illegal, Outcome
from .off_the_rails import RULES
from .off_the_rails_state import Options
from .off_the_rails_table import COLUMN, carts, do, field, legal, named, names, table

# The worked cases


def test_case_1_a_derailment_takes_what_was_taken_on_the_way() -> None:
    state = table("a1NS,a2NS,a3NS", "a1N3,s/s,s", lying="a2rr,a3g")
    after, events = do(state, ".", "*r", "*g")
    assert named(events, "ENTERED") == [("0w", "a2"), ("0w", "a3")]
    assert named(events, "DERAILED") == [("0w", "rg", 0)]
    assert (carts(after), field(after, 6).split(",")[0]) == ("s,s/s,s", "a2r")


@pytest.mark.parametrize("way", ["g8N", "g1S", "h4E", "a4W"])
def test_case_2_a_cart_banks_on_any_side(way: str) -> None:
    square, facing = way[:2], way[2]
    inner = {"g8N": "g7", "g1S": "g2", "h4E": "g4", "a4W": "b4"}[way]
    exits = "NS" if facing in "NS" else "EW"
    tracks = f"{inner}{exits},{square}{exits}"
    after, events = do(table(tracks, f"{inner}{facing}6rd,s/s,s"), ".")
    surface = facing + (square[0] if facing in "NS" else square[1])
    assert named(events, "BANKED") == [("0w", surface, "rd")]
    assert (carts(after), field(after, 10)) == ("s,s/s,s", "0,1,0,0,1/0,0,0,0,0")


def test_case_3_rocks_first_and_the_limits_of_taking() -> None:
    passing = do(table(COLUMN, "a1N3,s/s,s", lying="a2kd"), ".")[0]
    assert legal(passing) == ["*k", "*"]
    assert field(do(passing, "*k")[0], 8).startswith("a4N3k")
    last = do(table(COLUMN, "a1N1,s/s,s", lying="a2kkd"), ".")[0]
    assert legal(last) == ["*k", "*"]
    assert carts(do(last, "*k", "*k")[0]) == "a2N1kk,s/s,s"
    full = do(table(COLUMN, "a1N1rrrr,s/s,s", lying="a2gd"), ".")[0]
    assert legal(full) == ["*g", "*d", "*"]
    assert carts(do(full, "*d")[0]) == "a2N1rrrrd,s/s,s"


def test_case_4_upgrades() -> None:
    under = table("c4NS", "c4N3,s/s,s")
    assert not [action for action in legal(under) if "c4" in action]
    lying = table("c4NS", lying="c4r")
    assert [action for action in legal(lying) if "c4" in action] == ["c4+NES", "c4+NSW"]
    for refused in ("c4+NEW", "c4+NESW", "c4NS"):
        with pytest.raises(Illegal):
            do(lying, refused)
    assert field(do(lying, "c4+NES", "c4+NESW")[0], 5) == "c4NESW"


@pytest.mark.parametrize(
    ("active", "opposing", "answers", "after"),
    [
        ("rr", "g", (), "a3S2rr,s/a4N3,s"),
        ("rr", "", (), "a3S2rr,s/s,s"),
        ("", "rge", ("-e", "=r", "R"), "s,s/a4N3r,s"),
        ("", "", (), "s,s/s,s"),
    ],
)
def test_case_5_head_on(active: str, opposing: str, answers: tuple[str, ...], after: str) -> None:
    state = table(COLUMN, f"a2N2{active},s/a4S3{opposing},s")
    assert carts(do(state, ".", *answers)[0]) == after


def test_case_6_five_jewels_and_no_turn_if_hit_elsewhere() -> None:
    rear = table(COLUMN, "a2N2r,s/a4N3kregd,s")
    state, events = do(rear, ".", "-g", "=kr", "L")
    assert carts(state) == "a3S2r,s/a4N3ed,s"
    assert named(events, "DROPPED") == [("1w", "a4", "g"), ("1w", "a4", "kr")]
    assert named(events, "TURNED") == [("0w", "S")]
    side = table("a4NEW,b4EW,c4NEW", "c4W3r,s/a4N3rr,s")
    assert carts(do(side, ".", "L")[0]) == "b4E3r,s/a4N3r,s"


def test_case_7_turning_away() -> None:
    stem = table("b4EW,c4NSW", "b4E3r,s/c4W3gg,s")
    state, _ = do(stem, ".", "L")
    assert (state.actor, legal(state)) == (1, ["~N", "~S"])
    assert carts(do(state, "~S")[0]) == "b4W3r,s/c4S3g,s"
    cross = table("b4EW,c4NESW", "b4E3r,s/c4W3gg,s")
    assert carts(do(cross, ".", "L")[0]) == "b4W3r,s/c4E3g,s"


def test_case_8_unconnected_squares() -> None:
    state = table("a1NS,a2NS,a3EW", "a1N3,s/a3E3,s")
    after, events = do(state, ".")
    assert carts(after) == "a2S3,s/a3E3,s"
    assert named(events, "COLLIDED") == [("0w", "1w", 0, 0)]
    _, events = do(table("a1NS,a2NS,a3EW", "a1N3,s/s,s"), ".")
    assert named(events, "DERAILED") == [("0w", "-", 0)]


def test_case_9_a_cart_placed_against() -> None:
    nothing, events = do(table(), "Na", ".")
    assert (carts(nothing), named(events, "DERAILED")) == ("s,s/s,s", [("0w", "-", 0)])
    connected, events = do(table("a8NS", "s,s/a8S2r,s"), "Na", ".")
    assert named(events, "DERAILED") == [("0w", "-", 0)]
    assert carts(connected) == "s,s/a8S2,s"
    unconnected, events = do(table("a8EW", "s,s/a8E2r,s"), "Na", ".")
    assert (names(events)[4], carts(unconnected)) == ("RETURNED", "s,s/a8E2r,s")
    assert not named(events, "DERAILED")


@pytest.mark.parametrize(
    ("seats", "cards", "first"), [(4, 21, 13), (2, 17, 9), (2, 13, 5), (3, 25, 17)]
)
@pytest.mark.parametrize("turned", [0, 4])
def test_case_10_where_the_chasm_card_lies(seats: int, cards: int, first: int, turned: int) -> None:
    options = Options(seats=seats, deposit_cards=cards)
    state, _ = RULES.start(options, Draws(lambda n: 0))
    turning: list[str] = []
    while not state.open:
        state, events = do(state, ".", draw=0 if turned else 4)
        turning += [name for name in names(events) if name in ("DEPOSITED", "CHASM_CARD")]
    assert turning.index("CHASM_CARD") + 1 == first + turned
    assert len(turning) == first + turned + seats
    assert state.actor is None


def test_case_11_next_to_its_own_colour() -> None:
    state = table(
        tokens="c4g,a5r,c5r,h5y,b2b",
        cards="1/1/1/1 rygb4",
        chasm="1!",
        to_come="2,4,4,4/0,0,0,0",
        at="0",
        carts="a1N1,s/s,s",
        tracks="a1NS,a2NS",
    )
    asked, events = do(state, ".")
    assert named(events, "TOKEN_DRAWN") == [("r",)]
    assert legal(asked) == ["!a4", "!b5", "!d5", "!a6", "!c6"]


def test_case_12_the_last_cart_banks() -> None:
    state = table(
        COLUMN,
        "a8N1r,s/s,o",
        tokens="c5r,e5y,h3g,b2b",
        cards="4/4/5/6 rygb4",
        chasm="1!",
        to_come="4,4,4,4/0,0,0,0",
    )
    asked, _ = do(state, ".")
    assert asked.step == "token"
    over, events = do(asked, legal(asked)[0])
    assert names(events) == ["TOKEN_PLACED", "TURN_ENDED"]
    assert RULES.outcome(over) == Outcome((0,), "NO_CART_ON_BOARD", (1 + 5 + 6, 3))
    assert RULES.returns(over) == (Fraction(1), Fraction(-1))


def test_case_13_a_cart_under_the_first_tokens() -> None:
    state = table("b7NS,c7EW", "s,s/b7N1kd,s", lying="c7r", cards="8/-/-/- ygb3", chasm="0")
    over, events = do(state, ".")
    assert named(events, "CHASM_OPENED") == [(1, 2, 1, 1)]
    assert named(events, "TOKEN_PLACED")[0] == ("r", "b7", "NS", "-")
    assert named(events, "DERAILED") == [("1w", "kd", 1)]
    assert (carts(over), over.actor) == ("s,s/o,s", None)
    assert RULES.outcome(over) == Outcome((0,), "NO_CART_ON_BOARD", (6, 3))
