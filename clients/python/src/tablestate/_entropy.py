"""How a seat promises its entropy."""

from hashlib import sha256


def entropy_hash(match_id: str, entropy: bytes) -> bytes:
    """What promises 32 bytes that are revealed before the start, as `docs/chance.md` has it.

    The verifier has it as well: it stands alone, and is loaded by nobody who does not ask for it.
    """
    fields = (b"tablestate/entropy/v1", match_id.encode(), entropy)
    framed = b"".join(len(field).to_bytes(4, "big") + field for field in fields)
    return sha256(framed).digest()
