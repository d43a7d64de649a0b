"""The contract as its descriptors tell it, with the comments of `proto/`."""

import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet

from tools.sources import ROOT

PACKAGE = "tablestate.v1"
PROTO = ROOT / "proto"

Place: TypeAlias = tuple[int, ...]
"""Where in a file something is declared: numbers of fields in descriptor.proto, and indices."""

MESSAGES, ENUMS, SERVICES = 4, 5, 6
FIELDS, NESTED, NESTED_ENUMS, ONEOFS, VALUES, METHODS = 2, 3, 4, 8, 2, 2


def files() -> list[FileDescriptorProto]:
    """The files of the contract, by name."""
    names = sorted(str(path.relative_to(PROTO)) for path in PROTO.rglob("*.proto"))
    with tempfile.NamedTemporaryFile(suffix=".binpb") as found:
        flags = [f"-I{PROTO}", "--include_source_info", f"--descriptor_set_out={found.name}"]
        subprocess.run([sys.executable, "-m", "grpc_tools.protoc", *flags, *names], check=True)
        every = FileDescriptorSet.FromString(Path(found.name).read_bytes()).file
    return [each for each in every if each.package == PACKAGE]


def comments(file: FileDescriptorProto) -> Mapping[Place, str]:
    """The comment of everything that a file declares."""
    return {
        tuple(each.path): plain(each.leading_comments or each.trailing_comments)
        for each in file.source_code_info.location
    }


def plain(comment: str) -> str:
    """A comment without its marks."""
    return "\n".join(line.removeprefix(" ").rstrip() for line in comment.splitlines()).strip()
