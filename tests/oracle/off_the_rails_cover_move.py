"""What the coverage of Off the Rails counts of moves: steps, takings, banks and derailments."""

from __future__ import annotations

from collections.abc import Iterator

from .coverage import Step
from .off_the_rails_board import CROSS, LETTERS, OPPOSITE, ROCK, places, sides
from .off_the_rails_scene import Scene
from .off_the_rails_state import HOLD, State, is_centre, is_underground

NAMES = ("ROCK", "RUBY", "EMERALD", "GOLD", "DIAMOND")

EXPECTED_MOVES: tuple[str, ...] = (
    *("FIRST WHITE", "FIRST BLACK", "NO CART MOVES", "ONE CART MOVES", "SECOND CART MOVES"),
    *("ENTER AGAIN", "ENTER START AGAIN", "ENTER FULL", "START LEFT WITH JEWELS"),
    *("TAKE ASKED ON START", "ENTER WITH SIX"),
    *(f"TAKE {name}" for name in NAMES),
    *("TAKE ROCK FIRST", "TAKE PASSING", "TAKE AT END", "TAKE SECOND", "TAKE FILLS HOLD"),
    *("TAKE LAST", "NOTHING AT FIRST", "NOTHING AFTER ONE", "SECOND NOT ASKED FULL"),
    *(f"FACE ONE OF {number} {how}" for number in (2, 3) for how in ("GOING ON", "STOPPING")),
    "FACE NOT ASKED",
    *(f"BANK {side}" for side in CROSS),
    *("BANK OWN SIDE", "BANK OPPOSITE", "BANK BESIDE", "BANK EMPTY", "BANK LOADED", "BANK FULL"),
    *("BANK EARLY", "BANK AT LAST STEP", "BANK AT ONCE", "BANK ONTO CART", "BANK IN OPEN CHASM"),
    *("DERAIL NO TRACK", "DERAIL NO EXIT", "DERAIL CENTRE", "DERAIL TOKEN", "DERAIL SURFACE"),
    *("DERAIL EMPTY", "DERAIL LOADED", "DERAIL AT ONCE", "DERAIL LATER", "DERAIL IN OPEN CHASM"),
)


def move_names(step: Step[State], scene: Scene) -> Iterator[str]:
    """Name what an event of a move is."""
    if scene.name == "ENTERED":
        yield from enter_names(step, scene)
    elif scene.name == "MOVE_STARTED":
        yield from start_names(step, scene)
    elif scene.name == "FACED" and step.before.step != "face":
        yield "FACE NOT ASKED"
    elif scene.name == "BANKED":
        yield from bank_names(scene)
    elif scene.name == "DERAILED" and scene.cause == "MOVE":
        yield from derail_names(scene)
    elif scene.name == "ACTIONS_ENDED":
        carts = sum(cart.place is not None for cart in scene.state.own.carts)
        if carts < 2:
            yield "ONE CART MOVES" if carts else "NO CART MOVES"


def start_names(step: Step[State], scene: Scene) -> Iterator[str]:
    """Name what is special about the beginning of a move."""
    if scene.active is not None and scene.active[0] == scene.spot[0]:
        yield "SECOND CART MOVES"
    if scene.cart.place in scene.state.deposits:
        yield "START LEFT WITH JEWELS"
    if scene.spot in scene.turned:
        yield "MOVE AFTER BEING TURNED"


def enter_names(step: Step[State], scene: Scene) -> Iterator[str]:
    """Name what is special about entering a square."""
    place = places(scene.state.options.board)[str(scene.event[2])]
    if place in scene.entered:
        yield "ENTER AGAIN"
    if place == scene.start:
        yield "ENTER START AGAIN"
        if step.events[-1] == scene.event and step.after.step == "take":
            yield "TAKE ASKED ON START"
    if place in scene.state.deposits and len(scene.cart.hold) == HOLD:
        yield "ENTER FULL"
    if scene.cart.speed == 6 and scene.left == 1:
        yield "ENTER WITH SIX"


def bank_names(scene: Scene) -> Iterator[str]:
    """Name where and how a cart banks."""
    state, cart = scene.state, scene.cart
    place = places(state.options.board)[str(scene.event[2])]
    side = sides(state.options.board)[place]
    yield f"BANK {side}"
    where = {state.side: "OWN SIDE", OPPOSITE[state.side]: "OPPOSITE"}
    yield f"BANK {where.get(side, 'BESIDE')}"
    yield "BANK LOADED" if cart.hold else "BANK EMPTY"
    if len(cart.hold) == HOLD:
        yield "BANK FULL"
    yield "BANK EARLY" if scene.left > 1 else "BANK AT LAST STEP"
    if not scene.has_moved:
        yield "BANK AT ONCE"
    if state.cart_at(place) is not None:
        yield "BANK ONTO CART"
    if state.open:
        yield "BANK IN OPEN CHASM"


def derail_names(scene: Scene) -> Iterator[str]:
    """Name why a cart derails in its move."""
    state, cart = scene.state, scene.cart
    assert cart.place is not None and cart.facing is not None
    target = cart.place.to(cart.facing)
    if is_centre(state, target):
        yield "DERAIL CENTRE"
    elif target in state.tokens:
        yield "DERAIL TOKEN"
    else:
        yield "DERAIL NO EXIT" if target in state.tracks else "DERAIL NO TRACK"
    if not is_underground(state, cart.place):
        yield "DERAIL SURFACE"
    yield "DERAIL LOADED" if cart.hold else "DERAIL EMPTY"
    yield "DERAIL LATER" if scene.has_moved else "DERAIL AT ONCE"
    if state.open:
        yield "DERAIL IN OPEN CHASM"


# What was decided


def decision_names(step: Step[State]) -> Iterator[str]:
    """Name what was decided in a move."""
    before, action = step.before, step.action
    if before.step == "first":
        yield "FIRST WHITE" if action == "w" else "FIRST BLACK"
    if before.step == "face":
        place = before.cart(before.active).place
        assert place is not None
        how = "GOING ON" if before.moving.left else "STOPPING"
        yield f"FACE ONE OF {len(before.tracks[place]) - 1} {how}"
    if before.step == "take":
        yield from take_names(step)


def take_names(step: Step[State]) -> Iterator[str]:
    """Name what is taken, from the state before it."""
    before, action = step.before, step.action
    cart, move = before.cart(before.active), before.moving
    assert cart.place is not None
    lying = before.deposits[cart.place]
    second = move.left == 0 and move.takings == 1
    if action == "*":
        yield "NOTHING AFTER ONE" if second else "NOTHING AT FIRST"
        return
    kind = LETTERS.index(action[1])
    yield f"TAKE {NAMES[kind]}"
    yield "TAKE PASSING" if move.left else "TAKE AT END"
    if kind == ROCK and set(lying) != {ROCK}:
        yield "TAKE ROCK FIRST"
    if second:
        yield "TAKE SECOND"
    if len(lying) == 1:
        yield "TAKE LAST"
    if len(cart.hold) == HOLD - 1:
        yield "TAKE FILLS HOLD"
        if move.takings == 2 and len(lying) > 1:
            yield "SECOND NOT ASKED FULL"
