"""The games of the Rust core, by the thousand."""

from collections.abc import Callable, Sequence

from tablestate_service import _core
from tablestate_service.ports.simulator import (
    Beginning,
    Division,
    ForestSettings,
    PlayoutSettings,
    SearchReport,
    SearchSettings,
    Stop,
)

_MOST_NODES = 500_000
"""Nodes of a tree for an evaluator: 20 MB."""
_NO_SEED = bytes(32)
"""For counts, which follow one line of draws: any will do."""


class CoreSimulator:
    """Hands everything to the core as it is."""

    def start_batch(
        self,
        options: bytes,
        seeds: Sequence[int],
        auto_reset: bool,
        bots: Sequence[str | None],
        stop: Stop,
    ) -> "CoreBatch":
        """New games, one for each seed."""
        flag = _flag(stop)
        return CoreBatch(_core.Batch.start(options, seeds, auto_reset, bots=bots, stop=flag))

    def seeds(self, seed: int, count: int) -> Sequence[int]:
        """So many seeds that follow from one."""
        return _core.seeds(seed, count)

    def seats(self, options: bytes) -> int:
        """How many seats games of these options have."""
        return _core.validate_options(options).seats

    def players(self, beginning: Beginning) -> Sequence[str]:
        """The bots that play a game."""
        if beginning.is_state:
            return _core.bots(_core.GameState.load(beginning.content).game)
        return _core.bots(_core.validate_options(beginning.content).game)

    def stop(self) -> _core.Stop:
        """A flag."""
        return _core.Stop()

    def playouts(
        self, beginning: Beginning, settings: PlayoutSettings, stop: Stop
    ) -> _core.PlayoutTally | None:
        """Play games to their ends."""
        seeded = (settings.games, settings.seed, settings.player)
        how = (*seeded, settings.max_plies, _flag(stop), settings.threads)
        if beginning.is_state:
            return _core.GameState.load(beginning.content).playouts(*how)
        return _core.playouts(beginning.content, *how)

    def search(
        self, settings: SearchSettings, stop: Stop, progress: Callable[[SearchReport], None]
    ) -> _core.SearchReport | None:
        """Search from what a seat sees."""
        return _core.search(
            settings.options,
            settings.view,
            settings.seat,
            iterations=settings.iterations,
            seconds=settings.seconds,
            seed=settings.seed,
            threads=settings.threads,
            stop=_flag(stop),
            progress=None if settings.progress_seconds is None else progress,
            progress_seconds=settings.progress_seconds or 0.0,
        )

    def forest(self, settings: ForestSettings) -> "CoreForest":
        """Begin trees."""
        return CoreForest(
            _core.Forest.of_roots(
                settings.options,
                settings.roots,
                simulations=settings.simulations,
                leaves=settings.leaves,
                exploration=settings.exploration,
                seed=settings.seed,
                most_nodes=_MOST_NODES,
                path="open",
            )
        )

    def perft(self, beginning: Beginning, depth: int, stop: Stop) -> int | None:
        """Count sequences of decisions."""
        return _first(beginning).perft(depth, _flag(stop))

    def divide(self, beginning: Beginning, depth: int, stop: Stop) -> list[Division] | None:
        """Count them for each first action."""
        divisions = _first(beginning).divide(depth, _flag(stop))
        return None if divisions is None else [Division(*each) for each in divisions]


class CoreBatch:
    """A batch of the core, with its states as bytes."""

    def __init__(self, batch: _core.Batch) -> None:
        """Wrap it."""
        self._batch = batch
        self.size = batch.size
        self.seats = batch.seats
        self.actions = batch.actions
        self.mask_bytes = batch.mask_bytes
        self.observation_bytes = batch.observation_bytes

    def reply(self, form: int, actions: bytes, wanted: bytes, others: bytes) -> bytes:
        """Take packed actions, and show what is wanted."""
        return self._batch.reply(form, actions, wanted, others)

    def copy(self, slots: Sequence[int], seed: int | None) -> "CoreBatch":
        """The chosen slots as a batch."""
        return CoreBatch(self._batch.copy(slots, seed))

    def load(self, slots: Sequence[int], states: Sequence[bytes]) -> int | None:
        """Put full states into slots, all or none."""
        loaded = [_core.GameState.load(state) for state in states]
        before = [self._batch.state(slot) for slot in slots]
        for place, (slot, state) in enumerate(zip(slots, loaded, strict=True)):
            if not self._batch.put(slot, state):
                for undone, old in zip(slots[:place], before, strict=False):
                    self._batch.put(undone, old)
                return place
        return None

    def dump(self, slot: int) -> bytes:
        """The full state of a slot."""
        return self._batch.state(slot).dump()

    def play(self, slot: int, action: int | None, draws: Sequence[int]) -> int | list[list[bytes]]:
        """Take an action, or set a game up, with given draws."""
        if action is None:
            step = self._batch.attempt_start(draws)
        else:
            step = self._batch.state(slot).attempt(action, draws)
        if isinstance(step, int):
            return step
        self._batch.put(slot, step.state)
        return [step.events(seat) for seat in range(self.seats)]


class CoreForest:
    """Trees of the core, with messages as bytes."""

    def __init__(self, forest: _core.Forest) -> None:
        """Wrap them."""
        self._forest = forest
        self.size = forest.size
        self.seats = forest.seats
        self.actions = forest.actions
        self.most_legal = forest.most_legal
        self.mask_bytes = forest.mask_bytes
        self.observation_bytes = forest.observation_bytes

    def gather(self, stop: Stop) -> bool:
        """Find the next leaves."""
        return self._forest.gather(_flag(stop)) > 0

    def leaves(self) -> bytes:
        """The leaves that wait for an answer."""
        return self._forest.dump_leaves()

    def answer(self, priors: bytes, values: bytes) -> None:
        """Take the answers."""
        self._forest.load_answers(priors, values)

    def report(self) -> bytes:
        """What was found."""
        return self._forest.dump_report()


def _first(beginning: Beginning) -> _core.GameState:
    if beginning.is_state:
        return _core.GameState.load(beginning.content)
    return _core.GameState.start(beginning.content, _NO_SEED).state


def _flag(stop: Stop) -> _core.Stop:
    assert isinstance(stop, _core.Stop), "made by this engine"
    return stop
