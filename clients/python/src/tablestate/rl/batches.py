"""What the adapters need of a batch: many games of one kind, stepped together.

`tablestate_service.engine.Batch` describes it in full.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from tablestate._packing import Form
from tablestate.v1.game_pb2 import GameOptions

Bytes: TypeAlias = npt.NDArray[np.uint8]

MOST_SEED: Final = 2**64 - 1


class Batch(Protocol):
    """Games of one kind and one set of options, one in each slot."""

    @property
    def size(self) -> int:
        """Slots."""

    @property
    def seats(self) -> int:
        """Seats of each game."""

    @property
    def action_count(self) -> int:
        """Indices of actions."""

    @property
    def mask_bytes(self) -> int:
        """Bytes of a mask."""

    @property
    def observation_bytes(self) -> int:
        """Bytes of an observation."""

    @property
    def actors(self) -> Bytes:
        """By slot: the seat that must decide now; `NO_ACTOR` when the game is over."""

    @property
    def flags(self) -> Bytes:
        """By slot: `OVER`, `REFUSED`, `RESET`."""

    @property
    def actions(self) -> npt.NDArray[np.uint16]:
        """By slot: the index of the action taken, or `NO_ACTION`."""

    @property
    def returns(self) -> npt.NDArray[np.float32]:
        """By slot and seat: the returns of ended games, else 0."""

    @property
    def masks(self) -> Bytes:
        """By slot: bit i = index i, least significant first."""

    @property
    def observations(self) -> Bytes:
        """By slot: of the observer, or of the game's actor."""

    def step(self, actions: npt.ArrayLike, form: Form = "index") -> None:
        """Take an action in every slot and write the arrays."""

    def look(self, observer: int | None = None) -> None:
        """Write the arrays without taking actions; of another observer, if one is named."""

    @property
    def legal(self) -> npt.NDArray[np.bool_]:
        """The masks as (size, action_count) of bool."""

    def ended(self) -> tuple[npt.NDArray[np.uint32], Bytes]:
        """The slots whose game was set up again, and every seat's last observation of each."""

    def dump(self, slot: int) -> bytes:
        """The full state of a slot, a `GameState` message."""

    def load(self, slot: int, state: bytes) -> None:
        """Put a full state into a slot and write the arrays."""

    def play(self, slot: int, action: int | None, draws: Sequence[int]) -> int | list[list[bytes]]:
        """Take an action, or set up a new game, with given draws."""

    def close(self) -> None:
        """Let the games go."""


class OpenBatch(Protocol):
    """What makes batches: the class `engine.Batch`, the method `batch` of a client."""

    def __call__(
        self,
        game: GameOptions,
        size: int,
        /,
        *,
        seed: int = 0,
        seeds: Sequence[int] | None = None,
        auto_reset: bool = False,
        observer: int | None = None,
        parts: Sequence[str] = ...,
        bots: Sequence[str | None] = (),
    ) -> Batch:
        """Set up new games."""


def fresh_seed(chance: np.random.Generator) -> int:
    """A seed for a batch."""
    return int(chance.integers(MOST_SEED, dtype=np.uint64, endpoint=True))


def legal_of(batch: Batch) -> npt.NDArray[np.int8]:
    """The masks as (size, action_count) of 0 and 1, in the type that action spaces sample with."""
    return batch.legal.view(np.int8)


def facts(open_batch: OpenBatch, game: GameOptions) -> tuple[int, int, int]:
    """Seats, indices of actions and bytes of an observation of games with these options."""
    batch = open_batch(game, 1, parts=())
    try:
        return batch.seats, batch.action_count, batch.observation_bytes
    finally:
        batch.close()
