"""Check the words of the tree: no unfinished work, no machine's own paths or hosts."""

import re
import sys
from collections.abc import Iterator

from tools.sources import is_generated, read, tracked_files

CRATES = 'source = "registry+https://github.com/rust-lang/crates.io-index"'
CODE = (
    ".py",
    ".pyi",
    ".rs",
    ".proto",
    ".c",
    ".h",
    ".sql",
    ".ts",
    ".svelte",
    ".go",
    ".java",
    "Makefile",
)
SELF = "tools/check_tree.py"

UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|NotImplementedError)\b|\b(todo|unimplemented)!\(")
LEFT_OUT = re.compile(
    r"\bpytest\.(mark\.)?(skip|skipif|xfail)\b|unittest\.skip|#\[ignore"
    r"|\b(it|test|describe)\.(skip|todo)\b"
)
MACHINE = re.compile(
    r"(?<![\w.:/-])/(?:home|root|Users|work)/\w"
    r"|\b10(?:\.\d{1,3}){3}\b|\b192\.168(?:\.\d{1,3}){2}\b"
)
REGISTRY = re.compile(r"https?://|--(extra-)?index-url|--find-links|--trusted-host")
NPM_REGISTRY = re.compile(r'"resolved": "https?:')
FOREIGN_SOURCE = re.compile(rf"^source = (?!{re.escape(CRATES.removeprefix('source = '))}$)")


def rules_for(name: str) -> Iterator[tuple[str, re.Pattern[str]]]:
    """The patterns that no line of a file may hold, each with what is wrong with it."""
    yield "path or address of one machine", MACHINE
    if name.endswith(CODE) and not is_generated(name):
        yield "unfinished work", UNFINISHED
        yield "test left out", LEFT_OUT
    if name.startswith("requirements/"):
        yield "registry's address", REGISTRY
    if name.endswith("package-lock.json"):
        yield "registry's address", NPM_REGISTRY
    if name.endswith("Cargo.lock"):
        yield "not from crates.io", FOREIGN_SOURCE


def faults_of(name: str) -> list[str]:
    """Every fault of a file, with its line."""
    lines = (read(name) or "").splitlines()
    return [
        f"{name}:{number}: {wrong}: {line.strip()}"
        for wrong, pattern in rules_for(name)
        for number, line in enumerate(lines, 1)
        if pattern.search(line)
    ]


def main() -> int:
    """Report every fault of every file but this one, which spells the words out."""
    names = [name for name in tracked_files() if name != SELF]
    faults = [fault for name in names for fault in faults_of(name)]
    print(*faults, f"words of {len(names)} files: {len(faults)} faults", sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
