"""Messages that a language has read, encoded, decoded and printed: are they still the same?"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from google.protobuf import json_format
from google.protobuf.message import Message

from tools.parity.contract import Vector

PASSED = "passed"


class RoundTrips:
    """What the lines of all languages are compared with."""

    def __init__(self, vectors: Sequence[Vector]) -> None:
        """Read the messages of the vectors, once for all languages."""
        self._expected = {
            each.name: [
                (message, json_format.MessageToDict(message)) for message in each.messages()
            ]
            for each in vectors
        }

    def check(self, name: str, path: Path) -> str:
        """Compare the lines of a file with the messages of a vector; `passed`, or what is wrong."""
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
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
