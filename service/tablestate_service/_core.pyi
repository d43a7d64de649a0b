"""The Rust core: rules, chance, bots and the wire form of game content.

Every `bytes` that stands for game content is a message of `tablestate.v1`, named
in the comment beside it. A viewer is a seat number, or None for a spectator.
Objects are immutable: a step makes a new state and leaves the old one as it is.
"""

from collections.abc import Callable, Sequence
from typing import final

import numpy as np
import numpy.typing as npt

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
    @property
    def hides_nothing(self) -> bool:
        """Whether everybody knows the whole state, as a spectator's view tells it."""
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
    def attempt(self, index: int, draws: Sequence[int]) -> int | Step:
        """Apply the action of an index with given draws.

        If they do not suffice: the number of values that the next can have, all equally likely.
        Raises ILLEGAL_ACTION, or INVALID_FIELD if a draw is out of range or left over.
        """
    def perft(self, depth: int, stop: Stop) -> int | None:
        """Count the decision sequences of a length; None if `stop` was set. Releases the GIL.

        For games without chance: others follow one line of draws.
        """
    def divide(self, depth: int, stop: Stop) -> list[tuple[int, str, int]] | None:
        """Count the decision sequences of a length for each first action, by rising index.

        Index, notation and count of each; None if `stop` was set. Releases the GIL. Raises
        ValueError for a depth of 0.
        """
    def playouts(
        self, games: int, seed: int, player: str, max_plies: int, stop: Stop, threads: int = 1
    ) -> PlayoutTally | None:
        """Play games from here to their ends, a bot on every seat; None if `stop` was set.

        Games longer than `max_plies` are left unfinished. `threads` share the games; the result
        does not depend on how many. Releases the GIL.
        """
    def replay(self, notation: str, draws: Sequence[int]) -> Step:
        """Apply a stored action; raises LOG_DAMAGED if it or its draws do not fit."""
    def view(self, viewer: int | None) -> bytes:
        """A `GameView` message: what the viewer may see."""
    def observation(self, viewer: int | None) -> bytes:
        """The view as the bytes of the game's `ObservationSpace`."""
    def forfeit(self, seat: int) -> GameState:
        """The position with the note that a seat has forfeited; `outcome` still has to be told."""
    def outcome(self, forfeited: Sequence[int] = ()) -> bytes | None:
        """An `Outcome` message if the game is over, given the seats that are out."""
    def agreed_draw(self, forfeited: Sequence[int]) -> bytes:
        """The `Outcome` message when all seats that are not out agree on a draw."""
    def default_action(self) -> str:
        """The notation of the default action of the actor."""
    def choose(self, bot: str, seed: bytes, ply: int) -> str:
        """The notation of the action that a bot takes for the actor.

        Its chance comes from (seed, seat, ply) under a domain of its own. Releases
        the GIL.
        """

@final
class Stop:
    """A flag that another thread sets to stop long work, within some milliseconds."""

    def __new__(cls) -> Stop: ...
    def set(self) -> None:
        """Stop the work that was given this flag."""
    @property
    def is_set(self) -> bool:
        """Whether it was set."""

@final
class PlayoutTally:
    """The results of games, added up."""

    @property
    def finished(self) -> int:
        """Games that came to their end."""
    @property
    def unfinished(self) -> int:
        """Games that were left unfinished."""
    @property
    def plies(self) -> int:
        """Actions taken."""
    @property
    def ties(self) -> int:
        """Games without a winner."""
    @property
    def wins(self) -> list[int]:
        """For each seat the games that it won, alone or with others."""
    @property
    def returns(self) -> list[float]:
        """For each seat the sum of its returns."""

@final
class SearchReport:
    """What a search has found."""

    @property
    def iterations(self) -> int:
        """Simulations carried out, or positions looked at by alpha-beta."""
    @property
    def actions(self) -> list[RankedAction]:
        """Every legal action once, the best first."""
    def dump(self, done: bool) -> bytes:
        """Write a `SearchResponse` message."""

@final
class RankedAction:
    """What a search has found about an action."""

    @property
    def index(self) -> int:
        """The dense index."""
    @property
    def notation(self) -> str:
        """The notation."""
    @property
    def action(self) -> bytes:
        """A `GameAction` message."""
    @property
    def visits(self) -> int:
        """Iterations that began with it."""
    @property
    def value(self) -> float:
        """The return that the seat may expect of it, -1 to 1."""
    @property
    def line(self) -> list[int]:
        """The principal line, as indices: the action itself, and what is expected to follow."""
    @property
    def line_notations(self) -> list[str]:
        """The line in notation, as far as it follows without chance and from what the seat sees."""

@final
class Batch:
    """Games of one kind and one set of options, stepped together.

    Forms of actions are the numbers of `ActionForm`. Parts are, in this order: actors, flags,
    actions, returns, masks, observations, packed as `BatchParts` says. Not to be used by two
    threads at once: raises RuntimeError.
    """

    @staticmethod
    def start(
        options: bytes,
        seeds: Sequence[int],
        auto_reset: bool,
        threads: int = 1,
        bots: Sequence[str | None] = ...,
        stop: Stop | None = None,
    ) -> Batch:
        """Set up a game for each seed; raises INVALID_OPTIONS with every fault.

        `bots` names by seat the bot that plays it, or None; ValueError if there is no such bot.
        Bots act at once whenever it is their turn; at least one seat must have none. Once `stop`
        is set they act no more, in copies neither, and the batch is of no use.
        """
    @property
    def size(self) -> int:
        """Slots."""
    @property
    def seats(self) -> int:
        """Seats of each game."""
    @property
    def actions(self) -> int:
        """Indices of actions."""
    @property
    def mask_bytes(self) -> int:
        """Bytes of a mask."""
    @property
    def observation_bytes(self) -> int:
        """Bytes of an observation."""
    def state(self, slot: int) -> GameState:
        """The state of a slot; ValueError if there is no such slot."""
    def put(self, slot: int, state: GameState) -> bool:
        """Put a state into a slot; False, and nothing is changed, if its layout differs."""
    def attempt_start(self, draws: Sequence[int]) -> int | Step:
        """Set a game up from draws; the number of values of the next if they do not suffice."""
    def copy(self, slots: Sequence[int], seed: int | None) -> Batch:
        """The chosen slots as a batch; with a seed they get fresh chance."""
    def step(
        self,
        form: int,
        actions: npt.NDArray[np.uint8] | None,
        observer: int | None,
        parts: Sequence[npt.NDArray[np.uint8] | None],
    ) -> None:
        """Take packed actions and write the parts that are given. Releases the GIL.

        Raises ValueError if a length does not fit.
        """
    def ended(self) -> tuple[list[int], bytes]:
        """The slots whose game the last step ended and set up again, and every seat's last
        observation of each."""
    def reply(self, form: int, actions: bytes, wanted: bytes, others: bytes) -> bytes:
        """Take packed actions; a `SimulateResponse` with the parts of a `WantedParts` message.

        `others` are its other fields, encoded.

        Releases the GIL. Raises ValueError if the length of the actions does not fit.
        """

@final
class Forest:
    """Trees of games of one layout, whose leaves somebody else judges.

    Packed as `Leaves`, `LeafAnswers` and `EvaluateReport` say. Not to be used by two threads at
    once: raises RuntimeError. Methods release the GIL where they take long.
    """

    @staticmethod
    def of_batch(
        batch: Batch,
        slots: Sequence[int],
        *,
        simulations: int,
        leaves: int,
        exploration: float,
        seed: int,
        most_nodes: int,
        threads: int = 1,
    ) -> Forest:
        """A tree for each slot, of what its actor sees; ValueError if there is no such slot.

        A tree grows to `most_nodes` nodes of 40 bytes at most.
        """
    @staticmethod
    def of_roots(
        options: bytes,
        roots: Sequence[tuple[int | None, bytes]],
        *,
        simulations: int,
        leaves: int,
        exploration: float,
        seed: int,
        most_nodes: int,
        threads: int = 1,
        path: str = "",
    ) -> Forest:
        """A tree for each root: a seat that decides and its `GameView` message under the options,
        or None and a `GameState` message, of which nothing is read but what its actor sees.

        Raises INVALID_OPTIONS, and INVALID_FIELD with every fault of the first bad root, whose
        fields are below `path`.
        """
    @property
    def size(self) -> int:
        """Trees."""
    @property
    def seats(self) -> int:
        """Seats of each game."""
    @property
    def actions(self) -> int:
        """Indices of actions."""
    @property
    def mask_bytes(self) -> int:
        """Bytes of a mask."""
    @property
    def observation_bytes(self) -> int:
        """Bytes of an observation."""
    @property
    def most_legal(self) -> int:
        """No more actions than this are ever legal at once."""
    @property
    def actors(self) -> list[int | None]:
        """Who decides at each root; None where the game is over."""
    def gather(self, stop: Stop | None = None) -> int:
        """Find the next leaves, unless some wait for an answer; how many wait then.

        0 when all simulations were made, or `stop` was set: then the trees are of no more use.
        """
    @property
    def waiting(self) -> int:
        """Leaves that wait for an answer."""
    def write(
        self,
        roots: npt.NDArray[np.uint8],
        actors: npt.NDArray[np.uint8],
        masks: npt.NDArray[np.uint8],
        observations: npt.NDArray[np.uint8],
    ) -> None:
        """Write the leaves that wait; ValueError if a length does not fit."""
    def answer(self, priors: npt.NDArray[np.uint8], values: npt.NDArray[np.uint8]) -> None:
        """Take the answers to all leaves that wait, with a prior for each index of actions.

        Of wrong ones none: raises INVALID_FIELD with what is wrong.
        """
    def report(
        self,
        visits: npt.NDArray[np.uint8],
        values: npt.NDArray[np.uint8],
        returns: npt.NDArray[np.uint8],
    ) -> None:
        """Write what was found so far; ValueError if a length does not fit."""
    @property
    def lines(self) -> list[list[int]]:
        """The line of each root that was gone most often."""
    def dump_leaves(self) -> bytes:
        """Write a `Leaves` message of the leaves that wait."""
    def load_answers(self, priors: bytes, values: bytes) -> None:
        """Take answers as `answer` does, with a prior for each legal action alone."""
    def dump_report(self) -> bytes:
        """Write an `EvaluateReport` message."""

def games() -> list[str]:
    """The names of the games, in alphabetical order."""

def game_info_for(options: bytes) -> bytes:
    """The `GameInfo` of the game of a `GameOptions`, with the layouts that they lead to.

    Raises CoreError INVALID_OPTIONS.
    """

def game_info(game: str) -> bytes:
    """The `GameInfo` message of a game; raises GAME_NOT_FOUND."""

def bots(game: str) -> list[str]:
    """The names of the bots that can play a game; raises GAME_NOT_FOUND."""

def validate_options(options: bytes) -> Setup:
    """Check a `GameOptions` message; raises INVALID_OPTIONS with every fault."""

def default_options(game: str) -> bytes:
    """A `GameOptions` message with every default; raises GAME_NOT_FOUND."""

def seeds(seed: int, count: int) -> list[int]:
    """So many seeds of 64 bits that follow from one, as a batch's slots get them."""

def playouts(
    options: bytes,
    games: int,
    seed: int,
    player: str,
    max_plies: int,
    stop: Stop,
    threads: int = 1,
) -> PlayoutTally | None:
    """Play new games to their ends, a bot on every seat; None if `stop` was set.

    Games longer than `max_plies` are left unfinished. `threads` share the games; the result does
    not depend on how many. Releases the GIL.
    """

def search(
    options: bytes,
    view: bytes,
    seat: int,
    *,
    iterations: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    threads: int = 1,
    stop: Stop | None = None,
    progress: Callable[[SearchReport], object] | None = None,
    progress_seconds: float = 0.0,
) -> SearchReport | None:
    """Search for the best action of the seat that decides; None if `stop` was set.

    It reads what the seat sees, a `GameView` message, and the options of the match, and nothing
    else. Either `iterations` or `seconds` says how much: with iterations the report depends on
    nothing but view, options and `seed`, on any machine and with any number of `threads`.

    `progress` is called now and then with what has been found so far, at least `progress_seconds`
    after the start and the last time; what it raises ends the search and is raised. Releases the
    GIL.

    Raises INVALID_OPTIONS and INVALID_FIELD with every fault: of a view that no position can show
    to the seat, a seat that does not decide, none or both of `iterations` and `seconds`.
    """

@final
class Contest:
    """A game that bots have played.

    The lists have an item for each decision of a bot, in order; the opening's actions are in none
    of them.
    """

    @property
    def shares(self) -> list[float]:
        """Each seat's share of the victory; equal ones if the game was left unfinished."""
    @property
    def is_finished(self) -> bool:
        """Whether it came to its end."""
    @property
    def opening(self) -> list[int]:
        """The indices of the actions that were drawn before the bots began."""
    @property
    def seats(self) -> list[int]:
        """Who decided."""
    @property
    def actions(self) -> list[int]:
        """The index of the action taken."""
    @property
    def choices(self) -> list[int]:
        """How many actions were legal."""
    @property
    def nanoseconds(self) -> list[int]:
        """How long the decision took."""
    @property
    def values(self) -> list[float | None]:
        """The expected return of the seat that decided; None if nothing was searched."""
    @property
    def visits(self) -> list[list[tuple[int, int]]]:
        """For each action that was searched its index and the iterations that began with it."""
    @property
    def observations(self) -> bytes:
        """What the seats saw that decided, one after the other; empty if it was not kept."""
    @property
    def masks(self) -> bytes:
        """The legal actions, as whole bytes each, one after the other; empty if not kept."""

def contests(
    options: bytes,
    bots: Sequence[Sequence[str]],
    seeds: Sequence[int],
    *,
    opening: int,
    max_plies: int,
    threads: int,
    stop: Stop,
    keeps_views: bool = False,
) -> list[Contest] | None:
    """Play games, each with its bots, one a seat, and its seed; None if `stop` was set.

    Games of one seed have the same opening, so many actions drawn at random, and the same deals as
    far as the same cards are drawn in the same order. Games longer than `max_plies` are left
    unfinished. What comes of them does not depend on the number of `threads`. Releases the GIL.

    Raises INVALID_OPTIONS, and ValueError for an unknown bot or a wrong number of bots or seeds.
    """

def provoke_panic() -> None:
    """Panic. Only in builds with the feature `faults`."""
