"""What callers give, checked before anything is sent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ParamSpec, TypeVar, cast

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message

from tablestate.errors import InvalidArgumentError, Violation

P = ParamSpec("P")
M = TypeVar("M", bound=Message)

_LONGEST_SHOWN = 80
_SECRET_TEXTS = ("feed_secret", "invitation_code")
_EXPECTED = {
    FieldDescriptor.TYPE_UINT32: "a whole number from 0 to 4294967295",
    FieldDescriptor.TYPE_UINT64: "a whole number from 0 to 18446744073709551615",
    FieldDescriptor.TYPE_BOOL: "True or False",
    FieldDescriptor.TYPE_STRING: "text",
    FieldDescriptor.TYPE_BYTES: "bytes",
}


def refusal(field: str, value: object, expected: str) -> InvalidArgumentError:
    """Return the error for an argument; a value of None is not shown."""
    return InvalidArgumentError(_violation(field, value, expected))


def require_kind(field: str, value: object, kind: type) -> None:
    """Refuse what is not of the kind, without showing it; raises InvalidArgumentError."""
    if not isinstance(value, kind):
        raise refusal(field, None, f"a {kind.__name__}, not {type(value).__name__}")


def seconds(field: str, value: object) -> float:
    """Return a duration; raises InvalidArgumentError if it is none."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not value >= 0:
        raise refusal(field, value, "a number of seconds from 0 on")
    return value


def duration(field: str, value: object) -> Duration:
    """Return a number of seconds as a message; raises InvalidArgumentError if it is none."""
    given = Duration()
    try:
        given.FromNanoseconds(round(seconds(field, value) * 1e9))
    except (ValueError, OverflowError):
        raise refusal(field, value, "a number of seconds that is not too large") from None
    return given


def optional_duration(field: str, value: object) -> Duration | None:
    """Return the same, or None if nothing was given."""
    return None if value is None else duration(field, value)


def message(kind: Callable[P, M], /, *args: P.args, **fields: P.kwargs) -> M:
    """Return a message of these fields; raises InvalidArgumentError with all that do not fit."""
    named = full_names(cast(type[M], kind).DESCRIPTOR.fields_by_name, fields)
    try:
        return cast(type[M], kind)(*args, **named)
    except (TypeError, ValueError):
        raise InvalidArgumentError(*faults(cast(type[M], kind), fields)) from None


def full_names(known: Mapping[str, Any], fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return fields, of `known` descriptors, as the contract has them: "LOW" is short for one
    of its values.
    """
    return {
        name: _full_name(known[name], value) if name in known else value
        for name, value in fields.items()
    }


def _full_name(field: FieldDescriptor, value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_full_name(field, each) for each in value]
    if field.message_type is not None and isinstance(value, Mapping):
        return full_names(field.message_type.fields_by_name, value)
    if field.enum_type is not None and isinstance(value, str):
        prefix = field.enum_type.values[0].name.removesuffix("UNSPECIFIED")
        full = prefix + value.upper()
        return full if full in field.enum_type.values_by_name else value
    return value


def faults(kind: type[Message], fields: Mapping[str, Any], path: str = "") -> list[Violation]:
    """Return what is wrong with the fields of a message."""
    return [
        _violation(f"{path}{name}", _shown(kind, name, value), _expected(kind, name))
        for name, value in fields.items()
        if not _fits(kind, name, value)
    ]


def _fits(kind: type[Message], name: str, value: object) -> bool:
    try:
        kind(**full_names(kind.DESCRIPTOR.fields_by_name, {name: value}))
    except (TypeError, ValueError):
        return False
    return True


def _shown(kind: type[Message], name: str, value: object) -> object:
    """Return a value to be shown, or None: bytes may be a secret, and some texts are."""
    field = kind.DESCRIPTOR.fields_by_name.get(name)
    is_bytes = field is not None and field.type == FieldDescriptor.TYPE_BYTES
    return None if is_bytes or name in _SECRET_TEXTS else value


def _expected(kind: type[Message], name: str) -> str:
    known = kind.DESCRIPTOR.fields_by_name
    if name not in known:
        return f"one of {', '.join(known)} as a name"
    field = known[name]
    if field.enum_type is not None:
        names = field.enum_type.values_by_name
        return f"one of {', '.join(names)}, or the last word of one"
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        return "a mapping of text to text"
    one = _EXPECTED.get(field.type, f"a value of {field.name}")
    return f"a list, each {one}" if field.is_repeated else one


def _violation(field: str, value: object, expected: str) -> Violation:
    field = cut(field)
    if value is None:
        return Violation(field, f"expected {expected}")
    return Violation(field, f"{cut(repr(value))}: expected {expected}")


def is_text(text: str) -> bool:
    """Whether a text can be sent: it has no half of a surrogate pair."""
    return not any("\ud800" <= character <= "\udfff" for character in text)


def cut(text: str) -> str:
    """Return a text as it is shown in an error."""
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…"
