"""How much time the players of a match have."""

from __future__ import annotations

from google.protobuf.duration_pb2 import Duration

from tablestate._arguments import duration
from tablestate.v1.match_pb2 import TimeControl, TimeoutMode


def time_control(
    *,
    turn_limit: float = 0,
    bank: float = 0,
    increment: float = 0,
    grace: float = 0,
    by_claim: bool = False,
) -> TimeControl:
    """Return a time control, given in seconds; raises InvalidArgumentError.

    A decision may take `turn_limit`; what it takes beyond comes out of the seat's `bank`, to
    which each decision adds `increment`. `grace` is how much later a decision is still taken.
    With `by_claim` nobody is out of time until another player claims it.
    """
    automatic = TimeoutMode.TIMEOUT_MODE_AUTOMATIC
    return TimeControl(
        turn_limit=_span("turn_limit", turn_limit),
        bank=_span("bank", bank),
        increment=_span("increment", increment),
        grace=_span("grace", grace),
        timeout_mode=TimeoutMode.TIMEOUT_MODE_BY_CLAIM if by_claim else automatic,
    )


def _span(field: str, given: float) -> Duration | None:
    return duration(field, given) if given else None
