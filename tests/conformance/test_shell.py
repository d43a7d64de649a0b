"""The examples for shells in `docs/browsers.md` do what they say."""

import asyncio
import json
import os
import re
from pathlib import Path

from support.service import service
from tools.sources import ROOT

DOCUMENTED = "http://127.0.0.1:8080/"
TEXT = (ROOT / "docs/browsers.md").read_text()
EXAMPLES = re.findall(r"^```sh\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
ANSWERS = ("version", "match", "code", "")
"""What tells that each was answered; the last has nothing to tell."""


async def output_of(example: str, page: str) -> str:
    process = await asyncio.create_subprocess_shell(
        example.replace(DOCUMENTED, page), cwd=ROOT, env=os.environ, stdout=asyncio.subprocess.PIPE
    )
    async with asyncio.timeout(30):
        out, _ = await process.communicate()
    assert process.returncode == 0
    return out.decode()


async def test_every_example_is_answered_as_it_is_told(tmp_path: Path) -> None:
    async with service(tmp_path, settings={"gateway": "127.0.0.1:0"}) as (running, _):
        answers = [json.loads(await output_of(each, running.page)) for each in EXAMPLES]
    assert len(EXAMPLES) == len(ANSWERS)
    for answer, told in zip(answers, ANSWERS, strict=True):
        assert told in answer or not told
    refusal = answers[2]
    shown = refusal["details"][0]["debug"]["reason"]
    for part in (refusal["code"], refusal["message"], shown):
        assert f'"{part}"' in EXAMPLES[2]
