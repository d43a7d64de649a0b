"""Where a test may interrupt the store. Production builds have none."""

from typing import Literal, Protocol, TypeAlias

FaultPoint: TypeAlias = Literal[
    "before_begin", "after_insert", "before_commit", "after_commit", "before_reply"
]


class FaultPoints(Protocol):
    """A test's hook."""

    def reach(self, point: FaultPoint) -> None:
        """Called on the writer's thread at each point of every transaction."""
