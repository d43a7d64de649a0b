"""Write a bill of materials in CycloneDX: what a release is made of, to the version.

Python packages as the runtime lock has them, with their hashes, and the crates that are built into
the core. Run it through `make sbom`.
"""

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

from tools.sources import ROOT

TARGET = ROOT / "dist" / "tablestate.cdx.json"
_LOCKED = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^ ;]+)")
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")
_OURS = "tablestate"


def python_components(lock: str) -> Iterator[Component]:
    """The packages of a lock file; each hash is that of a file that may be installed."""
    for block in re.split(r"\n(?=\S)", lock):
        if found := _LOCKED.match(block):
            hashes = [HashType(alg=HashAlgorithm.SHA_256, content=h) for h in _HASH.findall(block)]
            yield _component("pypi", found["name"], found["version"], hashes=hashes)


def rust_components() -> Iterator[Component]:
    """The crates that the core is linked from, for all platforms."""
    command = ["cargo", "tree", "--locked", "--package", "tablestate-pyext", "--edges", "normal"]
    command += ["--target", "all", "--prefix", "none", "--format", "{p}|{l}"]
    listing = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    for line in sorted(set(listing.stdout.splitlines())):
        package, _, licence = line.removesuffix(" (*)").partition("|")
        name, version = package.split()[:2]
        if not name.startswith(_OURS):
            expression = licence.replace("/", " OR ")
            licences = [LicenseFactory().make_from_string(expression)] if expression else []
            yield _component("cargo", name, version.removeprefix("v"), licenses=licences)


def _component(ecosystem: str, name: str, version: str, **fields: Any) -> Component:
    url = PackageURL(ecosystem, name=name, version=version)
    return Component(name=name, version=version, purl=url, bom_ref=str(url), **fields)


def bill() -> Bom:
    """The bill of a release of the service, its client included."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    bom = Bom()
    bom.metadata.component = Component(
        name=project["name"],
        version=project["version"],
        type=ComponentType.APPLICATION,
        licenses=[LicenseFactory().make_from_string(project["license"])],
    )
    bom.components.update(python_components((ROOT / "requirements/runtime.txt").read_text()))
    bom.components.update(rust_components())
    bom.register_dependency(bom.metadata.component, bom.components)
    return bom


def main(target: Path = TARGET) -> int:
    """Write the file."""
    target.parent.mkdir(exist_ok=True)
    target.write_text(JsonV1Dot6(bill()).output_as_string(indent=2) + "\n")
    print(f"{target}: {len(bill().components)} components")
    return 0


if __name__ == "__main__":
    sys.exit(main())
