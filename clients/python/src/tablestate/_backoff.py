"""When to try again."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable
from dataclasses import dataclass

import grpc

from tablestate._arguments import refusal, seconds
from tablestate.errors import TablestateError

_RETRIED = {
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.DEADLINE_EXCEEDED,
    # A server that stops cancels what arrives in its last moment. The caller's own
    # cancellation never comes here as an error of the call.
    grpc.StatusCode.CANCELLED,
}


@dataclass(frozen=True)
class RetryPolicy:
    """How calls are tried again. All times are in seconds.

    A call is tried until its deadline. That is safe for every call: a retry carries
    the same request id and the same bytes, so the server does nothing twice.
    """

    initial_delay: float = 0.05
    """The pause after the first failure; it grows by `multiplier` with each further one."""
    multiplier: float = 2.0
    """See `initial_delay`."""
    max_delay: float = 2.0
    """The longest pause."""
    attempt_timeout: float = 4.0
    """How long one attempt may take before another is made."""
    watch_patience: float = 60.0
    """How long a broken watch tries to come back before it gives up."""

    def __post_init__(self) -> None:
        """Refuse what cannot be; raises InvalidArgumentError."""
        for name in ("initial_delay", "max_delay", "attempt_timeout", "watch_patience"):
            seconds(name, getattr(self, name))
        given: object = self.multiplier
        if not (isinstance(given, int | float) and 1 <= given < math.inf):
            raise refusal("multiplier", self.multiplier, "a number from 1 on")


class Backoff:
    """The pauses and the deadline of one call with all its attempts."""

    def __init__(
        self,
        policy: RetryPolicy,
        patience: float,
        *,
        clock: Callable[[], float] = time.monotonic,
        uniform: Callable[[float, float], float] = random.uniform,
    ) -> None:
        """Start the clock: all attempts together may take `patience` seconds."""
        self._policy = policy
        self._patience = patience
        self._clock = clock
        self._uniform = uniform
        self.reset()

    def reset(self) -> None:
        """Start anew after progress."""
        self._deadline = self._clock() + self._patience
        self._delay = self._policy.initial_delay

    def attempt_timeout(self, *, is_long: bool = False) -> float:
        """Return the seconds that the next attempt may take: a long one all that are left."""
        left = self._deadline - self._clock()
        return max(0.0, left if is_long else min(self._policy.attempt_timeout, left))

    def delay_after(self, error: TablestateError) -> float:
        """Return the pause before the next attempt; raises `error` if there is to be none."""
        is_told = error.retry_after is not None
        if error.code not in _RETRIED and error.reason != "WATCHER_TOO_SLOW" and not is_told:
            raise error from None
        # Jitter: clients cut off together must not come back together.
        delay = self._uniform(self._delay / 2, self._delay) + (error.retry_after or 0.0)
        if self._clock() + delay >= self._deadline:
            raise error from None
        self._delay = min(self._delay * self._policy.multiplier, self._policy.max_delay)
        return delay


# A stream that stood this long was connected, even if nothing came over it: a connection
# attempt fails sooner.
_STANDING = 15.0


class StreamBackoff(Backoff):
    """The pauses of a stream that is opened anew whenever it breaks.

    The patience counts from the break and not from the last message: a match may rest for days.
    """

    def __init__(
        self,
        policy: RetryPolicy,
        timeout: float | None,
        *,
        clock: Callable[[], float] = time.monotonic,
        uniform: Callable[[float, float], float] = random.uniform,
    ) -> None:
        """Start the clock: the streams together may take `timeout` seconds; None: no end."""
        super().__init__(policy, policy.watch_patience, clock=clock, uniform=uniform)
        self._end = math.inf if timeout is None else clock() + timeout
        self._opened = clock()

    def open(self) -> float | None:
        """Note that a stream is being opened, and return the seconds it may take."""
        self._opened = self._clock()
        return None if self._end == math.inf else max(0.0, self._end - self._opened)

    def delay_after(self, error: TablestateError) -> float:
        """Return the pause before the next stream; raises `error` if there is to be none."""
        now = self._clock()
        if now >= self._end:
            raise error from None
        if now - self._opened > _STANDING:
            self.reset()
        return min(super().delay_after(error), self._end - now)
