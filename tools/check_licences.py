"""Check that every dependency's licence is one that an Apache-2.0 project may use.

Python: what the runtime lock, and the client's extra `mcp`, bring to this platform, by the
installed metadata.
Rust: what `cargo metadata` lists for the workspace and for the client, build and test crates
included.
npm: what the locked packages of the page and of the TypeScript client bring along.
Go: the modules in the client's go.mod, by their licence files, which somebody has read.
Java: what the client's pom.xml names for its users, likewise, and what that brings along.
"""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import PackageMetadata, metadata, requires
from xml.etree import ElementTree

from packaging.requirements import Requirement

from tools.sources import ROOT

ALLOWED = {
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "PSF-2.0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
}
# What older metadata calls them.
ALIASES = {
    "Apache 2.0": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD-3-Clause",
    "MIT License": "MIT",
    "3-Clause BSD License": "BSD-3-Clause",
    "Python Software Foundation License": "PSF-2.0",
}
RUST_WORKSPACES = ("Cargo.toml", "clients/rust/Cargo.toml")
# Packages whose metadata names no licence; their licence files were read instead.
READ_BY_HAND = {"apsw": "Zlib"}
# No metadata of Go names licences.
GO_MODULES = {
    "golang.org/x/net": "BSD-3-Clause",
    "golang.org/x/sys": "BSD-3-Clause",
    "golang.org/x/text": "BSD-3-Clause",
    "google.golang.org/genproto/googleapis/rpc": "Apache-2.0",
    "google.golang.org/grpc": "Apache-2.0",
    "google.golang.org/protobuf": "BSD-3-Clause",
}
# What these bring along (Guava, Gson, Okio, PerfMark, annotations) has Apache-2.0 or MIT.
JAVA_ARTIFACTS = {
    "com.google.protobuf:protobuf-java": "BSD-3-Clause",
    "io.grpc:grpc-okhttp": "Apache-2.0",
    "io.grpc:grpc-protobuf": "Apache-2.0",
    "io.grpc:grpc-stub": "Apache-2.0",
    "org.jspecify:jspecify": "Apache-2.0",
}


def allows(expression: str) -> bool:
    """Whether an SPDX expression can be met by allowed licences alone."""
    expression = expression.replace("/", " OR ")
    while bracket := re.search(r"\(([^()]*)\)", expression):
        inner = "MIT" if allows(bracket[1]) else "refused"
        expression = expression[: bracket.start()] + inner + expression[bracket.end() :]
    choices = (choice.split(" AND ") for choice in expression.split(" OR "))
    return any(all(part.strip() in ALLOWED for part in parts) for parts in choices)


def python_licence(fields: PackageMetadata) -> str:
    """The licence that a package's metadata states."""
    name = fields["Name"]
    if name in READ_BY_HAND:
        return READ_BY_HAND[name]
    classifiers = fields.get_all("Classifier") or []
    classified = [c.split(" :: ")[-1] for c in classifiers if c.startswith("License :: OSI")]
    stated = fields["License-Expression"] or fields["License"] or " AND ".join(classified)
    return ALIASES.get(stated, stated or "none stated")


def python_packages() -> Iterator[tuple[str, str]]:
    """The Python packages that users of the service and of the MCP server get."""
    for name in sorted({*runtime_packages(), *brought_by(Requirement("mcp"))}):
        yield f"{name} (Python)", python_licence(metadata(name))


def runtime_packages() -> Iterator[str]:
    """The packages of the runtime lock that this platform needs."""
    lock = (ROOT / "requirements/runtime.txt").read_text()
    for line in re.findall(r"^[A-Za-z].*?(?= \\$)", lock, re.MULTILINE):
        requirement = Requirement(line)
        if requirement.marker is None or requirement.marker.evaluate():
            yield requirement.name


def brought_by(requirement: Requirement) -> Iterator[str]:
    """A package and all that it needs on this platform."""
    yield requirement.name
    extras = requirement.extras or {""}
    for inner in map(Requirement, requires(requirement.name) or ()):
        marker = inner.marker
        if marker is None or any(marker.evaluate({"extra": extra}) for extra in extras):
            yield from brought_by(inner)


def rust_packages() -> Iterator[tuple[str, str]]:
    """The crates that the workspaces need, on all platforms."""
    for workspace in RUST_WORKSPACES:
        command = ["cargo", "metadata", "--format-version", "1", "--locked", "--all-features"]
        command += ["--manifest-path", str(ROOT / workspace)]
        listing = subprocess.run(command, check=True, capture_output=True)
        for package in json.loads(listing.stdout)["packages"]:
            if package["source"] is not None:
                yield f"{package['name']} (Rust)", package["license"] or "none stated"


def npm_packages() -> Iterator[tuple[str, str]]:
    """The npm packages that users of the page or of the TypeScript client get."""
    lock = json.loads((ROOT / "clients/package-lock.json").read_text())
    for path, package in lock["packages"].items():
        if "node_modules/" in path and not package.get("dev") and not package.get("link"):
            name = path.rpartition("node_modules/")[2]
            yield f"{name} (npm)", package.get("license") or "none stated"


def go_packages() -> Iterator[tuple[str, str]]:
    """The Go modules that users of the Go client get."""
    listed = (ROOT / "clients/go/go.mod").read_text()
    for name in re.findall(r"^\t(\S+) v", listed, re.MULTILINE):
        yield f"{name} (Go)", GO_MODULES.get(name, "none stated")


def java_packages() -> Iterator[tuple[str, str]]:
    """The artifacts that users of the Java client get."""
    maven = "{http://maven.apache.org/POM/4.0.0}"
    pom = ElementTree.parse(ROOT / "clients/java/pom.xml")
    for each in pom.iterfind(f"{maven}dependencies/{maven}dependency"):
        if each.findtext(f"{maven}scope") != "test":
            name = f"{each.findtext(f'{maven}groupId')}:{each.findtext(f'{maven}artifactId')}"
            yield f"{name} (Java)", JAVA_ARTIFACTS.get(name, "none stated")


def main() -> int:
    """Report every dependency whose licence is not allowed."""
    found = [
        *python_packages(),
        *rust_packages(),
        *npm_packages(),
        *go_packages(),
        *java_packages(),
    ]
    faults = [f"{name}: {licence}" for name, licence in found if not allows(licence)]
    print(*faults, f"licences of {len(found)} dependencies: {len(faults)} faults", sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
