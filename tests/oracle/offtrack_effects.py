"""The eight actions of OffTrack: what each may name and what it does.

Each rule is a small method, so that a planted fault is a subclass overriding one.
"""

from __future__ import annotations

from dataclasses import replace

from .offtrack_actions import Action, targets
from .offtrack_cards import NONE, Card, Cards
from .offtrack_state import FULL, Line, State
from .offtrack_table import Doing, TableRules, put


class EffectRules(TableRules):
    """The rules of the eight actions."""

    def has_target(self, state: State, letter: str) -> bool:
        """Say whether an action has any legal target."""
        return any(self.may_play(state, action) for action in targets(state, letter))

    def may_play(self, state: State, action: Action) -> bool:
        """Actions: say whether a target is legal."""
        line = state.lines[action.line]
        tests = {
            "S": lambda: self.may_shear(line, action.at),
            "M": lambda: self.may_mend(state, action.line, action.onto),
            "Q": lambda: self.may_shunt(state, action.line, action.onto),
            "R": lambda: self.may_recall(line),
            "L": lambda: self.may_loop(line),
            "P": lambda: self.may_redeem(state, line),
            "K": lambda: self.may_quarantine(line),
            "B": lambda: self.may_breach(state, action.line),
        }
        return tests[action.kind]()

    def play(self, state: State, action: Action, doing: Doing) -> State:
        """Actions: report the action, then do it."""
        doing.report("ACTION_PLAYED", state.seat, action.kind)
        card = None if action.at < 0 else state.lines[action.line].cards[action.at]
        if action.kind == "M":
            return self.mend(state, action.line, action.onto, doing)
        if card is not None:
            return self.play_on_card(state, action, card, doing)
        effects = {
            "L": self.loop,
            "P": self.redeem,
            "K": self.quarantine,
            "B": self.breach,
        }
        return effects[action.kind](state, action.line, doing)

    def play_on_card(self, state: State, action: Action, card: Card, doing: Doing) -> State:
        """Do an action that names a card on a line."""
        if action.kind == "S":
            return self.shear(state, action.line, card, doing)
        if action.kind == "R":
            return self.recall(state, action.line, card, doing)
        assert action.onto is not None
        return self.shunt(state, action.line, card, action.onto, doing)

    # Shear

    def may_shear(self, line: Line, index: int) -> bool:
        """Shear: a card on an open line with at least one card past it."""
        return line.open and len(self.past(line, index)) > 0

    def shear(self, state: State, number: int, card: Card, doing: Doing) -> State:
        """Shear: the cards past a card become a new branch, or are scored and boxed."""
        line = state.lines[number]
        index = line.cards.index(card)
        past = self.past(line, index)
        new = len(state.lines)
        if self.may_open_branch(state):
            doing.report("SHEARED", number, index, new)
            state = self.take_off(state, number, past)
            state = replace(state, lines=(*state.lines, self.new_branch(line, past)))
            return self.count_new(state, new, doing)
        doing.report("SHEARED", number, index, NONE)
        return self.shear_off(self.take_off(state, number, past), number, past, doing)

    def may_open_branch(self, state: State) -> bool:
        """Shear: fewer than `max_branches` branches stand, empty ones counted (R3)."""
        return len(state.lines) - 1 < state.options.max_branches

    def new_branch(self, line: Line, past: Cards) -> Line:
        """Shear: order kept; neither flipped, pinned, sealed nor waiting."""
        return Line(past)

    def count_new(self, state: State, number: int, doing: Doing) -> State:
        """Shear: the new branch may itself hold 7 or more."""
        return self.count(state, number, doing)

    def shear_off(self, state: State, number: int, past: Cards, doing: Doing) -> State:
        """Shear: without room for a branch the nearest card is scored, the others are boxed."""
        nearest = self.nearest(state.lines[number], past)
        others = tuple(card for card in past if card != nearest)
        doing.report("SCORED", state.seat, number, state.text((nearest,)))
        if others:
            doing.report("BOXED", number, state.text(others))
        return self.to_box(self.score(state, (nearest,)), others)

    def nearest(self, line: Line, past: Cards) -> Card:
        """Shear: of the cards past the named one, the one next to it."""
        return past[-1] if line.flipped else past[0]

    # Mend

    def may_mend(self, state: State, number: int, onto: int | None) -> bool:
        """Mend: a non-empty open branch; R18: a branch of one card takes no second line."""
        line = state.lines[number]
        if number == 0 or not line.open or not line.cards:
            return False
        if onto is None:
            return self.mends_alone(line)
        return self.mends_onto_another(line) and self.may_mend_onto(state, number, onto)

    def mends_alone(self, line: Line) -> bool:
        """R18: a branch of one card needs no second line."""
        return len(line.cards) == 1

    def mends_onto_another(self, line: Line) -> bool:
        """R18: a branch of one card takes no second line."""
        return len(line.cards) > 1

    def may_mend_onto(self, state: State, number: int, onto: int) -> bool:
        """Mend: another open line; for a branch, one that would then hold fewer than 7."""
        other = state.lines[onto]
        if onto == number or not other.open:
            return False
        return onto == 0 or self.mended_fits(len(other.cards) + len(state.lines[number].cards) - 1)

    def mended_fits(self, length: int) -> bool:
        """Mend: a branch would hold fewer than 7 cards."""
        return length < FULL

    def mend(self, state: State, number: int, onto: int | None, doing: Doing) -> State:
        """Mend: the edge is scored, the rest move one by one onto the other line's add end."""
        cards = state.lines[number].cards
        state = self.score_edge(state, number, doing)
        rest = state.lines[number].cards
        state = self.take_off(state, number, cards)
        if onto is None:
            return state
        for card in self.mending_order(rest, state.lines[onto]):
            doing.report("MOVED", number, onto, state.text((card,)))
            state = self.mend_card(state, onto, card, doing)
        return state

    def mending_order(self, rest: Cards, other: Line) -> Cards:
        """Mend: from oldest to newest, whatever is flipped."""
        return rest

    def mend_card(self, state: State, onto: int, card: Card, doing: Doing) -> State:
        """Mend: the card goes to the add end; nothing is collected (case 7)."""
        return self.move_onto(state, onto, card)

    def score_edge(self, state: State, number: int, doing: Doing) -> State:
        """Score a line's harvest edge."""
        edge = self.edge(state.lines[number])
        doing.report("SCORED", state.seat, number, state.text((edge,)))
        return self.score(self.take_off(state, number, (edge,)), (edge,))

    # Quantum Shunt

    def may_shunt(self, state: State, number: int, onto: int | None) -> bool:
        """Quantum Shunt: a card on an open line, a different open line that takes cards."""
        if onto is None or onto == number:
            return False
        return state.lines[number].open and self.takes_shunt(state.lines[onto])

    def takes_shunt(self, line: Line) -> bool:
        """Quantum Shunt: onto an open line that is not waiting."""
        return self.takes_cards(line)

    def takes_cards(self, line: Line) -> bool:
        """R5: a waiting branch takes no cards; nor does a sealed line."""
        return line.open and not line.waiting

    def shunt(self, state: State, number: int, card: Card, onto: int, doing: Doing) -> State:
        """Quantum Shunt: the card goes to the other line's add end, which is then counted."""
        doing.report("MOVED", number, onto, state.text((card,)))
        state = self.move_onto(self.take_off(state, number, (card,)), onto, card)
        return self.count_shunted(state, onto, card, doing)

    def count_shunted(self, state: State, onto: int, card: Card, doing: Doing) -> State:
        """Quantum Shunt: nothing is collected or pinned; the line is counted."""
        return self.count(state, onto, doing)

    # Recall

    def may_recall(self, line: Line) -> bool:
        """Recall: any line of at least 2 cards, sealed ones too (R19)."""
        return len(line.cards) >= 2

    def recall(self, state: State, number: int, card: Card, doing: Doing) -> State:
        """Recall: the card moves beside the edge, takes the pin, and lower ones are collected."""
        line = state.lines[number]
        after = replace(line, cards=self.recalled(line, card))
        indices = (line.cards.index(card), after.cards.index(card))
        doing.report("RECALLED", number, *indices)
        state = self.recall_pin(put(state, number, after), number, card, doing)
        return self.recall_collect(state, number, card, doing, card == self.edge(line))

    def recalled(self, line: Line, card: Card) -> Cards:
        """Recall: beside the harvest edge card, on its far side from the add end."""
        edge = self.edge(line)
        if card == edge:
            return line.cards
        rest = [other for other in line.cards if other != card]
        rest.insert(self.recall_place(line, rest.index(edge)), card)
        return tuple(rest)

    def recall_place(self, line: Line, edge: int) -> int:
        """Recall: on the older side of the edge; while flipped, on its newer side."""
        return edge + 1 if line.flipped else edge

    def recall_pin(self, state: State, number: int, card: Card, doing: Doing) -> State:
        """Recall: the edge is pinned to the card, moved or not."""
        return self.pin(state, number, card, doing)

    def recall_collect(
        self, state: State, number: int, card: Card, doing: Doing, was_edge: bool
    ) -> State:
        """Recall: lower cards are collected, whether the card was moved or not."""
        return self.collect(state, number, card, doing)

    # Paradox Loop, Redeem, Quarantine, Breach

    def may_loop(self, line: Line) -> bool:
        """Paradox Loop: any line that is not flipped."""
        return not line.flipped

    def loop(self, state: State, number: int, doing: Doing) -> State:
        """Paradox Loop: the line is flipped until the end of the turn; its pin ends."""
        doing.report("FLIPPED", number)
        line = state.lines[number]
        return put(state, number, replace(line, flipped=True, pin=self.pin_flipped(line)))

    def pin_flipped(self, line: Line) -> Card | None:
        """Harvest edge: a pin ends when the line is flipped."""
        return None

    def negatives(self, state: State, line: Line) -> Cards:
        """List a line's negative cards."""
        return tuple(card for card in line.cards if self.value(state, card) < 0)

    def may_redeem(self, state: State, line: Line) -> bool:
        """Redeem: a line with a negative card, sealed lines too."""
        return len(self.negatives(state, line)) > 0

    def redeem(self, state: State, number: int, doing: Doing) -> State:
        """Redeem: every negative card on the line takes its positive value for the round."""
        cards = self.negatives(state, state.lines[number])
        doing.report("REDEEMED", number, state.text(cards))
        return replace(state, redeemed=state.redeemed | set(cards))

    def may_quarantine(self, line: Line) -> bool:
        """Quarantine: an open line."""
        return line.open

    def quarantine(self, state: State, number: int, doing: Doing) -> State:
        """Quarantine: the line is sealed by this seat."""
        doing.report("SEALED", number, state.seat)
        return put(state, number, replace(state.lines[number], sealed_by=state.seat))

    def may_breach(self, state: State, number: int) -> bool:
        """Breach: an open branch of at least 2 cards, or any sealed line."""
        line = state.lines[number]
        return not line.open or (number > 0 and len(line.cards) >= 2)

    def breach(self, state: State, number: int, doing: Doing) -> State:
        """Breach: a sealed line is opened, of an open branch the edge is scored."""
        line = state.lines[number]
        if line.open:
            return self.score_edge(state, number, doing)
        doing.report("OPENED", number)
        return self.opened(put(state, number, replace(line, sealed_by=None)), number, doing)

    def opened(self, state: State, number: int, doing: Doing) -> State:
        """Breach: nothing is scored from a sealed line."""
        return state
