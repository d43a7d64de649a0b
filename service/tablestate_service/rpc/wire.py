"""Appending fields to protobuf bytes without taking them apart.

Content made by the core goes into an answer as tag, length and bytes; protobuf reads
fields in any order.
"""


def tag(field: int) -> bytes:
    """The tag of a length-delimited field."""
    return _varint(field << 3 | 2)


def delimited(tag: bytes, content: bytes) -> bytes:
    """A length-delimited field: its tag, the length, the content."""
    return header(tag, len(content)) + content


def header(tag: bytes, size: int) -> bytes:
    """What stands before the content of a length-delimited field of a size."""
    return tag + (_SHORT[size] if size < 128 else _varint(size))


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


_SHORT = [bytes((size,)) for size in range(128)]
