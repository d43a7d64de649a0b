"""Bad requests: noise, and valid requests with something wrong."""

import random
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

Mutation: TypeAlias = Callable[[Message, random.Random], bytes]

_TEXTS = ("", "0", "a" * 5_000, "\0", "\u202e\u2066", "../../etc", "'; DROP TABLE matches; --", "é")
_NUMBERS = (0, 1, 2, 255, 2**31 - 1, 2**32 - 1, 2**63, 2**64 - 1, -1)
_RANGES = {
    FieldDescriptor.CPPTYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.CPPTYPE_ENUM: (-(2**31), 2**31 - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.CPPTYPE_INT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, 2**64 - 1),
}


def noise(valid: Message, chooser: random.Random) -> bytes:
    """Random bytes."""
    return chooser.randbytes(chooser.randrange(300))


def flipped_bits(valid: Message, chooser: random.Random) -> bytes:
    """One to four bits are flipped."""
    data = bytearray(valid.SerializeToString() or b"\0")
    for _ in range(chooser.randint(1, 4)):
        data[chooser.randrange(len(data))] ^= 1 << chooser.randrange(8)
    return bytes(data)


def cut_short(valid: Message, chooser: random.Random) -> bytes:
    """The end is missing."""
    data = valid.SerializeToString()
    return data[: chooser.randrange(len(data) + 1)]


def spliced(valid: Message, chooser: random.Random) -> bytes:
    """Bytes are put in, or a part is there twice."""
    data = valid.SerializeToString()
    start, end = sorted(chooser.choices(range(len(data) + 1), k=2))
    middle = data[start:end] if chooser.random() < 0.5 else chooser.randbytes(end - start)
    return data[:end] + middle + data[end:]


def nested(valid: Message, chooser: random.Random) -> bytes:
    """Groups in groups, deeper than any parser likes."""
    depth = chooser.choice((10, 99, 1_000, 100_000))
    return valid.SerializeToString() + b"\x7b" * depth + b"\x7c" * depth


def odd_field(valid: Message, chooser: random.Random) -> bytes:
    """A field has an odd value, in the message or one that it holds."""
    changed = type(valid)()
    changed.CopyFrom(valid)
    for _ in range(chooser.randint(1, 2)):
        _change(changed, chooser)
    return changed.SerializeToString()


MUTATIONS: tuple[Mutation, ...] = (noise, flipped_bits, cut_short, spliced, nested, odd_field)


def _change(message: Message, chooser: random.Random) -> None:
    fields: Sequence[Any] = message.DESCRIPTOR.fields
    if not fields:
        return
    field = chooser.choice(fields)
    if chooser.random() < 0.1:
        message.ClearField(field.name)
    elif field.message_type and field.message_type.GetOptions().map_entry:
        getattr(message, field.name)[_text(chooser)] = _text(chooser)
    elif field.is_repeated:
        _change_list(getattr(message, field.name), field, chooser)
    elif field.message_type:
        inner = getattr(message, field.name)
        inner.SetInParent()
        _change(inner, chooser)
    else:
        setattr(message, field.name, _odd(field, chooser))


def _change_list(values: Any, field: FieldDescriptor, chooser: random.Random) -> None:
    if len(values) and chooser.random() < 0.2:
        del values[chooser.randrange(len(values))]
    elif field.message_type:
        inner = values[0] if len(values) and chooser.random() < 0.5 else values.add()
        _change(inner, chooser)
    else:
        values.extend([_odd(field, chooser)] * chooser.choice((1, 1, 300)))


def _odd(field: FieldDescriptor, chooser: random.Random) -> Any:
    if field.type == FieldDescriptor.TYPE_BYTES:
        return chooser.randbytes(chooser.choice((0, 1, 31, 32, 33, 5_000)))
    if field.cpp_type == FieldDescriptor.CPPTYPE_STRING:
        return _text(chooser)
    if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
        return chooser.random() < 0.5
    least, most = _RANGES[field.cpp_type]
    return max(least, min(most, chooser.choice(_NUMBERS)))


def _text(chooser: random.Random) -> str:
    return chooser.choice(_TEXTS)
