"""Planted faults of OffTrack: lines, pins, append and collapse."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from .fault import Fault, planted
from .offtrack import Rules
from .offtrack_cards import Card, Cards
from .offtrack_state import FULL, Line, State
from .offtrack_table import Doing

LINE_FAULTS: list[Fault[Rules]] = []
FLIP_FAULTS: list[Fault[Rules]] = []
COLLAPSE_FAULTS: list[Fault[Rules]] = []
START_FAULTS: list[Fault[Rules]] = []


# Append


@planted(LINE_FAULTS, "Append 2, case 1")
class CollectsEqual(Rules):
    """An append collects cards of equal value, too."""

    def lower(self, state: State, other: Card, card: Card) -> bool:
        """Compare off by one."""
        return self.value(state, other) <= self.value(state, card)


@planted(FLIP_FAULTS, "R15, case 6")
class CollectsOlderIndices(Rules):
    """On a flipped line only cards of a lower index are collected."""

    def collected(self, state: State, line: Line, card: Card) -> Cards:
        """Take 'older' by the index."""
        lower = super().collected(state, line, card)
        place = line.cards.index(card) if card in line.cards else 0
        return lower if not line.flipped else tuple(c for c in line.cards[:place] if c in lower)


@planted(LINE_FAULTS, "R16, case 2")
class SlidesOnTwo(Rules):
    """A line of two cards is enough for a slide."""

    def slides(self, before: Line, line: Line, card: Card) -> bool:
        """Ask for two cards."""
        return len(line.cards) >= 2 and self.neighbour(line).era == card.era


@planted(LINE_FAULTS, "R16, case 2")
class SlidesByFormerLength(Rules):
    """The three cards of a slide are counted before the collecting."""

    def slides(self, before: Line, line: Line, card: Card) -> bool:
        """Count what was there."""
        enough = len(before.cards) >= 3 and len(line.cards) >= 2
        return enough and self.neighbour(line).era == card.era


@planted(LINE_FAULTS, "R16, case 2")
class SlidesByFormerNeighbour(Rules):
    """The neighbour whose era counts is the one before the collecting."""

    def slides(self, before: Line, line: Line, card: Card) -> bool:
        """Look at who was there."""
        return len(line.cards) >= 3 and self.neighbour(before).era == card.era


@planted(LINE_FAULTS, "R16")
class PinsNewCard(Rules):
    """A slide pins the new card, not its neighbour."""

    def slid_to(self, line: Line, card: Card) -> Card:
        """Take the new card."""
        return card


@planted(LINE_FAULTS, "Harvest edge")
class PinStandsFirm(Rules):
    """A slide does not take over a pin that stands."""

    def slides(self, before: Line, line: Line, card: Card) -> bool:
        """Leave the pin."""
        return line.pin is None and super().slides(before, line, card)


@planted(LINE_FAULTS, "Events, PINNED")
class SamePinUntold(Rules):
    """Nothing is reported when the card pinned was pinned before."""

    def pin(self, state: State, number: int, card: Card, doing: Doing) -> State:
        """Keep quiet."""
        if state.lines[number].pin == card:
            return state
        return super().pin(state, number, card, doing)


# Ends of a line, edges, pins


@planted(FLIP_FAULTS, "Add end, case 6")
class AddIgnoresFlip(Rules):
    """A card is always added at the newest end."""

    def add(self, line: Line, card: Card) -> Line:
        """Forget the flip."""
        return replace(line, cards=(*line.cards, card))


@planted(LINE_FAULTS, "R4, case 3")
class EdgeAtAddEnd(Rules):
    """The harvest edge without a pin is the card at the add end."""

    def default_edge(self, line: Line) -> Card:
        """Take the other end."""
        return line.cards[0] if line.flipped else line.cards[-1]


@planted(FLIP_FAULTS, "R4")
class EdgeIgnoresFlip(Rules):
    """The harvest edge without a pin is the oldest card, flipped or not."""

    def default_edge(self, line: Line) -> Card:
        """Forget the flip."""
        return line.cards[0]


@planted(LINE_FAULTS, "R4, case 4")
class EdgeIgnoresPin(Rules):
    """A pin does not move the harvest edge."""

    def edge(self, line: Line) -> Card:
        """Forget the pin."""
        return self.default_edge(line)


@planted(LINE_FAULTS, "Harvest edge")
class PinPassesOn(Rules):
    """A pin whose card leaves goes to the card that takes its place."""

    def pin_after(self, line: Line, left: Line) -> Card | None:
        """Keep the index."""
        if line.pin is None or line.pin in left.cards or not left.cards:
            return super().pin_after(line, left)
        return left.cards[min(line.cards.index(line.pin), len(left.cards) - 1)]


@planted(LINE_FAULTS, "Harvest edge")
class PinIndexStaysOnRemoval(Rules):
    """The index of a pin stays when cards before it leave."""

    def take(self, line: Line, gone: Collection[Card]) -> Line:
        """Keep the index."""
        left = super().take(line, gone)
        if left.pin is None or line.pin_index is None:
            return left
        return replace(left, pin=left.cards[min(line.pin_index, len(left.cards) - 1)])


@planted(FLIP_FAULTS, "Harvest edge")
class PinIndexStaysOnInsertion(Rules):
    """The index of a pin stays when a card is added at the oldest end."""

    def add(self, line: Line, card: Card) -> Line:
        """Keep the index."""
        after = super().add(line, card)
        return after if line.pin_index is None else replace(after, pin=after.cards[line.pin_index])


@planted(FLIP_FAULTS, "Harvest edge")
class FlipKeepsPin(Rules):
    """A pin survives the flip of its line."""

    def pin_flipped(self, line: Line) -> Card | None:
        """Keep it."""
        return line.pin


@planted(FLIP_FAULTS, "Harvest edge")
class PinEndsWithFlip(Rules):
    """A pin made while the line was flipped ends with the flip."""

    def unflipped(self, line: Line) -> Line:
        """Drop it."""
        after = super().unflipped(line)
        return replace(after, pin=None) if line.flipped else after


@planted(FLIP_FAULTS, "f. End")
class FlipStays(Rules):
    """A line stays flipped beyond the turn."""

    def unflipped(self, line: Line) -> Line:
        """Forget to turn it back."""
        return line


# Collapse


@planted(COLLAPSE_FAULTS, "R20")
class CountsBeforeCollecting(Rules):
    """An append counts the line before it collects."""

    def after_adding(self, state: State, number: int, card: Card, doing: Doing) -> State:
        """Count first."""
        if self.overflows(state, number):
            return self.count(state, number, doing)
        return super().after_adding(state, number, card, doing)


@planted(COLLAPSE_FAULTS, "Collapse")
class CollapsesAtEight(Rules):
    """A branch collapses with 8 cards only."""

    def overflows(self, state: State, number: int) -> bool:
        """Count off by one."""
        return super().overflows(state, number) and len(state.lines[number].cards) > FULL


@planted(COLLAPSE_FAULTS, "Collapse")
class PrimeCollapses(Rules):
    """Prime collapses like a branch."""

    def overflows(self, state: State, number: int) -> bool:
        """Forget that Prime is none."""
        return len(state.lines[number].cards) >= FULL


@planted(COLLAPSE_FAULTS, "Collapse")
class SecondCollapses(Rules):
    """A second branch of 7 cards in a turn collapses, too."""

    def must_wait(self, state: State) -> bool:
        """Never wait."""
        return False


@planted(COLLAPSE_FAULTS, "R17")
class StartCollapseIsFree(Rules):
    """The collapse at a turn's start does not count as the turn's one."""

    def collapse_at_start(self, state: State, doing: Doing) -> State:
        """Do not count it."""
        return replace(super().collapse_at_start(state, doing), collapsed=False)


@planted(COLLAPSE_FAULTS, "a. Start")
class SealedBranchCollapses(Rules):
    """A waiting branch collapses at its seat's start though it is sealed."""

    def is_due(self, state: State, line: Line) -> bool:
        """Forget the seal."""
        return line.waiting_for == state.seat


@planted(COLLAPSE_FAULTS, "a. Start")
class CollapsesForAnySeat(Rules):
    """A waiting branch collapses at the start of the next turn, whosever it is."""

    def is_due(self, state: State, line: Line) -> bool:
        """Forget the seat."""
        return line.waiting and line.open


@planted(START_FAULTS, "a. Start")
class AllWaitingCollapse(Rules):
    """At a turn's start all branches that are due collapse."""

    def collapse_at_start(self, state: State, doing: Doing) -> State:
        """Go on after the first."""
        for number, line in enumerate(state.lines):
            if self.is_due(state, line):
                state = self.collapse(state, number, doing)
        return state


@planted(START_FAULTS, "a. Start")
class HighestWaitingCollapses(Rules):
    """Of two branches that are due the one of the highest number collapses."""

    def collapse_at_start(self, state: State, doing: Doing) -> State:
        """Look from the other end."""
        due = [number for number, line in enumerate(state.lines) if self.is_due(state, line)]
        return self.collapse(state, due[-1], doing) if due else state


@planted(START_FAULTS, "a. Start")
class SealsLiftAfterCollapse(Rules):
    """A turn's start looks for a branch that is due before the own seals lift."""

    def lift_seals(self, state: State, doing: Doing) -> State:
        """Collapse first, and then not again."""
        return super().lift_seals(super().collapse_at_start(state, doing), doing)

    def collapse_at_start(self, state: State, doing: Doing) -> State:
        """Do nothing more."""
        return state


@planted(COLLAPSE_FAULTS, "Collapse")
class WaitingOutlastsSeven(Rules):
    """A waiting branch that falls below 7 cards goes on waiting."""

    def waiting_after(self, line: Line, left: Line) -> int | None:
        """Keep the mark while there are cards."""
        return line.waiting_for if left.cards else None


@planted(COLLAPSE_FAULTS, "R5")
class WaitingTakesAppends(Rules):
    """A waiting branch can be appended to."""

    def takes_append(self, line: Line) -> bool:
        """Forget that it waits."""
        return line.open


@planted(COLLAPSE_FAULTS, "R5")
class WaitingTakesShunts(Rules):
    """A card can be shunted onto a waiting branch."""

    def takes_shunt(self, line: Line) -> bool:
        """Forget that it waits."""
        return line.open


@planted(COLLAPSE_FAULTS, "Collapse")
class WaitsForNextSeat(Rules):
    """A branch waits for the seat after the one whose turn it is."""

    def wait(self, state: State, number: int, doing: Doing) -> State:
        """Name the next seat."""
        other = replace(state, seat=(state.seat + 1) % state.options.seats)
        return replace(super().wait(other, number, doing), seat=state.seat)


@planted(COLLAPSE_FAULTS, "Collapse, case 3")
class CollapseBoxesAll(Rules):
    """A collapse boxes the harvest edge with the others."""

    def collapse(self, state: State, number: int, doing: Doing) -> State:
        """Move the card scored into the box."""
        after = super().collapse(state, number, doing)
        pile = after.piles[state.seat]
        piles = [*after.piles]
        piles[state.seat] = pile[:-1]
        return self.to_box(replace(after, piles=tuple(piles)), pile[-1:])
