"""`python -m tablestate.mcp` is the command `tablestate-mcp`."""

import sys

from tablestate.mcp import main

if __name__ == "__main__":
    sys.exit(main())
