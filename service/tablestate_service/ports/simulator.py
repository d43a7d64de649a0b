"""What the use cases need of the engine for batches, playouts, counts and searches."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol


class EngineBatch(Protocol):
    """Games of one kind that are stepped together. Not for two threads at once."""

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

    def reply(self, form: int, actions: bytes, wanted: bytes, others: bytes) -> bytes:
        """Take packed actions, and give a `SimulateResponse` with the parts of a `WantedParts`.

        `others` are its other fields, encoded: large parts are not copied for them.
        """

    def copy(self, slots: Sequence[int], seed: int | None) -> "EngineBatch":
        """The chosen slots as a batch, with a seed with fresh chance."""

    def load(self, slots: Sequence[int], states: Sequence[bytes]) -> int | None:
        """Put full states into slots, all or none; the place of the first that does not fit.

        Refuses INVALID_FIELD for what is no state.
        """

    def dump(self, slot: int) -> bytes:
        """The full state of a slot."""

    def play(self, slot: int, action: int | None, draws: Sequence[int]) -> int | list[list[bytes]]:
        """Take an action, or set a game up, with given draws; each seat's events.

        If they do not suffice: the number of values of the next. Refuses ILLEGAL_ACTION, and
        INVALID_FIELD for draws out of range or left over.
        """


class Stop(Protocol):
    """Stops long work in another thread."""

    def set(self) -> None:
        """Stop it, within some milliseconds."""


class PlayoutTally(Protocol):
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
    def wins(self) -> Sequence[int]:
        """For each seat the games that it won."""

    @property
    def returns(self) -> Sequence[float]:
        """For each seat the sum of its returns."""


@dataclass(frozen=True, slots=True)
class Beginning:
    """Where games of the engine begin: with options or with a full state."""

    content: bytes
    is_state: bool


@dataclass(frozen=True, slots=True)
class PlayoutSettings:
    """How games are played to their ends."""

    games: int
    seed: int
    player: str
    max_plies: int
    threads: int


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """What is searched, and how much: either `iterations` or `seconds` is given."""

    options: bytes
    view: bytes
    seat: int
    iterations: int | None
    seconds: float | None
    seed: int
    threads: int
    progress_seconds: float | None
    """Between two reports of progress at least; None: there are none."""


class SearchReport(Protocol):
    """What a search has found."""

    def dump(self, done: bool) -> bytes:
        """The `SearchResponse` of it."""


@dataclass(frozen=True, slots=True)
class ForestSettings:
    """Where trees begin whose leaves somebody else judges, and how they grow."""

    options: bytes
    roots: Sequence[tuple[int | None, bytes]]
    """A seat that decides and its `GameView`, or None and a `GameState`."""
    simulations: int
    leaves: int
    exploration: float
    seed: int


class EngineForest(Protocol):
    """Trees whose leaves somebody else judges. Not for two threads at once."""

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
    def most_legal(self) -> int:
        """No more actions than this are ever legal at once."""

    @property
    def mask_bytes(self) -> int:
        """Bytes of a mask."""

    @property
    def observation_bytes(self) -> int:
        """Bytes of an observation."""

    def gather(self, stop: Stop) -> bool:
        """Find the next leaves; whether there are any. Once stopped it is of no use."""

    def leaves(self) -> bytes:
        """The `Leaves` that wait for an answer."""

    def answer(self, priors: bytes, values: bytes) -> None:
        """Take the answers of a `LeafAnswers`; refuses INVALID_FIELD with all that is wrong."""

    def report(self) -> bytes:
        """The `EvaluateReport`."""


class Division(NamedTuple):
    """The sequences that begin with an action."""

    action: int
    notation: str
    sequences: int


class Simulator(Protocol):
    """Games by the thousand: the Rust core."""

    def start_batch(
        self,
        options: bytes,
        seeds: Sequence[int],
        auto_reset: bool,
        bots: Sequence[str | None],
        stop: Stop,
    ) -> EngineBatch:
        """New games, one for each seed; refuses INVALID_OPTIONS with every fault.

        `bots` names by seat the bot that plays it, if one does. Once they are stopped the batch is
        of no use.
        """

    def seeds(self, seed: int, count: int) -> Sequence[int]:
        """So many seeds that follow from one."""

    def seats(self, options: bytes) -> int:
        """How many seats games of these options have; refuses INVALID_OPTIONS with every fault."""

    def players(self, beginning: Beginning) -> Sequence[str]:
        """The bots that play a game; refuses INVALID_OPTIONS, INVALID_FIELD with every fault."""

    def stop(self) -> Stop:
        """Something to stop work with."""

    def playouts(
        self, beginning: Beginning, settings: PlayoutSettings, stop: Stop
    ) -> PlayoutTally | None:
        """Play games to their ends; None if it was stopped."""

    def search(
        self, settings: SearchSettings, stop: Stop, progress: Callable[[SearchReport], None]
    ) -> SearchReport | None:
        """Search from what a seat sees; None if it was stopped.

        `progress` is called on the thread of the search. Refuses INVALID_OPTIONS, and
        INVALID_FIELD for a view that cannot be, or that of a seat that does not decide.
        """

    def forest(self, settings: ForestSettings) -> EngineForest:
        """Begin trees; refuses INVALID_OPTIONS, and INVALID_FIELD for roots that cannot be."""

    def perft(self, beginning: Beginning, depth: int, stop: Stop) -> int | None:
        """Count sequences of decisions; None if it was stopped."""

    def divide(self, beginning: Beginning, depth: int, stop: Stop) -> list[Division] | None:
        """Count them for each first action, by rising index; None if it was stopped."""
