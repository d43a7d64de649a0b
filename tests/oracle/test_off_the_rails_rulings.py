"""The rulings of Off the Rails, and single rules, in states made by hand."""

from __future__ import annotations

import pytest

from .chance import Draws
from .common import Outcome
from .off_the_rails import RULES
from .off_the_rails_read import read_position
from .off_the_rails_state import Options, State
from .off_the_rails_table import COLUMN, carts, do, field, legal, named, names, table, with_missions

# Rulings


def test_r6_the_white_cart_is_placed_first() -> None:
    state, events = do(table(), "Na", "Nb")
    assert named(events, "CART_PLACED") == [("0w", "Na"), ("0b", "Nb")]
    assert not [action for action in legal(state) if action[0] == "N"]
    black, events = do(table(COLUMN, "a1N3,s/s,s"), "Nb")
    assert named(events, "CART_PLACED") == [("0b", "Nb")]
    assert "Nb" not in legal(black)
    _, events = do(table(COLUMN, "s,a1N3/s,s"), "Nc")
    assert named(events, "CART_PLACED") == [("0w", "Nc")]


def test_r7_a_cart_on_the_surface_does_not_matter() -> None:
    state, events = do(table(COLUMN, "a8N1r,s/s,s"), "Na", ".", "w")
    assert named(events, "BANKED") == [("0w", "Na", "r")]
    assert carts(state) == "s,a6S3/s,s"


def test_r8_a_step_that_ends_otherwise_gives_no_second_jewel() -> None:
    state = do(table("a1NS,a2NS", "a1N2,s/s,s", lying="a2rr"), ".")[0]
    after, events = do(state, "*r")
    assert named(events, "DERAILED") == [("0w", "r", 0)]
    assert field(after, 6).split(",")[0] == "a2r"


def test_r9_nothing_ends_the_taking_on_a_square() -> None:
    state = do(table(COLUMN, "a1N2,s/s,s", lying="a2rr,a3gg"), ".")[0]
    after, events = do(state, "*", "*g", "*")
    assert named(events, "TOOK_NOTHING") == [("0w", "a2"), ("0w", "a3")]
    assert carts(after) == "a3N2g,s/s,s"


def test_r10_there_is_no_turning_back() -> None:
    state = do(table("a1NS,a2NES", "a1N1,s/s,s"), ".")[0]
    assert (legal(state), carts(state)) == (["^N", "^E"], "a2?1,s/s,s")
    assert carts(do(state, "^E")[0]) == "a2E1,s/s,s"


LOOP = "a1NE,a2ES,b1NW,b2SW"


def test_a_loop_over_one_square_in_one_move() -> None:
    after, events = do(table(LOOP, "a1N6,s/s,s", lying="a1rr,a2g"), ".", "*g", "*r")
    entered = [square for _, square in named(events, "ENTERED")]
    assert entered == ["a2", "b2", "b1", "a1", "a2", "b2"]
    assert [square for _, square, _ in named(events, "TOOK")] == ["a2", "a1"]
    assert carts(after) == "b2S6rg,s/s,s"


def test_r11_the_odd_jewel_is_chosen_openly_and_lies_there_before_the_split() -> None:
    state = do(table(COLUMN, "a2N2r,s/a4S3kre,s"), ".")[0]
    assert (state.step, state.actor, legal(state)) == ("odd", 1, ["-k", "-r", "-e"])
    after, _ = do(state, "-e")
    assert (legal(after), field(after, 6)) == (["=k", "=r"], "a4e")
    hidden, events = do(after, "=r")
    assert (hidden.actor, legal(hidden), events) == (
        0,
        ["L", "R"],
        [("HANDS_CLOSED", "1w", "r", "k")],
    )
    done, events = do(hidden, "R")
    assert events[:2] == [("HAND_CHOSEN", "1w", "R", "r", "k"), ("DROPPED", "1w", "a4", "k")]
    assert field(done, 6).split(",")[0] == "a4ke"


def test_r27_a_lone_jewel_is_dropped_as_the_odd_one() -> None:
    _, events = do(table(COLUMN, "a2N2r,s/a4N3d,s"), ".")
    assert named(events, "DROPPED") == [("1w", "a4", "d")]
    assert not named(events, "HANDS_CLOSED")


def test_r27_a_hand_is_asked_for_though_both_are_equal() -> None:
    state, events = do(table(COLUMN, "a2N2r,s/a4N3dd,s"), ".")
    assert named(events, "HANDS_CLOSED") == [("1w", "d", "d")]
    assert legal(state) == ["L", "R"]


def test_r28_the_opposing_cart_turns_though_the_active_one_is_gone() -> None:
    state, _ = do(table("b4EW,c4NSW", "b4E3,s/c4W3gg,s"), ".", "L")
    assert (carts(state), legal(state)) == ("s,s/c4W3g,s", ["~N", "~S"])
    after, _ = do(state, "~N")
    assert carts(after) == "s,s/c4N3g,s"


def test_an_own_cart_is_opposing_too() -> None:
    state = table(COLUMN, "a2N3r,a4S2ge/s,s")
    first = do(state, ".", "w")[0]
    assert (first.actor, legal(first)) == (0, ["=e", "=g"])
    done, events = do(first, "=e", "R")
    assert named(events, "MOVE_STARTED") == [("0b",)]
    assert named(events, "ENTERED") == [("0b", "a5"), ("0b", "a6")]
    assert carts(done) == "a3S3r,a6N2e/s,s"


def test_an_own_cart_that_was_derailed_does_not_move() -> None:
    state, events = do(table(COLUMN, "a2N3r,a4N2/s,s"), ".", "w")
    assert named(events, "MOVE_STARTED") == [("0w",)]
    assert carts(state) == "a3S3r,s/s,s"


def test_the_active_cart_that_has_not_moved_turns_as_the_opposing_does() -> None:
    state = do(table("b4NEW,c4EW", "b4E2r,s/c4E3r,s"), ".")[0]
    assert carts(state) == "b4W2r,s/c4E3,s"
    asked = do(table("b4NES,c4EW", "b4E2r,s/c4E3r,s"), ".")[0]
    assert (asked.step, legal(asked)) == ("turn", ["~N", "~S"])
    assert carts(do(asked, "~S")[0]) == "b4S2r,s/c4E3,s"


def test_bumper_cars_neither_drop_nor_derail() -> None:
    state, events = do(table(COLUMN, "a2N2,s/a4S3rr,s", bumper_cars=True), ".")
    assert carts(state) == "a3S2,s/a4N3rr,s"
    assert names(events)[4:7] == ["COLLIDED", "TURNED", "TURNED"]


@pytest.mark.parametrize(("bag", "laid"), [("0,0,0,0,0", "-"), ("1,0,0,1,0", "kg")])
def test_r4_an_empty_bag_gives_what_it_holds(bag: str, laid: str) -> None:
    fields = RULES.position(table()).split(" ")
    fields[8], fields[11], fields[12] = bag, "1/1/1/1", "rygb4"
    state = read_position(Options(), " ".join(fields))
    after, events = do(state, ".")
    assert named(events, "DEPOSITED") == [("r", 2, "c7", laid)]
    assert field(after, 6) == ("-" if laid == "-" else f"c7{laid}")


def test_r14_a_token_without_a_square_is_put_out() -> None:
    walls = "a1r,b1g,a2g,c5y,d5b,h8y"
    state = table(
        tokens=walls, cards="1/1/1/1 rygb4", chasm="1!", carts="h1N1,s/s,s", tracks="h1NS,h2NS"
    )
    after, events = do(state, ".")
    assert named(events, "TOKEN_PUT_OUT") == [("r",)]
    assert field(after, 15) == "3,4,4,4/1,0,0,0"


def test_r14_mine_centres_may_be_taken() -> None:
    state = table(tokens="c5r,b2b", chasm="1!", carts="h1N1,s/s,s", tracks="h1NS,h2NS")
    after, events = do(state, ".", "!c6")
    assert named(events, "TOKEN_PLACED") == [("r", "c6", "-", "-")]
    assert "c6NS" not in legal(after)


def test_the_die_names_a_square() -> None:
    state = table(
        tokens="c5r,b2b", chasm="1!", carts="h1N1,s/s,s", tracks="h1NS,h2NS", chasm_die=True
    )
    _, events = do(state, ".")
    assert events[-4:-2] == [("DIE_ROLLED", 1, "b7"), ("TOKEN_PLACED", "r", "b7", "-", "-")]


def test_the_die_on_a_token_lets_the_seat_choose() -> None:
    state = table(
        tokens="b7y,b2b", chasm="1!", carts="h1N1,s/s,s", tracks="h1NS,h2NS", chasm_die=True
    )
    asked, _ = do(state, ".")
    assert (field(asked, 2), legal(asked)) == ("Kr1", ["!b6", "!a7", "!c7", "!b8"])


def test_r15_the_die_falls_back_on_the_colour() -> None:
    tokens = "b7y,a7y,c7y,b6y,b8y,h7r"
    state = table(tokens=tokens, chasm="1!", carts="h1N1,s/s,s", tracks="h1NS,h2NS", chasm_die=True)
    asked, _ = do(state, ".")
    assert (field(asked, 2), legal(asked)) == ("Kr1", ["!h6", "!g7", "!h8"])


def test_r16_the_last_token_ends_the_match() -> None:
    state = table(
        COLUMN, "a1N3r,a8S3k/s,s", tokens="c5r,b2b", chasm="1!", to_come="1,0,0,0/3,4,4,4"
    )
    over, events = do(state, ".", "b", "!b5")
    assert names(events)[-3:] == ["TURN_ENDED", "DERAILED", "DERAILED"]
    assert (carts(over), over.actor) == ("o,o/s,s", None)
    outcome = RULES.outcome(over)
    assert outcome is not None and outcome.reason == "LAST_TOKEN"


def ended(stocks: str, carts: str = "s,s/s,s", **options: object) -> Outcome:
    """Give how a match ends with such stockpiles; the last cart has just left the board."""
    state = table(stocks=stocks, tokens="c5r,b2b", chasm="1!", carts=carts, **options)  # type: ignore[arg-type]
    over, _ = do(state, ".", "!b5")
    outcome = RULES.outcome(over)
    assert outcome is not None
    return outcome


def test_the_score() -> None:
    assert ended("1,2,1,0,1/3,0,0,2,0").scores == (2 + 2 + 4 + 5 + 6, 6 + 6)
    assert ended("0,2,0,0,0/0,2,0,0,0").scores == (13, 13)
    assert ended("0,0,0,0,0/0,0,0,0,0", "o,s/o,o").scores == (3, 0)
    assert ended("0,0,0,1,0/0,0,0,1,0").winners == (0, 1)
    assert ended("2,0,0,1,0/1,0,0,1,0").winners == (0,)
    assert ended("1,0,3,0,0/0,0,0,2,1", "s,s/s,o").winners == (1,)
    assert ended("1,0,3,0,0/1,0,0,2,0").winners == (0,)
    assert ended("1,0,0,2,0/0,0,3,0,0").winners == (1,)


def missions_met(state: State, *actions: str) -> list[str]:
    """Do some actions, and give the missions that may be claimed then."""
    after, _ = do(state, *actions)
    return [action for action in legal(after) if action[0] == "#"] if after.step == "claim" else []


@pytest.mark.parametrize(
    ("mission", "tracks", "carts", "actions"),
    [
        (1, COLUMN, "a8N2kkkkk,s/s,s", "."),
        (3, COLUMN, "a7N6r,s/s,s", "."),
        (4, COLUMN, "a8N1r,s/s,s", "."),
        (5, COLUMN, "a1S2r,s/s,s", "."),
        (6, COLUMN, "a2N2r,s/a4N3rrr,s", ". L"),
        (7, COLUMN, "a2N2,s/a4N3,s", "."),
        (9, f"{COLUMN},b8NS", "a8N2r,b8N2r/s,s", ". w"),
        (10, COLUMN, "a1N4,s/s,s", ". *r *r *r"),
        (11, COLUMN, "a1N6,s/s,s", ". * * *"),
    ],
)
def test_each_mission_is_met(mission: int, tracks: str, carts: str, actions: str) -> None:
    lying = "a2rr,a3rr,a5r" if mission in (10, 11) else "-"
    state = with_missions(table(tracks, carts, missions=f"{mission}", lying=lying))
    assert missions_met(state, *actions.split(" ")) == [f"#{mission}", "#"]
    without = {1: "a8N2kkkk,s/s,s", 3: "a7N5r,s/s,s", 4: "a8N2r,s/s,s", 5: "a8N2r,s/s,s"}
    if mission in without:
        few = table(tracks, without[mission], missions=f"{mission}")
        assert missions_met(with_missions(few), *actions.split(" ")) == []


def test_missions_of_the_stockpile_need_no_bank_in_the_turn() -> None:
    state = table(stocks="3,1,1,1,1/0,0,0,0,0", missions="2,8", cards="1/1/1/1 rygb17")
    asked, _ = do(with_missions(state), ".")
    assert legal(asked) == ["#2", "#8", "#"]
    claimed, events = do(asked, "#8")
    assert (field(claimed, 16), field(claimed, 17)) == ("2", "8/-")
    assert events[0] == ("MISSION_CLAIMED", 0, 8)
    again, _ = do(claimed, ".")
    assert again.step == "actions"


def test_r12_in_the_open_chasm_a_return_is_no_loss() -> None:
    state = table("a8EW", "s,s/a8E2r,s", tokens="c5r,b2b", chasm="1!", to_come="4,0,0,0/0,4,4,4")
    after, events = do(state, "Na", ".")
    assert ("RETURNED", "0w") in events
    assert carts(after) == "s,s/a8E2r,s"


def test_the_start() -> None:
    state, events = RULES.start(Options(missions=True), Draws(lambda n: 0))
    assert names(events) == ["DEPOSITED"] * 4 + ["MISSIONS_DEALT", "TURN_STARTED"]
    assert field(state, 9) == "4,24,15,10,5"
    assert (field(state, 12), field(state, 13)) == ("1/1/1/1", "rygb17")
    assert field(state, 16) == "1,2,3"
    assert len(legal(state)) == 60 * 6 + 8 + 1


def test_bumper_cars_leave_two_missions_out() -> None:
    options = Options(seats=4, missions=True, bumper_cars=True)
    for draw in range(9):
        state, _ = RULES.start(options, Draws(lambda n, draw=draw: min(draw, n - 1)))  # type: ignore[misc]
        assert not {6, 7} & set(state.missions)
        assert len(state.missions) == 5


def test_the_speed_stays_within_its_limits() -> None:
    state = table(COLUMN, "a1N6,a3N1/s,s")
    speeds = [
        action
        for action in legal(state)
        if action[0] in "wb" and len(action) == 2 and action[1] in "+-"
    ]
    assert speeds == ["w-", "b+"]


def test_actions_end_after_the_fourth() -> None:
    state, events = do(table(), "b1NS", "b1+NES", "b1+NESW", "b2EW")
    assert (state.seat, names(events)[4]) == (1, "ACTIONS_ENDED")


def test_default_actions() -> None:
    state = table(COLUMN, "a2N3r,a4S2ge/s,s")
    assert RULES.default_action(state) == "."
    first, _ = do(state, ".")
    assert RULES.default_action(first) == "w"
    split, _ = do(first, "w")
    assert RULES.default_action(split) == "=e"
    hand, _ = do(split, "=g")
    assert RULES.default_action(hand) == "L"


def test_a_split_is_seen_by_its_owner_alone() -> None:
    state, events = do(table(COLUMN, "a2N2r,s/a4N3re,s"), ".", "=e")
    views = RULES.views(state)
    assert [views[viewer]["left_hand"] for viewer in (0, 1, None)] == ["-", "e", "-"]
    assert RULES.shown(events[-1], 1) == ("HANDS_CLOSED", "1w", "e", "r")
    assert (
        RULES.shown(events[-1], 0)
        == RULES.shown(events[-1], None)
        == ("HANDS_CLOSED", "1w", "?", "?")
    )


def test_previews() -> None:
    tracks = "a1NS,a2NS,a3NES,b3EW,c4NS,c5NS,h8NS,h7NS,f1ES,g1EW"
    state = table(tracks, "a1N4,c4N3/h7N5,f1E1")
    assert RULES.views(state)[0]["preview"] == [
        "0w a2,a3 CHOICE 2 -",
        "0b c5 DERAILMENT 2 N",
        "1w h8 BANK 4 N",
        "1b g1 SPEED_USED 0 E",
    ]
    hits = table("a1NS,a2NS,a3NS", "a1N4,s/a3N3,s")
    assert RULES.views(hits)[None]["preview"] == ["0w a2 COLLISION 3 N", "1w - DERAILMENT 3 N"]
