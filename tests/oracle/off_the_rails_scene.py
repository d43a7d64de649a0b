"""The scenes of a step of Off the Rails: each event with the table as it lay before it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .common import Event
from .coverage import Step
from .off_the_rails_board import Place
from .off_the_rails_follow import follow, spot_of
from .off_the_rails_state import Cart, Spot, State, with_changes


@dataclass(frozen=True)
class Scene:
    """An event, the table before it, and what of the move is known from this step.

    `cause` is what last happened that can derail a cart. `entered` are the squares that the active
    cart entered in this step, after `start` if its move began in it; `left` its steps left.
    """

    state: State
    event: Event
    cause: str = ""
    active: Spot | None = None
    start: Place | None = None
    entered: tuple[Place, ...] = ()
    left: int = 0
    has_moved: bool = False
    turned: frozenset[Spot] = frozenset()

    @property
    def name(self) -> str:
        """The name of the event."""
        return str(self.event[0])

    @property
    def spot(self) -> Spot:
        """The cart that the event names first."""
        return spot_of(self.event[1])

    @property
    def cart(self) -> Cart:
        """That cart."""
        return self.state.cart(self.spot)


CAUSES = {
    "MOVE_STARTED": "MOVE",
    "ENTERED": "MOVE",
    "COLLIDED": "HIT",
    "CHASM_OPENED": "OPENING",
    "TOKEN_DRAWN": "TOKEN",
    "TURN_ENDED": "END",
}
"""What can derail a cart, by the event that it begins with."""


def first_scene(step: Step[State]) -> Scene:
    """Give the scene that a step begins with."""
    before = step.before
    scene = Scene(before, ("NOTHING",))
    if before.move is not None:
        cause = "MOVE" if before.hit is None else "HIT"
        moved = before.move.via is not None
        scene = with_changes(scene, cause=cause, active=before.active, left=before.move.left)
        return with_changes(scene, has_moved=moved)
    return with_changes(scene, cause="TOKEN" if before.step == "token" else "")


def after(scene: Scene) -> Scene:
    """Give what is known once the event of a scene has happened."""
    cause = CAUSES.get(scene.name, scene.cause)
    state = follow(scene.state, scene.event)
    if scene.name == "MOVE_STARTED":
        begun = Scene(state, (), cause, scene.spot, scene.cart.place, turned=scene.turned)
        return with_changes(begun, left=scene.cart.speed)
    scene = with_changes(scene, state=state, cause=cause)
    if scene.name == "ENTERED":
        place = scene.cart.place
        assert place is not None
        entered = (*scene.entered, place)
        return with_changes(scene, entered=entered, left=scene.left - 1, has_moved=True)
    if scene.name == "TURNED":
        return with_changes(scene, turned=scene.turned | {scene.spot})
    return scene


def scenes(step: Step[State]) -> Iterator[Scene]:
    """Give each event with the table as it lay before it."""
    scene = first_scene(step)
    for event in step.events:
        scene = with_changes(scene, event=event)
        yield scene
        scene = after(scene)


def last_table(step: Step[State]) -> State:
    """Give the table as it lies by the events alone."""
    scene = first_scene(step)
    for event in step.events:
        scene = after(with_changes(scene, event=event))
    return scene.state
