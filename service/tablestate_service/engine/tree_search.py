"""Tree search with the user's own evaluator, a network for instance, over NumPy arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Self

import numpy as np
import numpy.typing as npt

from tablestate_service import _core
from tablestate_service.engine.batch import MAX_THREADS, Batch, _Message, options_of

MAX_LEAVES: Final = 256
"""Leaves that a tree may hand out at a time."""
MAX_SIMULATIONS: Final = 10_000_000
"""Simulations of a tree."""
MAX_EXPLORATION: Final = 1000.0
_MOST_NODES: Final = 500_000
"""Nodes of a tree: 20 MB."""


class Leaves:
    """Positions that a search asks about. The arrays are the search's: copy what must be kept.

    All of them are imagined: drawn from what the root's seat sees. An observation tells what the
    leaf's actor would see there, and nothing of what others hold in truth.

    `roots`         (n,) uint32: the number of the leaf's root, rising
    `actors`        (n,) uint8: the seat that must decide
    `masks`         (n, mask_bytes) uint8: bit i = index i, least significant first
    `observations`  (n, observation_bytes) uint8: of the actor
    """

    def __init__(self, search: TreeSearch, size: int) -> None:
        """Made by `TreeSearch.leaves`."""
        self._action_count = search.action_count
        self.roots: npt.NDArray[np.uint32] = search._roots[:size]
        self.actors: npt.NDArray[np.uint8] = search._actors[:size]
        self.masks: npt.NDArray[np.uint8] = search._masks[:size]
        self.observations: npt.NDArray[np.uint8] = search._observations[:size]

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.roots)

    @property
    def legal(self) -> npt.NDArray[np.bool_]:
        """The masks as (n, action_count) of bool: a copy."""
        bits = np.unpackbits(self.masks, axis=1, count=self._action_count, bitorder="little")
        return bits.view(np.bool_)


class TreeSearch:
    """Trees that grow at the same time, one for each root, by PUCT.

    >>> search = TreeSearch(batch, simulations=100, leaves=4)
    >>> while (leaves := search.leaves()) is not None:
    ...     priors, values = network(leaves.observations, leaves.legal)
    ...     search.answer(priors, values)
    >>> actions = search.visits.argmax(axis=1)

    A tree reads what its root's actor sees and nothing else; the rest is drawn anew for each
    simulation, and so is chance. The first leaves are the roots, in their order: who learns by
    self-play mixes noise into their priors. Simulations that come to the end of the game need no
    answer. Equal roots, settings and answers bring about equal leaves, and the number of threads
    changes nothing.

    A search must not be used by two threads at once.
    """

    def __init__(
        self,
        batch: Batch,
        slots: Sequence[int] | None = None,
        *,
        simulations: int,
        leaves: int = 8,
        exploration: float = 1.25,
        seed: int = 0,
        threads: int = 1,
    ) -> None:
        """Begin a tree at each of the slots of a batch, as its actor sees it; None: at all.

        `simulations` are made in each tree, not counting the look at its root. `leaves` is how
        many a tree hands out at a time: with 1 each choice knows all answers before it, with more
        the evaluator gets larger batches. `exploration` is c of PUCT. Slots whose game is over
        have no leaves. Raises ValueError for numbers out of range.
        """
        chosen = range(batch.size) if slots is None else slots
        _check_slots(chosen, batch.size)
        settings = _settings(simulations, leaves, exploration, seed, threads)
        self._adopt(_core.Forest.of_batch(batch._core, list(chosen), **settings), leaves)

    @classmethod
    def of_views(
        cls,
        game: str | bytes | _Message,
        views: Sequence[bytes | _Message],
        seats: Sequence[int],
        *,
        simulations: int,
        leaves: int = 8,
        exploration: float = 1.25,
        seed: int = 0,
        threads: int = 1,
    ) -> Self:
        """Begin a tree at each of these `GameView` messages, of the seats that decide in them.

        `game` is a name, for the default options, or a `GameOptions` message or its bytes. The rest
        is as for batches. Raises ValueError for what is wrong with a view too.
        """
        if len(views) == 0:
            raise ValueError("views: none; expected one or more")
        if len(seats) != len(views):
            raise ValueError(f"seats: {len(seats)} of them; expected one a view, {len(views)}")
        roots = [(seat, _bytes_of(view)) for seat, view in zip(seats, views, strict=True)]
        settings = _settings(simulations, leaves, exploration, seed, threads)
        return cls._of_roots(options_of(game), roots, settings)

    @classmethod
    def of_states(
        cls,
        states: Sequence[bytes | _Message],
        *,
        simulations: int,
        leaves: int = 8,
        exploration: float = 1.25,
        seed: int = 0,
        threads: int = 1,
    ) -> Self:
        """Begin a tree at each of these `GameState` messages, as its actor sees it.

        The rest is as for batches. Raises ValueError for what is wrong with a state too.
        """
        if len(states) == 0:
            raise ValueError("states: none; expected one or more")
        settings = _settings(simulations, leaves, exploration, seed, threads)
        return cls._of_roots(b"", [(None, _bytes_of(state)) for state in states], settings)

    @classmethod
    def _of_roots(
        cls, options: bytes, roots: Sequence[tuple[int | None, bytes]], settings: dict[str, Any]
    ) -> Self:
        search = object.__new__(cls)
        try:
            forest = _core.Forest.of_roots(options, roots, **settings)
        except _core.CoreError as error:
            raise ValueError(str(error)) from None
        search._adopt(forest, settings["leaves"])
        return search

    def _adopt(self, core: _core.Forest, leaves: int) -> None:
        self._core = core
        self.size = core.size
        self.seats = core.seats
        self.action_count = core.actions
        self.mask_bytes = core.mask_bytes
        self.observation_bytes = core.observation_bytes
        self.actors = core.actors
        """Who decides at each root; None where the game is over."""
        most = self.size * leaves
        self._roots = np.zeros(most, "<u4")
        self._actors = np.zeros(most, np.uint8)
        self._masks = np.zeros((most, self.mask_bytes), np.uint8)
        self._observations = np.zeros((most, self.observation_bytes), np.uint8)

    def leaves(self) -> Leaves | None:
        """Find the leaves of the next round; None when all simulations were made.

        Leaves that wait for an answer are given again.
        """
        size = self._core.gather()
        if size == 0:
            return None
        leaves = Leaves(self, size)
        parts = (leaves.roots, leaves.actors, leaves.masks, leaves.observations)
        self._core.write(*(part.reshape(-1).view(np.uint8) for part in parts))
        return leaves

    def answer(self, priors: npt.ArrayLike, values: npt.ArrayLike) -> None:
        """Tell what the evaluator thinks of the last leaves.

        `priors`  (n, action_count) float32: how promising each action is, from 0 on. Only those of
                  legal actions are read; they need not add up to 1, and if all are 0, all legal
                  actions are as promising. These are probabilities, not logits.
        `values`  (n,) float32: the return that the leaf's actor may expect, -1 to 1; or
                  (n, seats): that each seat may expect. From the actor's alone follows that the
                  others share what it loses.

        Other types of numbers are converted. Raises ValueError for other shapes, and with what is
        wrong with the numbers; then nothing was taken.
        """
        waiting = self._core.waiting
        given = _floats("priors", priors, [(waiting, self.action_count)])
        told = _floats("values", values, [(waiting,), (waiting, self.seats)])
        try:
            self._core.answer(given, told)
        except _core.CoreError as error:
            raise ValueError(str(error)) from None

    @property
    def visits(self) -> npt.NDArray[np.uint32]:
        """(size, action_count): how many simulations began with each action so far."""
        return self._report()[0]

    @property
    def values(self) -> npt.NDArray[np.float32]:
        """(size, action_count): the mean return of the root's actor after each action.

        0 for actions that were never taken.
        """
        return self._report()[1]

    @property
    def returns(self) -> npt.NDArray[np.float32]:
        """(size, seats): the mean return of each seat; of a game that is over its returns."""
        return self._report()[2]

    @property
    def lines(self) -> list[list[int]]:
        """For each root the line that was gone most often, as indices of actions."""
        return self._core.lines

    def _report(
        self,
    ) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        visits = np.zeros((self.size, self.action_count), "<u4")
        values = np.zeros((self.size, self.action_count), "<f4")
        returns = np.zeros((self.size, self.seats), "<f4")
        parts = (visits, values, returns)
        self._core.report(*(part.reshape(-1).view(np.uint8) for part in parts))
        return parts


def _check_slots(slots: Sequence[int], size: int) -> None:
    if len(slots) == 0:
        raise ValueError("slots: none; expected one or more, or None for all")
    for slot in slots:
        if not 0 <= slot < size:
            raise ValueError(f"slots: {slot}; expected slots below {size}")


def _settings(
    simulations: int, leaves: int, exploration: float, seed: int, threads: int
) -> dict[str, Any]:
    _check("simulations", simulations, MAX_SIMULATIONS)
    _check("leaves", leaves, MAX_LEAVES)
    _check("threads", threads, MAX_THREADS)
    if not 0 < exploration <= MAX_EXPLORATION:
        raise ValueError(f"exploration: {exploration}; expected above 0 to {MAX_EXPLORATION:g}")
    if not 0 <= seed < 2**64:
        raise ValueError(f"seed: {seed}; expected 0 to 2**64 - 1")
    return {
        "simulations": simulations,
        "leaves": leaves,
        "exploration": exploration,
        "seed": seed,
        "threads": threads,
        "most_nodes": _MOST_NODES,
    }


def _check(name: str, value: int, most: int) -> None:
    if not 1 <= value <= most:
        raise ValueError(f"{name}: {value}; expected 1 to {most}")


def _bytes_of(content: bytes | _Message) -> bytes:
    return content if isinstance(content, bytes) else content.SerializeToString()


def _floats(
    name: str, given: npt.ArrayLike, shapes: Sequence[tuple[int, ...]]
) -> npt.NDArray[np.uint8]:
    """The numbers as the core reads them; without a copy if that is what they are."""
    numbers = np.asarray(given)
    if numbers.shape not in shapes:
        expected = " or ".join(str(shape) for shape in shapes)
        raise ValueError(f"{name}: shape {numbers.shape}; expected {expected}")
    if numbers.dtype.kind not in "fiu":
        raise ValueError(f"{name}: of type {numbers.dtype}; expected numbers")
    return np.ascontiguousarray(numbers, "<f4").reshape(-1).view(np.uint8)
