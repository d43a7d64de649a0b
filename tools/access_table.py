"""Write the table of `docs/access.md` that says who may call what, or check that it is in step.

`python -m tools.access_table [--check]`. It is made from the descriptors of the contract alone, as
the server enforces it.
"""

import sys
from collections.abc import Iterator

from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor

from tablestate.v1 import (
    access_pb2,
    catalog_service_pb2,
    engine_service_pb2,
    match_service_pb2,
)
from tools.sources import ROOT

PAGE = ROOT / "docs" / "access.md"
BEGIN = "<!-- made by `make gen` from the protos -->\n"
END = "<!-- end -->\n"
SERVICES: list[ServiceDescriptor] = [
    service
    for file in (catalog_service_pb2, match_service_pb2, engine_service_pb2)
    for service in file.DESCRIPTOR.services_by_name.values()
]
ROLES = (access_pb2.ROLE_ANYONE, access_pb2.ROLE_PLAYER, access_pb2.ROLE_OPERATOR)


def methods() -> Iterator[MethodDescriptor]:
    """Every method of the contract."""
    for service in SERVICES:
        yield from service.methods


def table() -> str:
    """The table in Markdown."""
    lines = [
        "| method | no key | player | operator | token in the request |",
        "|---|---|---|---|---|",
        *map(_row, methods()),
    ]
    return "\n".join(lines) + "\n"


def _row(method: MethodDescriptor) -> str:
    access = method.GetOptions().Extensions[access_pb2.access]
    granted = ["yes" if access.role and access.role <= role else "" for role in ROLES]
    needed = [_name(access.token)] if access.token else []
    optional = [f"{_name(token)}, if any" for token in access.optional_tokens]
    name = f"{method.containing_service.name}.{method.name}"
    return f"| {' | '.join((name, *granted, '; '.join(needed + optional)))} |"


def _name(token: access_pb2.RequestToken.ValueType) -> str:
    if token == access_pb2.REQUEST_TOKEN_FEED:
        return "feed secret, on an open server"
    return access_pb2.RequestToken.Name(token).removeprefix("REQUEST_TOKEN_").lower()


def main() -> int:
    """Write or check."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    old, _, after = rest.partition(END)
    if old == table():
        return 0
    if "--check" in sys.argv:
        print(f"{PAGE.name}: the table is out of step with the protos; run `make gen`")
        return 1
    PAGE.write_text(before + BEGIN + table() + END + after, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
