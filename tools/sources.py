"""The files of the repository, as the checks see them."""

import subprocess
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parents[1]
# `.gitattributes` marks the same files.
GENERATED = (
    "*_pb2.py*",
    "*_pb2_grpc.py*",
    "clients/go/gen/*",
    "clients/python/src/tablestate/_sync/*",
    "clients/rust/src/gen/*",
    "clients/typescript/src/gen/*",
    "core-rs/wire/src/generated/*",
    "docs/rules/pictures/*",
    "service/tablestate_service/gateway/openapi.json",
    "service/tablestate_service/gateway/page/*",
)


def tracked_files() -> list[str]:
    """The names of the files that are, or are about to be, under version control."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listing = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    names = sorted(set(listing.stdout.split("\0")) - {""})
    return [name for name in names if (ROOT / name).is_file()]


def is_generated(name: str) -> bool:
    """Whether a program wrote the file."""
    return any(fnmatch(name, pattern) for pattern in GENERATED)


def written_files(*suffixes: str) -> list[str]:
    """The files with these suffixes that a person wrote."""
    names = [name for name in tracked_files() if PurePosixPath(name).suffix in suffixes]
    return [name for name in names if not is_generated(name)]


def read(name: str) -> str | None:
    """The text of a file; None if it is not text."""
    try:
        return (ROOT / name).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None
