"""Write the messages of a vector as this language prints them."""

from collections.abc import Iterator
from typing import Any, TypeAlias

from google.protobuf import json_format
from google.protobuf.message import Message

from tablestate import GameEvent, GameOptions, GameView, LegalAction, Outcome

Content: TypeAlias = dict[str, Any]


def lines(vector: Content) -> Iterator[str]:
    """A line for every message, which was read, encoded, decoded and printed."""
    for kind, content in _contents(vector):
        data = json_format.ParseDict(content, kind()).SerializeToString()
        yield json_format.MessageToJson(kind.FromString(data), indent=None) + "\n"


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
