"""Planted faults of OffTrack: the eight actions."""

from __future__ import annotations

from dataclasses import replace

from .fault import Fault, planted
from .offtrack import Rules
from .offtrack_cards import Card, Cards
from .offtrack_state import FULL, Line, State
from .offtrack_table import Doing

EFFECT_FAULTS: list[Fault[Rules]] = []
FLIPPED_FAULTS: list[Fault[Rules]] = []
SEAL_FAULTS: list[Fault[Rules]] = []


# Shear


@planted(FLIPPED_FAULTS, "Shear")
class ShearsNewestEnd(Rules):
    """Shear takes the cards towards the newest end, flipped or not."""

    def past(self, line: Line, index: int) -> Cards:
        """Forget the flip."""
        return line.cards[index + 1 :]


@planted(EFFECT_FAULTS, "Shear, case 5")
class ShearOpensOneMore(Rules):
    """Shear opens one branch more than max_branches."""

    def may_open_branch(self, state: State) -> bool:
        """Count off by one."""
        return len(state.lines) - 1 <= state.options.max_branches


@planted(EFFECT_FAULTS, "Shear, case 5")
class ShearOpensOneLess(Rules):
    """Shear opens one branch less than max_branches."""

    def may_open_branch(self, state: State) -> bool:
        """Count off by one."""
        return len(state.lines) < state.options.max_branches


@planted(EFFECT_FAULTS, "R3")
class EmptyBranchesUncounted(Rules):
    """Empty branches do not count towards max_branches."""

    def may_open_branch(self, state: State) -> bool:
        """Count those with cards."""
        return sum(len(line.cards) > 0 for line in state.lines[1:]) < state.options.max_branches


@planted(EFFECT_FAULTS, "Shear, case 5")
class ShearScoresFarthest(Rules):
    """Shear scores the card at the add end, not the nearest one."""

    def nearest(self, line: Line, past: Cards) -> Card:
        """Take the other end."""
        return past[0] if line.flipped else past[-1]


@planted(EFFECT_FAULTS, "Shear, case 5")
class ShearSwapsPiles(Rules):
    """Shear boxes the nearest card and scores the others."""

    def shear_off(self, state: State, number: int, past: Cards, doing: Doing) -> State:
        """Swap what goes where."""
        after = super().shear_off(state, number, past, doing)
        piles = [*state.piles]
        nearest = self.nearest(state.lines[number], past)
        piles[state.seat] += tuple(card for card in past if card != nearest)
        return replace(after, piles=tuple(piles), box=(*state.box, nearest))


@planted(EFFECT_FAULTS, "Shear")
class ShearMovesPin(Rules):
    """A pin on a moved card goes along to the new branch."""

    def new_branch(self, line: Line, past: Cards) -> Line:
        """Take it along."""
        return Line(past, pin=line.pin if line.pin in past else None)


@planted(EFFECT_FAULTS, "Shear")
class ShearedBranchStands(Rules):
    """A new branch of 7 or more cards is not counted."""

    def count_new(self, state: State, number: int, doing: Doing) -> State:
        """Forget to count."""
        return state


# Mend


@planted(EFFECT_FAULTS, "Mend, case 7")
class MendsFromNewest(Rules):
    """The cards of a Mend move from the newest to the oldest."""

    def mending_order(self, rest: Cards, other: Line) -> Cards:
        """Turn them round."""
        return rest[::-1]


@planted(FLIPPED_FAULTS, "Mend")
class MendsAsBlock(Rules):
    """The cards of a Mend keep their order on a flipped line."""

    def mending_order(self, rest: Cards, other: Line) -> Cards:
        """Make up for the flip."""
        return rest[::-1] if other.flipped else rest


@planted(EFFECT_FAULTS, "Mend")
class MendFillsToSeven(Rules):
    """A Mend may bring a branch to 7 cards."""

    def mended_fits(self, length: int) -> bool:
        """Count off by one."""
        return length <= FULL


@planted(EFFECT_FAULTS, "Mend")
class MendCountsEdge(Rules):
    """The card that a Mend scores counts towards the 7 of the other branch."""

    def mended_fits(self, length: int) -> bool:
        """Count one more."""
        return length + 1 < FULL


@planted(EFFECT_FAULTS, "R18")
class MendOfOneNeedsLine(Rules):
    """A Mend of a branch of one card names a second line."""

    def mends_alone(self, line: Line) -> bool:
        """Ask for the line."""
        return False

    def mends_onto_another(self, line: Line) -> bool:
        """Ask for the line."""
        return True


@planted(EFFECT_FAULTS, "Mend, case 7")
class MendCollects(Rules):
    """A card that a Mend moves collects lower cards."""

    def mend_card(self, state: State, onto: int, card: Card, doing: Doing) -> State:
        """Collect as an append does."""
        return self.collect(super().mend_card(state, onto, card, doing), onto, card, doing)


# Quantum Shunt


@planted(EFFECT_FAULTS, "Actions")
class ShuntCollects(Rules):
    """A shunted card collects lower cards."""

    def count_shunted(self, state: State, onto: int, card: Card, doing: Doing) -> State:
        """Collect as an append does."""
        return super().count_shunted(self.collect(state, onto, card, doing), onto, card, doing)


@planted(EFFECT_FAULTS, "R16")
class ShuntSlides(Rules):
    """A shunted card pins a neighbour of its era."""

    def count_shunted(self, state: State, onto: int, card: Card, doing: Doing) -> State:
        """Slide as an append does."""
        line = state.lines[onto]
        if self.slides(line, line, card):
            state = self.pin(state, onto, self.slid_to(line, card), doing)
        return super().count_shunted(state, onto, card, doing)


@planted(SEAL_FAULTS, "Quarantine")
class ShuntFromSealed(Rules):
    """A card can be shunted from a sealed line."""

    def may_shunt(self, state: State, number: int, onto: int | None) -> bool:
        """Look at the other line alone."""
        return onto is not None and onto != number and self.takes_shunt(state.lines[onto])


# Recall


@planted(EFFECT_FAULTS, "Recall, case 8")
class RecallsOnNearSide(Rules):
    """A recalled card goes to the side of the edge towards the add end."""

    def recall_place(self, line: Line, edge: int) -> int:
        """Take the other side."""
        return edge if line.flipped else edge + 1


@planted(FLIPPED_FAULTS, "Recall")
class RecallIgnoresFlip(Rules):
    """A recalled card goes to the older side of the edge, flipped or not."""

    def recall_place(self, line: Line, edge: int) -> int:
        """Forget the flip."""
        return edge


@planted(EFFECT_FAULTS, "Recall, case 8")
class RecallKeepsLower(Rules):
    """A Recall collects nothing."""

    def recall_collect(
        self, state: State, number: int, card: Card, doing: Doing, was_edge: bool
    ) -> State:
        """Do nothing."""
        return state


@planted(EFFECT_FAULTS, "Recall")
class RecalledEdgeKeepsLower(Rules):
    """A Recall of the harvest edge card collects nothing."""

    def recall_collect(
        self, state: State, number: int, card: Card, doing: Doing, was_edge: bool
    ) -> State:
        """Do nothing for the edge."""
        if was_edge:
            return state
        return super().recall_collect(state, number, card, doing, was_edge)


@planted(EFFECT_FAULTS, "Recall, case 8")
class RecallPinsNothing(Rules):
    """A Recall moves the card without pinning the edge."""

    def recall_pin(self, state: State, number: int, card: Card, doing: Doing) -> State:
        """Do nothing."""
        return state


@planted(EFFECT_FAULTS, "Recall")
class RecallOfOne(Rules):
    """A Recall can name the card of a line of one."""

    def may_recall(self, line: Line) -> bool:
        """Ask for one card."""
        return len(line.cards) >= 1


@planted(SEAL_FAULTS, "R19")
class RecallNotOnSealed(Rules):
    """A Recall cannot name a sealed line."""

    def may_recall(self, line: Line) -> bool:
        """Ask for an open line."""
        return line.open and super().may_recall(line)


# Paradox Loop, Redeem, Quarantine, Breach


@planted(FLIPPED_FAULTS, "Paradox Loop")
class LoopsTwice(Rules):
    """A flipped line can be flipped again."""

    def may_loop(self, line: Line) -> bool:
        """Take any line."""
        return True


@planted(SEAL_FAULTS, "Paradox Loop")
class LoopNotOnSealed(Rules):
    """A sealed line cannot be flipped."""

    def may_loop(self, line: Line) -> bool:
        """Ask for an open line."""
        return line.open and super().may_loop(line)


@planted(SEAL_FAULTS, "Redeem")
class RedeemNotOnSealed(Rules):
    """A Redeem cannot name a sealed line."""

    def may_redeem(self, state: State, line: Line) -> bool:
        """Ask for an open line."""
        return line.open and super().may_redeem(state, line)


@planted(SEAL_FAULTS, "Quarantine")
class QuarantinesSealed(Rules):
    """A sealed line can be sealed again."""

    def may_quarantine(self, line: Line) -> bool:
        """Take any line."""
        return True


@planted(SEAL_FAULTS, "Breach")
class BreachScoresSealed(Rules):
    """A Breach of a sealed line scores its harvest edge, too."""

    def opened(self, state: State, number: int, doing: Doing) -> State:
        """Score as from an open branch."""
        if not state.lines[number].cards:
            return state
        return self.score_edge(state, number, doing)


@planted(EFFECT_FAULTS, "Breach")
class BreachOfOne(Rules):
    """A Breach can name an open branch of one card."""

    def may_breach(self, state: State, number: int) -> bool:
        """Ask for one card."""
        line = state.lines[number]
        return super().may_breach(state, number) or (number > 0 and len(line.cards) == 1)


@planted(EFFECT_FAULTS, "Breach")
class BreachOfPrime(Rules):
    """A Breach can name an open Prime."""

    def may_breach(self, state: State, number: int) -> bool:
        """Take any line of two cards."""
        return super().may_breach(state, number) or len(state.lines[number].cards) >= 2
