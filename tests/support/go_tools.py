"""Programs that others have written in Go, in versions of which it is known that they do."""

import os
import subprocess
from pathlib import Path

from tools.sources import ROOT

_BUILT = ROOT / "target" / "go-tools"


def go_tool(package: str, version: str) -> Path:
    """A program, built the first time; not optimized, which would take longer than it runs."""
    folder = _BUILT / version
    program = folder / package.rpartition("/")[2]
    if not program.exists():
        flags = ("-gcflags=all=-N -l", "-ldflags=-s -w")
        command = ["go", "install", *flags, f"{package}@{version}"]
        subprocess.run(command, check=True, env=os.environ | {"GOBIN": str(folder)})
    return program
