"""Where a match stands, and what its players have proposed to one another."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from tablestate_service.domain.clocks import Clocks
from tablestate_service.domain.seats import Occupant, Seat


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


class MatchPhase(IntEnum):
    """Where a match stands; the numbers are those of the contract."""

    WAITING = 1
    RUNNING = 2
    OVER = 3
    ABORTED = 4


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a match stands after an entry. `time` is that entry's.

    `store_time` is that entry's by the store's clock, and `deadline` when something has to
    happen if nothing else does, by the same clock; `domain/deadlines.py` says what. Both are None
    in lists, and where time is not measured. `entropy_deadline` is until when the entropies that
    the seats have promised are awaited, after all were taken; None if they are not.
    """

    version: int
    time: int
    phase: MatchPhase
    ply: int
    actors: tuple[int, ...]
    seats: tuple[Seat, ...]
    outcome: bytes | None
    store_time: int | None = None
    deadline: int | None = None
    clocks: Clocks | None = None
    is_overdue: bool = False
    """Whether the actor's time is up, so that the server must take this one decision for it."""
    entropy_deadline: int | None = None
    is_paused: bool = False
    """Whether the clocks stand still, and nobody may act."""
    proposal: Proposal | None = None
    """What waits for players' answers."""
    proposals: tuple[int, ...] = ()
    """The seats that have made them since the last action, in order."""
    decided_on: int = 0
    """The version from which on the decision to be taken is this one; 0 in lists. What players
    propose and answer, a pause and new tokens leave it as it is."""

    @property
    def entropy_awaited(self) -> tuple[int, ...]:
        """The seats whose entropy is awaited."""
        if self.entropy_deadline is None:
            return ()
        promised = [n for n, seat in enumerate(self.seats) if seat.entropy_hash is not None]
        return tuple(number for number in promised if not self.seats[number].entropy)

    @property
    def has_ended(self) -> bool:
        """Whether nothing more can happen."""
        return self.phase in (MatchPhase.OVER, MatchPhase.ABORTED)

    @property
    def is_automatic(self) -> bool:
        """Whether the server must act for the seat to act: it has no player, or no time."""
        if self.is_paused:
            return False
        return self.is_overdue or has_no_player(self.seats, self.actors)


def has_no_player(seats: Sequence[Seat], actors: Sequence[int]) -> bool:
    """Whether the server must act for one of the actors."""
    return any(seats[actor].occupant is not Occupant.PLAYER for actor in actors)
