"""Symmetries of the games: maps of positions under which the rules stay the same.

What a seat sees, its actions and how good they are can be carried over to the mapped position,
so that every game played for learning counts more than once. To add a game, add a module of its
name here with functions or constants that are a `Symmetry`.
"""

from __future__ import annotations

from typing import Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from tablestate.rl.batches import Bytes
from tablestate.rl.symmetries.offboard import MIRROR
from tablestate.rl.symmetries.offtrack import EraRenaming

__all__ = ["MIRROR", "EraRenaming", "Symmetry", "carry"]

Scalar = TypeVar("Scalar", bound=np.generic)


class Symmetry(Protocol):
    """A map of positions: first mapped and then played is the same as first played, then mapped."""

    def seat(self, seat: int) -> int:
        """Which seat a seat becomes."""

    def observations(self, observations: Bytes) -> Bytes:
        """What the seat that each viewer becomes sees of the mapped positions, a row each."""

    def indices(self, observations: Bytes) -> npt.NDArray[np.uint16]:
        """For each row what the index of every action becomes; the row is what its actor sees."""


def carry(indices: npt.NDArray[np.uint16], values: npt.NDArray[Scalar]) -> npt.NDArray[Scalar]:
    """Move what is said of every action (a mask, a policy), a row each, to the mapped indices."""
    carried = np.empty_like(values)
    np.put_along_axis(carried, indices.astype(np.int64), values, axis=1)
    return carried
