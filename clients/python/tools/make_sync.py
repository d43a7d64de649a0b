"""Make the synchronous client from the asynchronous one.

Called as it is, it writes `src/tablestate/_sync`; with `--check` it fails if the modules
there are not in step.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "src" / "tablestate"

# In this order: the longer first.
REPLACEMENTS = (
    # A thread is not cancelled, and closing a channel ends its calls with a status.
    (r"^( +)except asyncio\.CancelledError:\n(?:\1 +.*\n)+", ""),
    (r"^    def _require_not_closed_meanwhile.*\n(?: {8}.*\n)+\n", ""),
    (r'"""The asynchronous client. `_sync` is made from it."""', '"""The synchronous client."""'),
    (r"^import grpc\.aio\n", ""),
    (r"\bgrpc\.aio\.", "grpc."),
    (r"\bimport asyncio\b", "import time"),
    (r"\bawait asyncio\.sleep\b", "time.sleep"),
    (r"\basync (def|for|with)\b", r"\1"),
    (r"\bawait ", ""),
    (r"\b_aio\b", "_sync"),
    (r"\bAsync([A-Z])", r"\1"),
    (r"\baclosing\b", "closing"),
    (r"\bGenerator\[(\w+), None\]", r"Generator[\1, None, None]"),
    (r"\b__a(enter|exit|iter)__\b", r"__\1__"),
    (r"\bfor (\w+) in (.+):\n +yield \1\n", r"yield from \2\n"),
)

MARK = "# Made from ../_aio by clients/python/tools/make_sync.py. DO NOT EDIT!\n"


def to_sync(source: str) -> str:
    """Return the synchronous form of a module."""
    for pattern, replacement in REPLACEMENTS:
        source = re.sub(pattern, replacement, source, flags=re.MULTILINE)
    return _ruff("format", _ruff("check", MARK + source, "--fix", "--select=I"))


def _ruff(command: str, source: str, *options: str) -> str:
    arguments = ["ruff", command, "--quiet", f"--stdin-filename={PACKAGE / 'module.py'}", *options]
    call = [sys.executable, "-m", *arguments, "-"]
    return subprocess.run(call, input=source, capture_output=True, text=True, check=True).stdout


def main() -> int:
    """Write the modules, or check them."""
    check, stale = "--check" in sys.argv[1:], []
    for path in sorted((PACKAGE / "_aio").glob("*.py")):
        target, text = PACKAGE / "_sync" / path.name, to_sync(path.read_text())
        if check and (not target.exists() or target.read_text() != text):
            stale.append(target.name)
        elif not check:
            target.write_text(text)
    if stale:
        print(f"not in step with _aio: {', '.join(stale)}; run make_sync.py", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
