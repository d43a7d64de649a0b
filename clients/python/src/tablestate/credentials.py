"""The keys to matches and seats, to be kept over a restart of the client."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import TypedDict

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


@dataclass(frozen=True)
class HostCredential:
    """The key to a match: start it, add bots, abort it. Keep it secret."""

    match_id: str
    token: bytes = field(repr=False)

    def save(self) -> SavedHost:
        """Return it as plain data. This holds the secret."""
        return {"match_id": self.match_id, "host_token": self.token.hex()}

    @staticmethod
    def load(saved: SavedHost) -> HostCredential:
        """Read what `save` returned."""
        return HostCredential(saved["match_id"], bytes.fromhex(saved["host_token"]))


@dataclass(frozen=True)
class SeatCredential:
    """The key to a seat of a match. Keep it secret."""

    match_id: str
    seat: int
    token: bytes = field(repr=False)

    def save(self) -> SavedSeat:
        """Return it as plain data. This holds the secret."""
        return {"match_id": self.match_id, "seat": self.seat, "seat_token": self.token.hex()}

    @staticmethod
    def load(saved: SavedSeat) -> SeatCredential:
        """Read what `save` returned."""
        token = bytes.fromhex(saved["seat_token"])
        return SeatCredential(saved["match_id"], saved["seat"], token)


def new_token() -> bytes:
    """Make a host or seat token: 32 random bytes, made by the client and by nobody else."""
    return secrets.token_bytes(TOKEN_BYTES)


def new_request_id() -> str:
    """Make the id of one intent: 32 hex digits, the same for all its retries."""
    return secrets.token_hex(16)
