"""Page tokens: where a list goes on, bound to what was listed.

That is the last match of the page, which its reader knows. The number by which stores have it
counts the matches of all tenants, which is nobody's business.
"""

from tablestate_service.rpc import bound_token

_ID_BYTES = 16


def encode(match_id: str, listed: str) -> str:
    """A token for the page after a match; `listed` names the list."""
    return bound_token.encode(bytes.fromhex(match_id), listed)


def decode(token: str, listed: str) -> str | None:
    """The id of the match; None if the token is none of this list."""
    place = bound_token.decode(token, listed, _ID_BYTES)
    # Base64 can be written in several ways; a token is one of them.
    if place is None or token != encode(place.hex(), listed):
        return None
    return place.hex()
