"""What the coverage of Off the Rails counts of collisions."""

from __future__ import annotations

from collections.abc import Iterator

from .coverage import Step
from .off_the_rails_aim import CELLS, Cell, hit_side
from .off_the_rails_board import OPPOSITE
from .off_the_rails_follow import spot_of
from .off_the_rails_scene import Scene
from .off_the_rails_state import Cart, State, is_underground

EXPECTED_HITS: tuple[str, ...] = (
    *(cell.name for cell in CELLS),
    *("HIT AT ONCE", "HIT AFTER MOVING", "HIT EARLY", "HIT AT LAST STEP"),
    *("HIT FROM SURFACE CONNECTED", "HIT FROM SURFACE APART", "HIT FROM SURFACE BUMPER"),
    *("HIT DERAILS ACTIVE", "HIT DERAILS OPPOSING", "HIT DERAILS BOTH", "HIT LOSES CART"),
    *("HIT DERAILS OWN", "MOVE AFTER BEING TURNED"),
    *(
        "ODD OF THREE",
        "ODD OF FIVE",
        "ODD OF LONE",
        "ODD OF ONE KIND",
        "ODD BY OTHER",
        "ODD BY OWN",
    ),
    *("SPLIT OF TWO", "SPLIT OF FOUR", "SPLIT EQUAL TWO", "SPLIT EQUAL FOUR"),
    *("SPLIT BY OTHER", "SPLIT BY OWN", "SPLIT AFTER ODD"),
    *("HAND LEFT", "HAND RIGHT", "HAND OF EQUAL", "HAND OF OWN", "HAND AFTER ACTIVE GONE"),
    *("TURN BACK ON PAIR", "TURN BACK ON JUNCTION", "TURN BACK ASIDE"),
    *(f"TURN {who} {how}" for who in ("ACTIVE", "OPPOSING") for how in ("OPPOSITE", "CORNER")),
    *("TURN ACTIVE STEM", "TURN OPPOSING STEM", "TURN OPPOSING OWN", "TURN ASKED OF ACTIVE"),
    *("TURN ASKED OF OTHER", "TURN ASKED OF OWN", "TURN ACTIVE GONE", "TURN ASKED ACTIVE GONE"),
    *("RETURNED APART", "RETURNED BUMPER", "RETURNED IN OPEN CHASM", "DROPPED ONTO JEWELS"),
)


def hit_names(step: Step[State], scene: Scene) -> Iterator[str]:
    """Name what an event of a collision is."""
    if scene.name == "COLLIDED":
        yield from collision_names(step, scene)
    elif scene.name == "DERAILED" and scene.cause == "HIT":
        yield from wreck_names(step, scene)
    elif scene.name == "DROPPED":
        if scene.cart.place in scene.state.deposits:
            yield "DROPPED ONTO JEWELS"
        yield from drop_names(step, scene)
    elif scene.name == "HANDS_CLOSED" and step.before.step != "split":
        yield "SPLIT EQUAL TWO" if len(scene.cart.hold) == 2 else "SPLIT EQUAL FOUR"
    elif scene.name == "TURNED":
        yield from turn_names(step, scene)
    elif scene.name == "RETURNED":
        yield "RETURNED BUMPER" if scene.state.options.bumper_cars else "RETURNED APART"
        if scene.state.open:
            yield "RETURNED IN OPEN CHASM"


def held(cart: Cart) -> str:
    """Name how much an opposing cart holds."""
    number = len(cart.hold)
    return str(number) if number < 2 else ("odd" if number % 2 else "even")


def collision_names(step: Step[State], scene: Scene) -> Iterator[str]:
    """Name the cell of the table, and how the collision came about."""
    state, active, opposing = scene.state, scene.cart, scene.state.cart(spot_of(scene.event[2]))
    assert active.facing is not None and active.place is not None
    side = hit_side(active.facing, opposing.facing)
    own = spot_of(scene.event[2])[0] == scene.spot[0]
    connected, bumper = bool(scene.event[3]), state.options.bumper_cars
    yield Cell(bool(active.hold), held(opposing), side, connected, own, bumper).name
    yield "HIT AFTER MOVING" if scene.has_moved else "HIT AT ONCE"
    yield "HIT EARLY" if scene.left > 1 else "HIT AT LAST STEP"
    if not is_underground(state, active.place):
        how = "BUMPER" if bumper else ("CONNECTED" if connected else "APART")
        yield f"HIT FROM SURFACE {how}"


def wreck_names(step: Step[State], scene: Scene) -> Iterator[str]:
    """Name whom a collision derails."""
    is_active = scene.spot == scene.active
    yield "HIT DERAILS ACTIVE" if is_active else "HIT DERAILS OPPOSING"
    if not is_active and scene.active is not None:
        if scene.state.cart(scene.active).place is None:
            yield "HIT DERAILS BOTH"
        if scene.spot[0] == scene.active[0]:
            yield "HIT DERAILS OWN"
    if scene.event[3]:
        yield "HIT LOSES CART"


def drop_names(step: Step[State], scene: Scene) -> Iterator[str]:
    """Name an odd jewel that was not asked for."""
    index = step.events.index(scene.event)
    if step.before.step == "odd" or (index and step.events[index - 1][0] == "HAND_CHOSEN"):
        return
    yield "ODD OF LONE" if len(scene.cart.hold) == 1 else "ODD OF ONE KIND"


def turn_names(step: Step[State], scene: Scene) -> Iterator[str]:
    """Name how a cart turns."""
    state, cart, exit = scene.state, scene.cart, str(scene.event[2])
    assert cart.place is not None and cart.facing is not None
    pair = len(state.tracks[cart.place]) == 2
    if scene.spot == scene.active and scene.has_moved:
        yield "TURN BACK ON PAIR" if pair else "TURN BACK ON JUNCTION"
        if exit != OPPOSITE[cart.facing]:
            yield "TURN BACK ASIDE"
        return
    who = "ACTIVE" if scene.spot == scene.active else "OPPOSING"
    aside = "CORNER" if pair else "STEM"
    yield f"TURN {who} {'OPPOSITE' if exit == OPPOSITE[cart.facing] else aside}"
    if who == "OPPOSING" and scene.active is not None:
        if scene.spot[0] == scene.active[0]:
            yield "TURN OPPOSING OWN"
        if state.cart(scene.active).place is None:
            yield "TURN ACTIVE GONE"


# What was decided


def decision_names(step: Step[State]) -> Iterator[str]:
    """Name what was decided in a collision."""
    before = step.before
    if before.step not in ("odd", "split", "hand", "turn"):
        return
    hit = before.collision
    whose = "OWN" if hit.opposing[0] == before.seat else "OTHER"
    number = len(before.cart(hit.opposing).hold)
    gone = before.cart(before.active).place is None
    if before.step == "odd":
        yield "ODD OF FIVE" if number == 5 else "ODD OF THREE"
        yield f"ODD BY {whose}"
    elif before.step == "split":
        yield "SPLIT OF FOUR" if number == 4 else "SPLIT OF TWO"
        yield f"SPLIT BY {whose}"
    elif before.step == "hand":
        yield from hand_names(step, gone)
    elif hit.turning[0] == before.active:
        yield "TURN ASKED OF ACTIVE"
    else:
        yield f"TURN ASKED OF {whose}"
        if gone:
            yield "TURN ASKED ACTIVE GONE"


def hand_names(step: Step[State], gone: bool) -> Iterator[str]:
    """Name which hand is chosen."""
    hit = step.before.collision
    chosen = step.events[0]
    yield "HAND LEFT" if step.action == "L" else "HAND RIGHT"
    if chosen[3] == chosen[4]:
        yield "HAND OF EQUAL"
    if hit.opposing[0] == step.before.seat:
        yield "HAND OF OWN"
    if gone:
        yield "HAND AFTER ACTIVE GONE"


def odd_names(step: Step[State]) -> Iterator[str]:
    """Name a split that follows an odd jewel."""
    names = [event[0] for event in step.events]
    if step.before.step == "odd" and (step.after.step == "split" or "HANDS_CLOSED" in names):
        yield "SPLIT AFTER ODD"
