"""Options and states of Eternitium."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from .common import SetupFault
from .eternitium_cards import (
    ADVANCED,
    BASICS,
    EMPTY,
    NONE,
    SYMBOLS,
    TECHNOLOGIES,
    Cards,
    Pile,
    cards_text,
    is_advanced,
    is_basic,
    sorted_cards,
)

HAND = 5
ROW = 3

RANGES: dict[str, tuple[int, int]] = {
    "seats": (2, 5),
    "eras_per_seat": (3, 11),
    "max_rounds": (5, 1000),
}
COPIES = (0, 10)
"""How many copies of a kind there may be."""


@dataclass(frozen=True)
class Options:
    """The options of a match; `eras_per_seat` left out depends on the seats."""

    seats: int = 2
    eras_per_seat: int | None = None
    technology_copies: tuple[tuple[str, int], ...] = ()
    max_rounds: int = 50

    @property
    def eras(self) -> int:
        """How many Eras each seat is dealt."""
        if self.eras_per_seat is not None:
            return self.eras_per_seat
        return {4: 9, 5: 8}.get(self.seats, 10)

    def copies(self, kind: str) -> int:
        """How many copies of a kind are in the market."""
        return dict(self.technology_copies).get(kind, TECHNOLOGIES[kind].copies)


def option_faults(options: Options) -> list[SetupFault]:
    """List all faults of a set-up, in the order of the options."""
    return [
        *_out_of_range(options, ("seats", "eras_per_seat")),
        *_copies_faults(options),
        *_out_of_range(options, ("max_rounds",)),
    ]


def _out_of_range(options: Options, names: tuple[str, ...]) -> Iterator[SetupFault]:
    """Give the numbers that are out of range."""
    for name in names:
        least, most = RANGES[name]
        value = getattr(options, name)
        if value is not None and not least <= value <= most:
            yield name, "RANGE"


def _copies_faults(options: Options) -> Iterator[SetupFault]:
    """Give the faults of the copies: kinds, numbers, and fewer Basics than seats."""
    least, most = COPIES
    named = [kind for kind, _ in options.technology_copies]
    for kind, copies in options.technology_copies:
        if kind not in (*BASICS, *ADVANCED) or named.count(kind) > 1:
            yield "technology_copies", "KIND"
        elif not least <= copies <= most:
            yield "technology_copies", "RANGE"
    if sum(options.copies(kind) for kind in BASICS) < options.seats:
        yield "technology_copies", "TOO_FEW"


@dataclass(frozen=True)
class Seat:
    """What a seat has. Hand, discard pile, play area and removed cards are sorted."""

    hand: Cards = ()
    deck: Pile = EMPTY
    discard: Cards = ()
    area: Cards = ()
    eras: Pile = EMPTY
    face_up: bool = False
    removed: Cards = ()

    @property
    def owned(self) -> Cards:
        """All cards owned: hand, deck, discard pile and play area together, sorted."""
        return sorted_cards((*self.hand, *self.deck.cards, *self.discard, *self.area))

    @property
    def basics(self) -> int:
        """How many Basics it owns, the Droid included."""
        return sum(map(is_basic, self.owned))

    @property
    def advanced(self) -> int:
        """How many Advanced it owns."""
        return sum(map(is_advanced, self.owned))

    @property
    def top_era(self) -> str | None:
        """The top Era if it is face up."""
        return self.eras.top[0] if self.face_up else None


Row = tuple[str | None, ...]


@dataclass(frozen=True, eq=False)
class State:
    """A state. States are told apart by identity; their positions can be compared."""

    options: Options
    seats: tuple[Seat, ...]
    supply: Cards
    basic_deck: Pile
    advanced_deck: Pile
    era_pile: Pile
    basic_row: Row = (None,) * ROW
    advanced_row: Row = (None,) * ROW
    visible: Row = (None, None)
    gone: Cards = ()
    round: int = 1
    seat: int = 0
    step: str = "basic"
    extra: bool = False
    looped: bool = False
    played: bool = False
    refill: int = HAND
    forfeited: frozenset[int] = field(default=frozenset())

    @property
    def actor(self) -> int | None:
        """The seat that must decide, None when the match is over."""
        return None if self.step == "over" else self.seat

    @property
    def own(self) -> Seat:
        """What the seat whose turn it is has."""
        return self.seats[self.seat]

    @property
    def opponents(self) -> list[int]:
        """The other seats, by rising number."""
        return [seat for seat in range(self.options.seats) if seat != self.seat]


SORTED = {"hand", "discard", "area", "removed"}
"""What of a seat is kept sorted."""


def with_seat(state: State, number: int, **changes: Any) -> State:
    """Change what a seat has; all but its piles is kept sorted."""
    for name in SORTED & set(changes):
        changes[name] = sorted_cards(changes[name])
    seats = list(state.seats)
    seats[number] = replace(seats[number], **changes)
    return replace(state, seats=tuple(seats))


def with_own(state: State, **changes: Any) -> State:
    """Change what the seat whose turn it is has."""
    return with_seat(state, state.seat, **changes)


STEPS = {
    "basic": "B",
    "portal": "P",
    "play": "Y",
    "scan": "S",
    "refit": "F",
    "technology": "T",
}
"""The letters of the steps."""


def step_text(state: State) -> str:
    """Write the seat to act and the step."""
    return NONE * 2 if state.actor is None else f"{state.actor}{STEPS[state.step]}"


def marks_text(state: State) -> str:
    """Write the marks of the turn and the refill size."""
    marks = (("x", state.extra), ("l", state.looped), ("p", state.played))
    return "".join(sign if mark else NONE for sign, mark in marks) + str(state.refill)


def row_text(row: Row) -> str:
    """Write places, `-` for an empty one."""
    return "".join(NONE if card is None else cards_text((card,)) for card in row)


def position_text(state: State) -> str:
    """Write the position's eighteen fields."""

    def seats(text: Callable[[Seat], str]) -> str:
        return "/".join(map(text, state.seats))

    return " ".join(
        (
            str(state.round),
            step_text(state),
            marks_text(state),
            seats(lambda seat: "^" * seat.face_up + seat.eras.text),
            cards_text(state.gone),
            row_text(state.visible),
            cards_text(state.era_pile.cards),
            ",".join(str(state.supply.count(symbol)) for symbol in SYMBOLS),
            row_text(state.basic_row),
            state.basic_deck.text,
            row_text(state.advanced_row),
            state.advanced_deck.text,
            seats(lambda seat: cards_text(seat.hand)),
            seats(lambda seat: cards_text(seat.deck.cards)),
            seats(lambda seat: cards_text(seat.discard)),
            cards_text(state.own.area),
            seats(lambda seat: cards_text(seat.removed)),
            "".join(
                "f" if number in state.forfeited else NONE for number in range(len(state.seats))
            ),
        )
    )
