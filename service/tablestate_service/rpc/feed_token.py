"""Feed tokens: where a feed goes on, bound to what is told."""

import base64
import binascii
import hashlib

_NUMBER_BYTES = 8
_FILTER_BYTES = 8


def encode(number: int, listed: str) -> str:
    """A token for what comes after the news of a number; `listed` names the feed."""
    token = number.to_bytes(_NUMBER_BYTES, "big") + _filter(listed)
    return base64.urlsafe_b64encode(token).decode()


def decode(token: str, listed: str) -> int | None:
    """The number; None if the token is none of this feed."""
    try:
        raw = base64.b64decode(token.encode(), b"-_", validate=True)
    except (binascii.Error, ValueError):
        return None
    if len(raw) != _NUMBER_BYTES + _FILTER_BYTES or raw[_NUMBER_BYTES:] != _filter(listed):
        return None
    number = int.from_bytes(raw[:_NUMBER_BYTES], "big")
    return number if number < 1 << 62 else None


def _filter(listed: str) -> bytes:
    return hashlib.sha256(listed.encode()).digest()[:_FILTER_BYTES]
