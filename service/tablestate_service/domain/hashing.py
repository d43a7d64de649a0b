"""SHA-256 over fields that cannot run into one another."""

import hashlib
import hmac
import struct
from collections.abc import Iterable

_length = struct.Struct(">I").pack


def digest(fields: Iterable[bytes]) -> bytes:
    """SHA-256 over the fields, each behind its length as 4 big-endian bytes."""
    # A list, not a generator: this runs several times a call.
    parts = [part for field in fields for part in (_length(len(field)), field)]
    return hashlib.sha256(b"".join(parts)).digest()


def token_hash(token: bytes) -> bytes:
    """What is kept of a host or seat token."""
    return hashlib.sha256(token).digest()


def same(left: bytes, right: bytes) -> bool:
    """Compare two secrets in a time that does not tell where they differ."""
    return hmac.compare_digest(left, right)
