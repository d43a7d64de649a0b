"""What a release consists of fits together; `make release` tries out the whole."""

import subprocess
import tarfile
import tomllib
from pathlib import Path

import pytest

import tablestate_service
from tablestate_service._cores import V3_NAME
from tools import release
from tools.sources import ROOT, tracked_files


def version_in(file: str, *keys: str) -> str:
    """The version that a TOML file says at this place."""
    found = tomllib.loads((ROOT / file).read_text(encoding="utf-8"))
    for key in (*keys, "version"):
        found = found[key]
    return str(found)


def test_all_parts_have_one_version() -> None:
    service = version_in("pyproject.toml", "project")
    assert service == tablestate_service.__version__
    assert service == version_in("clients/python/pyproject.toml", "project")
    assert service == version_in("Cargo.toml", "workspace", "package")
    assert service == version_in("clients/rust/Cargo.toml", "package")
    java = (ROOT / "clients/java/pom.xml").read_text(encoding="utf-8")
    assert f"<artifactId>tablestate-client</artifactId>\n  <version>{service}</version>" in java
    go = (ROOT / "clients/go/doc.go").read_text(encoding="utf-8")
    assert f'\nconst Version = "{service}"\n' in go


def test_checksums_are_read_by_the_usual_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(release, "DIST", tmp_path)
    files = [tmp_path / name for name in ("a.whl", "b.tar.gz")]
    for file in files:
        file.write_text(file.name)
    release.write_sums(files)
    check = ["sha256sum", "--check", "--strict", release.SUMS]
    assert subprocess.run(check, cwd=tmp_path, capture_output=True).returncode == 0
    files[0].write_text("something else")
    assert subprocess.run(check, cwd=tmp_path, capture_output=True).returncode == 1


def test_the_sdist_holds_the_sources_and_nothing_that_was_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DIST", "WORK"):
        monkeypatch.setattr(release, name, tmp_path)
    source = release.build_sdist()
    [archive] = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as tar:
        names = {each.removeprefix(f"{source.name}/") for each in tar.getnames()}
    package = "service/tablestate_service/"
    assert {each for each in tracked_files() if each.startswith(package)} <= names
    assert {"PKG-INFO", "LICENSE", "README.md", "Cargo.lock", "core-rs/rules/Cargo.toml"} <= names
    assert not [each for each in names if each.endswith((".so", ".pyc"))]
    assert V3_NAME not in {Path(each).name for each in names}
