"""A description of the gateway's JSON routes in OpenAPI 3.1, made of the contract.

Comments become descriptions, and messages schemas by the rules of protobuf's JSON. Streams of
requests need gRPC and are left out.
"""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    MethodDescriptorProto,
)

from tools import contract
from tools.contract import PACKAGE
from tools.sources import ROOT

Schema: TypeAlias = dict[str, Any]

UNARY, STREAM = "application/json", "application/connect+json"
ERROR = "connect.Error"
REASON = f"{PACKAGE}.ErrorReason"
_TYPES: Mapping[int, Schema] = {
    FieldDescriptorProto.TYPE_BOOL: {"type": "boolean"},
    FieldDescriptorProto.TYPE_STRING: {"type": "string"},
    FieldDescriptorProto.TYPE_BYTES: {"type": "string", "contentEncoding": "base64"},
    FieldDescriptorProto.TYPE_FLOAT: {"type": "number", "format": "float"},
    FieldDescriptorProto.TYPE_DOUBLE: {"type": "number", "format": "double"},
    FieldDescriptorProto.TYPE_INT32: {"type": "integer", "format": "int32"},
    FieldDescriptorProto.TYPE_SINT32: {"type": "integer", "format": "int32"},
    FieldDescriptorProto.TYPE_UINT32: {"type": "integer", "minimum": 0, "maximum": 2**32 - 1},
    FieldDescriptorProto.TYPE_INT64: {"type": "string", "format": "int64"},
    FieldDescriptorProto.TYPE_SINT64: {"type": "string", "format": "int64"},
    FieldDescriptorProto.TYPE_UINT64: {"type": "string", "pattern": "^[0-9]+$"},
    FieldDescriptorProto.TYPE_FIXED64: {"type": "string", "pattern": "^[0-9]+$"},
}
_WELL_KNOWN: Mapping[str, Schema] = {
    ".google.protobuf.Timestamp": {"type": "string", "format": "date-time"},
    ".google.protobuf.Duration": {"type": "string", "pattern": r"^-?[0-9]+(\.[0-9]{1,9})?s$"},
    ".google.protobuf.Any": {"type": "object", "properties": {"@type": {"type": "string"}}},
}


def write(out: Path) -> None:
    """Write the description into a directory."""
    text = json.dumps(_document(contract.files()), indent=1, ensure_ascii=False)
    (out / "openapi.json").write_text(text + "\n", encoding="utf-8")


def _version() -> str:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    version: str = project["version"]
    return version


def _document(files: list[FileDescriptorProto]) -> Schema:
    parts = [_File(each) for each in files]
    paths = {path: item for part in parts for path, item in part.paths()}
    schemas = {ERROR: _ERROR} | {name: each for part in parts for name, each in part.schemas()}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Tablestate",
            "version": _version(),
            "description": "The JSON routes of the gateway, by the Connect protocol. Fields that "
            "are left out have their default. Unknown fields are ignored.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "security": [{}, {"key": []}],
        "tags": [tag for part in parts for tag in part.tags()],
        "paths": paths,
        "components": {
            "securitySchemes": {
                "key": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "A key or token, where the service asks for one.",
                }
            },
            "schemas": {name: schemas[name] for name in sorted(_used(paths, schemas))},
        },
    }


def _used(paths: Schema, schemas: Mapping[str, Schema]) -> set[str]:
    """The schemas that routes name, and these in their turn, and the reasons of refusals."""
    found: set[str] = set()
    ahead = {*_named(paths), REASON}
    while ahead:
        found |= ahead
        ahead = {each for name in ahead for each in _named(schemas[name])} - found
    return found


def _named(schema: Schema) -> set[str]:
    return set(re.findall(r'"#/components/schemas/([^"]+)"', json.dumps(schema)))


class _File:
    """A file of the contract."""

    def __init__(self, file: FileDescriptorProto) -> None:
        self._file = file
        self._comments = contract.comments(file)

    def tags(self) -> Iterator[Schema]:
        for number, service in enumerate(self._file.service):
            yield {"name": service.name, "description": self._comment((contract.SERVICES, number))}

    def paths(self) -> Iterator[tuple[str, Schema]]:
        for number, service in enumerate(self._file.service):
            for index, method in enumerate(service.method):
                if not method.client_streaming:
                    comment = self._comment((contract.SERVICES, number, contract.METHODS, index))
                    path = f"/{PACKAGE}.{service.name}/{method.name}"
                    yield path, {"post": _operation(service.name, method, comment)}

    def schemas(self) -> Iterator[tuple[str, Schema]]:
        for number, enum in enumerate(self._file.enum_type):
            yield f"{PACKAGE}.{enum.name}", self._enum(enum, (contract.ENUMS, number))
        for number, message in enumerate(self._file.message_type):
            yield from self._messages(
                message, f"{PACKAGE}.{message.name}", (contract.MESSAGES, number)
            )

    def _messages(
        self, message: DescriptorProto, name: str, path: contract.Place
    ) -> Iterator[tuple[str, Schema]]:
        yield name, self._message(message, path)
        for number, enum in enumerate(message.enum_type):
            yield f"{name}.{enum.name}", self._enum(enum, (*path, contract.NESTED_ENUMS, number))
        for number, nested in enumerate(message.nested_type):
            if not nested.options.map_entry:
                below = (*path, contract.NESTED, number)
                yield from self._messages(nested, f"{name}.{nested.name}", below)

    def _message(self, message: DescriptorProto, path: contract.Place) -> Schema:
        maps = {each.name: each for each in message.nested_type if each.options.map_entry}
        properties = {
            field.json_name: {
                **_field(field, maps),
                **_described(self._comment((*path, contract.FIELDS, number))),
            }
            for number, field in enumerate(message.field)
        }
        text = "\n\n".join(filter(None, (self._comment(path), *_choices(message))))
        return {"type": "object", **_described(text), "properties": properties}

    def _enum(self, enum: EnumDescriptorProto, path: contract.Place) -> Schema:
        values = (
            f"- {value.name}: {self._comment((*path, contract.VALUES, number))}"
            for number, value in enumerate(enum.value)
        )
        text = f"{self._comment(path)}\n\n" + "\n".join(values)
        return {"type": "string", "description": text, "enum": [each.name for each in enum.value]}

    def _comment(self, path: contract.Place) -> str:
        return self._comments.get(path, "")


def _operation(service: str, method: MethodDescriptorProto, comment: str) -> Schema:
    kind = STREAM if method.server_streaming else UNARY
    told = (
        "The answers. Each message, that of the request too, has an envelope: a byte of flags and "
        "four of length; the last has the flag 2 and tells how the stream has ended."
        if method.server_streaming
        else "The answer."
    )
    return {
        "operationId": f"{service}.{method.name}",
        "tags": [service],
        "summary": re.split(r"(?<=\.) ", " ".join(comment.split()))[0],
        "description": comment,
        "requestBody": {"required": True, "content": _content(kind, method.input_type)},
        "responses": {
            "200": {"description": told, "content": _content(kind, method.output_type)},
            "default": {
                "description": "A refusal; that of a stream is in its last envelope.",
                "content": _content(UNARY, f".{ERROR}"),
            },
        },
    }


def _content(kind: str, name: str) -> Schema:
    return {kind: {"schema": _reference(name)}}


def _reference(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name.removeprefix('.')}"}


def _field(field: FieldDescriptorProto, maps: Mapping[str, DescriptorProto]) -> Schema:
    entry = maps.get(field.type_name.rpartition(".")[2])
    if entry is not None:
        return {"type": "object", "additionalProperties": _single(entry.field[1])}
    if field.label == FieldDescriptorProto.LABEL_REPEATED:
        return {"type": "array", "items": _single(field)}
    return _single(field)


def _single(field: FieldDescriptorProto) -> Schema:
    if field.type_name:
        return dict(_WELL_KNOWN.get(field.type_name) or _reference(field.type_name))
    return dict(_TYPES[field.type])


def _choices(message: DescriptorProto) -> Iterator[str]:
    """In words what a `oneof` allows: schemas for it would say less and fill pages."""
    for number, choice in enumerate(message.oneof_decl):
        names = [
            field.json_name
            for field in message.field
            if field.HasField("oneof_index")
            and field.oneof_index == number
            and not field.proto3_optional
        ]
        if names:
            yield f"At most one of these is there ({choice.name}): {', '.join(names)}."


def _described(text: str) -> Schema:
    return {"description": text} if text else {}


_ERROR: Schema = {
    "type": "object",
    "description": "How a call was refused. Programs go by code and reason.",
    "required": ["code"],
    "properties": {
        "code": {"type": "string", "description": "gRPC's code in lower case, as not_found."},
        "message": {"type": "string", "description": "For people; it may change."},
        "details": {
            "type": "array",
            "description": "What a program needs to react.",
            "items": {
                "type": "object",
                "properties": {
                    "type": {"type": "string", "description": "As google.rpc.ErrorInfo."},
                    "value": {
                        "type": "string",
                        "contentEncoding": "base64",
                        "description": "The message as protobuf, without padding.",
                    },
                    "debug": {"description": "The same message in JSON."},
                },
            },
        },
    },
}
