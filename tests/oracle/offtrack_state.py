"""Options and states of OffTrack, and the position of sixteen fields."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields

from .common import SetupFault
from .offtrack_cards import NONE, Card, Cards, actions_text, cards_text, pile_text

HAND = 5
FULL = 7
"""The cards from which on a branch collapses."""

RANGES: dict[str, tuple[int, int]] = {
    "seats": (2, 4),
    "decks": (1, 2),
    "max_branches": (1, 4),
    "eras": (3, 8),
    "action_copies": (1, 8),
    "rounds": (1, 9),
}


@dataclass(frozen=True)
class Options:
    """The options of a match (R1 for the eras, R2 for the action copies)."""

    seats: int = 2
    scoring: str = "HIGH"
    decks: int = 1
    max_branches: int = 2
    every_turn: bool = False
    eras: int = 6
    action_copies: int = 4
    rounds: int = 3


def option_faults(options: Options) -> list[SetupFault]:
    """List all faults of a set-up, in the order of the options."""
    faults = []
    for option in fields(options):
        value = getattr(options, option.name)
        least, most = RANGES.get(option.name, (value, value))
        if not least <= value <= most:
            faults.append((option.name, "RANGE"))
        elif option.name == "scoring" and value not in ("HIGH", "LOW"):
            faults.append((option.name, "VALUE"))
    return faults


@dataclass(frozen=True)
class Line:
    """A line: its cards from the oldest to the newest and its marks."""

    cards: Cards = ()
    flipped: bool = False
    pin: Card | None = None
    sealed_by: int | None = None
    waiting_for: int | None = None

    @property
    def open(self) -> bool:
        """Open: not sealed."""
        return self.sealed_by is None

    @property
    def waiting(self) -> bool:
        """Waiting: a branch whose collapse is put off."""
        return self.waiting_for is not None

    @property
    def pin_index(self) -> int | None:
        """The index of the pinned card."""
        return None if self.pin is None else self.cards.index(self.pin)


@dataclass(frozen=True, eq=False)
class State:
    """A state; the step is B, C, E, A or, when the match is over, `-`; decks are sorted.

    States are told apart by identity, so that what is read of one can be kept; their positions
    can be compared.
    """

    options: Options
    hands: tuple[Cards, ...]
    piles: tuple[Cards, ...]
    held: tuple[str | None, ...]
    cycled: tuple[bool, ...]
    deck: Cards
    action_deck: tuple[str, ...]
    round: int = 1
    seat: int = 0
    step: str = "C"
    lines: tuple[Line, ...] = (Line(),)
    redeemed: frozenset[Card] = frozenset()
    box: Cards = ()
    discards: Cards = ()
    action_discards: tuple[str, ...] = ()
    drawn: str | None = None
    collapsed: bool = False
    called: bool = False
    scores: tuple[tuple[int, ...], ...] = ()

    @property
    def actor(self) -> int | None:
        """The seat that must decide, None when the match is over."""
        return None if self.step == NONE else self.seat

    @property
    def action(self) -> str | None:
        """The action card that the actor must decide on."""
        if self.step == "B":
            return self.held[self.seat]
        return self.drawn if self.step == "A" else None

    def text(self, cards: Iterable[Card]) -> str:
        """Write cards in the order given."""
        return cards_text(cards, self.redeemed)

    def sorted_text(self, cards: Iterable[Card]) -> str:
        """Write cards sorted."""
        return pile_text(cards, self.redeemed)


def fresh(options: Options) -> State:
    """Give a state with nothing in it: no cards anywhere, round 1, seat 0 at its main step."""
    seats = options.seats
    return State(
        options=options,
        hands=((),) * seats,
        piles=((),) * seats,
        held=(None,) * seats,
        cycled=(False,) * seats,
        deck=(),
        action_deck=(),
    )


def line_text(state: State, line: Line) -> str:
    """Write a line: cards, `^` flipped, `!` pin, `#` seal, `?` waiting."""
    marks = (("!", line.pin_index), ("#", line.sealed_by), ("?", line.waiting_for))
    tail = "".join(f"{sign}{number}" for sign, number in marks if number is not None)
    return state.text(line.cards) + "^" * line.flipped + tail


def scores_text(scores: Iterable[int]) -> str:
    """Write the scores of one round."""
    return ",".join(map(str, scores))


def position_text(state: State) -> str:
    """Write the position's sixteen fields."""
    return " ".join(
        (
            str(state.round),
            (NONE if state.actor is None else str(state.actor)) + state.step,
            "/".join(line_text(state, line) for line in state.lines),
            "/".join(map(state.sorted_text, state.hands)),
            "/".join(map(state.sorted_text, state.piles)),
            state.sorted_text(state.box),
            state.sorted_text(state.deck),
            state.sorted_text(state.discards),
            actions_text(state.action_deck),
            actions_text(state.action_discards),
            "/".join(held or NONE for held in state.held),
            state.drawn or NONE,
            "".join("c" if cycled else NONE for cycled in state.cycled),
            "x" if state.collapsed else NONE,
            "!" if state.called else NONE,
            ";".join(map(scores_text, state.scores)) or NONE,
        )
    )
