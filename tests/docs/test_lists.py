"""Lists are written so that every reader of Markdown takes them for such, MkDocs' too."""

import re

import pytest

from support.code_blocks import FENCE, documents
from tools.sources import ROOT

ITEM = re.compile(r"( *)(?:[-*]|\d+\.) ")
BEGINS = re.compile(r"(?:[-*]|1\.) ")


@pytest.mark.parametrize("name", documents())
def test_lists_begin_after_a_blank_line_and_nest_by_four_spaces(name: str) -> None:
    text = FENCE.sub("", (ROOT / name).read_text(encoding="utf-8"))
    before = ""
    for line in text.splitlines():
        item = ITEM.match(line)
        assert not item or len(item[1]) % 4 == 0, line
        follows = not before.strip() or before.startswith(" ") or ITEM.match(before)
        assert follows or not BEGINS.match(line), line
        assert before.strip() or not re.match(r" {1,3}\S", line), line
        before = line
