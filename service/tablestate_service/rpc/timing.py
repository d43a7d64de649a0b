"""Time in messages: what a host asks for, and what clocks show."""

from google.protobuf.duration_pb2 import Duration

from tablestate.v1 import match_pb2, match_service_pb2
from tablestate_service.domain import clocks as clocking
from tablestate_service.domain.clocks import TimeControl
from tablestate_service.domain.standing import Standing
from tablestate_service.domain.terms import DEFAULT_ENTROPY_LIMIT, Terms
from tablestate_service.rpc.requests import Fields

SECOND = 1_000_000_000
DAY = 24 * 3600 * SECOND
LONGEST = 366 * DAY
"""The longest time that may be given."""
LONGEST_INCREMENT = DAY
LONGEST_GRACE = 60 * SECOND
LONGEST_ENTROPY_LIMIT = 600 * SECOND


def duration(nanoseconds: int) -> Duration:
    """A span of time of the domain."""
    seconds, nanos = divmod(nanoseconds, SECOND)
    return Duration(seconds=seconds, nanos=nanos)


def waiting_limit(fields: Fields, request: match_service_pb2.CreateMatchRequest) -> int | None:
    """How long the match may wait, if it was said."""
    if not request.HasField("waiting_limit"):
        return None
    return fields.duration("waiting_limit", request.waiting_limit, SECOND, LONGEST)


def entropy_limit(fields: Fields, request: match_service_pb2.CreateMatchRequest) -> int:
    """For how long the entropies of the seats are awaited."""
    if not request.HasField("entropy_limit"):
        return DEFAULT_ENTROPY_LIMIT
    given = request.entropy_limit
    return fields.duration("entropy_limit", given, SECOND, LONGEST_ENTROPY_LIMIT)


def time_control(
    fields: Fields, request: match_service_pb2.CreateMatchRequest
) -> TimeControl | None:
    """The time of a match, if it has any."""
    if not request.HasField("time_control"):
        return None
    given = request.time_control
    longest = {
        "turn_limit": LONGEST,
        "bank": LONGEST,
        "increment": LONGEST_INCREMENT,
        "grace": LONGEST_GRACE,
    }
    times = {
        name: fields.duration(f"time_control.{name}", getattr(given, name), 0, most)
        for name, most in longest.items()
    }
    if max(times["turn_limit"], times["bank"]) < SECOND:
        expected = "a turn_limit or a bank of at least 1s"
        fields.wrong("time_control", "", expected)
    by_claim = match_pb2.TIMEOUT_MODE_BY_CLAIM
    if given.timeout_mode not in match_pb2.TimeoutMode.values():
        fields.wrong("time_control.timeout_mode", given.timeout_mode, "a TimeoutMode")
    return TimeControl(**times, by_claim=given.timeout_mode == by_claim)


def time_control_message(control: TimeControl | None) -> match_pb2.TimeControl | None:
    """A `TimeControl`."""
    if control is None:
        return None
    mode = match_pb2.TIMEOUT_MODE_AUTOMATIC
    return match_pb2.TimeControl(
        turn_limit=duration(control.turn_limit),
        bank=duration(control.bank),
        increment=duration(control.increment),
        grace=duration(control.grace),
        timeout_mode=match_pb2.TIMEOUT_MODE_BY_CLAIM if control.by_claim else mode,
    )


def clocks_message(
    terms: Terms, standing: Standing, now: int | None = None
) -> match_pb2.Clocks | None:
    """The `Clocks` of a match, now or at its last entry."""
    control, clocks = terms.time_control, standing.clocks
    if control is None or clocks is None or standing.store_time is None:
        return None
    now = standing.store_time if now is None else now
    shown = match_pb2.Clocks(
        banks=map(duration, clocking.banks_left(control, clocks, standing.actors, now))
    )
    if clocks.since is not None:
        left = clocking.time_left(control, clocks, standing.actors[0], now)
        shown.remaining.CopyFrom(duration(left))
    return shown
