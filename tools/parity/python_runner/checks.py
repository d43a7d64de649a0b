"""What a runner expects."""

from typing import Any


class Mismatch(Exception):
    """Something is not as it should be; the text says what."""


def expect(what: str, found: Any, expected: Any) -> None:
    """Raise Mismatch unless both are equal."""
    if found != expected:
        raise Mismatch(f"{what} is {_shown(found)}, expected {_shown(expected)}")


def require(what: str, holds: object) -> None:
    """Raise Mismatch unless something holds."""
    if not holds:
        raise Mismatch(what)


def _shown(value: Any) -> str:
    return " ".join(str(value).split())[:200]
