"""Tokens that say where something goes on, bound to what that is."""

import base64
import binascii
import hashlib

_NAME_BYTES = 8


def encode(place: bytes, listed: str) -> str:
    """A token for a place in what is named."""
    return base64.urlsafe_b64encode(place + _name(listed)).decode()


def decode(token: str, listed: str, size: int) -> bytes | None:
    """The place, of so many bytes; None if the token is none of what is named."""
    try:
        raw = base64.b64decode(token.encode(), b"-_", validate=True)
    except (binascii.Error, ValueError):
        return None
    place = raw[:size]
    return place if len(place) == size and raw[size:] == _name(listed) else None


def _name(listed: str) -> bytes:
    return hashlib.sha256(listed.encode()).digest()[:_NAME_BYTES]
