"""Reading positions of OffTrack, for states made by hand."""

from __future__ import annotations

import re
from dataclasses import replace

from .offtrack_cards import ACTIONS, NONE, Card, Cards, all_cards, sorted_actions
from .offtrack_state import Line, Options, State, fresh

CARDS = r"(?:-|(?:[a-h][0-8]\+?)+)"
LINE = re.compile(
    rf"(?P<cards>{CARDS})(?P<flip>\^?)(!(?P<pin>\d+))?(#(?P<seal>\d))?(\?(?P<wait>\d))?"
)


class Reader:
    """Reads the fields of one position; every card is taken from one shelf."""

    def __init__(self, options: Options) -> None:
        """Put all cards on the shelf."""
        self.shelf = list(all_cards(options.eras, options.decks))
        self.redeemed: set[Card] = set()

    def cards(self, text: str) -> Cards:
        """Read cards in the order given; raises ValueError for one that is not on the shelf."""
        if not re.fullmatch(CARDS, text):
            raise ValueError(f"malformed cards: {text!r}")
        return tuple(self.card(*pair) for pair in re.findall(r"([a-h][0-8])(\+?)", text))

    def card(self, text: str, redeemed: str) -> Card:
        """Take a card from the shelf."""
        card = next((card for card in self.shelf if card.text == text), None)
        if card is None:
            raise ValueError(f"one {text} too many")
        self.shelf.remove(card)
        if redeemed:
            self.redeemed.add(card)
        return card

    def line(self, text: str) -> Line:
        """Read a line with its marks."""
        found = LINE.fullmatch(text)
        if found is None:
            raise ValueError(f"malformed line: {text!r}")
        cards = self.cards(found["cards"])
        pin = _number(found["pin"])
        return Line(
            cards,
            flipped=bool(found["flip"]),
            pin=None if pin is None else cards[pin],
            sealed_by=_number(found["seal"]),
            waiting_for=_number(found["wait"]),
        )

    def piles(self, text: str) -> tuple[Cards, ...]:
        """Read the seats' cards, sorted."""
        return tuple(tuple(sorted(self.cards(part))) for part in text.split("/"))


def _number(text: str | None) -> int | None:
    """Read a number that may be absent."""
    return None if text is None else int(text)


def _letter(text: str) -> str | None:
    """Read an action card that may be absent."""
    return None if text == NONE else text


def _actions(text: str) -> tuple[str, ...]:
    """Read action cards."""
    return sorted_actions(letter for letter in text if letter in ACTIONS)


def _scores(text: str) -> tuple[tuple[int, ...], ...]:
    """Read the scores of the rounds."""
    rounds = [] if text == NONE else text.split(";")
    return tuple(tuple(map(int, scores.split(","))) for scores in rounds)


def read_position(options: Options, text: str) -> State:
    """Read the sixteen fields of a position; raises ValueError when they are malformed."""
    fields = text.split(" ")
    if len(fields) != 16:
        raise ValueError(f"{len(fields)} fields, expected 16")
    reader = Reader(options)
    state = replace(
        fresh(options),
        round=int(fields[0]),
        seat=0 if fields[1][0] == NONE else int(fields[1][0]),
        step=fields[1][1:],
        lines=tuple(map(reader.line, fields[2].split("/"))),
        hands=reader.piles(fields[3]),
        piles=reader.piles(fields[4]),
        box=reader.cards(fields[5]),
        deck=tuple(sorted(reader.cards(fields[6]))),
        discards=tuple(sorted(reader.cards(fields[7]))),
        redeemed=frozenset(reader.redeemed),
    )
    return replace(
        state,
        action_deck=_actions(fields[8]),
        action_discards=_actions(fields[9]),
        held=tuple(map(_letter, fields[10].split("/"))),
        drawn=_letter(fields[11]),
        cycled=tuple(mark == "c" for mark in fields[12]),
        collapsed=fields[13] == "x",
        called=fields[14] == "!",
        scores=_scores(fields[15]),
    )
