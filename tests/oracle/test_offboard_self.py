"""Tests of the Offboard oracle itself, of its planted faults and of the play that finds them."""

from __future__ import annotations

import random
from collections import Counter
from itertools import islice

import pytest

from . import offboard, offboard_starts
from .common import Event
from .coverage import missing
from .driver import Difference, compare_game, compare_games, compare_until_covered
from .fault import Fault
from .offboard import RULES, START, Illegal, Options, Outcome, Refused, Rules, State
from .offboard_board import (
    ACTIONS,
    CELL_OF,
    CORNER_EXITS,
    EXITS,
    SIDE_TARGET,
    Cell,
    index_of,
    notation_of,
)
from .offboard_faults import EQUIVALENT, FAULTS
from .offboard_play import SCORE, Hunter, exit_text, offboard_coverage, suite
from .offboard_starts import Build


def cells(text: str, colour: int) -> dict[Cell, int]:
    return {CELL_OF[cell]: colour for cell in text.split()}


def board(red: str, yellow: str, targets: str = "." * 12, **fields: object) -> State:
    """Start from marbles such as `e1 e2`; further fields are those of `Build`."""
    build = Build(marbles={**cells(red, 0), **cells(yellow, 1)})
    build.targets = [None if sign == "." else "RY".index(sign) for sign in targets]
    for name, value in fields.items():
        setattr(build, name, value)
    return offboard.start(build.options())


def marbles(state: State, seat: int) -> str:
    """Write a seat's marbles in canonical order."""
    return " ".join(text for text, cell in CELL_OF.items() if state.marbles.get(cell) == seat)


def do(state: State, *actions: str) -> tuple[State, list[Event]]:
    """Do some actions; gives the last one's events."""
    events: list[Event] = []
    for action in actions:
        state, events = offboard.apply(state, action)
    return state, events


def perft(state: State, depth: int) -> int:
    """Count the decision sequences of a length."""
    legal = offboard.legal_actions(state)
    if depth == 1:
        return len(legal)
    return sum(perft(offboard.apply(state, action)[0], depth - 1) for action in legal)


# Board and notation


def test_the_start_round_trips() -> None:
    state = offboard.start(Options())
    assert offboard.position(state) == START
    assert offboard.position(offboard.start(Options(position=START))) == START
    assert marbles(state, 0) == "b1 b2 b3 c2 c3 d3 f7 g7 g8 h7 h8 h9"
    assert marbles(state, 1) == "b4 b5 b6 c5 c6 d6 f4 g4 g5 h4 h5 h6"


def test_built_positions_round_trip() -> None:
    rng = random.Random(3)
    for _ in range(40):
        options = offboard_starts.built(rng, offboard_starts.rim_recipe)
        assert offboard.position(offboard.start(options)) == options.position


@pytest.mark.parametrize(("depth", "count"), [(1, 54), (2, 2928), (3, 159244)])
def test_perft(depth: int, count: int) -> None:
    assert perft(offboard.start(Options()), depth) == count


def test_every_exit_has_its_target() -> None:
    assert len(EXITS) == 54
    assert set(EXITS) == set(SIDE_TARGET) | set(CORNER_EXITS)
    assert Counter(SIDE_TARGET.values()) == dict.fromkeys(range(12), 4)


@pytest.mark.parametrize(
    ("exits", "first"),
    [
        ("a1 SE,a2 SW,a2 SE,a3 SW,a3 SE,a4 SW,a4 SE,a5 SW", 0),
        ("a5 E,b6 SE,b6 E,c7 SE,c7 E,d8 SE,d8 E,e9 SE", 2),
        ("e9 NE,f9 E,f9 NE,g9 E,g9 NE,h9 E,h9 NE,i9 E", 4),
        ("i9 NW,i8 NE,i8 NW,i7 NE,i7 NW,i6 NE,i6 NW,i5 NE", 6),
        ("i5 W,h4 NW,h4 W,g3 NW,g3 W,f2 NW,f2 W,e1 NW", 8),
        ("e1 SW,d1 W,d1 SW,c1 W,c1 SW,b1 W,b1 SW,a1 W", 10),
    ],
)
def test_the_exits_of_each_side(exits: str, first: int) -> None:
    targets = {exit_text(way_out): target for way_out, target in SIDE_TARGET.items()}
    assert [targets[text] for text in exits.split(",")] == [first] * 4 + [first + 1] * 4


def test_the_corners_meet_two_targets() -> None:
    found = {exit_text(way_out): corner for way_out, corner in CORNER_EXITS.items()}
    assert found == {
        "a1 SW": ((11, 0), 0),
        "a5 SE": ((1, 2), 1),
        "e9 E": ((3, 4), 3),
        "i9 NE": ((5, 6), 5),
        "i5 NW": ((7, 8), 8),
        "e1 W": ((9, 10), 10),
    }


def test_the_index_is_dense_and_canonical() -> None:
    numbers = [index_of(action.text) for action in ACTIONS]
    assert numbers == sorted(set(numbers))
    assert all(notation_of(action.number) == action.text for action in ACTIONS)
    assert (index_of("a1a2"), index_of("a1b2"), index_of("a5b5")) == (0, 61, 126)
    assert (index_of("*a1"), index_of("*i9"), index_of("-")) == (366, 426, 427)


@pytest.mark.parametrize("text", ["", "e3", "e3e3", "e3g3", "a1j1", "E3E4", "e3e4 ", "*", "--"])
def test_bad_notation_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not an action"):
        index_of(text)
    with pytest.raises(Illegal):
        offboard.apply(offboard.start(Options()), text)


# The worked cases


def test_case_1_a_tail_within_the_run() -> None:
    state = board("e3 e4 e5", "a1")
    assert marbles(do(state, "e3e4")[0], 0) == "e4 e5 e6"
    assert marbles(do(state, "e4e5")[0], 0) == "e3 e5 e6"


def test_case_2_five_push_two() -> None:
    after, events = do(board("e1 e2 e3 e4 e5", "e6 e7"), "e1e2")
    assert (marbles(after, 0), marbles(after, 1)) == ("e2 e3 e4 e5 e6", "e7 e8")
    assert events == [("MOVED", 0, "e1", "E", 5, 2)]


def test_case_3_an_ejection_from_a_corner() -> None:
    after, events = do(board("e1 e2 e3 e4 e5", "e6 e7 e8 e9"), "e1e2")
    assert events == [("MOVED", 0, "e1", "E", 5, 4), ("EJECTED", 1, "e9", "E", 4, 1)]
    assert (after.scores, after.targets[4], after.pending, after.quiet) == ((1, 0), 1, None, 0)


def test_case_3_with_the_target_full() -> None:
    state = board("e1 e2 e3 e4 e5", "e6 e7 e8 e9", "....R.......", quiet=7)
    after, events = do(state, "e1e2")
    assert events[1] == ("EJECTED", 1, "e9", "E", 4, 0)
    assert (after.scores, after.targets[3], after.pending, after.quiet) == ((0, 0), None, 1, 8)


@pytest.mark.parametrize(
    ("red", "yellow", "move"),
    [("e2 e3", "e4 e5", "e2e3"), ("e2 e3 e5", "e4", "e2e3"), ("e8 e9", "a1", "e8e9")],
)
def test_case_4_refused(red: str, yellow: str, move: str) -> None:
    state = board(red, yellow)
    assert move not in offboard.legal_actions(state)
    with pytest.raises(Illegal):
        offboard.apply(state, move)


def test_case_5_a_push_up_to_another_marble() -> None:
    after, _ = do(board("e2 e3", "e4 e6"), "e2e3")
    assert (marbles(after, 0), marbles(after, 1)) == ("e3 e4", "e5 e6")


def test_case_6_a_recovery() -> None:
    state = board("a1 a2", "i9 i8", seat=1, pending=1, quiet=4, turn=9)
    empty = [f"*{text}" for text in CELL_OF if text not in ("a1", "a2", "i8", "i9")]
    assert offboard.legal_actions(state) == [*empty, "-"]
    assert offboard.default_action(state) == "-"
    declined, events = do(state, "-")
    assert events == [("DECLINED", 1)]
    assert offboard.position(declined).endswith(" y ............ 0-0 - 4 9")
    assert "i8i7" in offboard.legal_actions(declined)
    assert not [text for text in offboard.legal_actions(declined) if text[0] in "*-"]


def test_case_6_a_placement_is_the_turn() -> None:
    state = board("a1 a2", "i9 i8", seat=1, pending=1, quiet=4, turn=9)
    placed, events = do(state, "*e5")
    assert events == [("PLACED", 1, "e5")]
    assert offboard.position(placed).endswith(" r ............ 0-0 - 5 10")


def test_case_7_points_to_win_and_more() -> None:
    state = board("e8 d7", "f9 a1", "....R.......", scores=(5, 0), turn=11, quiet=3)
    after, events = do(state, "d7e8")
    assert events[1:] == [("EJECTED", 1, "f9", "NE", 4, 0)]
    state = board("h8 g7", "i9 a1", scores=(5, 0), turn=11, quiet=3, values=(3,) * 12)
    after, events = do(state, "g7h8")
    assert events[1:] == [("EJECTED", 1, "i9", "NE", 5, 3), ("ENDED", "POINTS")]
    assert offboard.outcome(after) == Outcome((0,), "POINTS", (8, 0))
    assert (offboard.returns(after), after.actor) == ((1, -1), None)
    assert offboard.legal_actions(after) == []
    assert offboard.position(after).endswith(" r .....Y...... 8-0 - 0 11")


# The end


def test_r4_the_third_time_counts_the_start() -> None:
    loop = ("e5e6", "a1a2", "e6e5", "a2a1")
    state = board("e5", "a1")
    assert do(state, *loop)[0].result is None
    after, events = do(state, *loop, *loop)
    assert events[-1] == ("ENDED", "REPETITION")
    assert offboard.outcome(after) == Outcome((), "REPETITION", (0, 0))
    assert (offboard.returns(after), after.actor) == ((0, 0), None)
    assert offboard.position(after).endswith(" r ............ 0-0 - 8 9")


def test_r4_comes_before_r5() -> None:
    loop = ("e5e6", "a1a2", "e6e5", "a2a1") * 2
    state = board("e5", "a1", quiet=2, limit=10)
    assert do(state, *loop)[1][-1] == ("ENDED", "REPETITION")


def test_r4_tells_a_pending_recovery() -> None:
    loop = ("e5e6", "a1a2", "e6e5", "a2a1")
    state, _ = do(board("e5", "a1", pending=0), "-")
    assert do(state, *loop, *loop)[0].result is None
    assert do(state, *loop, *loop, "e5e6")[1][-1] == ("ENDED", "REPETITION")


def test_r5_keeps_a_recovery_pending() -> None:
    state = board("e7 e8", "e9 a1", "....Y.......", quiet=9, limit=10)
    after, events = do(state, "e7e8")
    assert events[-1] == ("ENDED", "QUIET_LIMIT")
    assert offboard.position(after).endswith(" y ....Y....... 0-0 y 10 2")


def test_r6_when_neither_can_reach_the_points() -> None:
    state = board("e7 e8", "e9 a1", "RRRR.RRRRRRR", scores=(0, 5), points=6)
    after, events = do(state, "e7e8")
    assert events[-1] == ("ENDED", "OUT_OF_REACH")
    assert offboard.position(after).endswith(" y RRRRYRRRRRRR 1-5 - 0 2")


def test_r7_at_the_turns_begin() -> None:
    after, events = do(board("e7 e8", "e9"), "e7e8")
    assert events[-1] == ("ENDED", "NO_MOVE")
    assert offboard.outcome(after) == Outcome((0,), "NO_MOVE", (1, 0))
    assert offboard.position(after).endswith(" y ....Y....... 1-0 - 0 2")


def test_r7_right_after_a_decline() -> None:
    state, _ = do(board("e7 e8", "e9", "....R......."), "e7e8")
    assert state.actor == 1
    after, events = do(state, "-")
    assert events == [("DECLINED", 1), ("ENDED", "NO_MOVE")]
    assert offboard.position(after).endswith(" y ....R....... 0-0 - 1 2")


def test_the_default_action_avoids_pushes() -> None:
    assert offboard.default_action(offboard.start(Options())) == "c2c3"
    only_pushes = board("a1 a2 a3", "a4 b1 b2 b3 b4 c1 c2 c3 c4")
    assert offboard.default_action(only_pushes) == offboard.legal_actions(only_pushes)[0] == "a1a2"


# Set-ups


def position_faults(text: str, **options: int) -> list[str]:
    found = offboard.validate(Options(position=text, **options))  # type: ignore[arg-type]
    return [kind for _, kind in found]


@pytest.mark.parametrize(
    ("old", "new", "kinds"),
    [
        ("5/YYY", "5/YYYY", ["ROWS"]),
        ("/9/", "/45/", ["ROWS"]),
        ("/9/", "/09/", ["ROWS"]),
        ("/9/", "/", ["ROWS"]),
        (" r ", " R ", ["SEAT"]),
        ("............", "...........", ["TARGETS"]),
        ("0-0", "00-0", ["SCORES"]),
        ("0-0", "0-", ["SCORES"]),
        (" - ", " x ", ["PENDING"]),
        ("- 0 1", "- 01 1", ["QUIET"]),
        ("- 0 1", "- 0 0", ["TURN"]),
        ("- 0 1", "- 0 01", ["TURN"]),
        ("- 0 1", "- 0 \u0661", ["TURN"]),
        ("- 0 1", "- 0 1\n", ["TURN"]),
        (" r ", "  r ", ["FIELDS"]),
        (" r ............ 0-0", " b ???? 0", ["SEAT", "TARGETS", "SCORES"]),
        (" - ", " y ", ["PENDING_NOT_TO_ACT"]),
        ("0-0", "6-0", ["OVER_POINTS"]),
        ("- 0 1", "- 100 1", ["OVER_R5"]),
        ("............", "RRRRRRRRRRR.", ["OVER_R6"]),
        ("- 0 1", f"- 0 {'9' * 5000}", ["TURN"]),
    ],
)
def test_position_faults(old: str, new: str, kinds: list[str]) -> None:
    assert position_faults(START.replace(old, new, 1)) == kinds


def test_a_start_without_a_move_is_refused() -> None:
    assert position_faults("5/6/7/8/9/8/7/RR4/YR3 y ............ 0-0 - 0 1") == ["OVER_R7"]
    assert position_faults("5/6/7/8/9/8/7/RR4/YR3 y ............ 0-0 y 0 1") == []


def test_thirty_marbles_with_the_pending_one() -> None:
    rows = "RRRRR/RRRRRR/RRRRRRR/RRRRRRRR/RRR6/8/7/6/Y3Y r ............ 0-0"
    assert position_faults(f"{rows.replace('RRR6', 'RRRR5')} - 0 1") == []
    assert position_faults(f"{rows} r 0 1") == []
    assert position_faults(f"{rows.replace('RRR6', 'RRRR5')} r 0 1") == ["TOO_MANY_RED"]


def test_option_faults_are_all_listed() -> None:
    options = Options(0, 9, "x", (1, 2, 4))
    assert offboard.validate(options) == [
        ("target_values", "COUNT"),
        ("target_values", "RANGE"),
        ("points_to_win", "RANGE"),
        ("quiet_limit", "RANGE"),
        ("position", "FIELDS"),
    ]
    with pytest.raises(Refused) as refused:
        offboard.start(options)
    assert refused.value.faults == offboard.validate(options)


def test_points_to_win_up_to_the_sum() -> None:
    assert offboard.validate(Options(24, 10)) == []
    assert offboard.validate(Options(24, 1001, target_values=(1, 2) * 6)) == [
        ("points_to_win", "ABOVE_SUM"),
        ("quiet_limit", "RANGE"),
    ]


def test_the_built_set_ups_show_every_fault_kind() -> None:
    rng = random.Random(5)
    kinds = {
        kind
        for make in (offboard_starts.doubtful_options, offboard_starts.mistyped_options)
        for _ in range(400)
        for _, kind in offboard.validate(make(rng))
    }
    over = {"OVER_POINTS", "OVER_R5", "OVER_R6", "OVER_R7"}
    counts = {"TOO_MANY_RED", "TOO_MANY_YELLOW", "PENDING_NOT_TO_ACT"}
    fields = {"FIELDS", "ROWS", "SEAT", "TARGETS", "SCORES", "PENDING", "QUIET", "TURN"}
    assert kinds == over | counts | fields | {"COUNT", "RANGE", "ABOVE_SUM"}


# The driver, the faults and the coverage


class Crashing(Rules):
    """Rules that crash on the first action."""

    def apply(self, state: State, notation: str) -> tuple[State, list[Event]]:
        raise KeyError(notation)


def played_against(rules: Rules, engine: Rules, games: int, seed: int = 1) -> Difference | None:
    setups = islice(suite(seed), games)
    return compare_games(engine, rules, setups, random.Random(seed), offboard_coverage())


def test_a_crash_is_a_difference() -> None:
    difference = compare_game(
        Crashing(),
        RULES,
        Options(),
        Hunter(SCORE, Counter()),
        random.Random(1),
        offboard_coverage(),
    )
    assert difference is not None
    assert "KeyError" in str(difference)
    assert "0 actions" in str(difference)


def test_the_play_is_the_same_for_the_same_seed() -> None:
    first = [setup.options for setup in islice(suite(4), 40)]
    assert first == [setup.options for setup in islice(suite(4), 40)]


def test_there_are_faults_enough() -> None:
    assert len(FAULTS) >= 26
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)
    assert all(fault.description and fault.rule for fault in FAULTS)
    assert not set(EQUIVALENT) & {fault.description for fault in FAULTS}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_each_fault_is_found(fault: Fault[Rules]) -> None:
    assert played_against(fault.rules, RULES, 1000) is not None


def test_the_play_covers_the_rules() -> None:
    coverage, rng = offboard_coverage(), random.Random(1)
    assert compare_until_covered(Rules(), RULES, suite(1), rng, coverage, 3000) is None
    assert missing(coverage) == [], coverage.table()
