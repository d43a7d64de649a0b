"""The runner's own contract: it comes with the runner, and Python code is made of it for a run."""

import importlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

MODULE = "connectrpc.com/conformance"
VERSION = "v1.0.7"


def generate(out: Path) -> None:
    """Write the code into a directory; Go downloads the module the first time."""
    command = ["go", "mod", "download", "-json", f"{MODULE}@{VERSION}"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    proto = Path(json.loads(done.stdout)["Dir"]) / "proto"
    files = sorted(str(each) for each in proto.rglob("*.proto"))
    protoc = [sys.executable, "-m", "grpc_tools.protoc", f"-I{proto}", f"--python_out={out}"]
    subprocess.run([*protoc, *files], check=True)


def generated(folder: str, name: str) -> Any:
    """A module of that code."""
    if folder not in sys.path:
        sys.path.append(folder)
    return importlib.import_module(f"connectrpc.conformance.v1.{name}_pb2")
