"""Page tokens: where a list goes on, bound to what was listed.

That is the last match of the page, which its reader knows. The number by which stores have it
counts the matches of all tenants, which is nobody's business.
"""

import base64
import binascii
import hashlib

_ID_BYTES = 16
_FILTER_BYTES = 8


def encode(match_id: str, listed: str) -> str:
    """A token for the page after a match; `listed` names the list."""
    return base64.urlsafe_b64encode(bytes.fromhex(match_id) + _filter(listed)).decode()


def decode(token: str, listed: str) -> str | None:
    """The id of the match; None if the token is none of this list."""
    try:
        raw = base64.b64decode(token.encode(), b"-_", validate=True)
    except (binascii.Error, ValueError):
        return None
    match_id = raw[:_ID_BYTES].hex()
    is_whole = len(raw) == _ID_BYTES + _FILTER_BYTES and token == encode(match_id, listed)
    return match_id if is_whole else None


def _filter(listed: str) -> bytes:
    return hashlib.sha256(listed.encode()).digest()[:_FILTER_BYTES]
