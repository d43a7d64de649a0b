"""Messages as their callers write them: protobuf or JSON."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from google.protobuf import json_format
from google.protobuf.message import Message

from tablestate_service.domain.errors import DomainError, Reason

ToBytes: TypeAlias = Callable[[bytes, type[Message]], bytes]


@dataclass(frozen=True, slots=True)
class Codec:
    """How a format becomes protobuf bytes, and these the format."""

    name: str
    read: ToBytes
    write: ToBytes


def _same(data: bytes, _: type[Message]) -> bytes:
    return data


def _from_json(data: bytes, kind: type[Message]) -> bytes:
    """The same message; one text always gives the same bytes, by which a repeated call is known."""
    message = kind()
    try:
        text = data.decode()
        # Of what is no object the library looks for fields all the same, and finds none.
        if not text.lstrip().startswith("{"):
            raise ValueError
        json_format.Parse(text, message, ignore_unknown_fields=True)
    except (json_format.ParseError, ValueError, RecursionError):
        raise DomainError(
            Reason.MALFORMED_REQUEST,
            f"the request is not JSON of a {kind.DESCRIPTOR.full_name}",
        ) from None
    return message.SerializeToString(deterministic=True)


def _to_json(data: bytes, kind: type[Message]) -> bytes:
    return json_format.MessageToJson(kind.FromString(data), indent=None).encode()


PROTO = Codec("proto", _same, _same)
JSON = Codec("json", _from_json, _to_json)
