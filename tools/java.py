"""Java's programs for the Java client, by Maven.

`python -m tools.java build` compiles `clients/java` with its tests, `run CLASS ...` runs a program
of it, `lint` looks at the format, `format` writes it, `test` runs the tests that need no service.
`tests/java` gives the others one.
"""

import fcntl
import os
import subprocess
import sys
from pathlib import Path

from tools.sources import ROOT

CLIENT = ROOT / "clients" / "java"
TARGET = CLIENT / "target"
STAMP = TARGET / "built"
LOCK = ROOT / "target" / "java.lock"
# For programs that run for seconds: what they do more often is not worth compiling twice.
JVM = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")


def maven(*arguments: str) -> int:
    """Run Maven in the client's folder; its exit code."""
    command = ["mvn", "-q", "-B", "-ntp", "-Dstyle.color=never", *arguments]
    return subprocess.run(command, cwd=CLIENT).returncode


def build() -> int:
    """Compile the client, unless nothing has changed; the exit code.

    Suites that run side by side wait for one another here.
    """
    LOCK.parent.mkdir(exist_ok=True)
    with LOCK.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if is_built():
            return 0
        if code := maven("test-compile"):
            return code
        STAMP.touch()
    return 0


def is_built() -> bool:
    """Whether the client was compiled since its last change."""
    return STAMP.exists() and STAMP.stat().st_mtime > max(
        path.stat().st_mtime
        for folder in (CLIENT / "src", ROOT / "proto")
        for path in files(folder)
    )


def files(folder: Path) -> list[Path]:
    """The files that the client is made of, and the folders, which know what was taken away."""
    return [CLIENT / "pom.xml", folder, *folder.rglob("*")]


def classpath() -> str:
    """Where the classes of the client, its tests and all that they need are."""
    own = (TARGET / "classes", TARGET / "test-classes")
    return ":".join([*map(str, own), (TARGET / "classpath").read_text(encoding="utf-8").strip()])


def command(main: str, *arguments: str) -> list[str]:
    """How a program of the client, which is built, is run."""
    return ["java", *JVM, "-cp", classpath(), main, *arguments]


def run(main: str, *arguments: str) -> int:
    """Run a program of the client in the place of this one."""
    os.execvp("java", command(main, *arguments))


def main(arguments: list[str]) -> int:
    """Do what is asked for; the exit code."""
    match arguments:
        case ["build"]:
            return build()
        case ["run", program, *rest]:
            return run(program, *rest)
        case ["lint"]:
            return maven("spotless:check")
        case ["format"]:
            return maven("spotless:apply")
        case ["test"]:
            return maven("test")
    raise SystemExit(__doc__)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
