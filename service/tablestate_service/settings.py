"""Settings: from the environment, overridden by the command line."""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

ENVIRONMENT_PREFIX = "TABLESTATE_"
LOG_LEVELS = ("debug", "info", "warning", "error")


class SettingsError(ValueError):
    """A setting that cannot be; the text names it and says what was expected."""


_LEAST_SECONDS = 0.001
_LONGEST_SHOWN = 80
# Beyond these it is a slip of the pen, or more than a machine or gRPC can hold.
_MOST: Mapping[str, int | float] = {
    "max_request_bytes": 1 << 30,
    "max_concurrent_streams": 1_000_000,
    "max_watches": 10_000_000,
    "loaded_matches": 100_000_000,
    "slow_reader_seconds": 3600.0,
    "drain_seconds": 3600.0,
    "bot_threads": 256,
    "max_simulations": 100_000,
    "max_slots": 100_000_000,
    "engine_threads": 256,
    "engine_calls": 100_000,
    "engine_seconds": 86_400.0,
    "store_connections": 1000,
    "webhook_seconds": 12.0,
    "calls_per_key": 10_000_000,
    "calls_per_peer": 10_000_000,
}
_STORE_BEGINS = ("postgresql://", "postgres://")
_SHORTEST_SECRET = 32
_LAST_PORT = 65535
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
_LONGEST_SECONDS = 100 * 365 * 86_400
_LONGEST_DEFAULT = 366 * 86_400
SERVED: Mapping[str, str] = {"turn_limit_default": "3d", "waiting_limit_default": "7d"}
"""What a server has by default, so that nobody who vanishes holds up a match for ever."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What the server bears; `docs/limits.md` explains each."""

    max_request_bytes: int = 1 << 20
    max_concurrent_streams: int = 10_000
    max_watches: int = 20_000
    loaded_matches: int = 100_000
    slow_reader_seconds: float = 10.0
    drain_seconds: float = 8.0
    bot_threads: int = 2
    max_simulations: int = 64
    max_slots: int = 262_144
    engine_threads: int = 2
    engine_calls: int = 32
    engine_seconds: float = 600.0
    store_connections: int = 8
    webhook_seconds: float = 10.0
    calls_per_key: int = 5_000
    calls_per_peer: int = 200

    def __post_init__(self) -> None:
        """Refuse what cannot be; raises SettingsError."""
        for name, most in _MOST.items():
            value = getattr(self, name)
            least = 1 if isinstance(most, int) else _LEAST_SECONDS
            if not least <= value <= most:  # NaN is in no range.
                raise SettingsError(f"{name} is {value}, expected {least} to {most}")


@dataclass(frozen=True, slots=True)
class Settings:
    """How a service runs.

    `host` and `port` say where it listens (port 0: any free one), `data_dir` where its
    matches are, unless `store` is the URL of a PostgreSQL database, which any number of
    services may share; `store_listen` is one that leads to it through no pooler, the same by
    default. `allow_insecure` lets it listen beyond loopback without TLS. `feed_secret` opens the
    feed of all matches; without one there is none. `webhooks` is a file that says who is told of
    it over HTTP. Matches for which nobody says how much time there is get `turn_limit_default`
    for each decision and `waiting_limit_default` for their start, as "3d"; "0" and "" are none.
    Matches that ended longer ago than `retention`, "30d", are removed, and before that written
    into the directory `archive`, if there is one. `metrics` is where Prometheus may fetch them,
    "127.0.0.1:9464"; with `traces` calls are traced by OpenTelemetry.
    `gateway` is where browsers reach the service and its page, "127.0.0.1:8080"; pages of other
    `gateway_origins`, "https://a.example,https://b.example", may call it too.
    `keys` is a file of API keys, `jwks` one of the public keys of the identity
    provider `jwt_issuer`, whose tokens for `jwt_audience` open the service; with neither it is
    open to everybody. `tls_cert` and `tls_key` are files of its certificate and key, `client_ca` of
    the authorities of which clients must show a certificate.
    """

    host: str = "127.0.0.1"
    port: int = 50051
    data_dir: Path = Path("data")
    store: str = field(default="", repr=False)  # It may hold a password.
    store_listen: str = field(default="", repr=False)
    log_level: str = "info"
    reflection: bool = False
    allow_insecure: bool = False
    feed_secret: str = field(default="", repr=False)
    webhooks: str = ""
    turn_limit_default: str = ""
    waiting_limit_default: str = ""
    retention: str = ""
    archive: str = ""
    metrics: str = ""
    traces: bool = False
    gateway: str = ""
    gateway_origins: str = ""
    keys: str = ""
    jwks: str = ""
    jwt_issuer: str = ""
    jwt_audience: str = ""
    tls_cert: str = ""
    tls_key: str = ""
    client_ca: str = ""
    limits: Limits = field(default_factory=Limits)

    @property
    def has_feed(self) -> bool:
        """Whether anybody can follow what happens to all matches."""
        return bool(self.feed_secret or self.webhooks or self.has_keys)

    @property
    def has_keys(self) -> bool:
        """Whether callers need a key or a token."""
        return bool(self.keys or self.jwks)

    def __post_init__(self) -> None:
        """Refuse what cannot be; raises SettingsError."""
        if not 0 <= self.port <= _LAST_PORT:
            raise SettingsError(f"port is {self.port}, expected 0 to {_LAST_PORT}")
        for name in ("store", "store_listen"):
            _require_store_url(name, getattr(self, name))
        if self.feed_secret and len(self.feed_secret) < _SHORTEST_SECRET:
            raise SettingsError(
                f"feed_secret has {len(self.feed_secret)} characters, expected at least "
                f"{_SHORTEST_SECRET}, or none"
            )
        for name in SERVED:
            time_default(name, getattr(self, name))
        if self.retention:
            duration("retention", self.retention)
        elif self.archive:
            raise SettingsError("archive is set and retention is not: nothing would be archived")
        if self.metrics:
            split_address("metrics", self.metrics)
        if len({bool(each) for each in (self.jwks, self.jwt_issuer, self.jwt_audience)}) > 1:
            raise SettingsError(
                "expected jwks, jwt_issuer and jwt_audience, or none of them: a token that is "
                "meant for somebody else must not open this service"
            )
        if self.log_level not in LOG_LEVELS:
            raise SettingsError(f"log_level is {self.log_level!r}, expected one of {LOG_LEVELS}")
        if bool(self.tls_cert) != bool(self.tls_key) or (self.client_ca and not self.tls_cert):
            raise SettingsError(
                "expected tls_cert and tls_key together, and client_ca with them alone"
            )
        self._require_private("host", self.host)
        if self.gateway:
            self._require_private("gateway", split_address("gateway", self.gateway)[0])
        for origin in self.origins:
            _require_origin(origin)

    @property
    def origins(self) -> Sequence[str]:
        """The origins of other pages that may call the gateway."""
        return [each.strip() for each in self.gateway_origins.split(",") if each.strip()]

    def _require_private(self, name: str, host: str) -> None:
        if not self.tls_cert and not self.allow_insecure and not is_loopback(host):
            raise SettingsError(
                f"{name} is {host!r}: beyond loopback anybody could read tokens, since the "
                "service has no certificate: give it tls_cert and tls_key, or set allow_insecure "
                "if something in front of it speaks TLS"
            )


def duration(name: str, text: str) -> float:
    """The seconds of a setting like "30d", "12h", "90m" or "5s"; raises SettingsError."""
    number, unit = text[:-1], _UNITS.get(text[-1:], 0)
    seconds = int(number) * unit if number.isascii() and number.isdecimal() else 0
    if not 0 < seconds <= _LONGEST_SECONDS:
        raise SettingsError(f"{name} is {_shown(text)}, expected a time as 30d, 12h, 90m, 3600s")
    return float(seconds)


def time_default(name: str, text: str) -> int | None:
    """The nanoseconds of a setting like "3d", at most 366 days; None if it is "0" or empty.

    Raises SettingsError.
    """
    if text in ("", "0"):
        return None
    seconds = duration(name, text)
    if seconds > _LONGEST_DEFAULT:
        raise SettingsError(f"{name} is {_shown(text)}, expected 1s to 366d, or 0 for none")
    return int(seconds) * 1_000_000_000


def split_address(name: str, address: str) -> tuple[str, int]:
    """Host and port of a setting like "127.0.0.1:9464"; raises SettingsError."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal() or int(port) > _LAST_PORT:
        raise SettingsError(f"{name} is {_shown(address)}, expected HOST:PORT")
    return host.strip("[]"), int(port)


def address_of(host: str, port: int) -> str:
    """Host and port as one text, "127.0.0.1:50051" or "[::1]:50051"."""
    bare = host.strip("[]")
    return f"[{bare}]:{port}" if ":" in bare else f"{bare}:{port}"


def shown_store(url: str) -> str:
    """A database's URL as it may be shown: without user, password and options."""
    parts = urlsplit(url)
    return f"postgresql://{parts.netloc.rpartition('@')[2]}{parts.path}"


def from_environment(environment: Mapping[str, str], **overrides: Any) -> Settings:
    """Settings from variables such as TABLESTATE_PORT or, of the limits, TABLESTATE_MAX_WATCHES.

    They are those of a server, so `SERVED` comes before the defaults of `Settings`. An override of
    None is none. Raises SettingsError, also for a variable that is no setting.
    """
    _require_known(environment)
    values = {**SERVED, **_given(environment, Settings())}
    values["limits"] = Limits(**_given(environment, Limits()))
    values.update((name, value) for name, value in overrides.items() if value is not None)
    return Settings(**values)


def _require_known(environment: Mapping[str, str]) -> None:
    settings = {each.name for kind in (Settings, Limits) for each in dataclasses.fields(kind)}
    known = {ENVIRONMENT_PREFIX + name.upper() for name in settings - {"limits"}}
    for name in sorted(environment):
        if name.startswith(ENVIRONMENT_PREFIX) and name not in known:
            raise SettingsError(f"{name} is no setting, expected one of {', '.join(sorted(known))}")


def _given(environment: Mapping[str, str], defaults: Settings | Limits) -> dict[str, Any]:
    """The settings that are in the environment, each read as what its default is."""
    return {
        each.name: _parsed(each.name, environment[variable], getattr(defaults, each.name))
        for each in dataclasses.fields(defaults)
        if (variable := ENVIRONMENT_PREFIX + each.name.upper()) in environment
    }


def _parsed(name: str, text: str, default: object) -> object:
    if isinstance(default, bool):
        if text not in ("0", "1"):
            raise SettingsError(f"{name} is {text!r}, expected 0 or 1")
        return text == "1"
    if isinstance(default, int | float):
        try:
            return type(default)(text)
        except ValueError:
            kind = "a whole number" if isinstance(default, int) else "a number"
            raise SettingsError(f"{name} is {_shown(text)}, expected {kind}") from None
    return Path(text) if isinstance(default, Path) else text


def _require_store_url(name: str, url: str) -> None:
    """Refuse what is no URL of a database, without telling it: it may hold a password."""
    try:
        is_right = not url or (url.startswith(_STORE_BEGINS) and urlsplit(url).port != 0)
    except ValueError:
        is_right = False
    if not is_right:
        raise SettingsError(
            f"{name} is no URL of PostgreSQL, expected postgresql://user:password@host:port/"
            "database, in which other characters than letters and digits are percent-encoded"
        )


def origin_host(text: str) -> str:
    """The host of the origin of pages, as https://play.example; empty if it is no such."""
    try:
        parts = urlsplit(text)
    except ValueError:
        return ""
    is_origin = text in (f"http://{parts.netloc}", f"https://{parts.netloc}") and "@" not in text
    return parts.hostname or "" if is_origin else ""


def _require_origin(text: str) -> None:
    if not origin_host(text):
        raise SettingsError(
            f"gateway_origins has {_shown(text)}, expected origins as https://play.example, "
            "without a path, with commas between them"
        )


def _shown(text: str) -> str:
    return repr(text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "…")


def is_loopback(host: str) -> bool:
    """Whether a host is this very machine."""
    if host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
