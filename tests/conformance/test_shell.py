"""The examples for shells that call a service do what their documents say."""

import asyncio
import json
import os
from pathlib import Path

from support.code_blocks import CodeBlock, blocks_for
from support.service import service
from tools.sources import ROOT

DOCUMENTED = "http://127.0.0.1:8080/"
PRINTED = {
    "docs/browsers.md": ['"version"', '"match"', '"MATCH_NOT_FOUND"', "{}"],
    "docs/start/json.md": ["MATCH_PHASE_OVER", "OUTCOME_REASON_FORFEIT", '"host_token"'],
}
"""What each example of a document prints, among other things."""


async def output_of(block: CodeBlock, page: str) -> str:
    process = await asyncio.create_subprocess_shell(
        block.code.replace(DOCUMENTED, page),
        cwd=ROOT,
        env=os.environ,
        stdout=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(60):
        out, _ = await process.communicate()
    assert process.returncode == 0, block.title
    return out.decode()


async def test_every_example_prints_what_it_is_to(tmp_path: Path) -> None:
    blocks = blocks_for(__file__)
    printed: dict[str, list[str]] = {name: [] for name in PRINTED}
    async with service(tmp_path, settings={"gateway": "127.0.0.1:0"}) as (running, _):
        for block in blocks:
            printed[block.document].append(await output_of(block, running.page))
    for name, outputs in printed.items():
        assert len(outputs) == len(PRINTED[name])
        for output, expected in zip(outputs, PRINTED[name], strict=True):
            assert expected in output


async def test_a_refusal_is_as_it_is_shown(tmp_path: Path) -> None:
    (block,) = (each for each in blocks_for(__file__) if "# {" in each.code)
    async with service(tmp_path, settings={"gateway": "127.0.0.1:0"}) as (running, _):
        refusal = json.loads(await output_of(block, running.page))
    reason = refusal["details"][0]["debug"]["reason"]
    for part in (refusal["code"], refusal["message"], reason):
        assert f'"{part}"' in block.code
