"""Where a match's chance comes from, and what is promised about it beforehand.

The secret is drawn when the match is created; its commitment is published at once,
so that the secret cannot be exchanged later. The seed follows from the secret and
gives every draw of the match. `docs/chance.md` tells what this proves and what not.
"""

import hmac
from collections.abc import Sequence

from tablestate_service.domain.hashing import digest

SECRET_BYTES = 32
ENTROPY_BYTES = 32
_COMMITMENT = b"tablestate/commitment/v1"
_SEED = b"tablestate/seed/v1"
_SEATING = b"tablestate/seating/v1"
_ENTROPY = b"tablestate/entropy/v1"


def commitment(match_id: str, secret: bytes) -> bytes:
    """The 32 bytes that bind the server to the secret without telling it."""
    return digest((_COMMITMENT, match_id.encode(), secret))


def seed(match_id: str, secret: bytes, seat_entropy: Sequence[bytes]) -> bytes:
    """The 32 bytes that every draw follows from; one entropy a seat, empty for none."""
    return digest((_SEED, match_id.encode(), secret, *seat_entropy))


def entropy_hash(match_id: str, entropy: bytes) -> bytes:
    """The 32 bytes by which a seat promises its entropy when it joins."""
    return digest((_ENTROPY, match_id.encode(), entropy))


def seating_sizes(places: int) -> tuple[int, ...]:
    """From how many each draw chooses that seats the players of so many places."""
    return tuple(range(places, 1, -1))


def seating_draws(seed: bytes, places: int) -> tuple[int, ...]:
    """The draws that seat the players of so many places, as `docs/chance.md` has them."""
    counter, drawn = 0, []
    for size in seating_sizes(places):
        number = 1 << 64
        while number >= (1 << 64) - (1 << 64) % size:
            # The domain, stream 0, and the counter.
            message = _SEATING + bytes(8) + counter.to_bytes(8, "big")
            number = int.from_bytes(hmac.digest(seed, message, "sha256")[:8], "big")
            counter += 1
        drawn.append(number % size)
    return tuple(drawn)
