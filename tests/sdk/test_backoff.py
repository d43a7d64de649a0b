from __future__ import annotations

import grpc
import pytest

from tablestate._backoff import Backoff, RetryPolicy, StreamBackoff
from tablestate.errors import ResourceExhaustedError, TablestateError, UnavailableError

POLICY = RetryPolicy(initial_delay=1.0, multiplier=2.0, max_delay=3.0, attempt_timeout=4.0)
RETRIED = {"UNAVAILABLE", "DEADLINE_EXCEEDED", "CANCELLED"}
UNAVAILABLE = UnavailableError("gone", code=grpc.StatusCode.UNAVAILABLE)


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def longest(low: float, high: float) -> float:
    assert low == high / 2
    return high


def test_pauses_grow_up_to_the_longest() -> None:
    backoff = Backoff(POLICY, 60.0, clock=Clock(), uniform=longest)
    assert [backoff.delay_after(UNAVAILABLE) for _ in range(4)] == [1.0, 2.0, 3.0, 3.0]


def test_progress_starts_the_pauses_anew() -> None:
    backoff = Backoff(POLICY, 60.0, clock=Clock(), uniform=longest)
    backoff.delay_after(UNAVAILABLE)
    backoff.reset()
    assert backoff.delay_after(UNAVAILABLE) == 1.0


def test_a_server_that_tells_when_is_asked_again_then() -> None:
    told = ResourceExhaustedError("later", code=grpc.StatusCode.RESOURCE_EXHAUSTED, retry_after=5.0)
    backoff = Backoff(POLICY, 60.0, clock=Clock(), uniform=longest)
    assert [backoff.delay_after(told) for _ in range(2)] == [6.0, 7.0]
    with pytest.raises(ResourceExhaustedError):
        Backoff(POLICY, 4.0, clock=Clock(), uniform=longest).delay_after(told)


def test_no_attempt_begins_after_the_deadline() -> None:
    clock = Clock()
    backoff = Backoff(POLICY, 10.0, clock=clock, uniform=longest)
    clock.now += 9.5
    with pytest.raises(UnavailableError):
        backoff.delay_after(UNAVAILABLE)


def test_an_attempt_never_outlasts_the_deadline() -> None:
    clock = Clock()
    backoff = Backoff(POLICY, 10.0, clock=clock, uniform=longest)
    assert backoff.attempt_timeout() == 4.0
    assert backoff.attempt_timeout(is_long=True) == 10.0
    clock.now += 8.0
    assert backoff.attempt_timeout() == 2.0
    clock.now += 8.0
    assert backoff.attempt_timeout() == backoff.attempt_timeout(is_long=True) == 0.0


@pytest.mark.parametrize(
    "code",
    [code for code in grpc.StatusCode if code.name not in RETRIED],
)
def test_other_errors_are_not_tried_again(code: grpc.StatusCode) -> None:
    with pytest.raises(TablestateError):
        Backoff(POLICY, 60.0).delay_after(TablestateError("no", code=code))


def test_a_slow_watcher_comes_back() -> None:
    code = grpc.StatusCode.RESOURCE_EXHAUSTED
    slow = ResourceExhaustedError("slow", code=code, reason="WATCHER_TOO_SLOW")
    assert Backoff(POLICY, 60.0, uniform=longest).delay_after(slow) == 1.0


def test_a_stream_that_stood_long_has_all_its_patience_again() -> None:
    clock = Clock()
    backoff = StreamBackoff(POLICY, None, clock=clock, uniform=longest)
    assert backoff.open() is None
    clock.now += 3600.0
    assert backoff.delay_after(UNAVAILABLE) == 1.0


def test_streams_that_never_stand_use_the_patience_up() -> None:
    clock = Clock()
    backoff = StreamBackoff(POLICY, None, clock=clock, uniform=longest)
    with pytest.raises(UnavailableError):
        for _ in range(100):
            assert backoff.open() is None
            clock.now += backoff.delay_after(UNAVAILABLE)
    assert clock.now == pytest.approx(160.0, abs=3.0)


def test_streams_end_at_the_deadline_of_the_watch() -> None:
    clock = Clock()
    backoff = StreamBackoff(POLICY, 10.0, clock=clock, uniform=longest)
    clock.now += 9.5
    assert backoff.open() == 0.5
    assert backoff.delay_after(UNAVAILABLE) == 0.5
    clock.now += 0.5
    with pytest.raises(UnavailableError):
        backoff.delay_after(UNAVAILABLE)


@pytest.mark.parametrize("name", sorted(RETRIED))
def test_a_server_that_is_away_or_stopping_is_tried_again(name: str) -> None:
    error = TablestateError("gone", code=grpc.StatusCode[name])
    assert Backoff(RetryPolicy(), 10.0).delay_after(error) > 0
