"""OffTrack with its eras renamed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tablestate.rl.batches import Bytes

_FIGURES = 9
_KINDS_BY_LINE = 4
"""Paradox Loop, Redeem, Quarantine and Breach, which name a line."""
_HAND = 5
_IN_HAND = 1
"""The `card_place` of a card in the viewer's own hand."""


class EraRenaming:
    """Era e becomes era `order[e]`, in a game of `len(order)` eras; a `Symmetry`.

    Hands are sorted by card type, so that cards change their places in them, and with them the
    bits of `CYCLE`: what its indices become depends on the hand.
    """

    def __init__(self, order: Sequence[int], *, decks: int = 1, max_branches: int = 2) -> None:
        """Rename the eras in games of these options.

        Raises ValueError if `order` does not name every era once.
        """
        eras = len(order)
        if sorted(order) != list(range(eras)):
            raise ValueError(f"order: {order}; expected every number below {eras} once")
        types = np.arange(eras * _FIGURES)
        self._types = np.array(order)[types // _FIGURES] * _FIGURES + types % _FIGURES
        self._copies, self._lines = decks, max_branches + 1
        self._fixed = self._planes()

    def seat(self, seat: int) -> int:
        """The same seat."""
        return seat

    def observations(self, observations: Bytes) -> Bytes:
        """What the seat sees of the mapped positions."""
        mapped = observations.copy()
        cards = self._by_type(self._copies)
        for field in range(3):  # place, index and whether it was redeemed
            told = slice(field * len(cards), (field + 1) * len(cards))
            mapped[:, told][:, cards] = observations[:, told]
        return mapped

    def indices(self, observations: Bytes) -> npt.NDArray[np.uint16]:
        """What the index of every action becomes, given what the actors see."""
        rows = np.tile(self._fixed, (len(observations), 1))
        rows[:, self._cycle : self._cycle + 2**_HAND] = self._cycle + self._cycles(observations)
        return rows

    def _by_type(self, inner: int, start: int = 0) -> npt.NDArray[np.intp]:
        """What the indices of a plane become that is told by type and some inner axes."""
        plane: npt.NDArray[np.intp] = start + self._types[:, None] * inner + np.arange(inner)
        return plane.reshape(-1)

    def _planes(self) -> npt.NDArray[np.uint16]:
        """What the indices become, with those of CYCLE, which comes late, left as they are."""
        lines, copies = self._lines, self._copies
        planes: list[npt.NDArray[np.intp]] = []

        def add_by_type(inner: int) -> None:
            planes.append(self._by_type(inner, sum(map(len, planes))))

        def add_fixed(count: int) -> None:
            start = sum(map(len, planes))
            planes.append(np.arange(start, start + count))

        add_by_type(copies)  # SHEAR
        add_fixed((lines - 1) * lines)  # MEND
        add_by_type(copies * lines)  # QUANTUM_SHUNT
        add_by_type(copies)  # RECALL
        add_fixed(_KINDS_BY_LINE * lines + 2)  # and DISCARD, HOLD
        add_by_type(lines)  # APPEND
        self._cycle = sum(map(len, planes))
        add_fixed(2**_HAND + 3)  # CYCLE, and SKIP, DRAW, END
        return np.concatenate(planes).astype(np.uint16)

    def _cycles(self, observations: Bytes) -> npt.NDArray[np.intp]:
        """What the sets of places of each hand become."""
        count = len(self._types) * self._copies
        in_hand = observations[:, :count] == _IN_HAND
        held = in_hand.reshape(len(in_hand), -1, self._copies).sum(axis=2)
        sets = np.arange(2**_HAND)
        bits = sets[:, None] >> np.arange(_HAND) & 1
        return np.array([bits @ (1 << self._places(hand)) for hand in held])

    def _places(self, held: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
        """Where each place of a sorted hand goes; equal cards keep their order."""
        renamed = np.repeat(self._types, held)
        places = np.arange(_HAND)
        places[np.argsort(renamed, kind="stable")] = np.arange(len(renamed))
        return places
