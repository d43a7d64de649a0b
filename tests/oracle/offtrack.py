"""The oracle of OffTrack: slow, plain, and written from the rules' text alone.

The lines' rules are in `offtrack_table`, the eight actions in `offtrack_effects`, decks, hands
and scores in `offtrack_round`; here are the turn, what is legal and what is told. Each rule is a
small method of `Rules`, so that a planted fault is a subclass overriding one.
"""

from __future__ import annotations

from dataclasses import replace

from . import offtrack_views
from .chance import Draws
from .common import Event, Illegal, Outcome, Refused, SetupFault
from .offtrack_actions import (
    APPEND,
    CYCLE,
    DISCARD,
    END,
    HOLD,
    SKIP,
    Action,
    candidates,
    find,
    index_of,
    notation_of,
    number_of,
)
from .offtrack_cards import ACTIONS, NONE, Card, Cards, all_cards
from .offtrack_read import read_position
from .offtrack_round import RoundRules
from .offtrack_state import (
    Line,
    Options,
    State,
    fresh,
    option_faults,
    position_text,
    scores_text,
)
from .offtrack_table import Doing, put

__all__ = [
    "RULES",
    "Illegal",
    "Options",
    "Outcome",
    "Refused",
    "Rules",
    "State",
    "apply",
    "default_action",
    "index_of",
    "legal_actions",
    "notation_of",
    "outcome",
    "position",
    "returns",
    "shown",
    "start",
    "validate",
    "view",
]

PRIME = 4
"""The cards that Prime is dealt."""


class Rules(RoundRules):
    """The rules of OffTrack, one small method for each thing that the text says."""

    # Set-up

    def validate(self, options: Options) -> list[SetupFault]:
        """List all faults of a set-up (Options); never raises."""
        return option_faults(options)

    def start(self, options: Options, draws: Draws) -> tuple[State, list[Event]]:
        """Start a match with round 1; raises Refused when the options have faults."""
        if faults := self.validate(options):
            raise Refused(faults)
        doing = Doing(draws)
        return self.begin_round(fresh(options), 1, doing), doing.events

    def load(self, options: Options, position: str) -> State:
        """Go on from a position; raises ValueError when it is malformed."""
        return read_position(options, position)

    # A round

    def begin_round(self, before: State, number: int, doing: Doing) -> State:
        """A round: everything is shuffled and dealt anew, Prime first, then the hands."""
        first = self.starter(before.options, number)
        state = self.cleared(before, number, first)
        state, prime = self.draw_cards(state, PRIME, doing)
        state = replace(state, lines=(Line(prime),))
        doing.report("ROUND_STARTED", number, first, state.text(prime))
        for seat in self.turn_order(state):
            state = self.deal(state, seat, doing)
        return self.begin_turn(state, first, doing)

    def cleared(self, before: State, number: int, first: int) -> State:
        """A round: held actions, seals, pins and marks of the last round are gone (R7)."""
        options = before.options
        return replace(
            fresh(options),
            round=number,
            seat=first,
            deck=all_cards(options.eras, options.decks),
            action_deck=self.full_action_deck(options),
            scores=before.scores,
        )

    # A turn

    def begin_turn(self, state: State, seat: int, doing: Doing) -> State:
        """a. Start: own seals lift, then one branch waiting for this seat may collapse."""
        doing.report("TURN_STARTED", seat)
        state = replace(state, seat=seat, collapsed=False)
        state = self.lift_seals(state, doing)
        state = self.collapse_at_start(state, doing)
        return replace(state, step="C" if state.held[seat] is None else "B")

    def lift_seals(self, state: State, doing: Doing) -> State:
        """a. Start: the seat's own seals lift, by rising line."""
        for number, line in enumerate(state.lines):
            if self.lifts(state, line):
                doing.report("SEAL_LIFTED", number)
                state = put(state, number, replace(line, sealed_by=None))
        return state

    def lifts(self, state: State, line: Line) -> bool:
        """a. Start: a seal lifts at the start of the next turn of the seat that made it."""
        return line.sealed_by == state.seat

    def collapse_at_start(self, state: State, doing: Doing) -> State:
        """a. Start: the lowest-numbered branch that is due collapses; others keep waiting."""
        for number, line in enumerate(state.lines):
            if self.is_due(state, line):
                return self.collapse(state, number, doing)
        return state

    def is_due(self, state: State, line: Line) -> bool:
        """a. Start: the branch waits for this seat and is open."""
        return line.waiting_for == state.seat and line.open

    def end_turn(self, state: State, doing: Doing) -> State:
        """f. End: flips end; after the last turn the round is scored."""
        doing.report("TURN_ENDED", state.seat)
        state = replace(state, lines=tuple(map(self.unflipped, state.lines)))
        if state.called and self.is_last_turn(state):
            return self.end_round(state, doing)
        return self.begin_turn(state, (state.seat + 1) % state.options.seats, doing)

    def unflipped(self, line: Line) -> Line:
        """f. End: flips end; a pin made while the line was flipped stays."""
        return replace(line, flipped=False)

    def is_last_turn(self, state: State) -> bool:
        """The end: the last seat in this round's turn order has had its turn."""
        return state.seat == self.turn_order(state)[-1]

    def end_round(self, state: State, doing: Doing) -> State:
        """A round, 4: score it; the next one is dealt, or the match is over."""
        scores = tuple(self.pile_score(state, pile) for pile in state.piles)
        state = replace(state, scores=(*state.scores, scores))
        doing.report("ROUND_SCORED", scores_text(scores))
        if state.round == state.options.rounds:
            return replace(state, step=NONE)
        return self.begin_round(state, state.round + 1, doing)

    # What is legal

    def legal(self, state: State) -> list[str]:
        """List the legal actions in index order."""
        return [notation for _, notation in self.choices(state)]

    def choices(self, state: State) -> list[tuple[int, str]]:
        """List the legal actions with their indices, rising."""
        found = (action for action in candidates(state) if self.allowed(state, action))
        return sorted((number_of(state, action), action.text) for action in found)

    def allowed(self, state: State, action: Action) -> bool:
        """Say whether a decision of the state's step is legal."""
        if action.kind in ACTIONS:
            return self.may_play(state, action)
        if action.kind == HOLD:
            return self.may_hold(state)
        if action.kind == APPEND:
            return self.may_append(state, action.onto)
        if action.kind == CYCLE:
            return self.may_cycle(state, action.cards)
        return self.may_skip(state) if action.kind == SKIP else True

    def may_hold(self, state: State) -> bool:
        """R10: a held action is not held again; R13: with every_turn a drawn one neither."""
        return state.step == "A" and not state.options.every_turn

    def may_append(self, state: State, onto: int | None) -> bool:
        """c. APPEND: to an open line that is not waiting (R5)."""
        return onto is not None and self.takes_append(state.lines[onto])

    def takes_append(self, line: Line) -> bool:
        """c. APPEND: to an open line that is not waiting (R5)."""
        return self.takes_cards(line)

    def may_cycle(self, state: State, cards: Cards) -> bool:
        """c. CYCLE: at least one card unless the hand is empty, not when marked, not at R11."""
        enough = len(cards) > 0 or not state.hands[state.seat]
        return enough and not state.cycled[state.seat] and self.any_open(state)

    def any_open(self, state: State) -> bool:
        """R11: with no line open SKIP is the only choice."""
        return any(line.open for line in state.lines)

    def may_skip(self, state: State) -> bool:
        """R11: when no line is open; R11b: when neither an append nor a cycle is possible."""
        return not self.any_open(state) or self.is_stuck(state)

    def is_stuck(self, state: State) -> bool:
        """R11b: neither an append nor a cycle is possible."""
        takes = any(self.takes_append(line) for line in state.lines)
        return state.cycled[state.seat] and not (takes and state.hands[state.seat])

    # Doing it

    def apply(self, state: State, notation: str, draws: Draws) -> tuple[State, list[Event]]:
        """Do an action; raises Illegal when it is not legal. The old state is left alone."""
        action = find(state, notation)
        if action is None or not self.allowed(state, action):
            raise Illegal(f"not legal: {notation!r}")
        doing = Doing(draws)
        return self.act(state, action, doing), doing.events

    def act(self, state: State, action: Action, doing: Doing) -> State:
        """Do a legal decision of any step."""
        if state.step == "B":
            return self.held_step(state, action, doing)
        if state.step == "C":
            return self.main_step(state, action, doing)
        if state.step == "E":
            return self.draw_step(state, action, doing)
        return self.end_turn(self.decide_on_action(state, action, doing), doing)

    def held_step(self, state: State, action: Action, doing: Doing) -> State:
        """b. Held action: played or discarded, then the turn goes on with its main step."""
        return replace(self.decide_on_action(state, action, doing), step="C")

    def decide_on_action(self, state: State, action: Action, doing: Doing) -> State:
        """Play, hold or discard the action card that the seat must decide on."""
        letter = state.action
        assert letter is not None
        state = self.with_held(replace(state, drawn=None), None)
        if action.kind == HOLD:
            doing.report("ACTION_HELD", state.seat)
            return self.with_held(state, letter)
        state = self.discard_action(state, letter)
        if action.kind == DISCARD:
            doing.report("ACTION_DISCARDED", state.seat, letter)
            return state
        return self.play(state, action, doing)

    def main_step(self, state: State, action: Action, doing: Doing) -> State:
        """c. Main step, d. refill after an append or a cycle; R12: a skip ends the turn."""
        if action.kind == SKIP:
            return self.skip(state, doing)
        if action.kind == APPEND and action.onto is not None:
            state = self.out_of_hand(state, action.cards)
            state = self.append(state, action.onto, action.cards[0], doing)
            state = self.marked_cycled(state, False)
        else:
            state = self.marked_cycled(self.cycle(state, action.cards, doing), True)
        return self.action_step(self.refill(state, doing), doing)

    def skip(self, state: State, doing: Doing) -> State:
        """c. SKIP: no refill and no action (R12); the cycle mark stays as it is."""
        doing.report("SKIPPED", state.seat)
        return self.end_turn(state, doing)

    def cycle(self, state: State, cards: Cards, doing: Doing) -> State:
        """c. CYCLE: discard cards from hand."""
        doing.report("CYCLED", state.seat, state.sorted_text(cards))
        discards = tuple(sorted(state.discards + cards))
        return replace(self.out_of_hand(state, cards), discards=discards)

    # The action at the end of a turn

    def action_step(self, state: State, doing: Doing) -> State:
        """e. Action: none from an empty deck; with every_turn it is drawn for the seat."""
        if not state.action_deck:
            return self.end_turn(state, doing)
        if state.options.every_turn:
            return self.draw_action(state, doing)
        return replace(state, step="E")

    def draw_step(self, state: State, action: Action, doing: Doing) -> State:
        """e. Action: DRAW the top card or END the turn."""
        if action.kind == END:
            return self.end_turn(state, doing)
        return self.draw_action(state, doing)

    # Reading a state

    def actor(self, state: State) -> int | None:
        """Give the seat that must decide, None when the match is over."""
        return state.actor

    def position(self, state: State) -> str:
        """Write the position of sixteen fields."""
        return position_text(state)

    def default_action(self, state: State) -> str:
        """Default action: DISCARD; CYCLE the whole hand, else APPEND the lowest, else SKIP; END."""
        if state.step in ("A", "B"):
            return DISCARD
        return END if state.step == "E" else self.default_main_step(state)

    def default_main_step(self, state: State) -> str:
        """Default action of a main step."""
        hand = state.hands[state.seat]
        if self.may_cycle(state, hand):
            return Action(CYCLE, cards=hand).text
        takers = [line for line in range(len(state.lines)) if self.may_append(state, line)]
        if not takers or not hand:
            return SKIP
        return Action(APPEND, onto=takers[0], cards=(min(hand, key=self.append_order),)).text

    def append_order(self, card: Card) -> tuple[int, int]:
        """Default action: the lowest value, of equals the lowest type."""
        return card.printed, card.type

    # Who sees what

    def shown(self, event: Event, viewer: int | None) -> Event:
        """Tell an event to a seat, or to a spectator (None)."""
        return offtrack_views.shown(event, viewer)

    def viewers(self, state: State) -> list[int | None]:
        """List the seats and, as None, the spectator."""
        return [*range(state.options.seats), None]

    def views(self, state: State) -> dict[int | None, dict[str, object]]:
        """Give all that each viewer may know of a state."""
        return offtrack_views.views(state)

    def view(self, state: State, viewer: int | None) -> dict[str, object]:
        """Give all that a seat, or the spectator (None), may know of a state."""
        return self.views(state)[viewer]


RULES = Rules()
validate = RULES.validate
start = RULES.start
legal_actions = RULES.legal
apply = RULES.apply
outcome = RULES.outcome
returns = RULES.returns
position = RULES.position
default_action = RULES.default_action
shown = RULES.shown
view = RULES.view
