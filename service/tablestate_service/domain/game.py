"""What the domain needs of a game: the full truth of a position, and steps from it.

Game content is bytes made and read by the core; nothing here looks into it. A
viewer is a seat number, or None for a spectator.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


class GameState(Protocol):
    """A position. Immutable: a step makes a new one."""

    @property
    def actor(self) -> int | None:
        """The seat that must decide; None when the game is over."""

    @property
    def hides_nothing(self) -> bool:
        """Whether everybody knows the whole truth of the position."""

    def dump(self) -> bytes:
        """The `GameState`: the full truth, for the server alone."""

    def apply(self, choice: bytes, seed: bytes, stream: int) -> "Step":
        """Apply an `ActionChoice`, drawing from a stream of the seed."""

    def replay(self, notation: str, draws: Sequence[int]) -> "Step":
        """Apply a stored action with its stored draws."""

    def forfeit(self, seat: int) -> "GameState":
        """Note that a seat has forfeited; `outcome` still has to be told."""

    def outcome(self, forfeited: Sequence[int] = ()) -> bytes | None:
        """An `Outcome` if the game is over, given the seats that are out."""

    def agreed_draw(self, forfeited: Sequence[int]) -> bytes:
        """The `Outcome` when all seats that are not out agree on a draw."""

    def legal_actions(self) -> bytes:
        """The `LegalActions` of the actor."""

    def view(self, viewer: int | None) -> bytes:
        """The `GameView` of a viewer."""

    def observation(self, viewer: int | None) -> bytes:
        """The view as the bytes of the game's `ObservationSpace`."""

    def default_action(self) -> str:
        """The notation of the actor's default action."""

    def choose(self, bot: str, seed: bytes, ply: int) -> str:
        """The notation of the action that a bot takes for the actor."""


class Step(Protocol):
    """What an action, or the set-up, brought about."""

    @property
    def state(self) -> GameState:
        """The position after it."""

    @property
    def notation(self) -> str:
        """The action in notation; empty for the set-up."""

    @property
    def draws(self) -> list[int]:
        """The values drawn by chance."""

    @property
    def draw_bounds(self) -> list[int]:
        """How many values each draw could have had."""

    def events(self, viewer: int | None) -> list[bytes]:
        """`GameEvent` messages as the viewer may know them."""


class Rules(Protocol):
    """How games begin."""

    def start(self, options: bytes, seed: bytes) -> Step:
        """Set a game up."""

    def replay_start(self, options: bytes, draws: Sequence[int]) -> Step:
        """Set a game up from stored draws."""

    def restore(self, state: bytes) -> GameState:
        """The position of a `GameState`."""


@dataclass(frozen=True, slots=True)
class Restored:
    """A step that sets a game up at a given position: nothing is drawn, and nothing happens."""

    state: GameState
    notation: str = ""

    @property
    def draws(self) -> list[int]:
        """None."""
        return []

    @property
    def draw_bounds(self) -> list[int]:
        """None."""
        return []

    def events(self, viewer: int | None) -> list[bytes]:
        """None: the view tells the position."""
        return []
