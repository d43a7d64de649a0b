"""Offboard, left and right exchanged and the colours with them.

The mapped position is one of a game whose `target_values` are mirrored (`mirrored_values`); the
defaults are the same left and right.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from tablestate.rl.batches import Bytes

_ROWS: Final = (5, 6, 7, 8, 9, 8, 7, 6, 5)
"""Cells of the rows a to i; cells are numbered row by row."""
_DIRECTIONS: Final = (3, 2, 1, 0, 5, 4)
"""E, NE, NW, W, SW, SE become W, NW, NE, E, SE, SW."""
_TARGETS: Final = (1, 0, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2)
_CELLS: Final = sum(_ROWS)
_VALUES_ON: Final = 158
"""The first byte of the observation behind what is told by cell and by target."""


def _mirrored_cells() -> list[int]:
    ends = np.cumsum(_ROWS).tolist()
    return [
        cell
        for length, end in zip(_ROWS, ends, strict=True)
        for cell in reversed(range(end - length, end))
    ]


def _mirrored_indices() -> npt.NDArray[np.uint16]:
    """MOVE by direction and cell, PLACE by cell, DECLINE."""
    cells = _mirrored_cells()
    moves = [_CELLS * direction + cell for direction in _DIRECTIONS for cell in cells]
    places = [6 * _CELLS + cell for cell in cells]
    return np.array([*moves, *places, 7 * _CELLS], np.uint16)


def _mirrored_bytes(width: int) -> list[int]:
    """Own and opposing marbles by cell; by target own, opposing and value; the rest stays."""
    cells = _mirrored_cells()
    marbles = [_CELLS * field + cell for field in range(2) for cell in cells]
    targets = [2 * _CELLS + 12 * field + target for field in range(3) for target in _TARGETS]
    return marbles + targets + list(range(_VALUES_ON, width))


class _Mirror:
    """See the module; a `Symmetry`."""

    def seat(self, seat: int) -> int:
        """The other seat."""
        return 1 - seat

    def observations(self, observations: Bytes) -> Bytes:
        """What the other seat sees of the mapped positions."""
        mapped = observations[:, _mirrored_bytes(observations.shape[1])]
        mapped[:, -1] = 1 - mapped[:, -1]  # the seat
        return mapped

    def indices(self, observations: Bytes) -> npt.NDArray[np.uint16]:
        """What the index of every action becomes: the same for all positions."""
        return np.tile(_mirrored_indices(), (len(observations), 1))


MIRROR: Final = _Mirror()
"""Left and right exchanged, and the colours with them."""


def mirrored_values(values: Sequence[int]) -> list[int]:
    """The target values of the mapped game."""
    return [values[target] for target in _TARGETS]
