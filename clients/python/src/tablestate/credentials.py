"""The keys to matches and seats, to be kept over a restart of the client."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NotRequired, TypedDict

from tablestate._arguments import refusal

TOKEN_BYTES = 32


class SavedHost(TypedDict):
    """A `HostCredential` as plain data, fit for JSON."""

    match_id: str
    host_token: str


class SavedSeat(TypedDict):
    """A `SeatCredential` as plain data, fit for JSON."""

    match_id: str
    seat: int
    seat_token: str
    entropy: NotRequired[str]


class SavedIntent(TypedDict):
    """An `Intent` as plain data, fit for JSON."""

    request_id: str
    token: str
    entropy: NotRequired[str]


@dataclass(frozen=True)
class HostCredential:
    """The key to a match: start it, add bots, abort it. Keep it secret."""

    match_id: str
    token: bytes = field(repr=False)

    def __post_init__(self) -> None:
        """Refuse an empty token; raises InvalidArgumentError."""
        _require_token("host_token", self.token)

    def save(self) -> SavedHost:
        """Return it as plain data. This holds the secret."""
        return {"match_id": self.match_id, "host_token": self.token.hex()}

    @staticmethod
    def load(saved: SavedHost) -> HostCredential:
        """Read what `save` returned; raises InvalidArgumentError if it is damaged."""
        return HostCredential(_text(saved, "match_id"), _token(saved, "host_token"))


@dataclass(frozen=True)
class SeatCredential:
    """The key to a seat of a match. Keep it secret.

    `entropy` is what the seat has promised to add to the chance of the match, empty if nothing.
    """

    match_id: str
    seat: int
    token: bytes = field(repr=False)
    entropy: bytes = field(default=b"", repr=False)

    def __post_init__(self) -> None:
        """Refuse an empty token; raises InvalidArgumentError."""
        _require_token("seat_token", self.token)

    def save(self) -> SavedSeat:
        """Return it as plain data. This holds the secret."""
        saved: SavedSeat = {
            "match_id": self.match_id,
            "seat": self.seat,
            "seat_token": self.token.hex(),
        }
        if self.entropy:
            saved["entropy"] = self.entropy.hex()
        return saved

    @staticmethod
    def load(saved: SavedSeat) -> SeatCredential:
        """Read what `save` returned; raises InvalidArgumentError if it is damaged."""
        token = _token(saved, "seat_token")
        entropy = _token(saved, "entropy") if "entropy" in saved else b""
        return SeatCredential(_text(saved, "match_id"), _seat(saved), token, entropy)


def new_token() -> bytes:
    """Make a host or seat token: 32 random bytes, made by the client and by nobody else."""
    return secrets.token_bytes(TOKEN_BYTES)


def new_entropy() -> bytes:
    """Make what a seat adds to the chance of a match: 32 random bytes."""
    return secrets.token_bytes(TOKEN_BYTES)


def new_invitation_code() -> str:
    """Make the code of a match by invitation: 22 random letters, digits, `-`, `_`."""
    return secrets.token_urlsafe(16)


def new_request_id() -> str:
    """Make the id of one intent: 32 hex digits, the same for all its retries."""
    return secrets.token_hex(16)


@dataclass(frozen=True)
class Intent:
    """Something that is to happen once, however often it is asked for.

    A call that is repeated with the same intent and the same arguments is the same call. Make
    a new one for everything that is to happen. Keep it secret: `token` becomes the host's
    token in `create_match`, the seat's in `join`, and is not used elsewhere. So is `entropy`:
    what a seat that joins with it adds to the chance of the match.
    """

    request_id: str = field(default_factory=new_request_id)
    token: bytes = field(default_factory=new_token, repr=False)
    entropy: bytes = field(default_factory=new_entropy, repr=False)

    def save(self) -> SavedIntent:
        """Return it as plain data. This holds the secret."""
        return {
            "request_id": self.request_id,
            "token": self.token.hex(),
            "entropy": self.entropy.hex(),
        }

    @staticmethod
    def load(saved: SavedIntent) -> Intent:
        """Read what `save` returned; raises InvalidArgumentError if it is damaged."""
        request_id, token = _text(saved, "request_id"), _token(saved, "token")
        # Those saved before there was any lack it, and have promised none.
        entropy = _token(saved, "entropy") if "entropy" in saved else new_entropy()
        return Intent(request_id, token, entropy)


def _require_token(name: str, token: bytes) -> None:
    """Refuse to have none: the server would answer as to a spectator."""
    if not token:
        raise refusal(name, None, f"{TOKEN_BYTES} bytes")


def _text(saved: Mapping[str, object], name: str) -> str:
    value = _field(saved, name)
    if not isinstance(value, str) or not value:
        raise refusal(name, value, "text that is not empty")
    return value


def _seat(saved: Mapping[str, object]) -> int:
    value = _field(saved, "seat")
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise refusal("seat", value, "a whole number from 0 on")
    return value


def _token(saved: Mapping[str, object], name: str) -> bytes:
    """Read a token, whose value is never shown."""
    value, digits = _field(saved, name), 2 * TOKEN_BYTES
    if isinstance(value, str) and len(value) == digits:
        try:
            return bytes.fromhex(value)
        except ValueError:
            pass
    raise refusal(name, None, f"{digits} hex digits")


def _field(saved: Mapping[str, object], name: str) -> object:
    if not isinstance(saved, Mapping):
        raise refusal(
            "saved", None, f"a mapping, as `save` returned it, not {type(saved).__name__}"
        )
    if name not in saved:
        raise refusal(name, None, "to be there")
    return saved[name]
