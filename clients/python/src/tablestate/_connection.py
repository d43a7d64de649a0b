"""What the two transports have in common."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import grpc

from tablestate._arguments import is_text, refusal, seconds
from tablestate._backoff import RetryPolicy

Metadata: TypeAlias = Sequence[tuple[str, str]]
"""Headers sent with every call, as `[("authorization", "Bearer …")]`."""

DEFAULT_TIMEOUT = 10.0
# Other names than host:port are left to gRPC, if they say what they are.
_GRPC_NAME = re.compile(
    r"(?!https?:)([a-z][a-z0-9+.-]*:/{2,3}|(dns|ipv4|ipv6|unix|unix-abstract|vsock|xds):)\S+"
)
_HOST_AND_PORT = re.compile(r"(?:[\w.-]*|\[[0-9A-Fa-f:.]+(?:%[\w.-]+)?\]):([0-9]{1,5})", re.ASCII)
_LAST_PORT = 65535
_HEADER_NAME = re.compile(r"[0-9a-z_.-]+")
_HEADER_VALUE = re.compile(r"[ -~]*")

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
        if not _is_target(self.target):
            raise refusal("target", self.target, 'where the server is, as "127.0.0.1:50051"')
        headers: object = self.metadata
        if not isinstance(headers, list | tuple):
            kind = type(headers).__name__
            raise refusal("metadata", None, f"a list of pairs of texts, not {kind}")
        for place, header in enumerate(self.metadata):
            _require_header(f"metadata[{place}]", header)
        seconds("timeout", self.timeout)

    def patience(self, timeout: float | None) -> float:
        """Return the seconds that a call may take; raises InvalidArgumentError."""
        return self.timeout if timeout is None else seconds("timeout", timeout)


def _is_target(target: object) -> bool:
    if not isinstance(target, str):
        return False
    named = _HOST_AND_PORT.fullmatch(target)
    if named is None:
        return _GRPC_NAME.fullmatch(target) is not None and is_text(target)
    return 0 < int(named[1]) <= _LAST_PORT  # gRPC would take a larger one modulo 65536.


def _require_header(field: str, header: object) -> None:
    """Refuse what gRPC would not send. A value is not shown: it may be a secret."""
    match header:
        case (str(name), str(value)):
            is_value = not name.endswith("-bin") and _HEADER_VALUE.fullmatch(value) is not None
        case (str(name), bytes()):
            is_value = name.endswith("-bin")
        case _:
            raise refusal(field, None, "a pair of a name and a value, both text")
    if not _HEADER_NAME.fullmatch(name) or name.startswith("grpc-"):
        expected = "a name of the characters a-z, 0-9, '-', '_' and '.', and not of gRPC's own"
        raise refusal(f"{field}.name", name, expected)
    if not is_value:
        expected = "characters of ASCII that print, or bytes if the name ends in -bin"
        raise refusal(f"{field}.value", None, expected)
