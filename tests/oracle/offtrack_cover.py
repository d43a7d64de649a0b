"""What the coverage of OffTrack counts: the rule events of a step, by name."""

from __future__ import annotations

from collections.abc import Iterator

from .common import Event
from .coverage import Coverage, Step
from .offtrack import RULES
from .offtrack_actions import (
    APPEND,
    CYCLE,
    DISCARD,
    DRAW,
    END,
    HOLD,
    ON_A_CARD,
    SKIP,
    Action,
    find,
    name_on_the_table,
)
from .offtrack_cards import ACTIONS
from .offtrack_state import HAND, Line, State

TARGETS: dict[str, tuple[str, ...]] = {
    "SHEAR": ("PRIME INTO BRANCH", "BRANCH INTO BRANCH", "OFF PRIME", "OFF BRANCH"),
    "MEND": ("ALONE", "ONTO PRIME", "ONTO BRANCH"),
    "SHUNT": ("PRIME TO BRANCH", "BRANCH TO PRIME", "BRANCH TO BRANCH"),
    "RECALL": ("EDGE", "OTHER", "ON SEALED"),
    "LOOP": ("PLAIN", "SEALED", "WAITING", "EMPTY"),
    "REDEEM": ("OPEN", "SEALED"),
    "QUARANTINE": ("PRIME", "BRANCH"),
    "BREACH": ("BRANCH", "SEALED"),
}
"""The kinds of targets of each action, in the order of the action cards' letters."""

NAMES = dict(zip(ACTIONS, TARGETS, strict=True))
ON_WAITING = tuple(f"{NAMES[letter]} OF WAITING" for letter in "SMQRPKB")
FLIPPED = (
    *("APPEND", "SLIDE", "COLLAPSE"),
    *("SHEAR", "MEND FROM", "MEND ONTO", "SHUNT ONTO", "RECALL", "BREACH"),
)
PINNED = ("COLLAPSE", "MEND", "BREACH")

SIGNS = {HOLD: "HOLD", APPEND: "APPEND", CYCLE: "CYCLE", SKIP: "SKIP", DRAW: "DRAW", END: "END"}
DECISIONS = ("DISCARD HELD", "DISCARD DRAWN", *SIGNS.values())
EVENTS = (
    *("ROUND_STARTED", "DEALT", "TURN_STARTED", "SEAL_LIFTED", "COLLAPSED", "WAITING"),
    *("ACTION_PLAYED", "ACTION_DISCARDED", "ACTION_HELD", "ACTION_DRAWN", "APPENDED", "COLLECTED"),
    *("PINNED", "SHEARED", "SCORED", "BOXED", "MOVED", "RECALLED", "FLIPPED", "REDEEMED"),
    *("SEALED", "OPENED", "CYCLED", "SKIPPED", "RESHUFFLED", "REFILLED", "END_CALLED"),
    *("TURN_ENDED", "ROUND_SCORED"),
)

EXPECTED: tuple[str, ...] = (
    *DECISIONS,
    *EVENTS,
    *(
        f"{how} {action} {kind}"
        for action, kinds in TARGETS.items()
        for kind in kinds
        for how in ("HELD", "DRAWN")
    ),
    *("COLLAPSE BY APPEND", "COLLAPSE BY SHUNT", "COLLAPSE BY SHEAR", "COLLAPSE AT START"),
    *("WAITING BY APPEND", "WAITING BY SHUNT", "WAITING BY SHEAR", "WAITING LIFTED"),
    *("TWO WAITING", "ONE OF TWO COLLAPSES", "WAITING AFTER ONE AT START"),
    *("WAITING SEALED AT START", "OWN SEAL LIFTS BEFORE COLLAPSE"),
    *("SLIDE", "SLIDE TAKES OVER", "SLIDE TO THE SAME", "FLIP ENDS PIN", "PIN OUTLASTS FLIP"),
    *("PIN LEAVES", "PIN SHIFTS"),
    *(f"{what} OF PINNED" for what in PINNED),
    *(f"{what} FLIPPED" for what in FLIPPED),
    *ON_WAITING,
    *("REDEEMED COLLECTED", "REDEEMED AT SCORING", "NO TARGET", "SECOND COPY"),
    *("SKIP R11", "SKIP R11B", "SKIP WITH MARK", "RESHUFFLE", "EMPTY DECK LEFT"),
    *("END CALLED", "CYCLE AFTER CALL", "DRAWS RUN OUT", "EVERY TURN", "NO ACTION DECK"),
    *("NEXT ROUND", "TIED ROUND", "TIED MATCH", "SHARED VICTORY", "LOW DECIDES"),
)
"""The rule events that play must show."""


# Actions


def shear_kinds(state: State, action: Action) -> Iterator[str]:
    """Name a Shear by its line and by what becomes of the cards."""
    line = "PRIME" if action.line == 0 else "BRANCH"
    yield f"{line} INTO BRANCH" if RULES.may_open_branch(state) else f"OFF {line}"


def mend_kinds(action: Action) -> Iterator[str]:
    """Name a Mend by where the cards go."""
    yield "ALONE" if action.onto is None else "ONTO BRANCH" if action.onto else "ONTO PRIME"


def shunt_kinds(action: Action) -> Iterator[str]:
    """Name a Quantum Shunt by its lines."""
    yield f"{'BRANCH' if action.line else 'PRIME'} TO {'BRANCH' if action.onto else 'PRIME'}"


def recall_kinds(line: Line, action: Action) -> Iterator[str]:
    """Name a Recall by its card and its line."""
    yield "EDGE" if RULES.edge(line) == line.cards[action.at] else "OTHER"
    if not line.open:
        yield "ON SEALED"


def loop_kinds(line: Line) -> Iterator[str]:
    """Name a Paradox Loop by its line."""
    marks = (("SEALED", not line.open), ("WAITING", line.waiting), ("EMPTY", not line.cards))
    found = [name for name, mark in marks if mark]
    yield from found or ["PLAIN"]


def kinds(state: State, action: Action) -> Iterator[str]:
    """Name the kinds of an action's target."""
    line = state.lines[action.line]
    if action.kind == "S":
        return shear_kinds(state, action)
    if action.kind in "MQ":
        return mend_kinds(action) if action.kind == "M" else shunt_kinds(action)
    if action.kind == "R":
        return recall_kinds(line, action)
    if action.kind == "L":
        return loop_kinds(line)
    if action.kind == "K":
        return iter(("BRANCH" if action.line else "PRIME",))
    opened = "BRANCH" if action.kind == "B" else "OPEN"
    return iter((opened if line.open else "SEALED",))


def flipped_names(state: State, action: Action) -> Iterator[str]:
    """Name an action that has to do with a flipped line."""
    name = NAMES[action.kind]
    line = state.lines[action.line]
    onto = None if action.onto is None else state.lines[action.onto]
    if line.flipped and line.open and action.kind in "SMRB":
        yield f"{name} FROM FLIPPED" if action.kind == "M" else f"{name} FLIPPED"
    if onto is not None and onto.flipped:
        yield f"{name} ONTO FLIPPED"


def target_names(state: State, action: Action) -> Iterator[str]:
    """Name the rule events that an action card is played for, without looking at its effect."""
    how, name = ("HELD" if state.step == "B" else "DRAWN"), NAMES[action.kind]
    line = state.lines[action.line]
    yield from (f"{how} {name} {kind}" for kind in kinds(state, action))
    yield from flipped_names(state, action)
    if line.waiting and action.kind != "L":
        yield f"{name} OF WAITING"
    if action.kind == "L" and line.pin is not None:
        yield "FLIP ENDS PIN"
    if action.kind in "MB" and line.open and line.pin not in (None, RULES.default_edge(line)):
        yield f"{name} OF PINNED"
    if action.kind in ON_A_CARD and is_second_copy(state, action):
        yield "SECOND COPY"


def is_second_copy(state: State, action: Action) -> bool:
    """Say whether the card named is the second of its type on the table."""
    named = name_on_the_table(state, action.line, action.at)
    return state.options.decks == 2 and named % 2 == 1


# What a decision brought about


def played(step: Step[State]) -> Action | None:
    """Give the action card's play that a step is, if it is one."""
    action = find(step.before, step.action)
    return action if action is not None and action.kind in ACTIONS else None


def decision_names(step: Step[State]) -> Iterator[str]:
    """Name the decision, but the play of an action card, which has names of its own."""
    action = find(step.before, step.action)
    if action is not None and action.kind == DISCARD:
        yield "DISCARD HELD" if step.before.step == "B" else "DISCARD DRAWN"
    elif action is not None and action.kind not in ACTIONS:
        yield SIGNS[action.kind]


def event_names(step: Step[State]) -> Iterator[str]:
    """Name the events, each once."""
    return iter(dict.fromkeys(str(event[0]) for event in step.events))


def action_names(step: Step[State]) -> Iterator[str]:
    """Name what was decided on an action card."""
    if step.before.action is None:
        return
    action = played(step)
    if action is not None:
        yield from target_names(step.before, action)
    elif not RULES.has_target(step.before, step.before.action):
        yield "NO TARGET"


def append_names(step: Step[State]) -> Iterator[str]:
    """Name what is special about an append."""
    action = find(step.before, step.action)
    if step.before.step != "C" or action is None or action.onto is None:
        return
    line = step.before.lines[action.onto]
    if line.flipped:
        yield "APPEND FLIPPED"
    for event in in_turn(step):
        if event[0] == "PINNED":
            yield from slide_names(line, int(event[2]))


def slide_names(line: Line, index: int) -> Iterator[str]:
    """Name a slide on a line as it was before the append."""
    yield "SLIDE"
    if line.flipped:
        yield "SLIDE FLIPPED"
    if line.pin is not None:
        same = line.pin == line.cards[0 if line.flipped else -1]
        yield "SLIDE TO THE SAME" if same else "SLIDE TAKES OVER"


def in_turn(step: Step[State]) -> list[Event]:
    """List the events up to the end of the turn."""
    names = [event[0] for event in step.events]
    return step.events[: names.index("TURN_ENDED")] if "TURN_ENDED" in names else step.events


def cause(step: Step[State]) -> str:
    """Say by what a branch came to 7 cards."""
    return {"S": "SHEAR", "Q": "SHUNT"}.get(step.action[0], "APPEND")


def overflow_names(step: Step[State]) -> Iterator[str]:
    """Name collapses and waiting marks within the turn."""
    for event in in_turn(step):
        if event[0] == "WAITING":
            yield f"WAITING BY {cause(step)}"
        if event[0] == "COLLAPSED":
            yield f"COLLAPSE BY {cause(step)}"
            yield from edge_names(step.before, int(event[1]))


def edge_names(before: State, number: int) -> Iterator[str]:
    """Name what is special about the edge of a branch that collapses."""
    line = before.lines[number] if number < len(before.lines) else Line()
    if line.flipped:
        yield "COLLAPSE FLIPPED"
    if line.pin not in (None, *line.cards[:1]):
        yield "COLLAPSE OF PINNED"


# Marks of the lines, before and after


def line_pairs(step: Step[State]) -> list[tuple[Line, Line]]:
    """Pair the lines before and after a step of one round."""
    if step.before.round != step.after.round:
        return []
    return list(zip(step.before.lines, step.after.lines, strict=False))


def mark_names(step: Step[State]) -> Iterator[str]:
    """Name what became of pins and waiting marks."""
    fell = [event[1] for event in step.events if event[0] == "COLLAPSED"]
    for number, (before, after) in enumerate(line_pairs(step)):
        if number in fell:
            continue
        if before.waiting and not after.waiting:
            yield "WAITING LIFTED"
        yield from pin_names(before, after)


def pin_names(before: Line, after: Line) -> Iterator[str]:
    """Name what became of a line's pin."""
    if before.pin is not None and before.pin not in after.cards:
        yield "PIN LEAVES"
    if before.pin == after.pin and before.pin_index != after.pin_index:
        yield "PIN SHIFTS"
    if before.flipped and not after.flipped and after.pin is not None:
        yield "PIN OUTLASTS FLIP"


def waiting_names(step: Step[State]) -> Iterator[str]:
    """Name waiting marks that stand together."""
    counts = [sum(line.waiting for line in state.lines) for state in (step.before, step.after)]
    if counts[0] < 2 <= counts[1]:
        yield "TWO WAITING"


# A turn's start and the rounds


def start_names(step: Step[State]) -> Iterator[str]:
    """Name what happened at the start of the turn that a step led to."""
    names = [event[0] for event in step.events]
    if "TURN_STARTED" not in names:
        return
    mine = [line for line in step.after.lines if line.waiting_for == step.after.seat]
    if not all(line.open for line in mine):
        yield "WAITING SEALED AT START"
    if "COLLAPSED" in names[names.index("TURN_STARTED") :]:
        yield "COLLAPSE AT START"
        if any(line.open for line in mine):
            yield "ONE OF TWO COLLAPSES"
        if any(line.sealed_by == line.waiting_for == step.after.seat for line in step.before.lines):
            yield "OWN SEAL LIFTS BEFORE COLLAPSE"


def skip_names(step: Step[State]) -> Iterator[str]:
    """Name a skip."""
    if step.action == SKIP:
        yield "SKIP R11B" if RULES.any_open(step.before) else "SKIP R11"
        if step.before.cycled[step.before.seat]:
            yield "SKIP WITH MARK"


def refill_names(step: Step[State]) -> Iterator[str]:
    """Name what is special about a refill."""
    if step.before.step != "C" or step.action == SKIP:
        return
    names = [event[0] for event in step.events]
    if "RESHUFFLED" in names:
        yield "RESHUFFLE"
    if "END_CALLED" in names:
        yield "END CALLED"
    if step.before.called and "CYCLED" in names:
        yield "CYCLE AFTER CALL"
    if "ACTION_DRAWN" in names:
        yield "EVERY TURN"
    if not step.before.action_deck:
        yield "NO ACTION DECK"
    if step.before.round == step.after.round:
        yield from deck_names(step)


def deck_names(step: Step[State]) -> Iterator[str]:
    """Name what a refill left."""
    if not step.after.deck and step.after.discards:
        yield "EMPTY DECK LEFT"
    if len(step.after.hands[step.before.seat]) < HAND:
        yield "DRAWS RUN OUT"


def score_names(step: Step[State]) -> Iterator[str]:
    """Name what is special about the end of a round and of the match."""
    if len(step.before.scores) == len(step.after.scores):
        return
    options, scores = step.after.options, step.after.scores[-1]
    if step.after.actor is not None:
        yield "NEXT ROUND"
    if scores.count(RULES.best(options, scores)) > 1:
        yield "TIED ROUND"
    if any(card in step.before.redeemed for pile in step.before.piles for card in pile):
        yield "REDEEMED AT SCORING"
    yield from match_names(step.after)


def match_names(state: State) -> Iterator[str]:
    """Name what is special about the outcome."""
    result = RULES.outcome(state)
    if result is None:
        return
    if len(result.winners) > 1:
        yield "TIED MATCH"
    if 1 < len(result.winners) < state.options.seats:
        yield "SHARED VICTORY"
    if state.options.scoring == "LOW" and len(set(result.scores)) > 1:
        yield "LOW DECIDES"


def collected_names(step: Step[State]) -> Iterator[str]:
    """Name the collecting of redeemed cards."""
    if any(event[0] == "COLLECTED" and "+" in str(event[3]) for event in step.events):
        yield "REDEEMED COLLECTED"


PARTS = (
    *(decision_names, event_names, action_names, append_names, overflow_names, mark_names),
    *(waiting_names, start_names, skip_names, refill_names, score_names, collected_names),
)


def step_names(step: Step[State]) -> list[str]:
    """Name the rule events that a step shows by itself."""
    return [name for part in PARTS for name in part(step)]


class StepNames:
    """Names the rule events of the steps of games, one after another."""

    def __init__(self) -> None:
        """Start before the first step."""
        self.last: State | None = None
        self.fell_at_start = False

    def __call__(self, step: Step[State]) -> list[str]:
        """Name the rule events of a step."""
        if step.before is not self.last:
            self.fell_at_start = False
        names = step_names(step)
        if self.fell_at_start and any(event[0] == "WAITING" for event in step.events):
            names.append("WAITING AFTER ONE AT START")
        if step.before.seat != step.after.seat:
            self.fell_at_start = "COLLAPSE AT START" in names
        self.last = step.after
        return names


def offtrack_coverage() -> Coverage[State]:
    """Make an empty coverage counter."""
    return Coverage(EXPECTED, StepNames())
