"""Messages one after the other in a body: a byte of flags, four of length, the message."""

import struct
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

import grpc

from tablestate_service.gateway.compression import GZIP, decompressed, too_large
from tablestate_service.gateway.status import ProtocolError

COMPRESSED = 0x01
PREFIX_BYTES = 5

_PREFIX = struct.Struct(">BI")


class Envelope(NamedTuple):
    """A message with its flags."""

    flags: int
    data: bytes


def enveloped(data: bytes, flags: int = 0) -> bytes:
    """A message as a stream carries it."""
    return _PREFIX.pack(flags, len(data)) + data


def envelopes(body: bytes) -> Iterator[Envelope]:
    """The messages of a body; refuses one that breaks off."""
    at = 0
    while at < len(body):
        if len(body) - at < PREFIX_BYTES:
            raise _broken_off()
        flags, size = _PREFIX.unpack_from(body, at)
        at += PREFIX_BYTES
        if len(body) - at < size:
            raise _broken_off()
        yield Envelope(flags, body[at : at + size])
        at += size


def only_message(body: bytes, encoding: str, limit: int) -> bytes:
    """The one message of a request; refuses none, several, and what is too large."""
    found = list(islice(envelopes(body), 2))  # Of more there may be as many as bytes.
    if len(found) != 1:
        seen = "more than one message" if found else "no message"
        raise ProtocolError(grpc.StatusCode.UNIMPLEMENTED, f"{seen}, expected exactly one")
    flags, data = found[0]
    if flags & ~COMPRESSED:
        raise ProtocolError(grpc.StatusCode.INVALID_ARGUMENT, f"unknown flags {flags:#x}")
    if len(data) > limit:
        raise too_large(limit)
    if not flags & COMPRESSED:
        return data
    if encoding != GZIP:
        raise ProtocolError(
            grpc.StatusCode.INTERNAL, "a message is compressed and the request names no compression"
        )
    return decompressed(data, limit)


def _broken_off() -> ProtocolError:
    return ProtocolError(grpc.StatusCode.INVALID_ARGUMENT, "the last message breaks off")
