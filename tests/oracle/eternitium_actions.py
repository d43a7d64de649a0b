"""Decisions of Eternitium: notation, index, and what could be written down in a state.

Nothing here says whether a decision is legal.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import accumulate
from typing import NamedTuple

from .eternitium_cards import KINDS, SYMBOLS, TECHNOLOGIES, Cards, cards_text
from .eternitium_state import ROW, Options, State

UNSEEN = ROW
"""The place that stands for the top of a deck."""

TAKE_BASIC, PORTAL, PLAY, PUT_ON_TOP = "+", "@", "", "^"
END_PLAY, REFIT, REMOVE, KEEP = ".", "*", "-", "="
BASIC, ADVANCED, NO_TECHNOLOGY = "b", "a", "n"
"""The decisions, by the sign that their notation begins with."""

SIDES = "lr"
"""The visible Eras, left and right."""

AIMED = tuple(kind for kind, card in TECHNOLOGIES.items() if card.target == "opponent")
ALONE = tuple(kind for kind in KINDS if kind not in (*AIMED, "recycler"))
"""Kinds that name an opponent, and those that name nothing."""


class Action(NamedTuple):
    """A decision and what it names.

    `cards` are kinds, `target` is a seat, `place` one of a row or of the Eras shown, `era` is 0
    for the left and 1 for the right one.
    """

    kind: str
    cards: Cards = ()
    target: int | None = None
    place: int | None = None
    era: int | None = None

    @property
    def text(self) -> str:
        """The notation."""
        return action_text(self)


@lru_cache(4096)
def action_text(action: Action) -> str:
    """Write a decision."""
    cards = cards_text(action.cards) if action.cards else ""
    target = "" if action.target is None else str(action.target)
    place = "" if action.place is None else str(action.place)
    if action.place == UNSEEN:
        place = "?"
    side = "" if action.era is None else SIDES[action.era]
    return action.kind + cards + target + place + side


# What could be written down


@lru_cache(16)
def candidates(state: State) -> tuple[Action, ...]:
    """List the decisions of the state's step with all that they could name."""
    of_step = {
        "basic": take_basics,
        "portal": portals,
        "play": plays,
        "scan": positions,
        "refit": refits,
        "technology": technologies,
    }
    return tuple(of_step[state.step](state)) if state.step in of_step else ()


def take_basics(state: State) -> Iterator[Action]:
    """Give every place of the row, and the top of the deck."""
    return (Action(TAKE_BASIC, place=place) for place in range(ROW + 1))


def portals(state: State) -> Iterator[Action]:
    """Give every symbol."""
    return (Action(PORTAL, (symbol,)) for symbol in SYMBOLS)


def plays(state: State) -> Iterator[Action]:
    """Give every kind with all that it could name, and the other decisions of the step."""
    for kind in KINDS:
        yield from uses(state, kind)
    yield Action(END_PLAY)
    yield Action(REFIT)


def uses(state: State, kind: str) -> Iterator[Action]:
    """Give a kind with all that it could name."""
    target = TECHNOLOGIES[kind].target if kind in TECHNOLOGIES else "portal"
    if target == "opponent":
        yield from (Action(PLAY, (kind,), seat) for seat in state.opponents)
    elif target == "card":
        yield from (Action(PLAY, (kind, other)) for other in KINDS)
    else:
        yield Action(PLAY, (kind,))


def positions(state: State) -> Iterator[Action]:
    """Give both positions of a Scanner."""
    return (Action(PUT_ON_TOP, place=place) for place in (0, 1))


def refits(state: State) -> Iterator[Action]:
    """Give every kind to remove or to keep, and to keep none."""
    yield from (Action(REMOVE, (kind,)) for kind in KINDS)
    yield from (Action(KEEP, (kind,)) for kind in KINDS)
    yield Action(KEEP)


def technologies(state: State) -> Iterator[Action]:
    """Give every place with every Era or none, every place of the Advanced, and nothing."""
    for place in range(ROW + 1):
        yield from (Action(BASIC, place=place, era=era) for era in (0, 1, None))
    yield from (Action(ADVANCED, place=place) for place in range(ROW + 1))
    yield Action(NO_TECHNOLOGY)


# The index


def planes(options: Options) -> dict[str, int]:
    """Give the sizes of the planes of the index, in their order; a plane of PLAY by its kinds."""
    return {
        TAKE_BASIC: ROW + 1,
        PORTAL: len(SYMBOLS),
        "alone": len(ALONE),
        "aimed": len(AIMED) * options.seats,
        "recycler": len(KINDS),
        PUT_ON_TOP: 2,
        END_PLAY: 1,
        REFIT: 1,
        REMOVE: len(KINDS),
        KEEP: len(KINDS) + 1,
        BASIC: (ROW + 1) * 3,
        ADVANCED: ROW + 1,
        NO_TECHNOLOGY: 1,
    }


@cache
def first_of_planes(options: Options) -> dict[str, int]:
    """Give the first number of each plane."""
    sizes = planes(options)
    return dict(zip(sizes, accumulate(sizes.values(), initial=0), strict=False))


def plane(action: Action) -> str:
    """Name the plane of an action."""
    if action.kind != PLAY:
        return action.kind
    if action.target is not None:
        return "aimed"
    return "alone" if len(action.cards) == 1 else "recycler"


def place_in_plane(state: State, action: Action) -> int:
    """Give the place of an action in its plane."""
    if action.kind == PLAY:
        return place_of_play(state, action)
    if action.kind == BASIC and action.place is not None:
        return 3 * action.place + (2 if action.era is None else action.era)
    if action.place is not None:
        return action.place
    if action.cards:
        return KINDS.index(action.cards[0])
    return len(KINDS) if action.kind == KEEP else 0


def place_of_play(state: State, action: Action) -> int:
    """Give the place of a card that is played in its plane."""
    if action.target is not None:
        return AIMED.index(action.cards[0]) * state.options.seats + action.target
    return KINDS.index(action.cards[1]) if len(action.cards) > 1 else ALONE.index(action.cards[0])


def number_of(state: State, action: Action) -> int:
    """Give the index of an action in its state."""
    return first_of_planes(state.options)[plane(action)] + place_in_plane(state, action)


def index_of(state: State, notation: str) -> int:
    """Give the index of a decision of the state's step; raises ValueError for another text."""
    action = find(state, notation)
    if action is None:
        raise ValueError(f"not a decision of this step: {notation!r}")
    return number_of(state, action)


def find(state: State, notation: str) -> Action | None:
    """Find a decision of the state's step by its notation."""
    return next((action for action in candidates(state) if action.text == notation), None)
