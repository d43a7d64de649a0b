"""The cards of Eternitium: symbols, kinds and piles of which a part has no order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

SYMBOLS = ("circle", "square", "triangle", "diamond")
"""The symbols, in the order of the text; a Portal's kind is the name of its symbol."""

ERAS = 15
"""Era cards of each symbol."""


class Technology(NamedTuple):
    """A kind of technology: whether it is an Advanced one, its copies in the market, its target.

    `symbols` are those that it matches when it is played as a Portal.
    """

    advanced: bool
    copies: int
    target: str = "none"
    symbols: tuple[str, ...] = ()


TECHNOLOGIES: dict[str, Technology] = {
    "droid": Technology(False, 0, "era"),
    "twin_cs": Technology(False, 4, "portal", SYMBOLS[:2]),
    "twin_td": Technology(False, 4, "portal", SYMBOLS[2:]),
    "veil": Technology(False, 4, "opponent"),
    "courier": Technology(False, 4),
    "exchange": Technology(False, 4, "opponent"),
    "recycler": Technology(False, 4, "card"),
    "omni": Technology(True, 3, "portal", SYMBOLS),
    "time_loop": Technology(True, 2),
    "scanner": Technology(True, 2),
    "storm": Technology(True, 2),
    "surge": Technology(True, 3),
    "workshop": Technology(True, 2),
    "exile": Technology(True, 2, "opponent"),
}
"""The technologies in the order of the text; Droids are starters only."""

KINDS = (*SYMBOLS, *TECHNOLOGIES)
"""All kinds of cards that a seat can own, in the order of the text."""

ORDER = {kind: place for place, kind in enumerate(KINDS)}
"""The places of the kinds in that order."""

LETTERS = dict(zip(KINDS, "cstdDPQVCXROLNMGWE", strict=True))
"""How kinds and symbols are written."""

NONE = "-"
"""What is empty or absent, in positions and in events."""

BASICS = tuple(kind for kind, card in TECHNOLOGIES.items() if card.copies and not card.advanced)
ADVANCED = tuple(kind for kind, card in TECHNOLOGIES.items() if card.advanced)
"""The kinds of the two decks of the market."""

STARTERS = (*SYMBOLS, "droid")
"""What each seat begins with."""

Cards = tuple[str, ...]
"""Kinds of cards, or the symbols of Eras."""


def sorted_cards(cards: Iterable[str]) -> Cards:
    """Sort cards in the order of the text."""
    return tuple(sorted(cards, key=ORDER.__getitem__))


def cards_text(cards: Iterable[str]) -> str:
    """Write cards or Eras in the order given, `-` for none."""
    return "".join(LETTERS[card] for card in cards) or NONE


def without(cards: Cards, gone: str) -> Cards:
    """Take one card out."""
    left = list(cards)
    left.remove(gone)
    return tuple(left)


def is_basic(kind: str) -> bool:
    """Say whether a card is a Basic technology; the Droid is one."""
    return kind in TECHNOLOGIES and not TECHNOLOGIES[kind].advanced


def is_advanced(kind: str) -> bool:
    """Say whether a card is an Advanced technology."""
    return kind in TECHNOLOGIES and TECHNOLOGIES[kind].advanced


def is_portal(kind: str) -> bool:
    """Say whether a card is played as a Portal, Twin and Omni included."""
    return kind in SYMBOLS or TECHNOLOGIES[kind].target == "portal"


def symbols_of(kind: str) -> tuple[str, ...]:
    """Give the symbols that a card matches as a Portal."""
    return (kind,) if kind in SYMBOLS else TECHNOLOGIES[kind].symbols


@dataclass(frozen=True)
class Pile:
    """A pile of cards: some in fixed places on top, a shuffled part, some in fixed places below.

    `top` and `bottom` are written from the uppermost card down; `pool` is sorted, since its order
    does not exist before a card of it is drawn.
    """

    top: Cards = ()
    pool: Cards = ()
    bottom: Cards = ()

    @property
    def cards(self) -> Cards:
        """All cards, sorted."""
        return sorted_cards((*self.top, *self.pool, *self.bottom))

    @property
    def size(self) -> int:
        """How many cards."""
        return len(self.top) + len(self.pool) + len(self.bottom)

    @property
    def text(self) -> str:
        """The notation: without shuffled cards all others stand before the brackets."""
        fixed = self.top if self.pool else (*self.top, *self.bottom)
        below = self.bottom if self.pool else ()
        parts = ["".join(LETTERS[card] for card in part) for part in (fixed, self.pool, below)]
        return f"{parts[0]}({parts[1]}){parts[2]}"

    def on_top(self, *cards: str) -> Pile:
        """Put cards on top, the first given uppermost."""
        return replace(self, top=(*cards, *self.top))

    def under(self, *cards: str) -> Pile:
        """Put cards below, the last given lowest."""
        return replace(self, bottom=(*self.bottom, *cards))


EMPTY = Pile()
"""A pile without cards."""


def shuffled(cards: Iterable[str]) -> Pile:
    """Give a pile without an order."""
    return Pile(pool=sorted_cards(cards))
