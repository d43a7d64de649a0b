"""How an entry changes what a match has to do with time."""

from typing import NamedTuple

from tablestate_service.domain import clocks as clocking
from tablestate_service.domain.clocks import Clocks
from tablestate_service.domain.entry import Draft, MatchChange, store_time_of
from tablestate_service.domain.seats import Seat
from tablestate_service.domain.standing import MatchPhase, Standing, has_no_player
from tablestate_service.domain.terms import Terms

LONGEST_PAUSE = 24 * 3600 * 1_000_000_000
"""After how many nanoseconds a pause ends by itself."""
_DECISIONS = (MatchChange.ACTION, MatchChange.UNDONE)
"""After these, somebody has to decide anew."""


class Turn(NamedTuple):
    """What of a standing its time depends on."""

    phase: MatchPhase
    actors: tuple[int, ...]
    seats: tuple[Seat, ...]
    is_paused: bool


class Time(NamedTuple):
    """What of a standing has to do with time; see there."""

    now: int | None = None
    deadline: int | None = None
    clocks: Clocks | None = None
    is_overdue: bool = False
    entropy_deadline: int | None = None


UNTIMED = Time()
"""The time of a match in which it is not measured."""


def time_after(terms: Terms, before: Standing, turn: Turn, draft: Draft) -> Time:
    """The time of a match whose entries tell it, after a draft."""
    change, now = draft.change, store_time_of(draft)
    is_overdue = turn.phase is MatchPhase.RUNNING and (
        change is MatchChange.TIMED_OUT or (before.is_overdue and change not in _DECISIONS)
    )
    runs = bool(turn.actors) and not turn.is_paused
    if runs:
        runs = not (is_overdue or has_no_player(turn.seats, turn.actors))
    time = Time(
        now,
        clocks=_clocks_after(terms, before, change, now, runs),
        is_overdue=is_overdue,
        entropy_deadline=_entropy_deadline_after(terms, before, turn.phase, change, now),
    )
    return time._replace(deadline=_deadline_after(terms, before, turn, time))


def _clocks_after(
    terms: Terms, before: Standing, change: MatchChange, now: int, runs: bool
) -> Clocks | None:
    control = terms.time_control
    if control is None:
        return None
    if change is MatchChange.STARTED:
        return clocking.going_on(clocking.begun(control, terms.seats), now, runs)
    if before.clocks is None:
        return None
    if change in _DECISIONS:
        (actor,) = before.actors
        gains = change is MatchChange.ACTION and not before.is_automatic
        return clocking.decided(control, before.clocks, actor, now, gains=gains, runs=runs)
    return clocking.going_on(before.clocks, now, runs)


def _deadline_after(terms: Terms, before: Standing, turn: Turn, time: Time) -> int | None:
    """When `deadlines.expire` has something to do, unless there is another entry before."""
    if time.entropy_deadline is not None:
        return time.entropy_deadline
    control = terms.time_control
    if turn.is_paused and time.now is not None:
        return before.deadline if before.is_paused else time.now + LONGEST_PAUSE
    if control and time.clocks and turn.actors and not control.by_claim:
        return clocking.time_out(control, time.clocks, turn.actors[0])
    if turn.phase is MatchPhase.WAITING and terms.waiting_limit is not None:
        return before.deadline
    return None


def _entropy_deadline_after(
    terms: Terms, before: Standing, phase: MatchPhase, change: MatchChange, now: int
) -> int | None:
    if phase is not MatchPhase.WAITING:
        return None
    if change is MatchChange.ENTROPY_DUE:
        return now + terms.entropy_limit
    return before.entropy_deadline
