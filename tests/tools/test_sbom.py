"""The bill of materials names what is locked, and nothing of ours twice."""

import json
import re
import tomllib
from pathlib import Path

from tools import sbom
from tools.sources import ROOT


def test_every_locked_package_and_every_linked_crate_is_in_it(tmp_path: Path) -> None:
    target = tmp_path / "dist" / "bill.json"
    assert sbom.main(target) == 0
    written = json.loads(target.read_text())
    assert (written["bomFormat"], written["specVersion"]) == ("CycloneDX", "1.6")
    assert written["metadata"]["component"]["name"] == "tablestate-service"
    purls = [each["purl"] for each in written["components"]]
    assert len(purls) == len(set(purls))
    lock = (ROOT / "requirements/runtime.txt").read_text()
    python = {
        f"pkg:pypi/{name.lower()}@{version}"
        for name, version in re.findall(r"^([\w.-]+)==([^ ;\n]+)", lock, re.MULTILINE)
    }
    assert python and python == {each for each in purls if each.startswith("pkg:pypi/")}
    crates = {each for each in purls if each.startswith("pkg:cargo/")}
    locked = tomllib.loads((ROOT / "Cargo.lock").read_text())["package"]
    known = {f"pkg:cargo/{each['name']}@{each['version']}" for each in locked}
    assert crates <= known and any(each.startswith("pkg:cargo/pyo3@") for each in crates)
    assert not any("tablestate" in each for each in purls)


def test_hashes_are_those_of_the_lock_and_crates_have_licences(tmp_path: Path) -> None:
    lock = "aiohttp==3.14.5 \\\n    --hash=sha256:" + "a" * 64 + "\nsix==1.17.0\n"
    aiohttp, six = sbom.python_components(lock)
    assert [each.content for each in aiohttp.hashes] == ["a" * 64] and not six.hashes
    assert all(each.licenses for each in sbom.rust_components())
