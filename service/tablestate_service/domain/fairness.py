"""Where a match's chance comes from, and what is promised about it beforehand.

The secret is drawn when the match is created; its commitment is published at once,
so that the secret cannot be exchanged later. The seed follows from the secret and
gives every draw of the match. `docs/chance.md` tells what this proves and what not.
"""

from collections.abc import Sequence

from tablestate_service.domain.hashing import digest

SECRET_BYTES = 32
ENTROPY_BYTES = 32
_COMMITMENT = b"tablestate/commitment/v1"
_SEED = b"tablestate/seed/v1"
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
