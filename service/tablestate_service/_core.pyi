"""The Rust core: rules, chance, bots and the wire form of game content.

Every `bytes` that stands for game content is a message of `tablestate.v1`, named
in the comment beside it. A viewer is a seat number, or None for a spectator.
Objects are immutable: a step makes a new state and leaves the old one as it is.
"""

from collections.abc import Sequence
from typing import final

class CoreError(Exception):
    """A refusal by the core, fit to be shown to the caller of an RPC.

    `reason` is the name of an `ErrorReason` without its prefix (MALFORMED_REQUEST,
    INVALID_FIELD, INVALID_OPTIONS, GAME_NOT_FOUND, ILLEGAL_ACTION, LOG_DAMAGED).
    `violations` lists (field, value, expected) for the first three. For
    ILLEGAL_ACTION `rule` names the rule that forbids the action and `action` is
    its notation.
    """

    reason: str
    violations: list[tuple[str, str, str]]
    rule: str | None
    action: str | None

@final
class Setup:
    """Validated options of a match."""

    @property
    def game(self) -> str:
        """The game's name."""
    @property
    def seats(self) -> int:
        """Number of seats."""
    @property
    def rules_version(self) -> int:
        """Version of the rules of the game."""
    @property
    def options(self) -> bytes:
        """A `GameOptions` message with every default filled in."""

@final
class Step:
    """What an action, or the set-up, brought about."""

    @property
    def state(self) -> GameState:
        """The state after it."""
    @property
    def notation(self) -> str:
        """The action in notation; empty for the set-up."""
    @property
    def draws(self) -> list[int]:
        """The values drawn by chance, in order."""
    @property
    def draw_bounds(self) -> list[int]:
        """How many values each draw could have had: draw i is 0 to draw_bounds[i] - 1."""
    def events(self, viewer: int | None) -> list[bytes]:
        """`GameEvent` messages as the viewer may know them, in order."""

@final
class GameState:
    """The full truth of a game at one moment."""

    @staticmethod
    def start(options: bytes, seed: bytes) -> Step:
        """Set a game up from a `GameOptions` message and the match's 32-byte seed."""
    @staticmethod
    def replay_start(options: bytes, draws: Sequence[int]) -> Step:
        """Set a game up from stored draws; raises LOG_DAMAGED if they do not fit."""
    @staticmethod
    def load(state: bytes) -> GameState:
        """Read a `GameState` message; raises INVALID_FIELD with every fault."""
    def dump(self) -> bytes:
        """Write a `GameState` message. Full truth: for the server only."""
    @property
    def game(self) -> str:
        """The game's name."""
    @property
    def seats(self) -> int:
        """Number of seats."""
    @property
    def actor(self) -> int | None:
        """The seat that must decide; None when the game is over."""
    @property
    def hash(self) -> int:
        """A 64-bit hash of the position: equal positions hash alike."""
    @property
    def position(self) -> str:
        """The position in the game's notation. Full truth."""
    def legal_actions(self) -> bytes:
        """A `LegalActions` message for the actor; empty when the game is over."""
    def legal_mask(self) -> bytes:
        """The mask of legal actions: bit i = index i, least significant first."""
    def legal_notations(self) -> list[str]:
        """The legal actions in notation, by rising index."""
    def check(self, choice: bytes) -> str:
        """The notation of a legal `ActionChoice`; raises CoreError if it is none."""
    def apply(self, choice: bytes, seed: bytes, stream: int) -> Step:
        """Apply an `ActionChoice`, drawing from stream `stream` (ply + 1) of the seed."""
    def replay(self, notation: str, draws: Sequence[int]) -> Step:
        """Apply a stored action; raises LOG_DAMAGED if it or its draws do not fit."""
    def view(self, viewer: int | None) -> bytes:
        """A `GameView` message: what the viewer may see."""
    def observation(self, viewer: int | None) -> bytes:
        """The view as the bytes of the game's `ObservationSpace`."""
    def outcome(self, forfeited: Sequence[int] = ()) -> bytes | None:
        """An `Outcome` message if the game is over, given the seats that are out."""
    def default_action(self) -> str:
        """The notation of the default action of the actor."""
    def choose(self, bot: str, seed: bytes, ply: int) -> str:
        """The notation of the action that a bot takes for the actor.

        Its chance comes from (seed, seat, ply) under a domain of its own. Releases
        the GIL.
        """

def games() -> list[str]:
    """The names of the games, in alphabetical order."""

def game_info(game: str) -> bytes:
    """The `GameInfo` message of a game; raises GAME_NOT_FOUND."""

def bots(game: str) -> list[str]:
    """The names of the bots that can play a game; raises GAME_NOT_FOUND."""

def validate_options(options: bytes) -> Setup:
    """Check a `GameOptions` message; raises INVALID_OPTIONS with every fault."""

def perft(options: bytes, depth: int) -> int:
    """Count the decision sequences of a length from the start. Releases the GIL."""

def provoke_panic() -> None:
    """Panic. Only in builds with the feature `faults`."""
