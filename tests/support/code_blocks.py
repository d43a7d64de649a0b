"""The blocks of code of the documents, and who runs them."""

import re
import subprocess
import sys
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple

from tools.sources import ROOT, tracked_files

DOCUMENTED_TARGET = "127.0.0.1:50051"
TIMEOUT_SECONDS = 60

FENCE = re.compile(r"^( *)```([a-z]*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
WRITTEN_FOR_MODELS = "clients/python/src/"


class CodeBlock(NamedTuple):
    """A block of a document."""

    document: str
    line: int
    language: str
    code: str

    @property
    def title(self) -> str:
        """Where it stands."""
        return f"{self.document}:{self.line}"


class Runner(NamedTuple):
    """A test, and the blocks that it runs: by their language, documents and content."""

    test: str
    language: str
    documents: tuple[str, ...] = ("*",)
    with_curl: bool | None = None
    """For shells: those that call a service and no others, or all others."""
    by_itself: bool = False
    """Whether it hands whole documents to a tool of the language, which finds the blocks."""

    def runs(self, block: CodeBlock) -> bool:
        """Whether it runs a block."""
        return (
            block.language == self.language
            and any(fnmatch(block.document, pattern) for pattern in self.documents)
            and self.with_curl in (None, "curl " in block.code)
        )


PYTHON_README = "clients/python/README.md"
RUNNERS = (
    Runner("tests/docs/test_readme.py", "python", ("README.md", "docs/*", "examples/*")),
    Runner("tests/sdk/test_readme.py", "python", (PYTHON_README,)),
    Runner("tests/sdk/test_typescript.py", "ts"),
    Runner("tests/go/test_go.py", "go"),
    Runner("tests/rust/test_rust.py", "rust"),
    Runner("tests/java/test_java.py", "java"),
    Runner("tests/conformance/test_shell.py", "sh", with_curl=True),
    Runner("tests/docs/test_commands.py", "sh", with_curl=False),
    Runner("tests/docs/test_configuration.py", "toml"),
    Runner("tests/docs/test_configuration.py", "json"),
    *(Runner("tests/docs/test_recipes.py", each) for each in ("csharp", "swift", "gdscript")),
)
PLAIN = "text"
"""The language of what is no program: diagrams, boards, what a program has printed."""
UNTESTED: dict[tuple[str, str], str] = {
    ("clients/java/README.md", "kotlin"): "a compiler of Kotlin is as large as all else of Java",
}
"""Blocks that nothing runs, by document and language, each with the reason."""


def documents() -> list[str]:
    """Every document that is for people."""
    names = [name for name in tracked_files() if name.endswith(".md")]
    return [name for name in names if not name.startswith((WRITTEN_FOR_MODELS, "tests/data/play"))]


def all_blocks() -> Iterator[CodeBlock]:
    """The blocks of all documents."""
    for name in documents():
        yield from blocks_of(ROOT / name)


def blocks_of(path: Path) -> list[CodeBlock]:
    """The blocks of one document, in order."""
    text = path.read_text(encoding="utf-8")
    name = str(path.relative_to(ROOT))
    return [
        CodeBlock(name, text.count("\n", 0, found.start(3)) + 1, found[2], found[3])
        for found in FENCE.finditer(text)
    ]


def blocks_for(test: str) -> list[CodeBlock]:
    """The blocks that a test is to run, by its path; at least one."""
    runners = [each for each in RUNNERS if str(ROOT / each.test) == test]
    found = [block for block in all_blocks() if any(each.runs(block) for each in runners)]
    if not found:
        raise ValueError(f"{test} has nothing to run")
    return found


def run_block(block: CodeBlock, target: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a block in Python as a program of its own, against a service at another address."""
    # Blank lines in front make the line numbers of a traceback those of the document.
    program = folder / "example.py"
    code = block.code.replace(DOCUMENTED_TARGET, target)
    program.write_text("\n" * (block.line - 1) + code, encoding="utf-8")
    command = [sys.executable, "-W", "error", str(program)]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=TIMEOUT_SECONDS
    )
