"""Messages that a language has read, encoded, decoded and printed: are they still the same?"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from google.protobuf import json_format
from google.protobuf.message import Message

from tools.parity.contract import EDGES, VECTORS, Vector, read_edges

PASSED = "passed"


class RoundTrips:
    """What the lines of all languages are compared with."""

    def __init__(self, vectors: Sequence[Vector]) -> None:
        """Read the messages, of the vectors and others, once for all languages."""
        messages = {each.name: each.messages() for each in vectors}
        self._expected = {
            name: [(each, json_format.MessageToDict(each)) for each in several]
            for name, several in (messages | {EDGES: read_edges(VECTORS)}).items()
        }

    def check_all(self, out: Path) -> dict[str, str]:
        """Compare all that a runner has printed into a folder."""
        return {name: self.check(name, out / f"{name}.jsonl") for name in self._expected}

    def check(self, name: str, path: Path) -> str:
        """Compare the lines of a file with the messages of its name; `passed`, or what is wrong."""
        try:
            # A text in a line may hold what Python takes for the end of one.
            lines = path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
        except (OSError, UnicodeDecodeError) as error:
            return f"cannot be read: {type(error).__name__}"
        expected = self._expected[name]
        if len(lines) != len(expected):
            return f"{len(lines)} lines, expected {len(expected)}"
        for number, (line, pair) in enumerate(zip(lines, expected, strict=True), 1):
            if fault := check_line(line, *pair):
                return f"line {number} {fault}"
        return PASSED


def check_line(line: str, expected: Message, canonical: Any) -> str:
    """What is wrong with a line, which is to be the canonical JSON of a message; or nothing.

    Parsers are lenient: a printer is held to the very names, strings and omissions.
    """
    try:
        content = json.loads(line)
        if content == canonical:
            return ""
        message = json_format.ParseDict(content, type(expected)())
    except (ValueError, json_format.ParseError) as error:
        return f"is no JSON of {type(expected).__name__}: {error}"
    return "is not the canonical JSON" if message == expected else "holds another message"
