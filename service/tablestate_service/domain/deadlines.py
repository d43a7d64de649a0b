"""What happens to a match when its deadline is over.

A match has at most one deadline at a time, which follows from its log (`Standing.deadline`), in
the time of the store's clock. It is kept with the match's row, so that whoever keeps the time
need not fold logs to find what is due.
"""

from tablestate_service.domain import errors
from tablestate_service.domain.entry import Draft, MatchChange, Stamp
from tablestate_service.domain.match import Match, MatchPhase, Transition, advance


def expire(match: Match, stamp: Stamp) -> tuple[Transition, ...]:
    """Do what is due at `stamp.store_time`; refuses STALE_VERSION if nothing is."""
    deadline = match.standing.deadline
    if deadline is None or stamp.store_time is None or stamp.store_time < deadline:
        raise errors.stale_version(match.standing.version, None)
    # So far only one thing has a deadline: that all seats are taken.
    assert match.standing.phase is MatchPhase.WAITING
    return (advance(match, Draft(MatchChange.ABORTED), stamp),)
