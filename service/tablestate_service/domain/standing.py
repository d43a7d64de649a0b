"""What players have proposed to one another."""

from dataclasses import dataclass
from enum import IntEnum


class ProposalKind(IntEnum):
    """What is proposed; the numbers are those of the contract."""

    DRAW = 1
    UNDO = 2
    PAUSE = 3


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a seat has proposed, at a version, and who has accepted it so far.

    `undo_to` is the version that UNDO goes back to.
    """

    kind: ProposalKind
    seat: int
    version: int
    accepted: tuple[int, ...] = ()
    undo_to: int | None = None
