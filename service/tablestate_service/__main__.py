"""`python -m tablestate_service` is the command `tablestate`."""

import sys

from tablestate_service.cli import main

if __name__ == "__main__":
    sys.exit(main())
