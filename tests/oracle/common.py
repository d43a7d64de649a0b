"""What the oracles of all games share: outcomes, events and refusals."""

from __future__ import annotations

from typing import NamedTuple

Event = tuple[str | int, ...]
"""A rule event as a plain tuple; the first entry is its name."""

SetupFault = tuple[str, str]
"""A fault of a set-up: the field of the options and a short kind."""


class Outcome(NamedTuple):
    """How a game ended: the winners' seats (none for a draw), the reason and the scores."""

    winners: tuple[int, ...]
    reason: str
    scores: tuple[int, ...]


class Refused(ValueError):
    """A set-up that cannot be played; carries all its faults."""

    def __init__(self, faults: list[SetupFault]) -> None:
        """Keep the faults for whoever wants to list them."""
        super().__init__("; ".join(f"{field}: {kind}" for field, kind in faults))
        self.faults = faults


class Illegal(ValueError):
    """An action that is not legal in the state it was tried in."""
