"""The oracle of Offboard: slow, plain, and written from the rules' text alone.

Each rule is a small method of `Rules`, so that a planted fault is a subclass overriding one.
"""

from __future__ import annotations

from dataclasses import replace

from .common import Event, Illegal, Outcome, Refused, SetupFault
from .offboard_board import (
    ACTION_OF,
    CORNER_EXITS,
    NEXT,
    RAYS,
    SIDE_TARGET,
    Action,
    Cell,
    Corner,
    cell_text,
    index_of,
    notation_of,
)
from .offboard_setup import (
    RED,
    START,
    TARGET_VALUES,
    YELLOW,
    Options,
    count_faults,
    malformed,
    option_faults,
    position_text,
    read_position,
    repetition_text,
)
from .offboard_state import Marbles, Move, State, candidates, run, scored

__all__ = [
    "RED",
    "RULES",
    "START",
    "TARGET_VALUES",
    "YELLOW",
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
    "start",
    "validate",
]


class Rules:
    """The rules of Offboard, one small method for each thing that the text says."""

    # Set-up

    def validate(self, options: Options) -> list[SetupFault]:
        """List all faults of a set-up (Options); never raises, whatever the text."""
        faults = option_faults(options)
        text = START if options.position is None else options.position
        kinds = malformed(text)
        if not kinds:
            kinds = count_faults(read_position(text))
            kinds += self.over_faults(self.state_of(options), {field for field, _ in faults})
        return faults + [("position", kind) for kind in kinds]

    def over_faults(self, state: State, bad: set[str]) -> list[str]:
        """List why a start is over already: by points, R5, R6, R7; not what a bad option hides."""
        tests = (
            ("OVER_POINTS", {"points_to_win"}, self.over_points),
            ("OVER_R5", {"quiet_limit"}, self.too_quiet),
            ("OVER_R6", {"points_to_win", "target_values"}, self.out_of_reach),
            ("OVER_R7", set[str](), self.cannot_act),
        )
        return [kind for kind, needs, test in tests if not needs & bad and test(state)]

    def over_points(self, state: State) -> bool:
        """Say whether a start has a seat with the points to win."""
        return max(state.scores) >= state.options.points_to_win

    def state_of(self, options: Options) -> State:
        """Make the state of well-formed options, without a history."""
        text = START if options.position is None else options.position
        return State(options, *read_position(text))

    def start(self, options: Options) -> State:
        """Start a match; the start is the first position that R4 counts."""
        if faults := self.validate(options):
            raise Refused(faults)
        state = self.state_of(options)
        return replace(state, history=self.first_history(state))

    def first_history(self, state: State) -> tuple[str, ...]:
        """R4: the position at the start counts as the first."""
        return (self.repetition_key(state),)

    # What is legal

    def legal(self, state: State) -> list[str]:
        """List the legal actions in canonical order."""
        return [action.text for action in candidates(state) if self.allowed(state, action)]

    def allowed(self, state: State, action: Action) -> bool:
        """Say whether an action is legal: a recovery is chosen first, then the move."""
        if state.result is not None:
            return False
        if action.kind == "MOVE":
            return (
                state.marbles.get(action.cell) == state.seat
                and self.may_move(state)
                and self.move(state, action.cell, action.direction) is not None
            )
        if state.pending != state.seat:
            return False
        return (
            self.may_decline(state)
            if action.kind == "DECLINE"
            else (self.may_place(state, action.cell))
        )

    def may_move(self, state: State) -> bool:
        """Recovery: a seat with a recovery chooses that first."""
        return state.pending != state.seat

    def may_decline(self, state: State) -> bool:
        """DECLINE is always offered to a seat with a recovery."""
        return True

    def may_place(self, state: State, cell: Cell) -> bool:
        """PLACE: any empty cell."""
        return cell not in state.marbles

    def move(self, state: State, tail: Cell, direction: str) -> Move | None:
        """Take a move of an own tail apart, or give None when it is not legal."""
        group = self.group(state, tail, direction)
        front = NEXT[direction][group[-1]]
        pushed: tuple[Cell, ...] = ()
        if front is not None:
            pushed = run(state.marbles, RAYS[direction][front], 1 - state.seat)
        if pushed and not self.outnumbers(len(group), len(pushed)):
            return None
        behind = NEXT[direction][(group + pushed)[-1]]
        free = (
            self.may_leave(group, pushed)
            if behind is None
            else (self.may_enter(state, behind, pushed))
        )
        return Move(tail, direction, group, pushed, behind is None) if free else None

    def group(self, state: State, tail: Cell, direction: str) -> tuple[Cell, ...]:
        """Move: the unbroken own run from the tail onwards; those behind the tail stay."""
        return run(state.marbles, RAYS[direction][tail], state.seat)

    def outnumbers(self, own: int, opposing: int) -> bool:
        """Move: the pushed run is smaller than the group, of any size."""
        return opposing < own

    def may_enter(self, state: State, cell: Cell, pushed: tuple[Cell, ...]) -> bool:
        """Move: the cell in front of all that moves is empty; an own marble there blocks."""
        return cell not in state.marbles

    def may_leave(self, group: tuple[Cell, ...], pushed: tuple[Cell, ...]) -> bool:
        """Move: only a pushed marble leaves the board, never an own one."""
        return len(pushed) > 0

    # Doing it

    def apply(self, state: State, notation: str) -> tuple[State, list[Event]]:
        """Do an action; raises Illegal when it is not legal. The old state is left alone."""
        action = ACTION_OF.get(notation)
        if action is None or not self.allowed(state, action):
            raise Illegal(f"not legal: {notation!r}")
        after, events = self.act(state, action)
        if after.result is not None:
            events.append(("ENDED", after.result.reason))
        return after, events

    def act(self, state: State, action: Action) -> tuple[State, list[Event]]:
        """Do a legal action of any kind."""
        if action.kind == "PLACE":
            return self.place(state, action.cell)
        if action.kind == "DECLINE":
            return self.decline(state)
        return self.do_move(state, action.cell, action.direction)

    def place(self, state: State, cell: Cell) -> tuple[State, list[Event]]:
        """PLACE: the marble returns to the board; this is the whole turn."""
        events: list[Event] = [("PLACED", state.seat, cell_text(cell))]
        marbles = {**state.marbles, cell: state.seat}
        return self.end_turn(replace(state, marbles=marbles, pending=None), events), events

    def decline(self, state: State) -> tuple[State, list[Event]]:
        """DECLINE: the marble is gone, the turn goes on; R7 is tested right after it."""
        return self.lose_if_stuck(replace(state, pending=None)), [("DECLINED", state.seat)]

    def do_move(self, state: State, tail: Cell, direction: str) -> tuple[State, list[Event]]:
        """Do a move: the group and the pushed run step one cell, the last one may leave."""
        move = self.move(state, tail, direction)
        assert move is not None
        counts = (len(move.group), len(move.pushed))
        events: list[Event] = [("MOVED", state.seat, cell_text(tail), direction, *counts)]
        after = replace(state, marbles=self.shifted(state.marbles, move))
        if move.ejects:
            leaving = (move.group + move.pushed)[-1]
            after, event = self.eject(after, leaving, direction, state.marbles[leaving])
            events.append(event)
        return self.end_turn(after, events), events

    def shifted(self, marbles: Marbles, move: Move) -> Marbles:
        """Step the group and the pushed run one cell on; one that leaves is gone."""
        column = move.group + move.pushed
        after = {cell: colour for cell, colour in marbles.items() if cell not in column}
        for cell in column:
            onto = NEXT[move.direction][cell]
            if onto is not None:
                after[onto] = marbles[cell]
        return after

    # Ejection

    def eject(self, state: State, cell: Cell, direction: str, owner: int) -> tuple[State, Event]:
        """Ejection: an empty target keeps the marble and scores, a full one gives a recovery."""
        target = self.destination(state, cell, direction)
        full = state.targets[target] is not None
        points = self.points(state, target)
        after = self.score(state, points, owner)
        if full:
            after = replace(after, pending=self.recoverer(state, owner))
        else:
            after = self.fill(after, target, owner)
        return after, ("EJECTED", owner, cell_text(cell), direction, target, points)

    def destination(self, state: State, cell: Cell, direction: str) -> int:
        """Give the target that an exit leads to, full or not (R1, R2)."""
        corner = CORNER_EXITS.get((cell, direction))
        if corner is not None:
            return self.corner_target(state, corner)
        return SIDE_TARGET[cell, direction]

    def corner_target(self, state: State, corner: Corner) -> int:
        """R2: the lower-valued of the corner's two targets, on equal values the named one."""
        one, other = corner.targets
        values = state.options.target_values
        if values[one] == values[other]:
            return corner.on_tie
        return one if values[one] < values[other] else other

    def points(self, state: State, target: int) -> int:
        """Ejection: an empty target's value; a full one scores nothing, whoever fills it (R3)."""
        return state.options.target_values[target] if state.targets[target] is None else 0

    def score(self, state: State, points: int, owner: int) -> State:
        """Ejection: the mover scores."""
        return self.add_points(state, state.seat, points)

    def add_points(self, state: State, seat: int, points: int) -> State:
        """Add points to a seat's score."""
        red, yellow = state.scores
        return replace(
            state, scores=(red + points, yellow) if seat == RED else (red, yellow + points)
        )

    def fill(self, state: State, target: int, owner: int) -> State:
        """Ejection: the marble stays in the target for good."""
        targets = list(state.targets)
        targets[target] = owner
        return replace(state, targets=tuple(targets))

    def recoverer(self, state: State, owner: int) -> int | None:
        """Ejection: the marble's owner has a recovery to choose."""
        return owner

    # End

    def end_turn(self, state: State, events: list[Event]) -> State:
        """End: a win at once, else R4, R5, R6 in this order, else the next seat's turn."""
        state = replace(state, quiet=self.quiet_after(state, events))
        if self.has_won(state):
            return self.win(state)
        state = self.next_turn(state)
        reason = self.draw_reason(state)
        return self.lose_if_stuck(state) if reason is None else self.draw(state, reason)

    def quiet_after(self, state: State, events: list[Event]) -> int:
        """R5: count the turns ended in a row without a marble resting in an empty target."""
        return 0 if scored(events) else state.quiet + 1

    def has_won(self, state: State) -> bool:
        """End: the points to win, or more."""
        return state.scores[state.seat] >= state.options.points_to_win

    def win(self, state: State) -> State:
        """End: seat to act and turn number stay those of the winning move."""
        return self.over(state, (state.seat,), "POINTS")

    def draw(self, state: State, reason: str) -> State:
        """End: seat and turn number are those of the turn to come; a recovery stays pending."""
        return self.over(state, (), reason)

    def over(self, state: State, winners: tuple[int, ...], reason: str) -> State:
        """Record the outcome."""
        return replace(state, result=Outcome(winners, reason, state.scores))

    def next_turn(self, state: State) -> State:
        """Pass the turn on and note the position that now stands (R4)."""
        state = replace(state, seat=1 - state.seat, turn=state.turn + 1)
        return replace(state, history=(*state.history, self.repetition_key(state)))

    def draw_reason(self, state: State) -> str | None:
        """End: the first of R4, R5, R6 that holds after a turn."""
        if self.repeated(state):
            return "REPETITION"
        if self.too_quiet(state):
            return "QUIET_LIMIT"
        return "OUT_OF_REACH" if self.out_of_reach(state) else None

    def repetition_key(self, state: State) -> str:
        """R4: marbles, targets filled, scores, pending recovery and seat to act."""
        return repetition_text(state.position)

    def repeated(self, state: State) -> bool:
        """R4: the position stands for the third time after a turn."""
        return state.history.count(state.history[-1]) >= 3

    def too_quiet(self, state: State) -> bool:
        """R5: so many quiet turns in a row."""
        return state.quiet >= state.options.quiet_limit

    def out_of_reach(self, state: State) -> bool:
        """R6: neither seat can reach the points to win any more, by the values alone."""
        return all(self.reach(state, seat) < state.options.points_to_win for seat in (RED, YELLOW))

    def reach(self, state: State, seat: int) -> int:
        """R6: a seat's score plus all empty targets' values."""
        return state.scores[seat] + sum(self.empty_values(state))

    def empty_values(self, state: State) -> list[int]:
        """List the values of the empty targets."""
        pairs = zip(state.options.target_values, state.targets, strict=True)
        return [value for value, filled in pairs if filled is None]

    def cannot_act(self, state: State) -> bool:
        """R7: neither a recovery to choose nor a legal move."""
        return not any(self.allowed(state, action) for action in candidates(state))

    def lose_if_stuck(self, state: State) -> State:
        """R7: the seat to act loses when it cannot act; it stays the seat to act."""
        if not self.cannot_act(state):
            return state
        return self.over(state, (1 - state.seat,), "NO_MOVE")

    # Reading a state

    def actor(self, state: State) -> int | None:
        """Give the seat that must decide, None when the game is over."""
        return state.actor

    def outcome(self, state: State) -> Outcome | None:
        """Give the outcome, None while the game goes on."""
        return state.result

    def returns(self, state: State) -> tuple[int, int] | None:
        """Give the returns: +1 and -1, or 0 each for a draw; None while the game goes on."""
        if state.result is None:
            return None
        if not state.result.winners:
            return (0, 0)
        return (1, -1) if state.result.winners == (RED,) else (-1, 1)

    def position(self, state: State) -> str:
        """Write the position in the seven-field notation."""
        return position_text(state.position)

    def default_action(self, state: State) -> str:
        """Default action: DECLINE, else the first move that pushes nothing, else the first."""
        if state.pending == state.seat:
            return "-"
        legal = (action for action in candidates(state) if self.allowed(state, action))
        plain = next((action.text for action in legal if not self.pushes(state, action)), None)
        return self.legal(state)[0] if plain is None else plain

    def pushes(self, state: State, action: Action) -> bool:
        """Say whether a legal move pushes a marble."""
        move = self.move(state, action.cell, action.direction)
        return move is not None and len(move.pushed) > 0


RULES = Rules()
validate = RULES.validate
start = RULES.start
legal_actions = RULES.legal
apply = RULES.apply
outcome = RULES.outcome
returns = RULES.returns
position = RULES.position
default_action = RULES.default_action
