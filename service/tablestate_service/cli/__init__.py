"""The command `tablestate`."""

from tablestate_service.cli.main import main

__all__ = ["main"]
