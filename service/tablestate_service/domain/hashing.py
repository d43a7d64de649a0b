"""SHA-256 over fields that cannot run into one another."""

import hashlib
import hmac
from collections.abc import Iterable


def digest(fields: Iterable[bytes]) -> bytes:
    """SHA-256 over the fields, each behind its length as 4 big-endian bytes."""
    return hashlib.sha256(
        b"".join(part for field in fields for part in (len(field).to_bytes(4, "big"), field))
    ).digest()


def token_hash(token: bytes) -> bytes:
    """What is kept of a host or seat token."""
    return hashlib.sha256(token).digest()


def same(left: bytes, right: bytes) -> bool:
    """Compare two secrets in a time that does not tell where they differ."""
    return hmac.compare_digest(left, right)
