"""No block of code in any document is left untried."""

import re
from collections import Counter

from support.code_blocks import PLAIN, RUNNERS, UNTESTED, all_blocks, documents
from tools.sources import ROOT


def test_every_block_is_run_by_one_test_or_says_why_not() -> None:
    for block in all_blocks():
        if block.language == PLAIN:
            continue
        running = [each.test for each in RUNNERS if each.runs(block)]
        if (block.document, block.language) in UNTESTED:
            assert running == [], f"{block.title} is run, and is listed as untested"
        else:
            assert len(running) == 1, f"{block.title} ({block.language}) is run by {running}"


def test_every_fence_is_that_of_a_block() -> None:
    found = Counter(block.document for block in all_blocks())
    for name in documents():
        fences = re.findall(r"^ *(?:```|~~~)", (ROOT / name).read_text(), re.MULTILINE)
        assert len(fences) == 2 * found[name], name


def test_whatever_is_listed_is_there() -> None:
    blocks = list(all_blocks())
    there = {(block.document, block.language) for block in blocks}
    assert UNTESTED.keys() <= there
    for runner in RUNNERS:
        assert any(map(runner.runs, blocks)), runner
        text = (ROOT / runner.test).read_text(encoding="utf-8")
        asks = "blocks_for(__file__)" in text or runner.by_itself
        assert asks, f"{runner.test} does not ask for its blocks"
