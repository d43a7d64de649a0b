"""Being told what the service does and how long it takes, for metrics and traces.

Nothing of a match is told: no ids, no content, no tokens.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, TypeAlias

Ended: TypeAlias = Callable[[str], None]
"""To be called once with how something ended: OK, or the name of a code or reason."""

Headers: TypeAlias = Callable[[], Iterable[tuple[str, str | bytes]]]
"""Gives the metadata that a caller has sent."""


class Observer(Protocol):
    """Is told of calls and of work of the store. It takes microseconds, and raises nothing."""

    def call(self, method: str, headers: Headers) -> Ended:
        """A call of a method, "/package.Service/Method", begins."""

    def stored(self, operation: str) -> Ended:
        """The store is asked for something: the name of a method of `MatchStore`."""

    def committed(self, appends: int) -> None:
        """So many appends were committed in one transaction. Called on any thread."""


class Observers:
    """Several observers as one."""

    def __init__(self, observers: Sequence[Observer]) -> None:
        """Tell all of these, in this order."""
        self._observers = tuple(observers)

    def call(self, method: str, headers: Headers) -> Ended:
        """A call begins."""
        return _all([each.call(method, headers) for each in self._observers])

    def stored(self, operation: str) -> Ended:
        """The store is asked for something."""
        return _all([each.stored(operation) for each in self._observers])

    def committed(self, appends: int) -> None:
        """So many appends were committed in one transaction."""
        for each in self._observers:
            each.committed(appends)


def _all(ends: Sequence[Ended]) -> Ended:
    if len(ends) == 1:
        return ends[0]

    def ended(how: str) -> None:
        # The last to begin is the first to end: traces are nested.
        for end in reversed(ends):
            end(how)

    return ended
