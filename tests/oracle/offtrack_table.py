"""The lines of OffTrack by its rules: ends, edges, pins, collecting and collapse.

Each rule is a small method, so that a planted fault is a subclass overriding one.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace

from .chance import Draws
from .common import Event
from .offtrack_cards import Card, Cards
from .offtrack_state import FULL, Line, State


@dataclass
class Doing:
    """What happens while one action is done: the numbers drawn and the events reported."""

    draws: Draws
    events: list[Event] = field(default_factory=list)

    def report(self, *event: str | int) -> None:
        """Report an event."""
        self.events.append(event)


def put(state: State, number: int, line: Line) -> State:
    """Put a line in the place of the one of that number."""
    lines = state.lines
    return replace(state, lines=(*lines[:number], line, *lines[number + 1 :]))


class TableRules:
    """The rules of the table: what a line is and what an append and a collapse do."""

    def value(self, state: State, card: Card) -> int:
        """Cards: the printed value, the positive one after a Redeem, wherever the card is."""
        return abs(card.printed) if card in state.redeemed else card.printed

    def score(self, state: State, cards: Collection[Card]) -> State:
        """Put cards on the acting seat's score pile."""
        piles = list(state.piles)
        piles[state.seat] = (*piles[state.seat], *cards)
        return replace(state, piles=tuple(piles))

    def to_box(self, state: State, cards: Collection[Card]) -> State:
        """Put cards in the box."""
        return replace(state, box=(*state.box, *cards))

    # A line's ends

    def add(self, line: Line, card: Card) -> Line:
        """Add end: the newest end; the oldest end while the line is flipped."""
        cards = (card, *line.cards) if line.flipped else (*line.cards, card)
        return replace(line, cards=cards)

    def past(self, line: Line, index: int) -> Cards:
        """Shear: the cards between a card and the add end, in line order."""
        return line.cards[:index] if line.flipped else line.cards[index + 1 :]

    def neighbour(self, line: Line) -> Card:
        """Append, step 3: the card beside the one at the add end."""
        return line.cards[1] if line.flipped else line.cards[-2]

    def edge(self, line: Line) -> Card:
        """R4: the pinned card, else the one at the end opposite the add end."""
        return self.default_edge(line) if line.pin is None else line.pin

    def default_edge(self, line: Line) -> Card:
        """R4: the oldest card; while flipped, the newest."""
        return line.cards[-1] if line.flipped else line.cards[0]

    def take(self, line: Line, gone: Collection[Card]) -> Line:
        """Take cards off a line; a pin whose card leaves ends, and so does waiting below 7."""
        left = replace(line, cards=tuple(card for card in line.cards if card not in gone))
        return replace(
            left, pin=self.pin_after(line, left), waiting_for=self.waiting_after(line, left)
        )

    def pin_after(self, line: Line, left: Line) -> Card | None:
        """Harvest edge: a pin ends when its card leaves the line."""
        return line.pin if line.pin in left.cards else None

    def waiting_after(self, line: Line, left: Line) -> int | None:
        """Collapse: a waiting branch that falls below 7 cards is no longer waiting."""
        return line.waiting_for if len(left.cards) >= FULL else None

    def move_onto(self, state: State, number: int, card: Card) -> State:
        """Add a card to a line's add end."""
        return put(state, number, self.add(state.lines[number], card))

    def take_off(self, state: State, number: int, gone: Collection[Card]) -> State:
        """Take cards off a line of that number."""
        return put(state, number, self.take(state.lines[number], gone))

    def pin(self, state: State, number: int, card: Card, doing: Doing) -> State:
        """Pin the harvest edge to a card, whether it was pinned before or not."""
        line = state.lines[number]
        doing.report("PINNED", number, line.cards.index(card))
        return put(state, number, replace(line, pin=card))

    # Append

    def append(self, state: State, number: int, card: Card, doing: Doing) -> State:
        """Append, steps 1 to 4; the card has left the hand."""
        state = self.move_onto(state, number, card)
        doing.report("APPENDED", state.seat, state.text((card,)), number)
        return self.after_adding(state, number, card, doing)

    def after_adding(self, state: State, number: int, card: Card, doing: Doing) -> State:
        """Append: collect, slide, and only then count the line (R20)."""
        before = state.lines[number]
        state = self.collect(state, number, card, doing)
        if self.slides(before, state.lines[number], card):
            state = self.pin(state, number, self.slid_to(state.lines[number], card), doing)
        return self.count(state, number, doing)

    def collect(self, state: State, number: int, card: Card, doing: Doing) -> State:
        """Append, step 2, and Recall: every other card of lower value on the line is collected."""
        lower = self.collected(state, state.lines[number], card)
        if not lower:
            return state
        doing.report("COLLECTED", state.seat, number, state.text(lower))
        return self.score(self.take_off(state, number, lower), lower)

    def collected(self, state: State, line: Line, card: Card) -> Cards:
        """R15: all other cards of lower value, on whichever side, flipped or not."""
        return tuple(
            other for other in line.cards if other != card and self.lower(state, other, card)
        )

    def lower(self, state: State, other: Card, card: Card) -> bool:
        """Append, step 2: an equal value stays."""
        return self.value(state, other) < self.value(state, card)

    def slides(self, before: Line, line: Line, card: Card) -> bool:
        """R16: at least 3 cards are left with the new one, and its neighbour has its era.

        `before` is the line with the new card but before the collecting.
        """
        return len(line.cards) >= 3 and self.neighbour(line).era == card.era

    def slid_to(self, line: Line, card: Card) -> Card:
        """R16: the pin goes to the neighbour."""
        return self.neighbour(line)

    # Collapse

    def count(self, state: State, number: int, doing: Doing) -> State:
        """Collapse: a branch of 7 or more collapses, or waits if one has in this turn."""
        if not self.overflows(state, number):
            return state
        if self.must_wait(state):
            return self.wait(state, number, doing)
        return self.collapse(state, number, doing)

    def overflows(self, state: State, number: int) -> bool:
        """Collapse: 7 cards or more; Prime never collapses."""
        return number > 0 and len(state.lines[number].cards) >= FULL

    def must_wait(self, state: State) -> bool:
        """Collapse: one a turn, that at its start counted (R17)."""
        return state.collapsed

    def wait(self, state: State, number: int, doing: Doing) -> State:
        """Collapse: mark a branch as waiting for the seat whose turn it is."""
        doing.report("WAITING", number, state.seat)
        return put(state, number, replace(state.lines[number], waiting_for=state.seat))

    def collapse(self, state: State, number: int, doing: Doing) -> State:
        """Collapse: the edge is scored, the others are boxed, the empty branch stays (R3)."""
        line = state.lines[number]
        edge = self.edge(line)
        boxed = tuple(card for card in line.cards if card != edge)
        doing.report("COLLAPSED", number, state.text((edge,)), state.text(boxed))
        state = self.take_off(state, number, line.cards)
        state = self.to_box(self.score(state, (edge,)), boxed)
        return replace(state, collapsed=self.collapsed_after(state))

    def collapsed_after(self, state: State) -> bool:
        """Collapse: this was the turn's one."""
        return True
