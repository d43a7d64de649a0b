"""What is hidden in a state of Eternitium: the places of hidden things, and what binds them."""

import random
from collections.abc import Callable, Iterator, MutableSequence
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from secrecy.pairs import Viewer
from tablestate.v1 import eternitium_pb2 as pb

State: TypeAlias = pb.EternitiumState
Pile: TypeAlias = MutableSequence[Any]

SYMBOLS = 4
DROID = pb.ETERNITIUM_CARD_DROID
STARTERS = (1, 2, 3, 4, DROID)
FIRST_ADVANCED = pb.ETERNITIUM_CARD_OMNI_PORTAL


class Place(NamedTuple):
    """Where a hidden card or Era is; two of a class may change places."""

    group: str
    get: Callable[[], int]
    put: Callable[[int], None]


def class_of(card: int) -> str:
    """Portals, Basic and Advanced are counted for all to see."""
    if card < DROID:
        return "portal"
    return "basic" if card < FIRST_ADVANCED else "advanced"


def era_places(state: State, viewer: Viewer) -> list[Place]:
    """Face-down Eras, but those that the viewer's own Scanner shows."""
    places = list(_counted(state.pile))
    for number, seat in enumerate(state.seats):
        stack = seat.stack
        seen = int(stack.face_up)
        if state.step == pb.ETERNITIUM_STEP_PUT_ON_TOP and number == state.turn_of == viewer:
            seen = 2
        # Without shuffled Eras all are under, the top among them.
        above, under = list(_listed("era", stack.above)), list(_listed("era", stack.under))
        hidden = [*above[seen:], *under] if above else [*under[seen:]]
        if not above and any(stack.shuffled):
            hidden = under
        places += [*hidden, *_counted(stack.shuffled)]
    return places


def card_places(state: State, viewer: Viewer) -> list[Place]:
    """Other seats' hands and decks, and the decks of technologies."""
    places: list[Place] = []
    for number, seat in enumerate(state.seats):
        if number != viewer:
            for pile in (seat.hand, seat.deck):
                places += _cards(pile)
    for deck in (state.basic_deck, state.advanced_deck):
        places += [*_cards(deck.shuffled), *_cards(deck.under)]
    return places


def _cards(pile: Pile) -> Iterator[Place]:
    for place in _listed("", pile):
        yield place._replace(group=class_of(place.get()))


def _listed(group: str, pile: Pile) -> Iterator[Place]:
    for index in range(len(pile)):
        yield Place(group, partial(pile.__getitem__, index), partial(pile.__setitem__, index))


def _counted(numbers: Pile) -> Iterator[Place]:
    """Eras given as numbers by symbol: each of them is a place."""
    for held in [era for era in range(SYMBOLS) for _ in range(numbers[era])]:
        yield _Counted(numbers, held + 1).place()


class _Counted:
    """One Era of a pile that is given by numbers."""

    def __init__(self, numbers: Pile, era: int) -> None:
        self._numbers = numbers
        self._era = era

    def place(self) -> Place:
        return Place("era", lambda: self._era, self._put)

    def _put(self, era: int) -> None:
        self._numbers[self._era - 1] -= 1
        self._numbers[era - 1] += 1
        self._era = era


def is_possible(state: State) -> bool:
    """Whether each seat has its starter cards, and decks hold what rows with a gap allow."""
    for number, seat in enumerate(state.seats):
        cards = [*seat.hand, *seat.deck, *seat.discard, *seat.removed]
        cards += state.play_area if number == state.turn_of else []
        if not set(STARTERS).issubset(cards) or cards.count(DROID) != 1:
            return False
    markets = ((state.basic_row, state.basic_deck), (state.advanced_row, state.advanced_deck))
    return all(
        0 not in row or set(row).issuperset([*deck.shuffled, *deck.under]) for row, deck in markets
    )


def swap(places: list[Place], state: State, chance: random.Random) -> None:
    """Let two of a class change places, if what comes of it can be."""
    one = chance.choice(places)
    other = chance.choice([place for place in places if place.group == one.group])
    _exchange(one, other)
    if not is_possible(state):
        _exchange(one, other)


def _exchange(one: Place, other: Place) -> None:
    ours, theirs = one.get(), other.get()
    if ours != theirs:
        one.put(theirs)
        other.put(ours)


def sort_piles(state: State) -> None:
    """Bring what has no order into the order of a state."""
    for seat in state.seats:
        for pile in (seat.hand, seat.deck):
            pile.sort()
    state.basic_deck.shuffled.sort()
    state.advanced_deck.shuffled.sort()
