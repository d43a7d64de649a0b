"""What the two transports have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import grpc

from tablestate._arguments import seconds
from tablestate._backoff import RetryPolicy

Metadata: TypeAlias = Sequence[tuple[str, str]]
"""Headers sent with every call, as `[("authorization", "Bearer …")]`."""

DEFAULT_TIMEOUT = 10.0

# A match on a dead connection must be noticed, and a server that is back be found soon:
# by default gRPC never pings and lets up to two minutes pass between connection attempts.
# (The "min" option is the time that one connection attempt may take.)
CHANNEL_OPTIONS = (
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 5_000),
    ("grpc.max_reconnect_backoff_ms", 2_000),
)


@dataclass(frozen=True)
class ConnectionSettings:
    """Where the server is and how calls are made."""

    target: str
    """`host:port`, or any target that gRPC understands."""
    credentials: grpc.ChannelCredentials | None = None
    """For TLS, as `grpc.ssl_channel_credentials()`; None: no encryption."""
    metadata: Metadata = field(default=(), repr=False)
    """Headers of every call."""
    timeout: float = DEFAULT_TIMEOUT
    """Seconds a call may take with all its attempts."""
    retry: RetryPolicy = field(default_factory=RetryPolicy)
    """How calls are tried again."""

    def __post_init__(self) -> None:
        """Refuse what cannot be; raises InvalidArgumentError."""
        seconds("timeout", self.timeout)

    def patience(self, timeout: float | None) -> float:
        """Return the seconds that a call may take; raises InvalidArgumentError."""
        return self.timeout if timeout is None else seconds("timeout", timeout)
