"""The worked cases of Eternitium's rules, and single rules in states made by hand."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from .chance import Draws
from .common import Event, Illegal, Outcome
from .eternitium import RULES
from .eternitium_read import read_position
from .eternitium_state import Options, State, option_faults


def table(
    stacks: str,
    hands: str = "cstdD/cstdD",
    *,
    at: str = "0Y",
    marks: str = "---5",
    visible: str = "--",
    pile: str = "-",
    supply: str = "0,0,0,0",
    basics: str = "--- ()",
    advanced: str = "--- ()",
    decks: str = "",
    discards: str = "",
    area: str = "-",
    round: int = 2,
    out: str = "",
) -> State:
    """Make a state; of what is left out there is nothing."""
    seats = stacks.count("/") + 1
    none = "/".join("-" * seats)
    fields = (
        *(str(round), at, marks, stacks, "-", visible, pile, supply, basics, advanced, hands),
        *(decks or none, discards or none, area, none, out or "-" * seats),
    )
    return read_position(Options(seats=seats, max_rounds=9), " ".join(fields))


def do(state: State, *actions: str, draw: int = 0) -> tuple[State, list[Event]]:
    """Do some actions, drawing the card of one place, or the last; gives the last one's events."""
    events: list[Event] = []
    for action in actions:
        state, events = RULES.apply(state, action, Draws(lambda n: min(draw, n - 1)))
    return state, events


def stacks(state: State) -> str:
    """Write the Era stacks."""
    return RULES.position(state).split(" ")[3]


def hand(state: State, seat: int = 0) -> str:
    """Write a hand."""
    return RULES.position(state).split(" ")[12].split("/")[seat]


def legal(state: State) -> list[str]:
    """List what is legal."""
    return RULES.legal(state)


def names(events: list[Event]) -> list[str]:
    """List the names of events."""
    return [str(event[0]) for event in events]


# The worked cases


def test_case_1_four_seats() -> None:
    state, _ = RULES.start(Options(seats=4), Draws(lambda n: 0))
    fields = RULES.position(state).split(" ")
    assert fields[7] == "8,8,8,8"
    assert [seat.eras.size for seat in state.seats] == [9] * 4
    assert (len(fields[5]), len(fields[6]), len(fields[8]), len(fields[10])) == (2, 22, 3, 3)
    assert "-" not in fields[5] + fields[8] + fields[10]


def test_case_2_a_face_up_square() -> None:
    state = table("^s(cc)/(c)")
    assert [text for text in legal(state) if len(text) == 1] == ["s", ".", "*"]
    after, events = do(state, "s")
    assert (stacks(after), after.gone) == ("(cc)/(c)", ("square",))
    assert events == [("PLAYED", 0, "s"), ("ERA_LEFT", 0, "s")]


def test_case_3_a_lost_gamble() -> None:
    state = table("s(cctd)/(c)", decks="cccccc/-", visible="cd", basics="PVX (C)")
    after, events = do(state, "c")
    assert stacks(after) == "(csctd)/(c)".replace("csctd", "ccstd")
    assert names(events) == [
        *("PLAYED", "ERA_REVEALED", "GAMBLE_LOST", "STACK_SHUFFLED", "DISCARDED")
    ]
    assert (after.step, after.refill) == ("technology", 4)
    assert "b0l" in legal(after)
    refilled, _ = do(after, "n")
    assert hand(refilled) == "cccc"


@pytest.mark.parametrize(("pile", "after"), [("dd", "(sd)/(c)"), ("-", "(s)/(c)")])
def test_case_4_a_gamble_lost_with_one_era(pile: str, after: str) -> None:
    state, events = do(table("(s)/(c)", pile=pile), "c")
    assert (stacks(state), state.own.face_up) == (after, False)
    assert ("ERA_GAINED_UNSEEN" in names(events)) == (pile == "dd")


def test_case_5_refit_of_eight_cards() -> None:
    state = table("(s)/(c)", "cstdDP/c", decks="cc/-")
    state, _ = do(state, "*", "-c", "-s")
    assert len(state.own.owned) == 6
    assert [text for text in legal(state) if text[0] == "-"] == []
    with pytest.raises(Illegal):
        do(state, "-t")
    state, events = do(state, "=t")
    assert events == [("KEPT", 0, 1, "t"), ("DISCARDED", 0, "dDP")]
    state, events = do(state, "n")
    assert ("RESHUFFLED", 0, 3) in events
    assert len(state.seats[0].hand) == 6


def test_case_6_no_refit_after_a_card() -> None:
    state = table("(s)/(c)")
    assert "*" in legal(state)
    assert "*" not in legal(do(state, "D")[0])


def test_case_7_the_round_is_played_out() -> None:
    state = table("(s)/^s()/(s)/(c)", "c/sc/c/c", at="1Y", visible="cd", basics="PVX ()")
    state, _ = do(state, "s", ".")
    assert stacks(state).split("/")[1] == "()"
    ended, _ = do(state, "n", ".", "n", ".", "n")
    assert (ended.actor, RULES.position(ended).split(" ")[1]) == (None, "--")
    assert RULES.outcome(ended) == Outcome((1,), "ERAS_GONE", (0, 0, 0, 0))
    bought, _ = do(state, "b0l", ".", "n", ".", "n")
    assert (bought.actor, bought.round) == (0, 3)


def test_case_8_points_and_advanced() -> None:
    state = table("()/()", "PVX/DO", at="1T")
    ended, _ = do(state, "n")
    assert RULES.outcome(ended) == Outcome((1,), "ERAS_GONE", (3, 3))
    assert RULES.returns(ended) == (Fraction(-1), Fraction(1))
    shared, _ = do(table("()/()", "PVX/DVX", at="1T"), "n")
    assert RULES.outcome(shared) == Outcome((0, 1), "ERAS_GONE", (3, 3))


@pytest.mark.parametrize(("visible", "gained"), [("-d", "d"), ("--", "")])
def test_case_9_nothing_is_left(visible: str, gained: str) -> None:
    state = table("(s)/(c)", at="0T", visible=visible, advanced="OLW ()")
    after, events = do(state, "a0")
    assert stacks(after) == f"(s){gained}/(c)"
    assert ("ERAS_GAINED" in names(events)) == bool(gained)
    assert (after.seat, after.step) == (1, "play")


def test_case_10_the_last_era_is_exiled() -> None:
    state = table("(c)/^s()", "c/E", at="1Y")
    after, events = do(state, "E0")
    assert stacks(after) == "(c)s/()"
    assert events == [("PLAYED", 1, "E", 0), ("ERA_EXILED", 1, 0, "s")]
    ended, _ = do(after, ".", "n")
    assert RULES.outcome(ended) == Outcome((1,), "ERAS_GONE", (0, 2))


# Portals


def test_twins_and_omni() -> None:
    state = table("(tt)/(c)", "PO/c", decks="c/-")
    turned, events = do(state, "P")
    assert stacks(turned) == "^t(t)/(c)"
    assert names(events) == ["PLAYED", "ERA_REVEALED", "ERA_TURNED"]
    assert legal(turned) == ["O", "."]
    after, events = do(turned, "O")
    assert (stacks(after), hand(after)) == ("(t)/(c)", "c")
    assert names(events) == ["PLAYED", "ERA_LEFT", "DRAWN"]


def test_r5_an_empty_stack() -> None:
    state = table("()/(c)", "cDPVCXRONLE/c")
    plays = {text[0] for text in legal(state)}
    assert plays == {"V", "C", "L", "R", ".", "*"}


# Technologies


@pytest.mark.parametrize(
    ("own", "their", "after"),
    [("^s(c)", "^t(d)", "^t(c)/s(d)"), ("s(c)", "t(d)", "^t(c)/s(d)")],
)
def test_exchange(own: str, their: str, after: str) -> None:
    state, events = do(table(f"{own}/{their}", "X/c"), "X1")
    expected = after.replace("/s", "/^s") if own[0] == "^" else after
    assert stacks(state) == expected
    assert names(events)[1:] == ["ERAS_EXCHANGED"] + ["ERA_TURNED"] * (own[0] != "^")


def test_veil_and_storm() -> None:
    state = table("(s)/^t(d)c/(c)/()", "VM/c/c/c", decks="t/-/-/-")
    assert [text for text in legal(state) if text[0] == "V"] == ["V1", "V2"]
    veiled, events = do(state, "V1")
    assert stacks(veiled) == "^s()/(ctd)/(c)/()"
    assert events[1:3] == [("ERA_COVERED", 1), ("STACK_SHUFFLED", 1)]
    stormed, events = do(state, "M")
    assert stacks(stormed) == "^s()/(ctd)/(c)/()"
    assert names(events)[1:] == [
        *("ERA_COVERED", "STACK_SHUFFLED", "STACK_SHUFFLED", "ERA_TURNED", "DRAWN")
    ]


def test_a_scanner_shows_two() -> None:
    state = table("(sd)t/(c)", "N/c")
    looking, events = do(state, "N", draw=1)
    assert stacks(looking) == "dst()/(c)"
    assert events[1] == ("ERAS_SEEN", 0, 2, "ds")
    assert RULES.shown(events[1], 1) == ("ERAS_SEEN", 0, 2, "?")
    assert [view["scanned"] for view in RULES.views(looking).values()] == ["ds", "-", "-"]
    assert legal(looking) == ["^0", "^1"]
    after, events = do(looking, "^1")
    assert (stacks(after), events) == ("^sdt()/(c)", [("PUT_ON_TOP", 0, 1, "s")])


def test_a_scanner_asks_even_with_one() -> None:
    looking, _ = do(table("(s)/(c)", "N/c"), "N")
    assert legal(looking) == ["^0"]
    assert stacks(do(looking, "^0")[0]) == "^s()/(c)"


def test_r19_the_top_keeps_its_face_meanwhile() -> None:
    looking, _ = do(table("^s(c)/(c)", "N/c"), "N")
    assert stacks(looking) == "^sc()/(c)"
    assert stacks(do(looking, "^1")[0]) == "^cs()/(c)"


def test_a_recycler_needs_seven_cards() -> None:
    assert "Rc" not in legal(table("(s)/(c)", "cR/c", decks="cstD/-"))
    state = table("(s)/(c)", "cRR/c", decks="cstD/-")
    assert [text for text in legal(state) if text[0] == "R"] == ["Rc", "RR"]
    after, events = do(state, "RR")
    assert names(events) == ["PLAYED", "REMOVED", "ERA_TURNED", "DRAWN"]
    assert after.own.removed == ("recycler",)


def test_a_time_loop_and_its_marks() -> None:
    state = table("(s)/(c)", "LL/c", decks="ccccccL/-", supply="1,0,0,0")
    looped, _ = do(state, "L")
    assert "L" not in legal(looped)
    extra, events = do(looped, ".", "n", draw=9)
    assert events[-1] == ("TURN_STARTED", 0, 2, 1)
    assert RULES.position(extra).split(" ")[1:3] == ["0P", "x--5"]
    after, _ = do(extra, "@c")
    assert "L" in RULES.position(after).split(" ")[12]
    assert "L" not in legal(after)
    assert do(after, ".", "n")[0].seat == 1


def test_an_extra_turn_follows_a_lost_gamble() -> None:
    state = table("s(t)/(c)", "cL/c", decks="ccccccc/-")
    after, _ = do(state, "L", "c", "n")
    assert (after.seat, after.extra, after.refill, len(after.own.hand)) == (0, True, 5, 4)


def test_surge_leaves_the_play_area_alone() -> None:
    state = table("(s)/(c)", "GC/c", decks="c/-", discards="st/-", area="d", marks="--p5")
    after, events = do(state, "G")
    assert events[1:] == [("RESHUFFLED", 0, 2), ("DRAWN", 0, 3, "cst")]
    assert do(after, "C")[1][1:] == [("ERA_TURNED", 0, "s")]


# The market


def test_a_row_shows_each_kind_once() -> None:
    state = table("(s)/(c)", "-/c", at="0T", visible="cd", pile="s", basics="PVX (V)VC")
    after, events = do(state, "b2r")
    assert RULES.position(after).split(" ")[8:10] == ["PVC", "VV()"]
    assert names(events) == [
        *("TECHNOLOGY_TAKEN", "TECHNOLOGY_UNDER", "TECHNOLOGY_UNDER", "TECHNOLOGY_TURNED"),
        *("ERAS_GAINED", "VISIBLE_ERA", "DRAWN", "TURN_ENDED", "TURN_STARTED"),
    ]


def test_a_deck_without_a_kind_that_fits_stays() -> None:
    state = table("(s)/(c)", at="0T", visible="cd", basics="PVX (VV)P")
    after, events = do(state, "b2l")
    assert RULES.position(after).split(" ")[8:10] == ["PV-", "(VV)P"]
    assert "TECHNOLOGY_UNDER" not in names(events)
    assert stacks(after) == "(s)c/(c)"
    assert RULES.position(after).split(" ")[5] == "-d"


def test_an_unseen_technology_is_told_to_its_buyer() -> None:
    state = table("(s)/(c)", "-/c", at="0T", advanced="OLW (GE)N", decks="c/-")
    assert [text for text in legal(state) if text[0] == "a"] == ["a0", "a1", "a2", "a?"]
    after, events = do(state, "a?")
    assert events[0] == ("TECHNOLOGY_TAKEN", 0, "ADVANCED", "-", "G")
    assert RULES.shown(events[0], None) == ("TECHNOLOGY_TAKEN", 0, "ADVANCED", "-", "?")
    assert "G" in RULES.position(after).split(" ")[12].split("/")[0]


def test_both_eras_go_under_the_left_one_first() -> None:
    state = table("(s)/(c)", at="0T", visible="cd", pile="st", advanced="OLW (G)")
    after, _ = do(state, "a1")
    assert stacks(after) == "(s)cd/(c)"
    assert RULES.position(after).split(" ")[5:7] == ["st", "-"]


# The end


def test_r12_the_fewest_eras_after_the_last_round() -> None:
    state = table("(ss)/(c)d/(ccc)", "O/D/O", at="2T", round=9)
    ended, _ = do(state, "n")
    assert RULES.outcome(ended) == Outcome((0,), "MAX_ROUNDS", (2, 1, 2))
    assert RULES.outcome(do(replace(state, round=8), "n")[0]) is None


def test_r10_a_forfeited_seat_neither_ends_nor_wins() -> None:
    state = table("()/(c)/(c)", "O/D/O", at="2T", out="f--")
    assert do(state, "n")[0].round == 3
    ended, _ = do(replace(state, round=9), "n")
    assert RULES.outcome(ended) == Outcome((2,), "MAX_ROUNDS", (2, 1, 2))


# Options, default actions, what is told


def test_faults_of_options() -> None:
    def faults(*copies: tuple[str, int]) -> list[tuple[str, str]]:
        return option_faults(Options(technology_copies=copies))

    none = [(kind, 0) for kind in ("twin_cs", "twin_td", "veil", "courier", "exchange")]
    assert option_faults(Options()) == []
    assert faults(*none, ("recycler", 2)) == []
    assert faults(*none, ("recycler", 1)) == [("technology_copies", "TOO_FEW")]
    assert faults(("droid", 5)) == [("technology_copies", "KIND")]
    assert faults(("storm", 11)) == [("technology_copies", "RANGE")]
    assert option_faults(Options(6, 2, (), 1001)) == [
        *(("seats", "RANGE"), ("eras_per_seat", "RANGE"), ("max_rounds", "RANGE"))
    ]


@pytest.mark.parametrize(
    ("at", "default"), [("0B", "+1"), ("0P", "@s"), ("0Y", "."), ("0F", "="), ("0T", "n")]
)
def test_default_actions(at: str, default: str) -> None:
    state = table("(s)/(c)", at=at, supply="0,1,1,0", basics="-VX ()")
    assert RULES.default_action(state) == default


def test_what_is_told_of_a_kept_card() -> None:
    kept, none = ("KEPT", 0, 1, "c"), ("KEPT", 0, 0, "-")
    assert RULES.shown(kept, 0) == kept
    assert RULES.shown(kept, 1) == ("KEPT", 0, 1, "?")
    assert RULES.shown(none, None) == none


def test_a_view_holds_only_ones_own_cards() -> None:
    state = table("^s(c)/(c)", "cs/tD", decks="dV/N")
    own = [(view["hand"], view["deck"]) for view in RULES.views(state).values()]
    assert own == [("cs", "dV"), ("tD", "N"), ("-", "-")]
    players = [view["players"] for view in RULES.views(state).values()]
    assert players[0] == players[1] == players[2]


def test_an_illegal_action_is_refused() -> None:
    state = table("^s(c)/(c)", "csV/D")
    for text in ("", "c", "V0", "V2", "Rc", "D", "@c", "=", "b0l", "^0", "+0", "n"):
        with pytest.raises(Illegal):
            RULES.apply(state, text, Draws.fed([]))
