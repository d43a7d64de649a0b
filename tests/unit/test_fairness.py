import hashlib

from tablestate_service.domain import fairness

SECRET = bytes(range(32))


def prefixed(*fields: bytes) -> bytes:
    return b"".join(len(field).to_bytes(4, "big") + field for field in fields)


def test_the_commitment_is_what_the_docs_say() -> None:
    expected = hashlib.sha256(prefixed(b"tablestate/commitment/v1", b"cafe", SECRET)).digest()
    assert fairness.commitment("cafe", SECRET) == expected


def test_the_seed_is_what_the_docs_say() -> None:
    entropy = [b"", b"red"]
    expected = hashlib.sha256(prefixed(b"tablestate/seed/v1", b"cafe", SECRET, *entropy)).digest()
    assert fairness.seed("cafe", SECRET, entropy) == expected


def test_two_matches_with_one_secret_have_two_seeds() -> None:
    assert fairness.seed("a", SECRET, [b"", b""]) != fairness.seed("b", SECRET, [b"", b""])
