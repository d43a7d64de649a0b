"""Go's programs for the Go client: from the wheel in `.venv`, or that of the machine.

`python -m tools.golang build PROGRAM` builds a program of `clients/go`, `lint` looks at format and
lint there, `format` writes the format, `test` runs the tests that need no service. `tests/go` gives
the others one.
"""

import os
import subprocess
import sys
from pathlib import Path

from tools.sources import ROOT, written_files

CLIENT = ROOT / "clients" / "go"
# Go's own tools and plugins, in the versions that its go.mod pins.
TOOLS = CLIENT / "tools"
BUILT = ROOT / "target" / "go"


def environment() -> dict[str, str]:
    """That of this process; Go may not fetch another Go."""
    return {**os.environ, "GOTOOLCHAIN": "local"}


def go(*arguments: str, folder: Path = CLIENT) -> int:
    """Run `go` in a folder; its exit code."""
    return subprocess.run(["go", *arguments], cwd=folder, env=environment()).returncode


def build_tools(out: Path) -> None:
    """Build the pinned tools into a folder."""
    command = ["go", "build", "-o", f"{out}/", "tool"]
    subprocess.run(command, cwd=TOOLS, env=environment(), check=True)


def gofmt(*arguments: str) -> str:
    """Run gofmt on all Go code that a person wrote; what it prints."""
    root = subprocess.run(["go", "env", "GOROOT"], capture_output=True, text=True, check=True)
    program = Path(root.stdout.strip()) / "bin" / "gofmt"
    command = [str(program), "-s", *arguments, *written_files(".go")]
    return subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout


def lint() -> int:
    """Look at the format, at what `go vet` finds, and at go.mod; 0: all is well."""
    unformatted = gofmt("-l")
    print(unformatted, end="")
    return int(
        bool(unformatted) or any([go("vet", "-tags", "live", "./..."), go("mod", "tidy", "-diff")])
    )


def build(program: str) -> int:
    """Build a program of the client into `target/go`; the exit code."""
    return go("build", "-o", f"{BUILT / program}", f"./{program}")


def test() -> int:
    """Run the tests that need no service; the exit code."""
    return go("test", "./...")


def write_format() -> int:
    """Format all Go code; it says what has changed."""
    print(gofmt("-l", "-w"), end="")
    return 0


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["build", program]:
            sys.exit(build(program))
        case ["format"]:
            sys.exit(write_format())
        case ["lint"]:
            sys.exit(lint())
        case ["test"]:
            sys.exit(test())
        case _:
            sys.exit(__doc__)
