from __future__ import annotations

import pytest

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
    WEST,
    WHITE,
    YELLOW,
    cart,
    jewels,
    square,
)
from tablestate.boards import board
from tablestate.v1 import off_the_rails_pb2 as pb
from tablestate.v1.game_pb2 import GameEvent, GameOptions

Kind, Event = pb.OffTheRailsEventKind, pb.OffTheRailsEvent
RIGHT = pb.OFF_THE_RAILS_HAND_RIGHT

EVENTS = [
    (
        Event(
            kind=Kind.OFF_THE_RAILS_EVENT_KIND_DEPOSITED,
            colour=YELLOW,
            number=4,
            square=square("e6"),
            jewels=jewels("krr"),
        ),
        "yellow 4 brings 1 Rock, 2 Rubies to e6",
    ),
    (
        Event(kind=Kind.OFF_THE_RAILS_EVENT_KIND_MISSIONS_DEALT, numbers=[1, 9, 11]),
        "the missions are Full Hold, Double Shift, Long Haul",
    ),
    (Event(kind=Kind.OFF_THE_RAILS_EVENT_KIND_TURN_STARTED, seat=2), "seat 2's turn"),
    (
        Event(
            kind=Kind.OFF_THE_RAILS_EVENT_KIND_TRACK_PLACED,
            seat=0,
            square=square("c4"),
            exits=[NORTH, SOUTH],
        ),
        "seat 0 lays track NS on c4",
    ),
    (
        Event(
            kind=Kind.OFF_THE_RAILS_EVENT_KIND_TRACK_UPGRADED,
            seat=0,
            square=square("c4"),
            exits=[NORTH, EAST, SOUTH],
        ),
        "seat 0 makes the track on c4 NES",
    ),
    (
        Event(
            kind=Kind.OFF_THE_RAILS_EVENT_KIND_CART_PLACED,
            cart=cart(1, BLACK),
            surface=pb.OffTheRailsSurface(side=EAST, place=2),
        ),
        "1b is placed on E3",
    ),
    (
        Event(kind=Kind.OFF_THE_RAILS_EVENT_KIND_SPEED_CHANGED, cart=cart(0, WHITE), speed=4),
        "0w has speed 4 now",
    ),
    (Event(kind=Kind.OFF_THE_RAILS_EVENT_KIND_ACTIONS_ENDED, seat=1), "seat 1 ends its actions"),
    (Event(kind=Kind.OFF_THE_RAILS_EVENT_KIND_MOVE_STARTED, cart=cart(0, WHITE)), "0w moves"),
    (
        Event(kind=Kind.OFF_THE_RAILS_EVENT_KIND_ENTERED, cart=cart(0, WHITE), square=63),
        "0w enters h8",
    ),
    (
        Event(
            kind=Kind.OFF_THE_RAILS_EVENT_KIND_TOOK,
            cart=cart(0, WHITE),
            square=8,
            jewels=jewels("e"),
        ),
        "0w takes 1 Emerald from a2",
    ),
    (
        Event(kind=Kind.OFF_THE_RAILS_EVENT_KIND_TOOK_NOTHING, cart=cart(0, WHITE), square=0),
        "0w takes nothing more from a1",
    ),
    (
        Event(kind=Kind.OFF_THE_RAILS_EVENT_KIND_FACED, cart=cart(0, WHITE), facing=WEST),
        "0w faces west",
    ),
    (
        Event(
            kind=Kind.OFF_THE_RAILS_EVENT_KIND_BANKED,
            cart=cart(0, WHITE),
            surface=pb.OffTheRailsSurface(side=SOUTH, place=0),
            jewels=jewels("ggd"),
        ),
        "0w banks 2 Gold, 1 Diamond at Sa",
    ),
    (
        Event(kind=Kind.OFF_THE_RAILS_EVENT_KIND_DERAILED, cart=cart(3, BLACK)),
        "3b derails",
    ),
    (
        Event(
            kind=Kind.OFF_THE_RAILS_EVENT_KIND_DERAILED,
            cart=cart(3, BLACK),
            jewels=jewels("kk"),
            out=True,
        ),
        "3b derails and loses 2 Rocks, out of the game",
    ),
    (
        Event(
            kind=Kind.OFF_THE_RAILS_EVENT_KIND_COLLIDED,
            cart=cart(0, WHITE),
            opposing=cart(1, BLACK),
            connected=True,
            front_first=True,
        ),
        "0w collides with 1b, front first",
    ),
    (
        Event(
            kind=Kind.OFF_THE_RAILS_EVENT_KIND_COLLIDED,
            cart=cart(0, WHITE),
            opposing=cart(0, BLACK),
        ),
        "0w collides with 0b, with no track between them",
    ),
    (
        Event(
            kind=Kind.OFF_THE_RAILS_EVENT_KIND_DROPPED,
            cart=cart(1, BLACK),
            square=1,
            jewels=jewels("re"),
        ),
        "1b drops 1 Ruby, 1 Emerald on b1",
    ),
    (
        Event(kind=Kind.OFF_THE_RAILS_EVENT_KIND_HANDS_CLOSED, cart=cart(1, BLACK)),
        "1b's hold is split into two hands",
    ),
    (
        Event(
            kind=Kind.OFF_THE_RAILS_EVENT_KIND_HANDS_CLOSED,
            cart=cart(1, BLACK),
            left=jewels("rr"),
            right=jewels("kd"),
        ),
        "1b's hold is split into two hands (left rr, right kd)",
    ),
    (
        Event(
            kind=Kind.OFF_THE_RAILS_EVENT_KIND_HAND_CHOSEN,
            cart=cart(1, BLACK),
            hand=RIGHT,
            left=jewels("r"),
            right=jewels("d"),
        ),
        "1b's right hand is chosen (left r, right d)",
    ),
    (
        Event(kind=Kind.OFF_THE_RAILS_EVENT_KIND_TURNED, cart=cart(0, WHITE), facing=NORTH),
        "0w turns north",
    ),
    (
        Event(kind=Kind.OFF_THE_RAILS_EVENT_KIND_RETURNED, cart=cart(0, WHITE)),
        "0w goes back to supply",
    ),
    (
        Event(kind=Kind.OFF_THE_RAILS_EVENT_KIND_MISSION_CLAIMED, seat=0, number=7),
        "seat 0 claims Wrecker",
    ),
    (Event(kind=Kind.OFF_THE_RAILS_EVENT_KIND_NO_CLAIM, seat=0), "seat 0 claims no mission"),
    (
        Event(kind=Kind.OFF_THE_RAILS_EVENT_KIND_CHASM_CARD, seat=1),
        "seat 1 turns the Chasm Card",
    ),
    (
        Event(kind=Kind.OFF_THE_RAILS_EVENT_KIND_CHASM_OPENED, numbers=[1, 8, 3, 6]),
        "the Chasm opens: red 1, yellow 8, green 3, blue 6",
    ),
    (
        Event(kind=Kind.OFF_THE_RAILS_EVENT_KIND_TOKEN_DRAWN, colour=BLUE),
        "a blue token is drawn",
    ),
    (
        Event(kind=Kind.OFF_THE_RAILS_EVENT_KIND_DIE_ROLLED, number=2, square=square("c4")),
        "the Chasm die shows 2: c4",
    ),
    (
        Event(kind=Kind.OFF_THE_RAILS_EVENT_KIND_TOKEN_PLACED, colour=GREEN, square=square("f3")),
        "a green token is laid on f3",
    ),
    (
        Event(
            kind=Kind.OFF_THE_RAILS_EVENT_KIND_TOKEN_PLACED,
            colour=GREEN,
            square=square("f2"),
            exits=[NORTH, WEST],
            jewels=jewels("g"),
        ),
        "a green token is laid on f2, track NW and 1 Gold removed",
    ),
    (
        Event(kind=Kind.OFF_THE_RAILS_EVENT_KIND_TOKEN_PUT_OUT, colour=RED),
        "the red token is put out",
    ),
    (Event(kind=Kind.OFF_THE_RAILS_EVENT_KIND_TURN_ENDED, seat=0), ""),
]


def described(event: pb.OffTheRailsEvent, chosen: pb.OffTheRailsBoard.ValueType) -> str:
    options = GameOptions(off_the_rails=pb.OffTheRailsOptions(board=chosen))
    return board("off_the_rails").describe(GameEvent(off_the_rails=event), options)


@pytest.mark.parametrize(("event", "words"), EVENTS)
def test_events_are_told_in_words(event: pb.OffTheRailsEvent, words: str) -> None:
    assert described(event, COMPACT) == words


def test_every_kind_of_event_is_among_them() -> None:
    assert {event.kind for event, _ in EVENTS} == set(Kind.values()) - {0}


def test_the_board_says_which_square_a_number_is() -> None:
    entered = Event(
        kind=Kind.OFF_THE_RAILS_EVENT_KIND_ENTERED, cart=cart(0, WHITE), square=square("h8", 9)
    )
    assert described(entered, AISLE) == "0w enters h8"
    assert described(entered, COMPACT) != "0w enters h8"
