"""The pack of conformance, unpacked, tries the Python SDK against an installed service."""

import subprocess
import sys
import tarfile
from pathlib import Path

from tools.parity.contract import VECTORS, read_vectors
from tools.parity.pack import write_pack
from tools.sources import ROOT


def unpacked(folder: Path) -> Path:
    with tarfile.open(write_pack(folder)) as tar:
        tar.extractall(folder, filter="data")
    (pack,) = folder.glob("*/")
    return pack


def test_the_pack_holds_the_contract_the_vectors_and_how_to_use_them(tmp_path: Path) -> None:
    pack = unpacked(tmp_path)
    for folder, pattern in (("proto", "**/*.proto"), ("tests/data/vectors", "*")):
        there = {path.relative_to(pack) for path in (pack / folder).glob(pattern)}
        assert there == {path.relative_to(ROOT) for path in (ROOT / folder).glob(pattern)}
    assert (pack / "README.md").read_text() == (ROOT / "tools/parity/README.md").read_text()
    assert "Apache License" in (pack / "LICENSE").read_text()


def test_the_runner_of_the_pack_passes(tmp_path: Path) -> None:
    """With the shortest game of each kind: the whole is run in the repository."""
    pack = unpacked(tmp_path)
    shortest = {
        each.content["game"]: each.name
        for each in sorted(read_vectors(VECTORS), key=lambda each: -len(each.content["steps"]))
    }
    for path in (pack / "tests/data/vectors").glob("*.json"):
        if path.stem not in shortest.values():
            path.unlink()
    command = [sys.executable, "-m", "tools.parity", "python", "typescript"]
    done = subprocess.run(command, cwd=pack, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "passed: Python (" in done.stdout
    assert "LEFT OUT: TypeScript, Node" in done.stdout
    assert str(len(shortest)) in done.stdout.split("vectors replayed")[1]
