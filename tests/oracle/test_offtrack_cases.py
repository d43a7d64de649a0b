"""The worked cases of OffTrack's rules, and single rules in states made by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from . import offtrack
from .chance import Draws
from .common import Event, Illegal, Outcome, Refused
from .offtrack import Options, State
from .offtrack_cards import all_cards, cards_text
from .offtrack_read import read_position

TWO = Options()


def table(
    lines: str,
    hands: str = "h0/h1",
    *,
    step: str = "0C",
    options: Options = TWO,
    held: str = "-/-",
    drawn: str = "-",
    deck: str | None = None,
    discards: str = "-",
    actions: str = "SB",
    marks: str = "--",
    flags: str = "- -",
) -> State:
    """Make a state; the hands may borrow cards of the eras g and h, the deck is all the rest."""
    eras = Options(**{**vars(options), "eras": 8})
    used = f"{lines} {hands} {discards}"
    rest = [card for card in all_cards(8, 1) if card.text not in used]
    left = cards_text(rest) if deck is None else deck
    seats = "/".join("-" * options.seats)
    text = f"1 {step} {lines} {hands} {seats} - {left} {discards} {actions} - {held} {drawn}"
    return read_position(eras, f"{text} {marks} {flags} -")


def do(state: State, *actions: str) -> tuple[State, list[Event]]:
    """Do some actions, drawing the lowest card each time; gives the last one's events."""
    events: list[Event] = []
    for action in actions:
        state, events = offtrack.apply(state, action, Draws(lambda n: 0))
    return state, events


def lines_of(state: State) -> str:
    """Write the lines."""
    return offtrack.position(state).split(" ")[2]


def pile_of(state: State, seat: int = 0) -> str:
    """Write a seat's score pile."""
    return offtrack.position(state).split(" ")[4].split("/")[seat]


def box_of(state: State) -> str:
    """Write the box."""
    return offtrack.position(state).split(" ")[5]


# The worked cases


def test_case_1_lower_cards_are_collected() -> None:
    after, events = do(table("a6b3c0d2", "e3/h1"), "e3>0")
    assert lines_of(after) == "a6b3e3"
    assert (pile_of(after), sum(card.printed for card in after.piles[0])) == ("c0d2", -2)
    assert events[:2] == [("APPENDED", 0, "e3", 0), ("COLLECTED", 0, 0, "c0d2")]


@pytest.mark.parametrize(
    ("line", "after", "collected"),
    [("a7b5", "a7b5b3!1", "-"), ("b5", "b5b3", "-"), ("a7c2b5", "a7b5b3!1", "c2")],
)
def test_case_2_a_slide_pins_the_neighbour(line: str, after: str, collected: str) -> None:
    state, events = do(table(line, "b3/h1"), "b3>0")
    assert (lines_of(state), pile_of(state)) == (after, collected)
    assert (("PINNED", 0, 1) in events) == ("!" in after)


def test_case_3_a_branch_of_seven_collapses() -> None:
    after, events = do(table("h2/a8b8c7d7e6f6", "a6/h1"), "a6>1")
    assert (lines_of(after), pile_of(after)) == ("h2/-", "a8")
    assert box_of(after) == "a6b8c7d7e6f6"
    assert events[1] == ("COLLAPSED", 1, "a8", "b8c7d7e6f6a6")


def test_case_4_a_pinned_edge_is_scored() -> None:
    after, _ = do(table("h2/a8b8c7d7e6f6!2", "a6/h1"), "a6>1")
    assert (lines_of(after), pile_of(after), box_of(after)) == ("h2/-", "c7", "a6a8b8d7e6f6")


def test_case_5_shear() -> None:
    after, events = do(table("h2/a8b7c6d5", step="0A", drawn="S"), "S1:1")
    assert lines_of(after) == "h2/a8b7/c6d5"
    assert events[:2] == [("ACTION_PLAYED", 0, "S"), ("SHEARED", 1, 1, 2)]
    after, events = do(table("h2/a8b7c6d5/-", step="0A", drawn="S"), "S1:1")
    assert (lines_of(after), pile_of(after), box_of(after)) == ("h2/a8b7/-", "c6", "d5")
    assert events[1:4] == [("SHEARED", 1, 1, "-"), ("SCORED", 0, 1, "c6"), ("BOXED", 1, "d5")]


def test_case_6_an_append_to_a_flipped_line() -> None:
    state = table("a2b5c8", "d7/h1", step="0B", held="L/-")
    flipped, _ = do(state, "L0")
    assert (lines_of(flipped), flipped.step) == ("a2b5c8^", "C")
    after, events = do(flipped, "d7>0")
    assert (lines_of(after), pile_of(after)) == ("d7c8^", "a2b5")
    assert events[:2] == [("APPENDED", 0, "d7", 0), ("COLLECTED", 0, 0, "a2b5")]
    assert lines_of(do(after, "E")[0]) == "d7c8"


def test_case_7_mend() -> None:
    after, events = do(table("a8/b6c3d3", step="0A", drawn="M"), "M1>0")
    assert (lines_of(after), pile_of(after)) == ("a8c3d3/-", "b6")
    scored = [("SCORED", 0, 1, "b6"), ("MOVED", 1, 0, "c3"), ("MOVED", 1, 0, "d3")]
    assert events[:4] == [("ACTION_PLAYED", 0, "M"), *scored]


def test_case_8_recall() -> None:
    after, events = do(table("a3b5c1d6", step="0A", drawn="R"), "R0:1")
    assert (lines_of(after), pile_of(after)) == ("b5d6!0", "a3c1")
    recalled = [("RECALLED", 0, 1, 0), ("PINNED", 0, 0), ("COLLECTED", 0, 0, "a3c1")]
    assert events[:4] == [("ACTION_PLAYED", 0, "R"), *recalled]


def test_case_9_quarantine_on_a_lone_prime() -> None:
    state = table("a3", step="0A", drawn="K", held="-/M")
    sealed, events = do(state, "K0")
    assert (lines_of(sealed), events[1]) == ("a3#0", ("SEALED", 0, 0))
    assert offtrack.legal_actions(sealed) == ["X"]
    discarded, _ = do(sealed, "X")
    assert offtrack.legal_actions(discarded) == ["."]
    skipped, events = do(discarded, ".")
    assert [event[0] for event in events[:4]] == [
        *("SKIPPED", "TURN_ENDED", "TURN_STARTED", "SEAL_LIFTED")
    ]
    assert (skipped.seat, lines_of(skipped)) == (0, "a3")


def test_case_9_a_breach_opens_prime() -> None:
    sealed, _ = do(table("a3", step="0A", drawn="K", held="-/B"), "K0")
    assert offtrack.legal_actions(sealed) == ["B0", "X"]
    opened, events = do(sealed, "B0")
    assert (lines_of(opened), pile_of(opened, 1), events[1]) == ("a3", "-", ("OPENED", 0))
    assert "h1>0" in offtrack.legal_actions(opened)


def test_case_10_a_redeemed_card_is_collected() -> None:
    state, events = do(table("a0b6", "c6/h1", step="0B", held="P/-"), "P0")
    assert (lines_of(state), events[1]) == ("a0+b6", ("REDEEMED", 0, "a0"))
    after, _ = do(state, "c6>0")
    assert (lines_of(after), pile_of(after)) == ("b6c6", "a0+")
    assert offtrack.RULES.pile_score(after, after.piles[0]) == 2


# The main step


def test_r11b_is_reached_when_the_only_open_branch_waits() -> None:
    """Play comes there, too: two seals stand while a branch waits, and the seat has cycled."""
    state = table("a3#1/-#1/b8c8d8e8f8a7b7?1", "h0h1h2h3h4/h5", marks="c-")
    assert offtrack.legal_actions(state) == ["."]
    assert offtrack.default_action(state) == "."
    unmarked = table("a3#1/-#1/b8c8d8e8f8a7b7?1", "h0h1h2h3h4/h5")
    assert len(offtrack.legal_actions(unmarked)) == 31


def test_an_empty_hand_cycles_nothing() -> None:
    state = table("a3", "-/h1", discards="b0")
    assert offtrack.legal_actions(state) == ["~"]
    assert offtrack.default_action(state) == "~"
    after, events = do(state, "~")
    assert events[:2] == [("CYCLED", 0, "-"), ("REFILLED", 0, 5, "a0a1a2a4a5")]
    assert offtrack.position(after).split(" ")[12] == "c-"
    assert offtrack.legal_actions(table("a3", "-/h1", marks="c-")) == ["."]


def test_equal_cards_of_a_hand_are_one_decision() -> None:
    options = Options(decks=2, eras=3)
    deck = cards_text(card for card in all_cards(3, 2) if card.text not in ("a3", "c4"))
    text = f"1 0C - a3a3c4/- -/- - {deck} - - - -/- - -- - - -"
    legal = offtrack.legal_actions(read_position(options, text))
    assert legal[:3] == ["a3>0", "c4>0", "~a3"]
    assert legal[2:] == ["~a3", "~a3a3", "~c4", "~a3c4", "~a3a3c4"]


def test_the_default_main_steps() -> None:
    assert offtrack.default_action(table("a3", "b2c0d0/h1")) == "~b2c0d0"
    marked = table("a3#1/-", "b2c0d0/h1", marks="c-")
    assert offtrack.default_action(marked) == "c0>1"


# Waiting


def test_a_collapse_at_the_start_is_the_turns_one() -> None:
    lines = "h2/a8b8c8d8e8f8a7?1/b7c7d7e7f7a6"
    state, events = do(table(lines, "h0/b6", step="0E"), "E")
    assert events[1:] == [("TURN_STARTED", 1), ("COLLAPSED", 1, "a8", "b8c8d8e8f8a7")]
    after, events = do(state, "b6>2")
    assert events[1] == ("WAITING", 2, 1)
    assert lines_of(after) == "h2/-/b7c7d7e7f7a6b6?1"


def test_of_two_branches_the_lowest_open_one_collapses() -> None:
    lines = "h2/a8b8c8d8e8f8a7#0?1/b7c7d7e7f7a6b6?1/c6d6e6f6a5b5c5?1"
    _, events = do(table(lines, step="0E", options=Options(max_branches=3)), "E")
    assert [event[:2] for event in events[2:]] == [("COLLAPSED", 2)]


def test_below_seven_a_branch_no_longer_waits() -> None:
    state = table("h2/a8b8c8d8e8f8a7?1", step="0A", drawn="Q")
    assert not [text for text in offtrack.legal_actions(state) if text.endswith(">1")]
    assert lines_of(do(state, "Q1:6>0")[0]) == "h2a7/a8b8c8d8e8f8"
    long = table("h2/a8b8c8d8e8f8a7b7?1", step="0A", drawn="Q")
    after, events = do(long, "Q1:7>0")
    assert ("COLLAPSED", 1, "a8", "b8c8d8e8f8a7") in events
    assert lines_of(after) == "h2b7/-"


# The end


def test_the_call_and_the_last_turns() -> None:
    options = Options(seats=3, rounds=1)
    state = table(
        "a3", "a0/b0/c0", options=options, held="-/-/-", marks="---", deck="d0", actions="-"
    )
    state = read_position(state.options, offtrack.position(state).replace(" 0C ", " 1C "))
    called, events = do(state, "b0>0")
    assert [event[0] for event in events] == [
        *("APPENDED", "REFILLED", "END_CALLED", "TURN_ENDED", "TURN_STARTED")
    ]
    assert offtrack.outcome(called) is None
    over, events = do(called, "~c0")
    assert events[1:3] == [("RESHUFFLED", 1), ("REFILLED", 2, 1, "c0")]
    assert events[3:] == [("TURN_ENDED", 2), ("ROUND_SCORED", "0,0,0")]
    assert offtrack.outcome(over) == Outcome((0, 1, 2), "ROUNDS_PLAYED", (0, 0, 0))
    assert offtrack.returns(over) == (Fraction(0),) * 3
    assert offtrack.position(over).startswith("1 -- ")
    assert (over.actor, offtrack.legal_actions(over)) == (None, [])


def test_two_of_three_share_the_victory() -> None:
    options = Options(seats=3, scoring="LOW", rounds=2)
    text = "2 -- - -/-/- -/-/- - - - - - -/-/- - --- - ! 5,-2,0;-4,3,1"
    over = read_position(options, text)
    assert offtrack.outcome(over) == Outcome((0, 1, 2), "ROUNDS_PLAYED", (1, 1, 1))
    over = read_position(options, text.replace("1", "2", 1).replace("3,1", "3,2"))
    assert offtrack.outcome(over) == Outcome((0, 1), "ROUNDS_PLAYED", (1, 1, 2))
    assert offtrack.returns(over) == (Fraction(1, 4), Fraction(1, 4), Fraction(-1, 2))


# Options, what is told


def test_all_faults_of_the_options_are_listed() -> None:
    options = Options(5, "BEST", 0, 5, False, 2, 9, 10)
    ranges = ("seats", "decks", "max_branches", "eras", "action_copies", "rounds")
    faults = offtrack.validate(options)
    assert sorted(faults) == sorted([*((name, "RANGE") for name in ranges), ("scoring", "VALUE")])
    with pytest.raises(Refused) as refused:
        offtrack.start(options, Draws.fed([]))
    assert refused.value.faults == faults
    assert offtrack.validate(Options()) == []


def test_what_is_told_of_hidden_cards() -> None:
    drawn = ("ACTION_DRAWN", 0, "S")
    assert offtrack.shown(drawn, 0) == drawn
    assert offtrack.shown(drawn, 1) == offtrack.shown(drawn, None) == ("ACTION_DRAWN", 0, "?")
    dealt = ("REFILLED", 1, 2, "a0a1")
    assert offtrack.shown(dealt, 0) == ("REFILLED", 1, 2, "?")


def test_a_view_holds_only_ones_own_cards() -> None:
    state = table("a3", "a0b0/c0", step="0A", drawn="S", held="-/B")
    own = [(view["hand"], view["held"], view["drawn"]) for view in map_views(state)]
    assert own == [("a0b0", "-", "S"), ("c0", "B", "-"), ("-", "-", "-")]
    assert all(view["hand_sizes"] == [2, 1] for view in map_views(state))
    assert all(view["holds"] == [False, True] and view["looking"] for view in map_views(state))


def map_views(state: State) -> list[dict[str, object]]:
    """List the views of both seats and of a spectator."""
    return [offtrack.view(state, viewer) for viewer in (0, 1, None)]


def test_an_illegal_action_is_refused() -> None:
    state = table("a3", "a0/c0")
    for text in ("", "b0>0", "a0>1", "X", "D", "S0:0", "~", "~a0a0", "."):
        with pytest.raises(Illegal):
            offtrack.apply(state, text, Draws.fed([]))
