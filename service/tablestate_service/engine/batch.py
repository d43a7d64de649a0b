"""Many games stepped together over NumPy arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal, Protocol, Self

import numpy as np
import numpy.typing as npt

from tablestate_service import _core

Form = Literal["index", "rank", "draw"]
"""How actions are named: by their dense index, by their rank among the legal ones, or by a
uniform number of 32 bits that picks one of them."""

OVER: Final = 1
"""Flag: the game is over, or was and has been set up again."""
REFUSED: Final = 2
"""Flag: the action was not legal, or the game was over; nothing was done."""
RESET: Final = 4
"""Flag: a game ended in this step and a new one has been set up."""
NO_ACTOR: Final = 255
"""The actor when the game is over."""
NO_ACTION: Final = 65535
"""The action when none was taken; as an index it leaves a slot as it is."""

PARTS: Final = ("actors", "flags", "actions", "returns", "masks", "observations")
MAX_THREADS: Final = 256
"""More are of no use on any machine, and take seconds to start."""
_FORMS: Final[dict[Form, tuple[int, npt.DTypeLike]]] = {
    "index": (1, "<u2"),
    "rank": (2, "<u2"),
    "draw": (3, "<u4"),
}
_NOTHING: Final = 0


class _Message(Protocol):
    def SerializeToString(self) -> bytes: ...


def options_of(game: str | bytes | _Message) -> bytes:
    """The bytes of a `GameOptions` message: of a game's name its defaults."""
    if isinstance(game, str):
        return _core.default_options(game)
    return game if isinstance(game, bytes) else game.SerializeToString()


class Batch:
    """Games of one kind and one set of options, one in each slot.

    The arrays belong to the batch and are written anew by every step: copy what must be kept.
    Parts that were not asked for are None.

    `actors`        (size,) uint8: the seat that must decide now, `NO_ACTOR` when over
    `flags`         (size,) uint8: bits `OVER`, `REFUSED`, `RESET`
    `actions`       (size,) uint16: the index of the action taken, or `NO_ACTION`
    `returns`       (size, seats) float32: the returns of ended games, else 0
    `masks`         (size, mask_bytes) uint8: bit i = index i, least significant first
    `observations`  (size, observation_bytes) uint8: of `observer`, or of each game's actor;
                    zeros when the game is over and there is no observer

    What comes of a step depends on the seeds and actions alone, not on the number of threads.
    A batch must not be used by two threads at once, nor by a process that was forked from the one
    that made it with more than one thread.
    """

    def __init__(
        self,
        game: str | bytes | _Message,
        size: int,
        *,
        seed: int = 0,
        seeds: Sequence[int] | None = None,
        auto_reset: bool = False,
        observer: int | None = None,
        parts: Sequence[str] = PARTS,
        bots: Sequence[str | None] = (),
        threads: int = 1,
    ) -> None:
        """Set up new games.

        `game` is a name, for the default options, or a `GameOptions` message or its bytes.
        All chance follows from `seed`, or from one of `seeds` for each slot. With `auto_reset`
        a game that ends is set up again in the same step: see `ended`. `bots` names for each seat
        the bot that plays it, or None: bots act at once, in new games too, so that only the other
        seats ever have to decide. `threads` above one work on parts of the batch at once. Raises
        ValueError for numbers and names out of range and CoreError for bad options.
        """
        if size < 1:
            raise ValueError(f"size: {size}; expected 1 or more")
        if seeds is not None and len(seeds) != size:
            raise ValueError(f"seeds: {len(seeds)} of them; expected one a slot, {size}")
        if not 1 <= threads <= MAX_THREADS:
            raise ValueError(f"threads: {threads}; expected 1 to {MAX_THREADS}")
        options = options_of(game)
        seats = _core.validate_options(options).seats
        if bots and (len(bots) != seats or None not in bots):
            raise ValueError(f"bots: {bots}; expected one or None for each seat, a None among them")
        each = list(seeds) if seeds is not None else _core.seeds(seed, size)
        core = _core.Batch.start(options, each, auto_reset, threads, bots)
        self._adopt(core, observer, parts)

    def _adopt(self, core: _core.Batch, observer: int | None, parts: Sequence[str]) -> None:
        unknown = [part for part in parts if part not in PARTS]
        if unknown:
            raise ValueError(f"parts: {unknown[0]!r}; expected some of {', '.join(PARTS)}")
        self._core, self._observer, self._wanted = core, observer, tuple(parts)
        self.size = core.size
        self.seats = core.seats
        self.action_count = core.actions
        self.mask_bytes = core.mask_bytes
        self.observation_bytes = core.observation_bytes
        self._check_observer(observer)
        self._make_arrays()
        self.look()

    def _check_observer(self, observer: int | None) -> None:
        if observer is not None and not 0 <= observer < self.seats:
            raise ValueError(f"observer: {observer}; expected a seat below {self.seats}")

    def _make_arrays(self) -> None:
        def array(part: str, dtype: npt.DTypeLike, *width: int) -> Any:
            return np.zeros((self.size, *width), dtype) if part in self._wanted else None

        self.actors: npt.NDArray[np.uint8] = array("actors", np.uint8)
        self.flags: npt.NDArray[np.uint8] = array("flags", np.uint8)
        self.actions: npt.NDArray[np.uint16] = array("actions", "<u2")
        self.returns: npt.NDArray[np.float32] = array("returns", "<f4", self.seats)
        self.masks: npt.NDArray[np.uint8] = array("masks", np.uint8, self.mask_bytes)
        width = self.observation_bytes
        self.observations: npt.NDArray[np.uint8] = array("observations", np.uint8, width)
        arrays = (getattr(self, part) for part in PARTS)
        # The core writes bytes, into the same memory.
        self._places = [None if a is None else a.reshape(-1).view(np.uint8) for a in arrays]

    def step(self, actions: npt.ArrayLike, form: Form = "index") -> None:
        """Take an action in every slot and write the arrays.

        `actions` has one number a slot, named as `form` says; arrays of uint16 for indices and
        ranks and of uint32 for draws are used as they are, others are converted. An action that
        is not legal changes nothing and sets `REFUSED`. Raises ValueError for another number of
        actions and OverflowError for numbers that do not fit.
        """
        if form not in _FORMS:
            raise ValueError(f"form: {form!r}; expected one of {', '.join(_FORMS)}")
        number, dtype = _FORMS[form]
        packed = np.ascontiguousarray(_fitting(actions, np.dtype(dtype)))
        if packed.shape != (self.size,):
            raise ValueError(f"actions: shape {packed.shape}; expected ({self.size},)")
        self._core.step(number, packed.view(np.uint8), self._observer, self._places)

    def look(self, observer: int | None = None) -> None:
        """Write the arrays without taking actions; as this seat sees it, if one is named.

        Raises ValueError if there is no such seat.
        """
        self._check_observer(observer)
        seat = self._observer if observer is None else observer
        self._core.step(_NOTHING, None, seat, self._places)

    def close(self) -> None:
        """Do nothing. Batches of a service have the same method, to let their games go."""

    @property
    def legal(self) -> npt.NDArray[np.bool_]:
        """The masks as (size, action_count) of bool: a copy; ValueError if they are no part."""
        if "masks" not in self._wanted:
            raise ValueError("masks: not among the parts that were asked for")
        bits = np.unpackbits(self.masks, axis=1, count=self.action_count, bitorder="little")
        return bits.view(np.bool_)

    def ended(self) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint8]]:
        """The slots whose game the last step ended and set up again, and what was last seen.

        The slots rise; the second array, (slots, seats, observation_bytes), has every seat's
        observation of the end of the game.
        """
        slots, observations = self._core.ended()
        shape = (len(slots), self.seats, self.observation_bytes)
        return (
            np.array(slots, np.uint32),
            np.frombuffer(observations, np.uint8).reshape(shape),
        )

    def copy(self, slots: Sequence[int] | None = None, *, seed: int | None = None) -> Self:
        """The chosen slots, each as often as it is named, as a batch of their own; None: all.

        With a seed the copies go on with fresh chance, without with the same as the originals.
        Raises ValueError if a slot does not exist.
        """
        chosen = range(self.size) if slots is None else slots
        if len(chosen) == 0:
            raise ValueError("slots: none; expected one or more, or None for all")
        twin = object.__new__(type(self))
        twin._adopt(self._core.copy(list(chosen), seed), self._observer, self._wanted)
        return twin

    def dump(self, slot: int) -> bytes:
        """The full state of a slot, a `GameState` message."""
        return self._core.state(slot).dump()

    def load(self, slot: int, state: bytes) -> None:
        """Put a full state into a slot and write the arrays.

        Raises CoreError if it is none, ValueError if it does not fit the batch's options.
        """
        self._put(slot, _core.GameState.load(state))

    def play(self, slot: int, action: int | None, draws: Sequence[int]) -> int | list[list[bytes]]:
        """Take an action, or set up a new game for None, with given draws.

        If the draws do not suffice nothing is done; the answer is the number of values that the
        next draw can have, all equally likely. Else the arrays are written and the answer is
        each seat's `GameEvent` messages. Raises CoreError if the action is not legal or a draw
        is out of range.
        """
        if action is None:
            step = self._core.attempt_start(draws)
        else:
            step = self._core.state(slot).attempt(action, draws)
        if isinstance(step, int):
            return step
        self._put(slot, step.state)
        return [step.events(seat) for seat in range(self.seats)]

    def _put(self, slot: int, state: _core.GameState) -> None:
        if not self._core.put(slot, state):
            raise ValueError("state: of another game or layout; expected one of the batch's")
        self.look()


def _fitting(actions: npt.ArrayLike, dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    given = np.asarray(actions)
    if given.dtype == dtype:
        return given
    most = np.iinfo(dtype).max
    if given.dtype.kind not in "iu":
        raise ValueError(f"actions: of type {given.dtype}; expected whole numbers")
    if given.size and (given.min() < 0 or given.max() > most):
        raise OverflowError(f"actions: {given.min()} to {given.max()}; expected 0 to {most}")
    return given.astype(dtype)
