"""The examples of the documents, as programs that can be run."""

import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTED_TARGET = "127.0.0.1:50051"
TIMEOUT_SECONDS = 60

FENCE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class CodeBlock(NamedTuple):
    """A block marked ```python of a document."""

    document: str
    line: int
    code: str


def code_blocks() -> list[CodeBlock]:
    """The Python blocks of the README and of all documents, in order."""
    documents = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return [block for path in documents for block in blocks_of(path)]


def blocks_of(path: Path) -> list[CodeBlock]:
    """The Python blocks of one document."""
    text = path.read_text(encoding="utf-8")
    name = str(path.relative_to(ROOT))
    return [
        CodeBlock(name, text.count("\n", 0, found.start(1)) + 1, found[1])
        for found in FENCE.finditer(text)
    ]


def run_block(block: CodeBlock, target: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a block as a program of its own, against a service at another address."""
    # Blank lines in front make the line numbers of a traceback those of the document.
    program = folder / "example.py"
    code = block.code.replace(DOCUMENTED_TARGET, target)
    program.write_text("\n" * (block.line - 1) + code, encoding="utf-8")
    command = [sys.executable, "-W", "error", str(program)]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=TIMEOUT_SECONDS
    )
