"""What the documents show works."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.code_blocks import ROOT, CodeBlock, blocks_of, code_blocks, run_block
from tablestate_service.cli.embedded import embedded_service


@pytest.fixture(scope="module")
def target() -> Iterator[str]:
    with embedded_service() as address:
        yield address


def title(block: CodeBlock) -> str:
    return f"{block.document}:{block.line}"


@pytest.mark.parametrize("block", code_blocks(), ids=title)
def test_every_example_runs(block: CodeBlock, target: str, tmp_path: Path) -> None:
    done = run_block(block, target, tmp_path)
    assert done.returncode == 0, f"{title(block)}\n{done.stdout}{done.stderr}"


def test_the_readme_has_an_example() -> None:
    assert blocks_of(ROOT / "README.md")


def test_every_make_target_that_a_document_names_exists() -> None:
    makefile = (ROOT / "Makefile").read_text()
    documents = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
    named = {
        target
        for path in documents
        for target in re.findall(r"`make ([a-z]+)[^`]*`", path.read_text(encoding="utf-8"))
    }
    assert named
    assert named <= set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))


def test_links_between_documents_lead_somewhere() -> None:
    documents = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    links = [
        (path, link)
        for path in documents
        for link in re.findall(r"\]\((?!https?:|#)([^)#]+)", path.read_text(encoding="utf-8"))
    ]
    broken = [f"{path.name}: {link}" for path, link in links if not (path.parent / link).exists()]
    assert links
    assert broken == []


def test_all_parts_have_one_version() -> None:
    service = tomllib.loads((ROOT / "pyproject.toml").read_text())
    client = tomllib.loads((ROOT / "clients/python/pyproject.toml").read_text())
    core = tomllib.loads((ROOT / "Cargo.toml").read_text())
    versions = {
        service["project"]["version"],
        client["project"]["version"],
        core["workspace"]["package"]["version"],
    }
    assert len(versions) == 1
