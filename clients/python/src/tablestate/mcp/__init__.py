"""An MCP server over a Tablestate service, so that language models can play its matches.

It comes with the extra `tablestate[mcp]` and is started by the command `tablestate-mcp`. The keys
to matches and seats stay in its process: the model names a match and a seat, and is shown what
the seat may know. `docs/language-models.md` tells how to set it up.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command `tablestate-mcp`; returns its exit status."""
    try:
        from tablestate.mcp import command
    except ModuleNotFoundError as error:
        lacking = (error.name or "").partition(".")[0]
        if lacking == "tablestate":
            raise
        print(
            f"tablestate-mcp: {lacking} is not installed: pip install 'tablestate[mcp]'",
            file=sys.stderr,
        )
        return 1
    return command.run(argv)
