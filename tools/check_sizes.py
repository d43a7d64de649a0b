"""Report how long files and functions are, and fail past the caps.

A function's length is its lines of code: blank lines, comments and docstrings are
free, so that nobody saves on them.
"""

import ast
import re
import statistics
import sys
from typing import NamedTuple

from tools.rust_functions import rust_functions
from tools.sources import read, written_files

FILE_CAP = 450
FUNCTION_CAP = 60
LANGUAGES = (
    ("Python", ".py"),
    ("Rust", ".rs"),
    ("Go", ".go"),
    ("Java", ".java"),
    ("TypeScript", ".ts"),
    ("Svelte", ".svelte"),
)


# What stands within a class and has a body in braces.
JAVA_METHOD = re.compile(
    r" +(?=[@A-Za-z<])(?!(?:if|for|while|switch|try|synchronized)\b|.*->)[^=]*\) .*{$"
)


class Size(NamedTuple):
    """How many lines something has."""

    lines: int
    what: str


def docstring_lines(node: ast.AST) -> set[int]:
    """The lines of all docstrings in a function."""
    lines: set[int] = set()
    for inner in ast.walk(node):
        if isinstance(inner, ast.Expr) and isinstance(inner.value, ast.Constant):
            lines.update(range(inner.lineno, (inner.end_lineno or inner.lineno) + 1))
    return lines


def python_functions(name: str, text: str) -> list[Size]:
    """The functions of a Python file, methods included."""
    lines = text.splitlines()
    sizes = []
    for node in ast.walk(ast.parse(text, name)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            span = set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
            code = [lines[n - 1].strip() for n in span - docstring_lines(node)]
            count = sum(1 for line in code if line and not line.startswith("#"))
            sizes.append(Size(count, f"{name}:{node.lineno} {node.name}"))
    return sizes


def java_functions(name: str, text: str) -> list[Size]:
    """The methods of a Java file: their last lines stand two columns before their bodies."""
    sizes: list[Size] = []
    lines = text.splitlines()
    for start, line in enumerate(lines):
        if JAVA_METHOD.match(line):
            margin = len(lines[start + 1]) - len(lines[start + 1].lstrip()) - 2
            last = " " * margin + "}"
            end = next(n for n in range(start, len(lines)) if lines[n].startswith(last))
            code = [each.strip() for each in lines[start : end + 1]]
            count = sum(1 for each in code if each and not each.startswith(("//", "*", "/*")))
            sizes.append(Size(count, f"{name}:{start + 1} {line.strip()}"))
    return sizes


def go_functions(name: str, text: str) -> list[Size]:
    """The functions of a Go file: gofmt puts their first and last lines at the margin."""
    sizes: list[Size] = []
    lines = text.splitlines()
    for start, line in enumerate(lines):
        if line.startswith("func "):
            one_line = line.endswith("}")
            end = (
                start if one_line else next(n for n in range(start, len(lines)) if lines[n] == "}")
            )
            code = [each.strip() for each in lines[start : end + 1]]
            count = sum(1 for each in code if each and not each.startswith("//"))
            sizes.append(Size(count, f"{name}:{start + 1} {line.removeprefix('func ')}"))
    return sizes


def functions_of(name: str) -> list[Size]:
    """The functions of a file."""
    text = read(name) or ""
    if name.endswith(".py"):
        return python_functions(name, text)
    if name.endswith(".go"):
        return go_functions(name, text)
    if name.endswith(".java"):
        return java_functions(name, text)
    if not name.endswith(".rs"):
        return []
    return [Size(f.lines, f"{name}:{f.line} {f.name}") for f in rust_functions(text)]


def report(title: str, sizes: list[Size], cap: int) -> list[str]:
    """Print the spread of some sizes; give a fault for each over the cap."""
    if not sizes:
        return []
    lines = sorted(size.lines for size in sizes)
    p95 = lines[int(0.95 * (len(lines) - 1))]
    middle = statistics.median(lines)
    print(f"{title}: {len(lines)}, median {middle:g}, p95 {p95}, longest {lines[-1]} (cap {cap})")
    return [f"{size.what}: {size.lines} lines, cap {cap}" for size in sizes if size.lines > cap]


def main() -> int:
    """Report each language apart; Biome looks at the functions of TypeScript."""
    faults = []
    for title, suffix in LANGUAGES:
        names = written_files(suffix)
        files = [Size(len((read(name) or "").splitlines()), name) for name in names]
        functions = [size for name in names for size in functions_of(name)]
        faults += report(f"{title} files", files, FILE_CAP)
        faults += report(f"{title} functions", functions, FUNCTION_CAP)
    print(*faults, sep="\n", end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
