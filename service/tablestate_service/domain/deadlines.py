"""What happens to a match when its deadline is over, or a player claims that its time is.

A match has at most one deadline at a time, which follows from its log (`Standing.deadline`), in
the time of the store's clock. It is kept with the match's row, so that whoever keeps the time
need not fold logs to find what is due.
"""

from tablestate_service.domain import decide, errors
from tablestate_service.domain.clocks import time_out
from tablestate_service.domain.entry import Draft, MatchChange, Stamp
from tablestate_service.domain.game import Rules
from tablestate_service.domain.match import Match, Transition, advance
from tablestate_service.domain.standing import MatchPhase


def expire(match: Match, stamp: Stamp, rules: Rules) -> tuple[Transition, ...]:
    """Do what is due at `stamp.store_time`; refuses STALE_VERSION if nothing is."""
    deadline = match.standing.deadline
    if deadline is None or stamp.store_time is None or stamp.store_time < deadline:
        raise errors.stale_version(match.standing.version, None)
    if match.standing.entropy_deadline is not None:
        return decide.start_without(match, rules, stamp)
    if match.standing.phase is MatchPhase.WAITING:
        return (advance(match, Draft(MatchChange.ABORTED), stamp),)
    if match.standing.is_paused:
        return (advance(match, Draft(MatchChange.RESUMED), stamp),)
    return (_timed_out(match, stamp),)


def claim_timeout(match: Match, stamp: Stamp, *, token_hash: bytes) -> tuple[Transition, ...]:
    """Time the actor out on another player's word; refuses TIME_LEFT."""
    seat = decide.require_player(match, token_hash)
    decide.require_running(match)
    if not is_out_of_time(match, stamp):
        raise errors.time_left()
    if seat in match.standing.actors:
        raise errors.own_time()
    return (_timed_out(match, stamp),)


def is_out_of_time(match: Match, stamp: Stamp) -> bool:
    """Whether the actor has had all its time, and the grace."""
    control, clocks = match.terms.time_control, match.standing.clocks
    if control is None or clocks is None or stamp.store_time is None:
        return False
    until = time_out(control, clocks, match.standing.actors[0])
    return until is not None and stamp.store_time >= until


def _timed_out(match: Match, stamp: Stamp) -> Transition:
    """What follows is up to `on_timeout`: the seat is out, or the server decides for it once."""
    return advance(match, Draft(MatchChange.TIMED_OUT, match.standing.actors[0]), stamp)
