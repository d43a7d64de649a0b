"""Messages that a language has read, encoded, decoded and printed: are they still the same?"""

import json
from collections.abc import Sequence
from pathlib import Path

from google.protobuf import json_format

from tools.parity.contract import EDGES, VECTORS, Sample, Vector, read_edges

PASSED = "passed"


class RoundTrips:
    """What the lines of all languages are compared with."""

    def __init__(self, vectors: Sequence[Vector]) -> None:
        """Read the messages, of the vectors and others, once for all languages."""
        self._expected = {each.name: list(each.samples()) for each in vectors}
        self._expected[EDGES] = list(read_edges(VECTORS))

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
        for number, (line, sample) in enumerate(zip(lines, expected, strict=True), 1):
            if fault := check_line(line, sample):
                return f"line {number} {fault}"
        return PASSED


def check_line(line: str, expected: Sample) -> str:
    """What is wrong with a line, which is to be the canonical JSON of a message; or nothing.

    Parsers are lenient: a printer is held to the very names, strings and omissions.
    """
    try:
        content = json.loads(line)
        if content == expected.content:
            return ""
        message = json_format.ParseDict(content, expected.kind())
    except (ValueError, json_format.ParseError) as error:
        return f"is no JSON of {expected.kind.__name__}: {error}"
    is_same = message == expected.message()
    return "is not the canonical JSON" if is_same else "holds another message"
