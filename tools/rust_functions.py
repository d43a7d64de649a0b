"""Find the functions of a Rust file and count their lines of code."""

import re
from collections.abc import Iterator
from typing import NamedTuple

# What may hold braces that are no code: comments, strings of all sorts, characters.
NO_CODE = re.compile(
    r"""
      //[^\n]*
    | /\*.*?\*/
    | \bb?r(?P<hashes>\#*)".*?"(?P=hashes)
    | b?"(?:\\.|[^"\\])*"
    | b?'(?:\\[^\n]*?|[^'\\\n])'
    """,
    re.VERBOSE | re.DOTALL,
)
FUNCTION = re.compile(r"\bfn\s+(\w+)")
BODY = re.compile(r"[{;\[\]()]")


class Function(NamedTuple):
    """A function with a body."""

    name: str
    line: int
    lines: int


def without_text(source: str) -> str:
    """The source with comments, strings and characters blanked, lines kept."""

    def blank(match: re.Match[str]) -> str:
        # A string is code on its line; a comment is not.
        filler = " " if match[0].startswith("/") else "x"
        return re.sub(r"[^\n]", filler, match[0])

    return NO_CODE.sub(blank, source)


def body_start(code: str, start: int) -> int | None:
    """Where the body's brace opens; None for a signature without a body."""
    depth = 0
    for match in BODY.finditer(code, start):
        if match[0] in "([":
            depth += 1
        elif match[0] in ")]":
            depth -= 1
        elif depth == 0:
            return match.start() if match[0] == "{" else None
    return None


def body_end(code: str, start: int) -> int:
    """Where the brace that opens at `start` closes."""
    depth = 0
    for match in re.compile(r"[{}]").finditer(code, start):
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            return match.end()
    return len(code)


def rust_functions(source: str) -> Iterator[Function]:
    """The functions of a file in order; blank lines and comments do not count."""
    code = without_text(source)
    for match in FUNCTION.finditer(code):
        start = body_start(code, match.end())
        if start is not None:
            text = code[match.start() : body_end(code, start)]
            count = sum(1 for line in text.splitlines() if line.strip())
            yield Function(match[1], code.count("\n", 0, match.start()) + 1, count)
