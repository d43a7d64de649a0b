from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.code_blocks import CodeBlock, blocks_for, run_block
from tablestate_service.cli.embedded import embedded_service

BLOCKS = blocks_for(__file__)


@pytest.fixture(scope="module")
def target() -> Iterator[str]:
    with embedded_service() as address:
        yield address


def test_the_readme_has_examples() -> None:
    assert len(BLOCKS) >= 8


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: f"line {block.line}")
def test_every_example_of_the_package_runs(block: CodeBlock, target: str, tmp_path: Path) -> None:
    done = run_block(block, target, tmp_path)
    assert done.returncode == 0, f"line {block.line}\n{done.stdout}{done.stderr}"
