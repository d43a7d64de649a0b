from __future__ import annotations

import pytest
from rich.console import Console, RenderableType

from tablestate.boards import board, reason_words, render
from tablestate.v1 import eternitium_pb2 as et
from tablestate.v1.game_pb2 import GameAction, GameEvent, GameOptions, GameView, OutcomeReason

Kind, Event, Player = et.EternitiumEventKind, et.EternitiumEvent, et.EternitiumPlayer
CIRCLE, SQUARE, TRIANGLE, DIAMOND = et.EternitiumSymbol.values()[1:]
LETTERS = "-cstdDPQVCXROLNMGWE"

PICTURE = """\
round 3 of 50, 36 Eras in the pile, 2 gone

Visible Eras: ● -   Supply: ● 4  ■ 3  ▲ 0  ◆ 4
Basic     0 Veil (V)  1 -  2 Exchange (X)  (12 left)
Advanced  0 Omni Portal (O)  1 Surge (G)  2 Exile (E)  (13 left)

   seat        Eras  top  hand  deck  Basic  Advanced  discarded  removed
▸  amber          7    ■     3     2      2         1  cD         -
   blue (out)     9    ?     5     1      2         0  -          s

Played: R
Your hand: ● (c), ◆ (d), Scanner (N)
Your deck, sorted: cV
Your Scanner shows: ■ ◆
Amber is to decide in an extra turn: put one of the Eras shown on top.
"""


def cards(letters: str) -> list[et.EternitiumCard.ValueType]:
    values = et.EternitiumCard.values()
    return [values[LETTERS.index(letter)] for letter in letters]


def drawn(renderable: RenderableType) -> str:
    console = Console(width=100, color_system=None)
    with console.capture() as capture:
        console.print(renderable)
    return "".join(f"{line.rstrip()}\n" for line in capture.get().splitlines())


def view() -> et.EternitiumView:
    amber = Player(
        eras=7,
        top=SQUARE,
        hand_size=3,
        deck_size=2,
        discard=cards("cD"),
        basics=2,
        advanced=1,
    )
    blue = Player(eras=9, hand_size=5, deck_size=1, removed=cards("s"), basics=2, forfeited=True)
    return et.EternitiumView(
        round=3,
        max_rounds=50,
        step=et.EternitiumStep.ETERNITIUM_STEP_PUT_ON_TOP,
        extra_turn=True,
        refill_size=5,
        players=[amber, blue],
        supply=[4, 3, 0, 4],
        eras_gone=[1, 1, 0, 0],
        visible_eras=[CIRCLE, et.EternitiumSymbol.ETERNITIUM_SYMBOL_UNSPECIFIED],
        pile_size=36,
        basic_row=cards("V-X"),
        advanced_row=cards("OGE"),
        basic_deck_size=12,
        advanced_deck_size=13,
        play_area=cards("R"),
        hand=cards("cdN"),
        deck=cards("cV"),
        scanned=[SQUARE, DIAMOND],
    )


def test_a_position_is_drawn() -> None:
    assert drawn(render(GameView(eternitium=view()))) == PICTURE


def test_a_spectator_is_shown_a_match_that_is_over() -> None:
    over = et.EternitiumView(players=[Player(owned=cards("cDE")), Player(eras=1)])
    picture = drawn(render(GameView(eternitium=over)))
    assert "cDE" in picture
    assert "Your hand" not in picture
    assert "▸" not in picture
    assert picture.endswith("To decide: nothing, the match is over.\n")


EVENTS = [
    (Event(kind=Kind.ETERNITIUM_EVENT_KIND_ERAS_DEALT, seat=1, number=10), "blue is dealt 10 Eras"),
    (
        Event(kind=Kind.ETERNITIUM_EVENT_KIND_ERA_TURNED, seat=0, era=CIRCLE),
        "amber's top Era is turned up: ●",
    ),
    (
        Event(
            kind=Kind.ETERNITIUM_EVENT_KIND_VISIBLE_ERA,
            side=et.EternitiumSide.ETERNITIUM_SIDE_RIGHT,
            era=DIAMOND,
        ),
        "◆ lies right of the pile",
    ),
    (
        Event(
            kind=Kind.ETERNITIUM_EVENT_KIND_TECHNOLOGY_UNDER,
            type=et.EternitiumType.ETERNITIUM_TYPE_BASIC,
            card=cards("V")[0],
        ),
        "Veil goes under the Basic deck",
    ),
    (
        Event(
            kind=Kind.ETERNITIUM_EVENT_KIND_TECHNOLOGY_TURNED,
            type=et.EternitiumType.ETERNITIUM_TYPE_ADVANCED,
            place=2,
            card=cards("G")[0],
        ),
        "Surge fills place 2 of the Advanced row",
    ),
    (
        Event(
            kind=Kind.ETERNITIUM_EVENT_KIND_TECHNOLOGY_TAKEN,
            seat=0,
            type=et.EternitiumType.ETERNITIUM_TYPE_BASIC,
        ),
        "amber takes a Basic unseen",
    ),
    (
        Event(
            kind=Kind.ETERNITIUM_EVENT_KIND_TECHNOLOGY_TAKEN,
            seat=2,
            type=et.EternitiumType.ETERNITIUM_TYPE_ADVANCED,
            place=0,
            card=cards("E")[0],
        ),
        "green takes an Advanced: Exile",
    ),
    (
        Event(kind=Kind.ETERNITIUM_EVENT_KIND_RESHUFFLED, seat=3, number=6),
        "red shuffles 6 cards into a new deck",
    ),
    (Event(kind=Kind.ETERNITIUM_EVENT_KIND_DRAWN, seat=4, number=1), "violet draws 1 card"),
    (
        Event(kind=Kind.ETERNITIUM_EVENT_KIND_DRAWN, seat=4, number=2, cards=cards("cD")),
        "violet draws 2 cards (cD)",
    ),
    (
        Event(kind=Kind.ETERNITIUM_EVENT_KIND_TURN_STARTED, seat=0, round=2, extra_turn=True),
        "amber's extra turn of round 2",
    ),
    (
        Event(kind=Kind.ETERNITIUM_EVENT_KIND_PORTAL_TAKEN, seat=0, card=cards("t")[0]),
        "amber takes a triangle Portal",
    ),
    (
        Event(kind=Kind.ETERNITIUM_EVENT_KIND_PLAYED, seat=0, card=cards("V")[0], opponent=1),
        "amber plays Veil at blue",
    ),
    (
        Event(kind=Kind.ETERNITIUM_EVENT_KIND_ERA_REVEALED, seat=0, era=SQUARE),
        "amber's face-down Era is ■",
    ),
    (Event(kind=Kind.ETERNITIUM_EVENT_KIND_ERA_LEFT, era=SQUARE), "■ leaves the game"),
    (Event(kind=Kind.ETERNITIUM_EVENT_KIND_GAMBLE_LOST, seat=1), "blue loses the gamble"),
    (
        Event(kind=Kind.ETERNITIUM_EVENT_KIND_ERA_GAINED_UNSEEN, seat=1),
        "blue gains an Era from the pile",
    ),
    (
        Event(kind=Kind.ETERNITIUM_EVENT_KIND_ERA_COVERED, seat=1),
        "blue's top Era is turned face down",
    ),
    (Event(kind=Kind.ETERNITIUM_EVENT_KIND_STACK_SHUFFLED, seat=1), "blue's Eras are shuffled"),
    (
        Event(kind=Kind.ETERNITIUM_EVENT_KIND_ERAS_EXCHANGED, seat=0, opponent=1),
        "amber and blue exchange their top Eras",
    ),
    (
        Event(kind=Kind.ETERNITIUM_EVENT_KIND_ERAS_SEEN, seat=0, number=2, eras=[CIRCLE, SQUARE]),
        "amber looks at 2 Eras (● ■)",
    ),
    (
        Event(kind=Kind.ETERNITIUM_EVENT_KIND_PUT_ON_TOP, seat=0, place=1, era=TRIANGLE),
        "amber puts the lower Era on top, face up: ▲",
    ),
    (
        Event(kind=Kind.ETERNITIUM_EVENT_KIND_ERA_EXILED, seat=0, opponent=1, era=CIRCLE),
        "amber's ● goes under blue's stack",
    ),
    (Event(kind=Kind.ETERNITIUM_EVENT_KIND_PLAY_ENDED, seat=0), "amber plays no more"),
    (Event(kind=Kind.ETERNITIUM_EVENT_KIND_REFITTED, seat=0), "amber refits"),
    (
        Event(kind=Kind.ETERNITIUM_EVENT_KIND_REMOVED, seat=0, card=cards("D")[0]),
        "amber removes Droid from the game",
    ),
    (Event(kind=Kind.ETERNITIUM_EVENT_KIND_KEPT, seat=0, number=0), "amber keeps no card"),
    (Event(kind=Kind.ETERNITIUM_EVENT_KIND_KEPT, seat=0, number=1), "amber keeps a card"),
    (
        Event(kind=Kind.ETERNITIUM_EVENT_KIND_DISCARDED, seat=0, cards=cards("csV")),
        "amber discards csV",
    ),
    (
        Event(kind=Kind.ETERNITIUM_EVENT_KIND_ERAS_GAINED, seat=0, eras=[CIRCLE, DIAMOND]),
        "amber gains ● ◆ under its stack",
    ),
    (
        Event(kind=Kind.ETERNITIUM_EVENT_KIND_NO_TECHNOLOGY, seat=0),
        "amber takes no technology",
    ),
    (Event(kind=Kind.ETERNITIUM_EVENT_KIND_TURN_ENDED, seat=0), ""),
]


@pytest.mark.parametrize(("event", "words"), EVENTS)
def test_events_are_told_in_words(event: et.EternitiumEvent, words: str) -> None:
    assert board("eternitium").describe(GameEvent(eternitium=event), GameOptions()) == words


def test_every_kind_of_event_is_among_them() -> None:
    assert {event.kind for event, _ in EVENTS} == set(Kind.values()) - {0}


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (et.EternitiumPlay(card=cards("c")[0]), "Play a card"),
        (et.EternitiumPlay(card=cards("V")[0], seat=1), "Play Veil (V and the opponent's seat)"),
        (
            et.EternitiumPlay(card=cards("R")[0], other=cards("c")[0]),
            "Play Recycler (R and the other card)",
        ),
    ],
)
def test_plays_are_listed_by_kind(action: et.EternitiumPlay, words: str) -> None:
    listed = GameAction(eternitium=et.EternitiumAction(play=action))
    assert board("eternitium").heading(listed) == words


def test_other_actions_are_listed_by_kind() -> None:
    headings = set()
    for field in et.EternitiumAction.DESCRIPTOR.fields:
        action = et.EternitiumAction()
        getattr(action, field.name).SetInParent()
        headings.add(board("eternitium").heading(GameAction(eternitium=action)))
    assert len(headings) == 11
    assert "Take no technology" in headings


def test_the_help_names_every_technology_and_the_ends_their_words() -> None:
    shown = board("eternitium")
    assert "X Exchange: swap top Eras" in shown.notation_help
    assert shown.notation_help.count(": ") >= 14
    reasons = (
        OutcomeReason.OUTCOME_REASON_ETERNITIUM_ERAS_GONE,
        OutcomeReason.OUTCOME_REASON_ETERNITIUM_MAX_ROUNDS,
    )
    words = [reason_words("eternitium", reason) for reason in reasons]
    assert words == ["a round ended with no Eras left", "the last round is over"]
    assert shown.seat_name(4) == "violet"
