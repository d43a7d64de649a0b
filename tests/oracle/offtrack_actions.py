"""Decisions of OffTrack: notation, index, and what could be written down in a state.

Nothing here says whether a decision is legal.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import accumulate
from typing import NamedTuple

from .offtrack_cards import ACTIONS, FIGURES, Card, Cards, cards_text
from .offtrack_state import HAND, Options, State

ON_A_CARD = "SQR"
"""Shear, Quantum Shunt and Recall name a card on a line."""

ON_A_LINE = "LPKB"
"""Paradox Loop, Redeem, Quarantine and Breach name a line alone."""

DISCARD, HOLD, APPEND, CYCLE, SKIP, DRAW, END = "X", "H", ">", "~", ".", "D", "E"


class Action(NamedTuple):
    """A decision: an action card's letter or another sign, and what it names.

    `line` and `at` (an index) name a card on a line, `onto` is the line that receives cards,
    `cards` are those of the hand.
    """

    kind: str
    line: int = -1
    at: int = -1
    onto: int | None = None
    cards: Cards = ()

    @property
    def text(self) -> str:
        """The notation."""
        return action_text(self)


@lru_cache(4096)
def action_text(action: Action) -> str:
    """Write a decision."""
    onto = "" if action.onto is None else f">{action.onto}"
    if action.kind in ON_A_CARD:
        return f"{action.kind}{action.line}:{action.at}{onto}"
    if action.kind in ACTIONS:
        return f"{action.kind}{action.line}{onto}"
    if action.kind == APPEND:
        return action.cards[0].text + onto
    if action.kind == CYCLE:
        return CYCLE + (cards_text(action.cards) if action.cards else "")
    return action.kind


# What could be written down


@lru_cache(16)
def candidates(state: State) -> tuple[Action, ...]:
    """List the decisions of the state's step with all that they could name."""
    if state.step in ("A", "B") and state.action is not None:
        return (*targets(state, state.action), Action(DISCARD), Action(HOLD))
    if state.step == "C":
        return (*appends(state), *cycles(state.hands[state.seat]), Action(SKIP))
    return (Action(DRAW), Action(END)) if state.step == "E" else ()


def targets(state: State, letter: str) -> Iterator[Action]:
    """Give an action card with all that it could name."""
    numbers = range(len(state.lines))
    if letter in ON_A_LINE:
        yield from (Action(letter, line) for line in numbers)
    elif letter == "M":
        for line in numbers[1:]:
            yield from (Action("M", line, onto=None if line == onto else onto) for onto in numbers)
    else:
        others: tuple[int | None, ...] = tuple(numbers) if letter == "Q" else (None,)
        for line in numbers:
            for index in range(len(state.lines[line].cards)):
                yield from (Action(letter, line, index, other) for other in others)


def appends(state: State) -> Iterator[Action]:
    """Give every type of the hand onto every line; of equal cards the first."""
    hand = state.hands[state.seat]
    for place, card in enumerate(hand):
        if card.type not in [other.type for other in hand[:place]]:
            for line in range(len(state.lines)):
                yield Action(APPEND, onto=line, cards=(card,))


@lru_cache(256)
def cycles(hand: Cards) -> tuple[Action, ...]:
    """Give every set of places in the sorted hand; of equal cards those in the lowest places."""
    sets = ([place for place in range(len(hand)) if mask >> place & 1] for mask in masks(hand))
    return tuple(
        Action(CYCLE, cards=tuple(hand[place] for place in places))
        for places in sets
        if not any(skips_an_equal(hand, places, place) for place in places)
    )


def masks(hand: Cards) -> range:
    """Give the sets of places as numbers, place i as bit i."""
    return range(2 ** len(hand))


def skips_an_equal(hand: Cards, places: list[int], place: int) -> bool:
    """Say whether the card before a chosen place is its equal and was not chosen."""
    return place > 0 and hand[place - 1].type == hand[place].type and place - 1 not in places


# The index


def planes(options: Options) -> dict[str, int]:
    """Give the sizes of the planes of the index, in their order."""
    cards = FIGURES * options.eras * options.decks
    lines = options.max_branches + 1
    return {
        "S": cards,
        "M": options.max_branches * lines,
        "Q": cards * lines,
        "R": cards,
        **dict.fromkeys(ON_A_LINE, lines),
        DISCARD: 1,
        HOLD: 1,
        APPEND: FIGURES * options.eras * lines,
        CYCLE: 2**HAND,
        SKIP: 1,
        DRAW: 1,
        END: 1,
    }


@cache
def first_of_planes(options: Options) -> dict[str, int]:
    """Give the first number of each plane."""
    sizes = planes(options)
    return dict(zip(sizes, accumulate(sizes.values(), initial=0), strict=False))


def place_in_plane(state: State, action: Action) -> int:
    """Give the place of an action in its plane."""
    lines = state.options.max_branches + 1
    if action.kind in ON_A_CARD:
        named = name_on_the_table(state, action.line, action.at)
        return named if action.onto is None else named * lines + action.onto
    if action.kind == "M":
        return (action.line - 1) * lines + (action.line if action.onto is None else action.onto)
    if action.kind in ON_A_LINE:
        return action.line
    if action.kind == APPEND and action.onto is not None:
        return action.cards[0].type * lines + action.onto
    return sum(2 ** state.hands[state.seat].index(card) for card in action.cards)


def name_on_the_table(state: State, line: int, index: int) -> int:
    """Name a card on a line by its type and by which of that type it is on the table."""
    card = state.lines[line].cards[index]
    return card.type * state.options.decks + of_that_type(state, card).index((line, index))


def of_that_type(state: State, wanted: Card) -> list[tuple[int, int]]:
    """List where cards of a type lie, in the order of the table: line, then index."""
    return [
        (number, index)
        for number, line in enumerate(state.lines)
        for index, card in enumerate(line.cards)
        if card.type == wanted.type
    ]


def number_of(state: State, action: Action) -> int:
    """Give the index of an action in its state."""
    return first_of_planes(state.options)[action.kind] + place_in_plane(state, action)


def find(state: State, notation: str) -> Action | None:
    """Find a decision of the state's step by its notation."""
    return next((action for action in candidates(state) if action.text == notation), None)


def index_of(state: State, notation: str) -> int:
    """Give the index of a decision of the state's step; raises ValueError for another text."""
    action = find(state, notation)
    if action is None:
        raise ValueError(f"not a decision of this step: {notation!r}")
    return number_of(state, action)


def notation_of(state: State, number: int) -> str:
    """Give the decision of an index; raises ValueError when the step has none of that index."""
    for action in candidates(state):
        if number_of(state, action) == number:
            return action.text
    raise ValueError(f"no decision of this step has the index {number}")
