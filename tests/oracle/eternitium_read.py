"""Reading positions of Eternitium, for states made by hand."""

from __future__ import annotations

import re

from .eternitium_cards import LETTERS, NONE, SYMBOLS, Cards, Pile, sorted_cards
from .eternitium_state import STEPS, Options, Row, Seat, State

OF_LETTER = {letter: kind for kind, letter in LETTERS.items()}
PILE = re.compile(r"(\^?)(\w*)\((\w*)\)(\w*)")
FIELDS = 18


def cards(text: str) -> Cards:
    """Read cards in the order given."""
    return () if text == NONE else tuple(OF_LETTER[letter] for letter in text)


def pile(text: str) -> tuple[Pile, bool]:
    """Read a pile, and whether its top is face up; raises ValueError when it is malformed."""
    found = PILE.fullmatch(text)
    if found is None:
        raise ValueError(f"malformed pile: {text!r}")
    top, pool, bottom = (cards(found[part] or NONE) for part in (2, 3, 4))
    return Pile(top, sorted_cards(pool), bottom), bool(found[1])


def row(text: str) -> Row:
    """Read the places of a row."""
    return tuple(None if letter == NONE else OF_LETTER[letter] for letter in text)


def read_seats(fields: list[str], acting: int) -> tuple[Seat, ...]:
    """Read what the seats have."""
    columns = [fields[number].split("/") for number in (3, 12, 13, 14, 16)]
    seats = []
    for number, (eras, hand, deck, discard, removed) in enumerate(zip(*columns, strict=True)):
        stack, face_up = pile(eras)
        seats.append(
            Seat(
                hand=sorted_cards(cards(hand)),
                deck=Pile(pool=sorted_cards(cards(deck))),
                discard=sorted_cards(cards(discard)),
                area=sorted_cards(cards(fields[15])) if number == acting else (),
                eras=stack,
                face_up=face_up,
                removed=sorted_cards(cards(removed)),
            )
        )
    return tuple(seats)


def read_position(options: Options, text: str) -> State:
    """Read the eighteen fields of a position; raises ValueError when they are malformed."""
    fields = text.split(" ")
    if len(fields) != FIELDS:
        raise ValueError(f"{len(fields)} fields, expected {FIELDS}")
    over = fields[1] == NONE * 2
    seat = options.seats - 1 if over else int(fields[1][0])
    steps = {letter: step for step, letter in STEPS.items()}
    supply = zip(SYMBOLS, fields[7].split(","), strict=True)
    return State(
        options=options,
        seats=read_seats(fields, seat),
        supply=tuple(symbol for symbol, count in supply for _ in range(int(count))),
        basic_deck=pile(fields[9])[0],
        advanced_deck=pile(fields[11])[0],
        era_pile=Pile(pool=cards(fields[6])),
        basic_row=row(fields[8]),
        advanced_row=row(fields[10]),
        visible=row(fields[5]),
        gone=cards(fields[4]),
        round=int(fields[0]),
        seat=seat,
        step="over" if over else steps[fields[1][1]],
        extra=fields[2][0] == "x",
        looped=fields[2][1] == "l",
        played=fields[2][2] == "p",
        refill=int(fields[2][3]),
        forfeited=frozenset(place for place, mark in enumerate(fields[17]) if mark == "f"),
    )
