"""Write messages as this language prints them."""

import json
from collections.abc import Iterator
from typing import Any, TypeAlias

from google.protobuf import descriptor_pool, json_format, message_factory
from google.protobuf.message import Message

from tablestate import GameEvent, GameOptions, GameView, LegalAction, Outcome

Content: TypeAlias = dict[str, Any]


def lines(vector: Content) -> Iterator[str]:
    """A line for every message, which was read, encoded, decoded and printed."""
    for kind, content in _contents(vector):
        yield _line(kind(), content)


def edge_lines(text: str) -> Iterator[str]:
    """The same for the messages made by hand, of which each line names its type."""
    for line in text.splitlines():
        edge = json.loads(line)
        descriptor = descriptor_pool.Default().FindMessageTypeByName(edge["type"])
        yield _line(message_factory.GetMessageClass(descriptor)(), edge["json"])


def _line(message: Message, content: Content) -> str:
    data = json_format.ParseDict(content, message).SerializeToString()
    return json_format.MessageToJson(type(message).FromString(data), indent=None) + "\n"


def _contents(vector: Content) -> Iterator[tuple[type[Message], Content]]:
    yield GameOptions, vector["options"]
    yield GameOptions, vector["complete_options"]
    yield Outcome, vector["outcome"]
    for step in vector["steps"]:
        if "action" in step:
            yield LegalAction, step["action"]
        for item in step["events"]:
            yield from ((GameEvent, event) for event in item["events"])
        yield from ((GameView, item["view"]) for item in step["views"])
