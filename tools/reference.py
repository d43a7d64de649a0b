"""The reference of the API, made of the contract: a page in Markdown for each file of `proto/`.

Whatever is declared has an anchor by its name, as `MatchService.CreateMatch`, `MatchUpdate.version`
or `MatchPhase.MATCH_PHASE_OVER`; whatever a comment names leads there.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    MethodDescriptorProto,
    ServiceDescriptorProto,
)

from tablestate.v1 import access_pb2
from tools import contract
from tools.contract import PACKAGE, PROTO, Place
from tools.sources import ROOT

INDEX = "index.md"
REASONS = ("ErrorReason", "ERROR_REASON_")
WORD = re.compile(r"`[^`]+`|\b[A-Z][A-Za-z0-9]*(?:\.[a-z_]+)?\b|\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b")
"""What may be a name: code, a message or method and perhaps its field, a value of an enum."""
NUMBERED = re.compile(r"^(\d+)\. ")


@dataclass(frozen=True)
class Declared:
    """A message, an enum, a method or the like."""

    name: str
    """As `Match.Seat`: without the package."""
    page: str
    place: Place
    descriptor: DescriptorProto | EnumDescriptorProto


def pages() -> dict[str, str]:
    """The pages by their names, with one that lists them."""
    files = contract.files()
    names = _Names(files)
    found = {_page(file): "\n".join(_Page(file, names).lines()) for file in files}
    return {INDEX: "\n".join(_index(files, names)), **found}


def page_of(proto: str) -> str:
    """The page of a path in `proto/`: of a file of the contract, or of a folder the index."""
    return (
        f"{proto.rpartition('/')[2].removesuffix('.proto')}.md"
        if proto.endswith(".proto")
        else INDEX
    )


def _page(file: FileDescriptorProto) -> str:
    return page_of(file.name)


def _title(file: FileDescriptorProto) -> str:
    if file.service:
        return file.service[0].name
    words = file.name.rpartition("/")[2].removesuffix(".proto").replace("_", " ")
    return words[0].upper() + words[1:]


def _declared(file: FileDescriptorProto) -> Iterator[Declared]:
    """All messages and enums of a file, nested ones after those that they are in."""
    page = _page(file)
    for number, enum in enumerate(file.enum_type):
        yield Declared(enum.name, page, (contract.ENUMS, number), enum)
    for number, message in enumerate(file.message_type):
        yield from _messages(message, message.name, page, (contract.MESSAGES, number))


def _messages(message: DescriptorProto, name: str, page: str, place: Place) -> Iterator[Declared]:
    yield Declared(name, page, place, message)
    for number, enum in enumerate(message.enum_type):
        below = (*place, contract.NESTED_ENUMS, number)
        yield Declared(f"{name}.{enum.name}", page, below, enum)
    for number, nested in enumerate(message.nested_type):
        if not nested.options.map_entry:
            below = (*place, contract.NESTED, number)
            yield from _messages(nested, f"{name}.{nested.name}", page, below)


class _Names:
    """Where everything that has a name is told of."""

    def __init__(self, files: Sequence[FileDescriptorProto]) -> None:
        self._where: dict[str, str] = {}
        for file in files:
            for each in _declared(file):
                self._add(each.name, each.page, each.name)
                self._add_parts(each)
            for service in file.service:
                self._add(service.name, _page(file), service.name)
                for method in service.method:
                    self._add(method.name, _page(file), f"{service.name}.{method.name}")

    def _add(self, name: str, page: str, anchor: str) -> None:
        self._where.setdefault(name, f"{page}#{anchor}")

    def _add_parts(self, declared: Declared) -> None:
        descriptor = declared.descriptor
        if isinstance(descriptor, DescriptorProto):
            for field in descriptor.field:
                name = f"{declared.name}.{field.name}"
                self._add(name, declared.page, name)
            return
        enum, prefix = REASONS
        for value in descriptor.value:
            anchor = f"{declared.name}.{value.name}"
            self._add(value.name, declared.page, anchor)
            if declared.name == enum:
                self._add(value.name.removeprefix(prefix), declared.page, anchor)

    def link(self, name: str, text: str) -> str:
        """A link to what is called so, or the text alone."""
        where = self._where.get(name)
        return f"[{text}]({where})" if where else text

    def text(self, comment: str, within: str = "") -> list[str]:
        """The paragraphs of a comment in Markdown.

        Without a message's name it may name the fields of `within`.
        """
        return [self._paragraph(each, within) for each in re.split(r"\n\s*\n", comment) if each]

    def _paragraph(self, text: str, within: str) -> str:
        flat = NUMBERED.sub(r"\1\\. ", " ".join(text.split()))
        parts = re.split(r"(`[^`]+`)", flat)
        kept = (each if each.startswith("`") else _escaped(each) for each in parts)
        return WORD.sub(lambda found: self._word(found[0], within), "".join(kept))

    def _word(self, word: str, within: str) -> str:
        name = word.strip("`")
        if name.startswith("docs/") and (ROOT / name).is_file():
            return f"[{name.removeprefix('docs/')}](../{name.removeprefix('docs/')})"
        if word != name and (own := self._where.get(f"{within}.{name}")):
            return f"[{word}]({own})"
        return self.link(name, word) if name != within else word


def _escaped(text: str) -> str:
    return text.replace("<", "&lt;").replace("*", r"\*")


def _index(files: Sequence[FileDescriptorProto], names: _Names) -> Iterator[str]:
    yield "# API reference\n"
    yield (
        f"The package `{PACKAGE}`: what stands in `{PROTO.relative_to(ROOT)}/`, with its comments. "
        "In JSON the names of fields are written in camelCase, and a method is reached at "
        f"`POST /{PACKAGE}.Service/Method`: see [browsers](../browsers.md).\n"
    )
    for file in files:
        comments = contract.comments(file)
        for number, service in enumerate(file.service):
            yield from _methods(service, number, comments, names)
    yield "## Files\n"
    for file in files:
        declared = ", ".join(names.link(each.name, each.name) for each in _declared(file))
        yield f"- [{_title(file)}]({_page(file)}): {declared or 'the service'}"


def _methods(
    service: ServiceDescriptorProto, number: int, comments: Mapping[Place, str], names: _Names
) -> Iterator[str]:
    yield f"## {names.link(service.name, service.name)}\n\n| method | what it does |\n|---|---|"
    for index, method in enumerate(service.method):
        comment = comments[(contract.SERVICES, number, contract.METHODS, index)]
        first = re.split(r"(?<=\.) ", " ".join(comment.split()))[0]
        yield f"| {names.link(method.name, method.name)} | {names.text(first)[0]} |"
    yield ""


class _Page:
    """The page of a file."""

    def __init__(self, file: FileDescriptorProto, names: _Names) -> None:
        self._file = file
        self._names = names
        self._comments = contract.comments(file)

    def lines(self) -> Iterator[str]:
        """The page, piece by piece."""
        yield f"# {_title(self._file)}\n"
        yield f"From `{PROTO.name}/{self._file.name}`.\n"
        for about in self._loose_comments():
            yield from self._text(about)
        for number, service in enumerate(self._file.service):
            yield from self._service(service, (contract.SERVICES, number))
        for each in _declared(self._file):
            yield f"## {each.name} {{ #{each.name} }}\n"
            yield from self._text(self._comments.get(each.place, ""), each.name)
            if isinstance(each.descriptor, EnumDescriptorProto):
                yield from self._values(each, each.descriptor)
            else:
                yield from self._fields(each, each.descriptor)

    def _loose_comments(self) -> Iterator[str]:
        for location in self._file.source_code_info.location:
            yield from map(contract.plain, location.leading_detached_comments)

    def _text(self, comment: str, within: str = "") -> Iterator[str]:
        for paragraph in self._names.text(comment, within):
            yield f"{paragraph}\n"

    def _service(self, service: ServiceDescriptorProto, place: Place) -> Iterator[str]:
        yield f'<span id="{service.name}"></span>\n'
        yield from self._text(self._comments.get(place, ""))
        yield f"How calls are refused: [errors](../errors.md), {self._type('ErrorReason')}.\n"
        for number, method in enumerate(service.method):
            yield f"## {method.name} {{ #{service.name}.{method.name} }}\n"
            yield from self._text(self._comments.get((*place, contract.METHODS, number), ""))
            yield from self._call(service.name, method)

    def _call(self, service: str, method: MethodDescriptorProto) -> Iterator[str]:
        yield f"- Request: {_flow(method.client_streaming)}{self._type(method.input_type)}"
        yield f"- Answer: {_flow(method.server_streaming)}{self._type(method.output_type)}"
        yield f"- Who may call it: {self._access(method)}"
        if not method.client_streaming:
            yield f"- For browsers and JSON: `POST /{PACKAGE}.{service}/{method.name}`"
        yield ""

    def _access(self, method: MethodDescriptorProto) -> str:
        access = method.options.Extensions[access_pb2.access]
        role = access_pb2.Role.Name(access.role)
        token = access_pb2.RequestToken
        needed = [token.Name(access.token)] if access.token else []
        optional = [
            f"{self._names.link(name, name)} (may be left out)"
            for name in map(token.Name, access.optional_tokens)
        ]
        return ", ".join([self._names.link(name, name) for name in [role, *needed]] + optional)

    def _values(self, declared: Declared, enum: EnumDescriptorProto) -> Iterator[str]:
        for number, value in enumerate(enum.value):
            anchor = f"{declared.name}.{value.name}"
            place = (*declared.place, contract.VALUES, number)
            yield f"`{value.name}`{{ #{anchor} }} = {value.number}"
            yield from self._told(place, declared.name)

    def _fields(self, declared: Declared, message: DescriptorProto) -> Iterator[str]:
        maps = {each.name: each for each in message.nested_type if each.options.map_entry}
        for number, field in enumerate(message.field):
            place = (*declared.place, contract.FIELDS, number)
            kind = self._kind(field, maps)
            more = f"{kind} = {field.number}{_choice(field, message)}"
            yield f"`{field.name}`{{ #{declared.name}.{field.name} }} {more}"
            yield from self._told(place, declared.name)

    def _told(self, place: Place, within: str) -> Iterator[str]:
        """The definition of what was named in the line before."""
        first, *more = self._names.text(self._comments.get(place, ""), within) or [""]
        yield f":   {first}\n"
        for paragraph in more:
            yield f"    {paragraph}\n"

    def _kind(self, field: FieldDescriptorProto, maps: Mapping[str, DescriptorProto]) -> str:
        entry = maps.get(field.type_name.rpartition(".")[2])
        if entry is not None:
            key, value = (self._single(each) for each in entry.field)
            return f"map of {key} to {value}"
        if field.label == FieldDescriptorProto.LABEL_REPEATED:
            return f"repeated {self._single(field)}"
        return f"optional {self._single(field)}" if field.proto3_optional else self._single(field)

    def _single(self, field: FieldDescriptorProto) -> str:
        if field.type_name:
            return self._type(field.type_name)
        return FieldDescriptorProto.Type.Name(field.type).removeprefix("TYPE_").lower()

    def _type(self, name: str) -> str:
        short = name.removeprefix(f".{PACKAGE}.")
        return self._names.link(short, short.removeprefix("."))


def _flow(streams: bool) -> str:
    return "a stream of " if streams else ""


def _choice(field: FieldDescriptorProto, message: DescriptorProto) -> str:
    """Of which choice a field is one."""
    if not field.HasField("oneof_index") or field.proto3_optional:
        return ""
    return f", one of *{message.oneof_decl[field.oneof_index].name}*"
