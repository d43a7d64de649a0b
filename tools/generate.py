"""Write the Python code of the contract from `proto/`, or check that it is in step.

With `--check` nothing is written: the tool fails if the committed code differs from
what the protos give. Run it through `make gen` and `make check`.
"""

import filecmp
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROTO = ROOT / "proto"
TARGET = ROOT / "clients/python/src"
PATTERNS = ("*_pb2.py", "*_pb2.pyi", "*_pb2_grpc.py", "*_pb2_grpc.pyi")


def protoc(out: Path) -> None:
    """Generate messages and service stubs into `out`, each with its types."""
    files = sorted(str(path.relative_to(PROTO)) for path in PROTO.rglob("*.proto"))
    services = [name for name in files if name.endswith("_service.proto")]
    scripts = Path(sysconfig.get_path("scripts"))
    base = [sys.executable, "-m", "grpc_tools.protoc", f"-I{PROTO}"]
    base += [f"--plugin={scripts}/protoc-gen-mypy", f"--plugin={scripts}/protoc-gen-mypy_grpc"]
    messages = [f"--python_out={out}", f"--mypy_out=quiet:{out}"]
    stubs = [f"--grpc_python_out={out}", f"--mypy_grpc_out=quiet:{out}"]
    subprocess.run([*base, *messages, *files], check=True)
    subprocess.run([*base, *stubs, *services], check=True)


def generated(root: Path) -> dict[str, Path]:
    """The generated files under a directory, by their relative names."""
    found = (path for pattern in PATTERNS for path in root.rglob(pattern))
    return {str(path.relative_to(root)): path for path in found}


def differences(new: dict[str, Path], old: dict[str, Path]) -> list[str]:
    """The names of the files that are missing, left over or changed."""
    changed = [
        name for name in new.keys() & old.keys() if not filecmp.cmp(new[name], old[name], False)
    ]
    return sorted([*changed, *(new.keys() ^ old.keys())])


def replace(new: dict[str, Path], old: dict[str, Path]) -> None:
    """Put the new files in the place of the old ones."""
    for name in old.keys() - new.keys():
        old[name].unlink()
    for name, path in new.items():
        (TARGET / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, TARGET / name)


def main() -> int:
    """Generate into a scratch directory, then compare or copy."""
    with tempfile.TemporaryDirectory() as scratch:
        protoc(Path(scratch))
        new, old = generated(Path(scratch)), generated(TARGET)
        changed = differences(new, old)
        if "--check" not in sys.argv:
            replace(new, old)
        elif changed:
            print("out of step with proto/, run `make gen`:", *changed, sep="\n  ")
            return 1
    print(f"{len(new)} generated Python files, {len(changed)} changed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
