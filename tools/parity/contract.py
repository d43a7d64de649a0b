"""What there is to be called, and what there is to be replayed."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from google.protobuf import descriptor_pool, json_format, message_factory
from google.protobuf.message import Message

from tablestate.v1 import catalog_service_pb2, engine_service_pb2, match_service_pb2
from tablestate.v1.game_pb2 import GameEvent, GameOptions, GameView, LegalAction, Outcome
from tools.sources import ROOT

VECTORS = ROOT / "tests/data/vectors"
EDGES = "edges"
"""The name of the messages that are made by hand."""
_SERVICES = [
    each.services_by_name[name]
    for each, name in (
        (catalog_service_pb2.DESCRIPTOR, "CatalogService"),
        (match_service_pb2.DESCRIPTOR, "MatchService"),
        (engine_service_pb2.DESCRIPTOR, "EngineService"),
    )
]
METHODS = {
    f"{service.full_name}/{method.name}": method
    for service in _SERVICES
    for method in service.methods
}
"""The descriptors of all methods by their full names, in the order of the contract."""


def short(method: str) -> str:
    """A method as tables show it, `MatchService.CreateMatch`."""
    return method.removeprefix("tablestate.v1.").replace("/", ".")


def is_stream(method: str) -> bool:
    """Whether a method answers many times."""
    return bool(METHODS[method].server_streaming)


class Sample(NamedTuple):
    """A message that is to be printed: its canonical JSON, as it is written in the files."""

    kind: type[Message]
    content: dict[str, Any]

    def message(self) -> Message:
        """The message itself."""
        return json_format.ParseDict(self.content, self.kind())


class Vector(NamedTuple):
    """A recorded game."""

    name: str
    content: dict[str, Any]

    @property
    def match_id(self) -> str:
        """The id that its match has."""
        return str(self.content["match_id"])

    @property
    def secret(self) -> bytes:
        """The secret that the chance of its match comes from."""
        return bytes.fromhex(self.content["secret"])

    @property
    def outcome(self) -> Outcome:
        """How it ends."""
        return json_format.ParseDict(self.content["outcome"], Outcome())

    def samples(self) -> Iterator[Sample]:
        """All its messages, in the order in which a runner writes them."""
        head = (GameOptions, "options"), (GameOptions, "complete_options"), (Outcome, "outcome")
        for kind, field in head:
            yield Sample(kind, self.content[field])
        for step in self.content["steps"]:
            yield from _samples_of(step)


def _samples_of(step: dict[str, Any]) -> Iterator[Sample]:
    if "action" in step:
        yield Sample(LegalAction, step["action"])
    for item in step["events"]:
        yield from (Sample(GameEvent, event) for event in item["events"])
    yield from (Sample(GameView, item["view"]) for item in step["views"])


def read_edges(folder: Path) -> Iterator[Sample]:
    """The messages that languages are most likely to disagree about."""
    for line in (folder / f"{EDGES}.jsonl").read_text(encoding="utf-8").splitlines():
        edge = json.loads(line)
        descriptor = descriptor_pool.Default().FindMessageTypeByName(edge["type"])
        yield Sample(message_factory.GetMessageClass(descriptor), edge["json"])


def read_vectors(folder: Path) -> list[Vector]:
    """The vectors of a folder, in the byte order of their names."""
    paths = sorted(folder.glob("*.json"), key=lambda path: path.name.encode())
    return [Vector(path.stem, json.loads(path.read_text(encoding="utf-8"))) for path in paths]
