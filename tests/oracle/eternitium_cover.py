"""What the coverage of Eternitium counts: the rule events of a step, by name."""

from __future__ import annotations

from collections.abc import Iterator

from .coverage import Coverage, Step
from .eternitium import RULES
from .eternitium_actions import PLAY, Action, find
from .eternitium_cards import SYMBOLS, is_portal
from .eternitium_cover_turn import EXPECTED_END, EXPECTED_MARKET, EXPECTED_TURNS, turn_names
from .eternitium_state import STEPS, Seat, State

FACES = ("DOWN", "UP", "GONE")
TURNERS = ("veil", "courier", "recycler", "storm", "workshop")

EXPECTED_PLAYS: tuple[str, ...] = (
    *(f"{kind} ON {face}" for kind in ("PORTAL", "TWIN", "OMNI") for face in FACES[:2]),
    *("PORTAL GAMBLE WON", "PORTAL GAMBLE LOST", "TWIN GAMBLE WON", "TWIN TURNS"),
    *("LOST WITH ONE ERA", "LOST WITH ONE ERA AND NO PILE", "LOST AT FIRST", "LOST AFTER OTHERS"),
    *("LOST IN EXTRA TURN", "LOST AFTER TIME LOOP", "LAST ERA DISCARDED", "ERA LEFT UNDER IT"),
    "DROID",
    *(f"{kind.upper()} OWN {face}" for kind in TURNERS for face in FACES),
    *("VEIL OF UP", "VEIL OF DOWN", "VEIL OF ONE OF SEVERAL"),
    *(f"EXCHANGE {own} FOR {their}" for own in FACES[:2] for their in FACES[:2]),
    *("RECYCLER AT SEVEN", "RECYCLER OF PORTAL", "RECYCLER OF TECHNOLOGY", "RECYCLER OF RECYCLER"),
    *("TIME_LOOP", "TIME_LOOP WITHOUT ERAS", "SURGE", "SURGE RUNS OUT", "SURGE IN EXTRA TURN"),
    *("SCANNER OF ONE", "SCANNER OF SEVERAL", "SCANNER OWN UP", "SCANNER OWN DOWN"),
    *("PUT OLD TOP", "PUT OTHER", "PUT OTHER FOR UP", "PUT OTHER THE SAME SYMBOL", "PUT ONLY"),
    *("STORM ON UP", "STORM ON DOWN", "STORM ON NONE", "STORM ON SEVERAL"),
    *("EXILE", "EXILE OF LAST", "EXILE OF ONE OF SEVERAL"),
)
"""What playing a card must show."""

BARRED: tuple[str, ...] = (
    *(f"BARRED {kind} WITHOUT ERAS" for kind in ("PORTAL", "TWIN", "OMNI")),
    *(f"BARRED {kind} WITHOUT ERAS" for kind in ("DROID", "SCANNER", "EXCHANGE", "EXILE")),
    *("BARRED PORTAL ON UP", "BARRED TWIN ON UP", "BARRED DROID ON UP", "BARRED EXILE OF DOWN"),
    *("BARRED TIME_LOOP IN EXTRA TURN", "BARRED TIME_LOOP TWICE", "BARRED RECYCLER AT SIX"),
    *("BARRED VEIL OF NONE", "BARRED EXCHANGE OF NONE", "BARRED EXILE OF NONE"),
    *("BARRED RECYCLER ALONE", "BARRED REFIT", "BARRED REMOVE AT SIX", "BARRED SYMBOL"),
)
"""What a hand, or a step, must show that cannot be done."""

PHASES = tuple(f"STEP {step}" for step in STEPS)
"""Each kind of step, decided on."""

EVENTS: tuple[str, ...] = (
    *("ERA_TURNED", "VISIBLE_ERA", "TECHNOLOGY_UNDER", "TECHNOLOGY_TURNED", "TECHNOLOGY_TAKEN"),
    *("RESHUFFLED", "DRAWN", "TURN_STARTED", "PORTAL_TAKEN", "PLAYED", "ERA_REVEALED", "ERA_LEFT"),
    *("GAMBLE_LOST", "ERA_GAINED_UNSEEN", "ERA_COVERED", "STACK_SHUFFLED", "ERAS_EXCHANGED"),
    *("ERAS_SEEN", "PUT_ON_TOP", "ERA_EXILED", "PLAY_ENDED", "REFITTED", "REMOVED", "KEPT"),
    *("DISCARDED", "ERAS_GAINED", "NO_TECHNOLOGY", "TURN_ENDED"),
)
"""All events but the deal's, which no decision brings about."""

EXPECTED = (
    *PHASES,
    *(f"EVENT {event}" for event in EVENTS),
    *(*EXPECTED_PLAYS, *BARRED, *EXPECTED_TURNS, *EXPECTED_MARKET, *EXPECTED_END),
)
"""The rule events that play must show."""


def class_of(kind: str) -> str:
    """Name a card; all plain Portals alike, and both Twins."""
    if kind in SYMBOLS:
        return "PORTAL"
    return "TWIN" if kind.startswith("twin") else kind.upper()


def face(seat: Seat) -> str:
    """Name how a seat's top Era lies."""
    if not seat.eras.size:
        return "GONE"
    return "UP" if seat.face_up else "DOWN"


# What is played, without looking at what it does


def target_names(state: State, action: Action) -> Iterator[str]:
    """Name what a decision to play a card is, from the state before it."""
    kind = action.cards[0]
    name = class_of(kind)
    if is_portal(kind):
        yield f"{name} ON {face(state.own)}"
    elif kind in TURNERS:
        yield f"{name} OWN {face(state.own)}"
    yield from special_names(state, kind, action)
    if action.target is not None:
        yield from aimed_names(state, name, action.target)


def special_names(state: State, kind: str, action: Action) -> Iterator[str]:
    """Name what is special about some kinds."""
    if kind == "storm":
        yield from storm_names(state)
    if kind == "recycler":
        yield from recycler_names(state, action.cards[1])
    if kind == "scanner":
        yield "SCANNER OF ONE" if state.own.eras.size == 1 else "SCANNER OF SEVERAL"
        yield f"SCANNER OWN {face(state.own)}"
    if kind == "time_loop" and not state.own.eras.size:
        yield "TIME_LOOP WITHOUT ERAS"
    if kind == "surge" and state.extra:
        yield "SURGE IN EXTRA TURN"
    if kind in ("droid", "time_loop", "surge", "exile"):
        yield kind.upper()


def aimed_names(state: State, name: str, target: int) -> Iterator[str]:
    """Name what a card is aimed at."""
    other = state.seats[target]
    if name == "VEIL":
        yield f"VEIL OF {face(other)}"
    if name == "EXCHANGE":
        yield f"EXCHANGE {face(state.own)} FOR {face(other)}"
    if name == "EXILE" and state.own.eras.size == 1:
        yield "EXILE OF LAST"
    if name != "EXCHANGE" and sum(state.seats[seat].eras.size > 0 for seat in state.opponents) > 1:
        yield f"{name} OF ONE OF SEVERAL"


def storm_names(state: State) -> Iterator[str]:
    """Name whom a Storm comes over."""
    faces = [face(state.seats[seat]) for seat in state.opponents]
    names = {"UP": "STORM ON UP", "DOWN": "STORM ON DOWN", "GONE": "STORM ON NONE"}
    yield from {names[each] for each in faces}
    if sum(each != "GONE" for each in faces) > 1:
        yield "STORM ON SEVERAL"


def recycler_names(state: State, other: str) -> Iterator[str]:
    """Name what a Recycler removes."""
    if len(state.own.owned) == 7:
        yield "RECYCLER AT SEVEN"
    if other == "recycler":
        yield "RECYCLER OF RECYCLER"
    else:
        yield "RECYCLER OF PORTAL" if other in SYMBOLS else "RECYCLER OF TECHNOLOGY"


# What cannot be done


def barred_names(state: State) -> Iterator[str]:
    """Name what the seat to act would like to do and cannot."""
    if state.step == "play":
        for kind in set(state.own.hand):
            yield from barred_kind(state, kind)
        if state.played:
            yield "BARRED REFIT"
    if state.step == "refit" and state.own.hand and not RULES.owns_enough(state.own):
        yield "BARRED REMOVE AT SIX"
    if state.step == "portal" and len(set(state.supply)) < len(SYMBOLS):
        yield "BARRED SYMBOL"


def barred_kind(state: State, kind: str) -> Iterator[str]:
    """Name why a card of the hand cannot be played."""
    own, name = state.own, class_of(kind)
    eras = own.eras.size > 0
    needs = is_portal(kind) or kind in ("droid", "scanner", "exchange", "exile")
    if needs and not eras:
        yield f"BARRED {name} WITHOUT ERAS"
    if is_portal(kind) and eras and not RULES.may_play_portal(own, kind):
        yield f"BARRED {name} ON UP"
    if kind == "droid" and own.face_up:
        yield "BARRED DROID ON UP"
    if kind == "exile" and eras and not own.face_up:
        yield "BARRED EXILE OF DOWN"
    if kind == "time_loop" and not RULES.may_loop(state):
        yield f"BARRED TIME_LOOP {'IN EXTRA TURN' if state.extra else 'TWICE'}"
    if kind == "recycler":
        yield from barred_recycler(own)
    if kind in ("veil", "exchange", "exile"):
        yield from barred_target(state, name)


def barred_recycler(own: Seat) -> Iterator[str]:
    """Name why a Recycler cannot be played."""
    if len(own.hand) == 1:
        yield "BARRED RECYCLER ALONE"
    if not RULES.owns_enough(own):
        yield "BARRED RECYCLER AT SIX"


def barred_target(state: State, name: str) -> Iterator[str]:
    """Name that an opponent cannot be aimed at, since it has no Eras."""
    if any(not state.seats[seat].eras.size for seat in state.opponents):
        yield f"BARRED {name} OF NONE"


# What playing a card brought about


def portal_names(step: Step[State], action: Action) -> Iterator[str]:
    """Name what became of a Portal on a face-down Era."""
    before, name = step.before, class_of(action.cards[0])
    lost = step.after.step == "technology"
    won = len(step.after.gone) > len(before.gone)
    if not before.own.face_up and name != "OMNI":
        yield "TWIN TURNS" if not won and not lost else f"{name} GAMBLE {'WON' if won else 'LOST'}"
    if won:
        yield "ERA LEFT UNDER IT" if before.own.eras.size > 1 else "LAST ERA DISCARDED"
    if lost:
        yield from lost_names(before)


def lost_names(before: State) -> Iterator[str]:
    """Name what is special about a lost gamble."""
    yield "LOST AFTER OTHERS" if before.played else "LOST AT FIRST"
    if before.own.eras.size == 1:
        yield "LOST WITH ONE ERA" if before.era_pile.size else "LOST WITH ONE ERA AND NO PILE"
    if before.extra:
        yield "LOST IN EXTRA TURN"
    if before.looped:
        yield "LOST AFTER TIME LOOP"


def position_names(step: Step[State], action: Action) -> Iterator[str]:
    """Name what was chosen of the Eras that a Scanner showed."""
    shown = RULES.scanned(step.before)
    if len(shown) == 1:
        yield "PUT ONLY"
        return
    yield "PUT OTHER" if action.place else "PUT OLD TOP"
    if action.place and step.before.own.face_up:
        yield "PUT OTHER FOR UP"
    if action.place and shown[0] == shown[1]:
        yield "PUT OTHER THE SAME SYMBOL"


def play_names(step: Step[State]) -> Iterator[str]:
    """Name the rule events of playing a card."""
    action = find(step.before, step.action)
    assert action is not None
    if action.kind == PLAY:
        yield from target_names(step.before, action)
        if is_portal(action.cards[0]):
            yield from portal_names(step, action)
        if action.cards[0] == "surge" and len(step.after.own.hand) < len(step.before.own.hand) + 4:
            yield "SURGE RUNS OUT"
    if step.before.step == "scan":
        yield from position_names(step, action)


def names(step: Step[State]) -> Iterator[str]:
    """Name all rule events of a step; each counts once."""
    yield f"STEP {step.before.step}"
    yield from {f"EVENT {event[0]}" for event in step.events}
    yield from {*barred_names(step.before), *play_names(step), *turn_names(step)}


def eternitium_coverage() -> Coverage[State]:
    """Count the rule events of Eternitium."""
    return Coverage(EXPECTED, names)
