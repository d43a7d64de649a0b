from __future__ import annotations

import pytest
from rich.console import Console, RenderableType

from tablestate.boards import board, reason_words, render
from tablestate.boards.offboard import cell_name
from tablestate.v1 import offtrack_pb2 as ot
from tablestate.v1.game_pb2 import GameAction, GameEvent, GameOptions, GameView, OutcomeReason
from tablestate.v1.offboard_pb2 import (
    OffboardAction,
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
    assert board("offboard").describe(GameEvent(offboard=event), GameOptions()) == words


def test_a_game_without_a_board_of_its_own_is_shown_plainly() -> None:
    plain = board("chess")
    assert "points_to_win: 6" in drawn(plain.render(start_view()))
    assert plain.describe(GameEvent(offboard=OffboardEvent()), GameOptions()) == "offboard { }"
    assert plain.heading(GameAction()) == "Actions"
    assert plain.seat_name(2) == "seat 2"


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (OffboardAction(), "Move: the group's last marble, and the cell it steps onto"),
        (OffboardAction(place=7), "Put the waiting marble on a cell"),
    ],
)
def test_actions_of_offboard_are_listed_by_kind(action: OffboardAction, words: str) -> None:
    assert board("offboard").heading(GameAction(offboard=action)) == words


Card, Line, Player = ot.OffTrackCard, ot.OffTrackLine, ot.OffTrackPlayer
Kind, Step, Deed = ot.OffTrackEventKind, ot.OffTrackStep, ot.OffTrackActionCard

OFFTRACK_PICTURE = """\
round 2 of 3, 17 cards in the deck, 2 discarded, 1 boxed, 5 actions to draw
The end is called: each seat up to the last has one more turn.

Prime, line 0, edge pinned to index 1
        a5 +2   ◆b0+ +2   c8 +5    d2 0     e3 +1    f1 -1    a6 +3
        0        1        2        3        4        5        6
        a7 +4    ◂ add
        7

Branch 1, flipped until the turn ends
  add ▸ b4 +1   ◆b5 +2
        0        1

Branch 2, sealed by east, waits to collapse until south's turn
        no cards

Branch 3
        no cards  ◂ add

   seat   hand  action  cycled  match  round  score pile of the round
   north  5     held    yes        +5     -1  c1
▸  east   4     -       -          -2      0  -

Your hand:   a0 -2   h8 +5
You hold Quarantine: seal a line until your next turn.
You have drawn Breach: score a branch's edge, or open a sealed line.
East is to decide: play, hold or discard the drawn action.
"""


def cards(*types: int) -> list[ot.OffTrackCard]:
    return [Card(type=each) for each in types]


def offtrack_view() -> ot.OffTrackView:
    prime = cards(5, 9, 26, 29, 39, 46, 6, 7)
    prime[1].redeemed = True
    return ot.OffTrackView(
        round=2,
        rounds=3,
        step=Step.OFF_TRACK_STEP_DRAWN,
        turn_of=1,
        lines=[
            Line(cards=prime, pinned=1),
            Line(cards=cards(13, 14), flipped=True),
            Line(sealed_by=1, waiting_for=2),
            Line(),
        ],
        players=[
            Player(
                hand_size=5,
                pile=cards(19),
                pile_score=-1,
                holds_action=True,
                cycled=True,
                round_scores=[5],
            ),
            Player(hand_size=4, round_scores=[-2]),
        ],
        hand=[0, 71],
        held=Deed.OFF_TRACK_ACTION_CARD_QUARANTINE,
        drawn=Deed.OFF_TRACK_ACTION_CARD_BREACH,
        boxed=cards(1),
        discard=[2, 3],
        deck_size=17,
        action_deck_size=5,
        called=True,
    )


def without_margin(text: str) -> str:
    return "".join(f"{line.rstrip()}\n" for line in text.splitlines())


def test_a_position_of_offtrack_is_drawn() -> None:
    view = GameView(offtrack=offtrack_view())
    assert without_margin(drawn(render(view))) == OFFTRACK_PICTURE


def test_a_spectator_is_shown_a_match_of_offtrack_that_is_over() -> None:
    view = ot.OffTrackView(
        lines=[Line(cards=cards(5), flipped=True)], players=[Player()] * 2, called=True
    )
    picture = drawn(render(GameView(offtrack=view)))
    assert "add ▸◆a5 +2" in picture
    assert "Your hand" not in picture
    assert "▸  north" not in picture
    assert "The end is called" not in picture
    assert picture.endswith("To decide: nothing, the match is over.\n")


OFFTRACK_EVENTS = [
    (
        ot.OffTrackEvent(
            kind=Kind.OFF_TRACK_EVENT_KIND_ROUND_STARTED, round=2, seat=1, cards=cards(0, 22)
        ),
        "round 2 begins, Prime is a0 c4, east starts",
    ),
    (
        ot.OffTrackEvent(kind=Kind.OFF_TRACK_EVENT_KIND_DEALT, seat=2, number=5),
        "south is dealt 5 cards",
    ),
    (ot.OffTrackEvent(kind=Kind.OFF_TRACK_EVENT_KIND_TURN_STARTED, seat=3), "west's turn"),
    (
        ot.OffTrackEvent(kind=Kind.OFF_TRACK_EVENT_KIND_SEAL_LIFTED, line=0),
        "the seal of Prime is lifted",
    ),
    (
        ot.OffTrackEvent(
            kind=Kind.OFF_TRACK_EVENT_KIND_COLLAPSED,
            line=1,
            scored=Card(type=8),
            cards=cards(2, 3),
        ),
        "branch 1 collapses: a8 for +5 is scored, a2 a3 boxed",
    ),
    (
        ot.OffTrackEvent(kind=Kind.OFF_TRACK_EVENT_KIND_WAITING, line=2, seat=0),
        "branch 2 waits to collapse until north's turn",
    ),
    (
        ot.OffTrackEvent(
            kind=Kind.OFF_TRACK_EVENT_KIND_ACTION_PLAYED,
            seat=0,
            action_card=Deed.OFF_TRACK_ACTION_CARD_PARADOX_LOOP,
        ),
        "north plays Paradox Loop",
    ),
    (
        ot.OffTrackEvent(
            kind=Kind.OFF_TRACK_EVENT_KIND_ACTION_DISCARDED,
            seat=0,
            action_card=Deed.OFF_TRACK_ACTION_CARD_MEND,
        ),
        "north discards Mend",
    ),
    (
        ot.OffTrackEvent(kind=Kind.OFF_TRACK_EVENT_KIND_ACTION_HELD, seat=0),
        "north holds the action",
    ),
    (
        ot.OffTrackEvent(kind=Kind.OFF_TRACK_EVENT_KIND_ACTION_DRAWN, seat=1),
        "east draws an action",
    ),
    (
        ot.OffTrackEvent(
            kind=Kind.OFF_TRACK_EVENT_KIND_ACTION_DRAWN,
            seat=1,
            action_card=Deed.OFF_TRACK_ACTION_CARD_RECALL,
        ),
        "east draws Recall",
    ),
    (
        ot.OffTrackEvent(kind=Kind.OFF_TRACK_EVENT_KIND_APPENDED, seat=0, line=1, cards=cards(22)),
        "north adds c4 to branch 1",
    ),
    (
        ot.OffTrackEvent(
            kind=Kind.OFF_TRACK_EVENT_KIND_COLLECTED,
            seat=0,
            line=1,
            cards=[Card(type=1, redeemed=True)],
        ),
        "north collects a1+ from branch 1",
    ),
    (
        ot.OffTrackEvent(kind=Kind.OFF_TRACK_EVENT_KIND_PINNED, line=0, index=0),
        "the edge of Prime is pinned to index 0",
    ),
    (
        ot.OffTrackEvent(kind=Kind.OFF_TRACK_EVENT_KIND_SHEARED, line=0, index=1, onto=2),
        "Prime is cut behind index 1, branch 2 opens",
    ),
    (
        ot.OffTrackEvent(kind=Kind.OFF_TRACK_EVENT_KIND_SHEARED, line=0, index=1),
        "Prime is cut behind index 1",
    ),
    (
        ot.OffTrackEvent(
            kind=Kind.OFF_TRACK_EVENT_KIND_SCORED, seat=1, line=1, scored=Card(type=2)
        ),
        "east scores a2 for 0 from branch 1",
    ),
    (
        ot.OffTrackEvent(kind=Kind.OFF_TRACK_EVENT_KIND_BOXED, line=0, cards=cards(2, 3)),
        "a2 a3 boxed from Prime",
    ),
    (
        ot.OffTrackEvent(kind=Kind.OFF_TRACK_EVENT_KIND_MOVED, line=1, onto=0, cards=cards(3)),
        "a3 goes from branch 1 to Prime",
    ),
    (
        ot.OffTrackEvent(kind=Kind.OFF_TRACK_EVENT_KIND_RECALLED, line=0, index=3, to_index=0),
        "the card at index 3 of Prime is recalled to index 0",
    ),
    (
        ot.OffTrackEvent(kind=Kind.OFF_TRACK_EVENT_KIND_FLIPPED, line=0),
        "Prime is flipped",
    ),
    (
        ot.OffTrackEvent(kind=Kind.OFF_TRACK_EVENT_KIND_REDEEMED, line=1, cards=cards(0, 10)),
        "a0 b1 of branch 1 turn positive",
    ),
    (
        ot.OffTrackEvent(kind=Kind.OFF_TRACK_EVENT_KIND_SEALED, line=1, seat=0),
        "north seals branch 1",
    ),
    (
        ot.OffTrackEvent(kind=Kind.OFF_TRACK_EVENT_KIND_OPENED, line=1),
        "branch 1 is opened",
    ),
    (
        ot.OffTrackEvent(kind=Kind.OFF_TRACK_EVENT_KIND_CYCLED, seat=0, cards=cards(0, 3)),
        "north cycles a0 a3",
    ),
    (
        ot.OffTrackEvent(kind=Kind.OFF_TRACK_EVENT_KIND_CYCLED, seat=0),
        "north cycles no card",
    ),
    (ot.OffTrackEvent(kind=Kind.OFF_TRACK_EVENT_KIND_SKIPPED, seat=0), "north skips"),
    (
        ot.OffTrackEvent(kind=Kind.OFF_TRACK_EVENT_KIND_RESHUFFLED, number=9),
        "the 9 cards discarded become the deck",
    ),
    (
        ot.OffTrackEvent(kind=Kind.OFF_TRACK_EVENT_KIND_REFILLED, seat=1, number=1, cards=cards(3)),
        "east draws 1 card (a3)",
    ),
    (
        ot.OffTrackEvent(kind=Kind.OFF_TRACK_EVENT_KIND_END_CALLED, seat=0),
        "north calls the end of the round",
    ),
    (ot.OffTrackEvent(kind=Kind.OFF_TRACK_EVENT_KIND_TURN_ENDED, seat=0), ""),
    (
        ot.OffTrackEvent(kind=Kind.OFF_TRACK_EVENT_KIND_ROUND_SCORED, scores=[4, -1]),
        "the round is scored: north 4, east -1",
    ),
]


@pytest.mark.parametrize(("event", "words"), OFFTRACK_EVENTS)
def test_events_of_offtrack_are_told_in_words(event: ot.OffTrackEvent, words: str) -> None:
    assert board("offtrack").describe(GameEvent(offtrack=event), GameOptions()) == words


def test_every_kind_of_event_of_offtrack_is_among_them() -> None:
    assert {event.kind for event, _ in OFFTRACK_EVENTS} == set(Kind.values()) - {0}


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (
            ot.OffTrackAction(play=ot.OffTrackPlay(action_card=Deed.OFF_TRACK_ACTION_CARD_SHEAR)),
            "Play Shear (S line:index, cut behind this card)",
        ),
        (ot.OffTrackAction(end=ot.OffTrackEnd()), "End the turn"),
        (ot.OffTrackAction(append=ot.OffTrackAppend()), "Add a card to a line (card>line)"),
    ],
)
def test_actions_of_offtrack_are_listed_by_kind(action: ot.OffTrackAction, words: str) -> None:
    assert board("offtrack").heading(GameAction(offtrack=action)) == words


@pytest.mark.parametrize("game", ["eternitium", "off_the_rails", "offboard", "offtrack"])
def test_every_board_says_how_actions_are_written(game: str) -> None:
    assert len(board(game).notation_help.splitlines()) > 3


def test_every_reason_is_told_in_words_of_its_game() -> None:
    games, named = GameOptions.DESCRIPTOR.fields_by_name, set[str]()
    of_no_game = {
        "OUTCOME_REASON_UNSPECIFIED",
        "OUTCOME_REASON_FORFEIT",
        "OUTCOME_REASON_AGREEMENT",
    }
    for name, reason in OutcomeReason.items():
        words = name.removeprefix("OUTCOME_REASON_").lower()
        for of in (game for game in games if words.startswith(f"{game}_")):
            told = reason_words(of, reason)
            rest = words.removeprefix(f"{of}_").replace("_", " ")
            assert of.replace("_", " ") not in told
            assert told not in (rest, words.replace("_", " "))
            named.add(name)
    assert set(OutcomeReason.keys()) - named == of_no_game
    forfeit = OutcomeReason.OUTCOME_REASON_FORFEIT
    assert {reason_words(game, forfeit) for game in games} == {"all others have forfeited"}


def test_a_reason_newer_than_the_words_is_told_all_the_same() -> None:
    played = OutcomeReason.OUTCOME_REASON_OFFTRACK_ROUNDS_PLAYED
    assert reason_words("no-such-game", played) == "offtrack rounds played"
    newer: OutcomeReason.ValueType = 9999  # type: ignore[assignment]
    assert reason_words("offboard", newer) == "for reason 9999"
