"""SHA-256 over fields that cannot run into one another."""

import hashlib
import hmac
import struct
from itertools import chain

_length = struct.Struct(">I").pack


def digest(fields: tuple[bytes, ...]) -> bytes:
    """SHA-256 over the fields, each behind its length as 4 big-endian bytes."""
    # Without a loop in Python: this runs several times a call.
    prefixed = zip(map(_length, map(len, fields)), fields, strict=True)
    return hashlib.sha256(b"".join(chain.from_iterable(prefixed))).digest()


def token_hash(token: bytes) -> bytes:
    """What is kept of a host or seat token."""
    return hashlib.sha256(token).digest()


def same(left: bytes, right: bytes) -> bool:
    """Compare two secrets in a time that does not tell where they differ."""
    return hmac.compare_digest(left, right)
