"""Pack what others need to try their clients: `make pack` writes it into `dist/`.

It is a part of this tree, with the same paths: the contract, the vectors, the harness and the
runner of the Python SDK. It runs against a `tablestate-service` that is installed.
"""

import io
import tarfile
from pathlib import Path

from tablestate_service import __version__
from tools.sources import ROOT, tracked_files

PARTS = ("LICENSE", "proto/", "tests/data/vectors/", "tools/__init__.py", "tools/sources.py")
HARNESS = "tools/parity/"
README = HARNESS + "README.md"


def files() -> list[str]:
    """The names of the files that are packed."""
    return [name for name in tracked_files() if name.startswith((*PARTS, HARNESS))]


def write_pack(folder: Path) -> Path:
    """Write the pack into a folder; where it is.."""
    name = f"tablestate-conformance-{__version__}"
    path = folder / f"{name}.tar.gz"
    with tarfile.open(path, "w:gz") as tar:
        for file in files():
            _add(tar, f"{name}/{file}", (ROOT / file).read_bytes())
        _add(tar, f"{name}/README.md", (ROOT / README).read_bytes())
    return path


def _add(tar: tarfile.TarFile, name: str, content: bytes) -> None:
    """Add a file that anybody may read."""
    member = tarfile.TarInfo(name)
    member.size, member.mode = len(content), 0o644
    tar.addfile(member, io.BytesIO(content))


if __name__ == "__main__":
    dist = ROOT / "dist"
    dist.mkdir(exist_ok=True)
    print(write_pack(dist).relative_to(ROOT))
