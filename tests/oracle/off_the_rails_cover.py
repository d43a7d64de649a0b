"""What the coverage of Off the Rails counts: the rule events of a step, by name."""

from __future__ import annotations

from collections.abc import Iterator

from . import off_the_rails_cover_hit as hits
from . import off_the_rails_cover_move as moves
from .coverage import Coverage, Step
from .off_the_rails import RULES
from .off_the_rails_actions import LARGER
from .off_the_rails_board import SIMPLE, places
from .off_the_rails_cover_end import (
    EXPECTED_CHASM,
    EXPECTED_END,
    EXPECTED_MISSIONS,
    chasm_names,
    drawn_names,
    end_names,
    mission_names,
)
from .off_the_rails_scene import scenes
from .off_the_rails_state import SPEEDS, State, own_surface
from .off_the_rails_text import STEPS, step_letter
from .off_the_rails_views import previews

EXPECTED_ACTIONS: tuple[str, ...] = (
    *(f"PLACE {exits}" for exits in SIMPLE),
    *(f"UPGRADE TO {exits}" for exits in LARGER),
    *("PLACE ON JEWELS", "PLACE BARE", "UPGRADE ON JEWELS"),
    *("CART WHITE", "CART BLACK", "CART WHITE AFTER BLACK", "CART BLACK AFTER WHITE"),
    *("FASTER", "SLOWER", "SPEED TO 6", "SPEED TO 1", "SPEED OF PLACED"),
    *(f"END AFTER {number}" for number in range(4)),
    "END BY ITSELF",
    *("BARRED UPGRADE UNDER CART", "BARRED TRACK ON TOKEN", "BARRED BOTH ON BOARD"),
    *("BARRED LOST", "BARRED SURFACE SQUARE", "BARRED FASTER", "BARRED SLOWER"),
)

PREVIEWS = ("SPEED_USED", "CHOICE", "COLLISION", "BANK", "DERAILMENT")

EVENTS: tuple[str, ...] = (
    *("DEPOSITED", "TURN_STARTED", "TRACK_PLACED", "TRACK_UPGRADED", "CART_PLACED"),
    *("SPEED_CHANGED", "ACTIONS_ENDED", "MOVE_STARTED", "ENTERED", "TOOK", "TOOK_NOTHING"),
    *("FACED", "BANKED", "DERAILED", "COLLIDED", "DROPPED", "HANDS_CLOSED", "HAND_CHOSEN"),
    *("TURNED", "RETURNED", "MISSION_CLAIMED", "NO_CLAIM", "CHASM_CARD", "CHASM_OPENED"),
    *("TOKEN_DRAWN", "DIE_ROLLED", "TOKEN_PLACED", "TOKEN_PUT_OUT", "TURN_ENDED"),
)
"""All events but that of the missions dealt, which no decision brings about."""

EXPECTED = (
    *(f"STEP {letter}" for letter in (*STEPS.values(), "U", "V")),
    *(f"EVENT {event}" for event in EVENTS),
    *(f"PREVIEW {end}" for end in PREVIEWS),
    *(f"SEATS {number}" for number in (2, 3, 4)),
    *("BOARD COMPACT", "BOARD AISLE"),
    *(*EXPECTED_ACTIONS, *moves.EXPECTED_MOVES, *hits.EXPECTED_HITS),
    *(*EXPECTED_CHASM, *EXPECTED_MISSIONS, *EXPECTED_END),
)
"""The rule events that play must show."""


# Actions


def action_names(step: Step[State]) -> Iterator[str]:
    """Name what was done in the action phase."""
    before, action = step.before, step.action
    event = step.events[0]
    if action == ".":
        yield f"END AFTER {4 - before.actions}"
    elif before.actions == 1:
        yield "END BY ITSELF"
    if event[0] in ("TRACK_PLACED", "TRACK_UPGRADED"):
        yield from track_names(before, str(event[0]), str(event[2]), str(event[3]))
    if event[0] == "CART_PLACED":
        yield from cart_names(before, str(event[1]))
    if event[0] == "SPEED_CHANGED":
        yield "FASTER" if action[1] == "+" else "SLOWER"
        if event[2] in (1, 6):
            yield f"SPEED TO {event[2]}"
        if before.cart((before.seat, "wb".index(action[0]))).place in own_surface(before):
            yield "SPEED OF PLACED"


def track_names(before: State, event: str, square: str, exits: str) -> Iterator[str]:
    """Name what track was laid, and on what."""
    lying = places(before.options.board)[square] in before.deposits
    if event == "TRACK_PLACED":
        yield f"PLACE {exits}"
        yield "PLACE ON JEWELS" if lying else "PLACE BARE"
    else:
        yield f"UPGRADE TO {exits}"
        if lying:
            yield "UPGRADE ON JEWELS"


def cart_names(before: State, cart: str) -> Iterator[str]:
    """Name which cart was placed."""
    name, other = ("CART WHITE", 1) if cart[1] == "w" else ("CART BLACK", 0)
    yield name
    if before.own.carts[other].place is not None:
        yield f"{name} AFTER {'BLACK' if other else 'WHITE'}"


def barred_names(before: State) -> Iterator[str]:
    """Name what cannot be done in the action phase."""
    if any(cart.place in before.tracks for _, cart in before.carts()):
        yield "BARRED UPGRADE UNDER CART"
    if before.tokens:
        yield "BARRED TRACK ON TOKEN"
    own = before.own.carts
    if all(cart.place is not None for cart in own):
        yield "BARRED BOTH ON BOARD"
    if any(cart.out for cart in own) and RULES.cart_to_place(before) is None:
        yield "BARRED LOST"
    if RULES.cart_to_place(before) is not None and any(map(before.cart_at, own_surface(before))):
        yield "BARRED SURFACE SQUARE"
    speeds = {cart.speed for cart in own if cart.place is not None}
    if SPEEDS[-1] in speeds:
        yield "BARRED FASTER"
    if SPEEDS[0] in speeds:
        yield "BARRED SLOWER"


def start_names(before: State) -> Iterator[str]:
    """Name what there is to see at the beginning of a turn."""
    yield f"SEATS {before.options.seats}"
    yield f"BOARD {before.options.board}"
    yield from (f"PREVIEW {text.split(' ')[2]}" for text in previews(before))


# All


def scene_names(step: Step[State]) -> Iterator[str]:
    """Name what the events of a step are."""
    for scene in scenes(step):
        yield f"EVENT {scene.name}"
        yield from moves.move_names(step, scene)
        yield from hits.hit_names(step, scene)
        yield from chasm_names(step, scene)


def names(step: Step[State]) -> Iterator[str]:
    """Name all rule events of a step; each counts once, but for those of its scenes."""
    before = step.before
    yield f"STEP {step_letter(before)}"
    if before.step == "actions":
        yield from action_names(step)
        yield from barred_names(before)
        if before.actions == 4:
            yield from set(start_names(before))
    yield from scene_names(step)
    yield from (*moves.decision_names(step), *hits.decision_names(step), *hits.odd_names(step))
    yield from (*drawn_names(step), *mission_names(step), *end_names(step))


def off_the_rails_coverage() -> Coverage[State]:
    """Count the rule events of Off the Rails."""
    return Coverage(EXPECTED, names)
