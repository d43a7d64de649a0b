"""What a person is told while the server is away."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

from tablestate import MatchUpdate, TablestateError


class Absence:
    """Tells once that the server is away, however often it is looked for."""

    def __init__(self) -> None:
        """Begin with the server there."""
        self._is_told = False

    def tell(self, error: TablestateError) -> None:
        """Say on stderr that a watch has broken and goes on by itself."""
        if not self._is_told:
            name = error.reason or error.code.name
            text = f"tablestate: the server is away ({name}); going on when it is back"
            print(text, file=sys.stderr, flush=True)
        self._is_told = True

    def ended_by(self, updates: Iterable[MatchUpdate]) -> Iterator[MatchUpdate]:
        """Pass updates on; each shows that the server is there."""
        for update in updates:
            self._is_told = False
            yield update
