"""The two programs in C: the load generator and the counter of syncs."""

import subprocess
from pathlib import Path

from tools.runner import is_there

ROOT = Path(__file__).resolve().parents[1]
BUILT = ROOT / "target" / "bench"
_SOURCES = Path(__file__).parent / "load"
_FLAGS = ("-std=c11", "-O2", "-Wall", "-Wextra", "-Werror=implicit-function-declaration")


class MissingToolError(Exception):
    """A program or library that the benchmarks need is not installed; the text says which."""


def grpcload() -> Path:
    """The load generator, built if need be; raises MissingToolError."""
    _require("nghttp2/nghttp2.h", "libnghttp2-dev")
    return _built("grpcload", "grpcload.c", "-lnghttp2")


def syncs() -> Path:
    """The library that counts syncs, built if need be; raises MissingToolError."""
    _require("unistd.h", "libc6-dev")
    return _built("syncs.so", "syncs.c", "-shared", "-fPIC", "-ldl")


def _require(header: str, package: str) -> None:
    if not is_there("cc"):
        raise MissingToolError("there is no C compiler `cc`; on Debian: apt-get install gcc")
    if not is_there(header):
        raise MissingToolError(f"cc finds no {header}; on Debian: apt-get install {package}")


def _built(name: str, source: str, *arguments: str) -> Path:
    program, text = BUILT / name, _SOURCES / source
    if not program.exists() or program.stat().st_mtime < text.stat().st_mtime:
        BUILT.mkdir(parents=True, exist_ok=True)
        subprocess.run(["cc", *_FLAGS, "-o", program, text, *arguments], check=True)
    return program
