"""The cards of OffTrack and how they are written."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

VALUES = (-2, -1, 0, 1, 1, 2, 3, 4, 5)
FIGURES = len(VALUES)
ERA_LETTERS = "abcdefgh"
ACTIONS = "SMQRLPKB"
"""Shear, Mend, Quantum Shunt, Recall, Paradox Loop, Redeem, Quarantine, Breach."""

CARD_TEXTS = [[f"{era}{figure}" for figure in range(FIGURES)] for era in ERA_LETTERS]

NONE = "-"
"""What is empty or absent, in positions and in events."""


class Card(NamedTuple):
    """A character; its copy only tells the two cards of one figure apart and is never shown."""

    era: int
    figure: int
    copy: int = 0

    @property
    def type(self) -> int:
        """The card type, 9e + k."""
        return FIGURES * self.era + self.figure

    @property
    def printed(self) -> int:
        """The printed value."""
        return VALUES[self.figure]

    @property
    def text(self) -> str:
        """The notation without regard to a Redeem."""
        return CARD_TEXTS[self.era][self.figure]


Cards = tuple[Card, ...]


def all_cards(eras: int, decks: int) -> Cards:
    """Give all characters, sorted by type."""
    return tuple(
        Card(era, figure, copy)
        for era in range(eras)
        for figure in range(FIGURES)
        for copy in range(decks)
    )


def cards_text(cards: Iterable[Card], redeemed: Collection[Card] = ()) -> str:
    """Write cards in the order given, `-` for none."""
    return "".join(card.text + "+" * (card in redeemed) for card in cards) or NONE


def pile_text(cards: Iterable[Card], redeemed: Collection[Card] = ()) -> str:
    """Write cards sorted by type, of one type the unredeemed first."""
    ordered = sorted(cards)
    if redeemed:
        ordered.sort(key=lambda card: (card.type, card in redeemed))
    return cards_text(ordered, redeemed)


def sorted_actions(actions: Iterable[str]) -> tuple[str, ...]:
    """Sort action cards in the order of the text."""
    return tuple(sorted(actions, key=ACTIONS.index))


def actions_text(actions: Iterable[str]) -> str:
    """Write action cards, sorted, `-` for none."""
    return "".join(sorted_actions(actions)) or NONE
