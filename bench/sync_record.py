"""Reading what `load/syncs.c` records: how often a process synced, and how long it took."""

import array
from pathlib import Path
from statistics import median

_WORD = 8
_KEPT = 1 << 16


class SyncRecord:
    """The record of one process."""

    def __init__(self, path: Path) -> None:
        """The process makes the file when it starts."""
        self.path = path

    def count(self) -> int:
        """How many syncs there were so far."""
        return self._words(0, 1)[0]

    def median_since(self, count: int) -> float:
        """The median time in microseconds of the syncs after so many; 0 if there were none."""
        now = self.count()
        ring = self._words(1, _KEPT)
        recent = [ring[number % _KEPT] for number in range(max(count, now - _KEPT), now)]
        return median(recent) if recent else 0.0

    def _words(self, first: int, number: int) -> "array.array[int]":
        with self.path.open("rb") as file:
            file.seek(first * _WORD)
            return array.array("Q", file.read(number * _WORD))
