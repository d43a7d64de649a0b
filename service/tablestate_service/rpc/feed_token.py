"""Feed tokens: where a feed goes on, bound to what is told."""

from tablestate_service.rpc import bound_token

_NUMBER_BYTES = 8
_NUMBERS = 1 << 62


def encode(number: int, listed: str) -> str:
    """A token for what comes after the news of a number; `listed` names the feed."""
    return bound_token.encode(number.to_bytes(_NUMBER_BYTES, "big"), listed)


def decode(token: str, listed: str) -> int | None:
    """The number; None if the token is none of this feed."""
    place = bound_token.decode(token, listed, _NUMBER_BYTES)
    if place is None:
        return None
    number = int.from_bytes(place, "big")
    return number if number < _NUMBERS else None
