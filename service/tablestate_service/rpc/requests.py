"""Validation: every fault of a request is found, and told with what was expected."""

import hashlib
import re
from collections.abc import Mapping
from enum import IntEnum
from typing import TypeVar

from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message

from tablestate_service.domain.entry import WHOLE_MILLISECOND, Request, request_key
from tablestate_service.domain.errors import MAX_VIOLATIONS, Violation, invalid_fields
from tablestate_service.domain.texts import SEEN, has_unseen

E = TypeVar("E", bound=IntEnum)

TOKEN_BYTES = 32
MAX_DISPLAY_NAME = 64
MAX_METADATA_ENTRIES = 16
MAX_METADATA_KEY = 64
MAX_METADATA_VALUE = 256
_DAY = 24 * 3600 * 1_000_000_000
_SECOND = 1_000_000_000

is_match_id = re.compile("[0-9a-f]{32}").fullmatch
is_code = re.compile("[A-Za-z0-9_-]{16,64}").fullmatch


def mutating_request(
    method: str, match_id: str, credential: bytes, request_id: str, request: Message
) -> Request:
    """What makes a mutating call the same call when it is sent again.

    Its fields count, not the bytes that came: those of a map come in any order, anew each time.
    """
    key = request_key(method, match_id, credential, request_id)
    data = request.SerializeToString(deterministic=True)
    return Request(key, hashlib.sha256(data).digest())


class Fields:
    """Checks fields one by one, and refuses them together."""

    __slots__ = ("_faults", "_path")

    def __init__(self, path: str = "") -> None:
        """Nothing is wrong yet; the fields lie below the path, which is empty or ends in a dot."""
        self._faults: list[Violation] | None = None
        self._path = path

    def wrong(self, field: str, value: object, expected: str) -> None:
        """Note a fault, unless enough are known; an empty value is not shown."""
        if self._faults is None:
            self._faults = []
        if len(self._faults) < MAX_VIOLATIONS:
            self._faults.append(Violation(self._path + field, str(value), expected))

    def check(self) -> None:
        """Refuse INVALID_FIELD if there were faults."""
        if self._faults is not None:
            raise invalid_fields(self._faults)

    def count(self, field: str, count: int, least: int, most: int) -> bool:
        """Whether a repeated field has a fit size; only then may its items be looked at.

        A request has room for so many that a look at each would hold up everybody else.
        """
        if not least <= count <= most:
            self.wrong(field, f"{count} items", f"{least} to {most} items")
            return False
        return True

    def match_id(self, value: str, field: str = "match_id") -> str:
        """A match's id."""
        if not is_match_id(value):
            self.wrong(field, value, "32 lower-case hex digits")
        return value

    def request_id(self, value: str) -> str:
        """A request id."""
        if not is_code(value):
            self.wrong("request_id", value, "16 to 64 letters, digits, - or _")
        return value

    def token(self, field: str, value: bytes) -> bytes:
        """A token, whose value is never shown."""
        if len(value) != TOKEN_BYTES:
            self.wrong(field, "", f"{TOKEN_BYTES} bytes, not {len(value)}")
        return value

    def optional_token(self, field: str, value: bytes) -> bytes:
        """A token that may be left out."""
        return self.token(field, value) if value else value

    def at_least(self, field: str, value: int, least: int) -> int:
        """A number that is not too small."""
        if value < least:
            self.wrong(field, value, f"at least {least}")
        return value

    def duration(self, field: str, value: Duration, least: int, most: int) -> int:
        """A duration within bounds, in nanoseconds, whole milliseconds."""
        given = value.seconds * _SECOND + value.nanos
        if not least <= given <= most:
            self.wrong(field, _span(given), f"{_span(least)} to {_span(most)}")
        return given // WHOLE_MILLISECOND * WHOLE_MILLISECOND

    def text(self, field: str, value: str, longest: int) -> str:
        """A text of characters that are seen, and of spaces."""
        if len(value) > longest:
            self.wrong(field, value, f"at most {longest} characters, not {len(value)}")
        elif has_unseen(value):
            self.wrong(field, value, SEEN)
        return value

    def choice(self, field: str, value: int, kind: type[E]) -> E | None:
        """A value of an enum; None for 0, the default."""
        if value == 0:
            return None
        try:
            return kind(value)
        except ValueError:
            expected = ", ".join(f"{each.name} ({each.value})" for each in kind)
            self.wrong(field, value, f"one of {expected}")
            return None

    def metadata(self, field: str, values: Mapping[str, str]) -> Mapping[str, str]:
        """An operator's own data."""
        if not self.count(field, len(values), 0, MAX_METADATA_ENTRIES):
            return {}
        for key, value in sorted(values.items()):
            if not 1 <= len(key) <= MAX_METADATA_KEY:
                self.wrong(field, key, f"keys of 1 to {MAX_METADATA_KEY} characters")
            elif has_unseen(key):
                self.wrong(field, key, f"keys with {SEEN}")
            if len(value) > MAX_METADATA_VALUE:
                self.wrong(f"{field}[{key}]", value, f"at most {MAX_METADATA_VALUE} characters")
        return dict(values)


def _span(nanoseconds: int) -> str:
    """A span of time for people: whole days, or seconds."""
    days, rest = divmod(nanoseconds, _DAY)
    return f"{days} days" if days > 1 and not rest else f"{nanoseconds / _SECOND:.10g}s"
