"""Messages as their callers write them: protobuf or JSON."""

from abc import ABC, abstractmethod
from functools import partial
from typing import ClassVar

from google.protobuf import json_format
from google.protobuf.message import Message

from tablestate_service.domain.errors import DomainError, Reason
from tablestate_service.gateway.offload import offloaded


class Codec(ABC):
    """How a format becomes protobuf bytes, and these the format."""

    name: ClassVar[str]

    @abstractmethod
    async def read(self, data: bytes, kind: type[Message]) -> bytes:
        """A request as protobuf; refuses MALFORMED_REQUEST."""

    @abstractmethod
    async def write(self, data: bytes, kind: type[Message]) -> bytes:
        """An answer as its caller wants it."""


class _Proto(Codec):
    """The bytes as they are; whoever wants to know what is in them parses them."""

    name = "proto"

    async def read(self, data: bytes, kind: type[Message]) -> bytes:
        return data

    async def write(self, data: bytes, kind: type[Message]) -> bytes:
        return data


class _Json(Codec):
    """Protobuf's JSON, which takes some 50 times as long."""

    name = "json"

    async def read(self, data: bytes, kind: type[Message]) -> bytes:
        return await offloaded(data, partial(from_json, kind))

    async def write(self, data: bytes, kind: type[Message]) -> bytes:
        return await offloaded(data, partial(_to_json, kind))


def from_json(kind: type[Message], data: bytes) -> bytes:
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


def _to_json(kind: type[Message], data: bytes) -> bytes:
    return json_format.MessageToJson(kind.FromString(data), indent=None).encode()


PROTO, JSON = _Proto(), _Json()
