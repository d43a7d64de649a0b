"""What the documents show works."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.code_blocks import CodeBlock, blocks_for, run_block
from tablestate_service.cli.embedded import embedded_service
from tools.sources import ROOT


@pytest.fixture(scope="module")
def target() -> Iterator[str]:
    with embedded_service() as address:
        yield address


@pytest.mark.parametrize("block", blocks_for(__file__), ids=lambda block: block.title)
def test_every_example_runs(block: CodeBlock, target: str, tmp_path: Path) -> None:
    done = run_block(block, target, tmp_path)
    assert done.returncode == 0, f"{block.title}\n{done.stdout}{done.stderr}"


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
