"""The pictures of the rules are small, need nothing else, and are shown with their meaning."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tools.sources import ROOT

RULES = ROOT / "docs" / "rules"
PICTURES = sorted((RULES / "pictures").glob("*.svg"))
MAX_BYTES = 60_000
SHOWN = re.compile(r"!\[([^\]]+)\]\(pictures/([a-z_-]+\.svg)\)")


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.name)
def test_a_picture_needs_nothing_else(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.encode()) < MAX_BYTES
    elements = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(text).iter()}
    assert "foreignObject" in elements
    assert not elements & {"script", "img", "link", "a"}
    assert not re.search(r"url\((?!#)|href=", text)


def test_every_picture_is_shown_in_the_rules_of_its_game_and_said_in_words() -> None:
    for game in ("eternitium", "off_the_rails", "offboard", "offtrack"):
        shown = SHOWN.findall((RULES / f"{game}.md").read_text(encoding="utf-8"))
        names = [name for _, name in shown]
        assert sorted(names) == [path.name for path in PICTURES if path.name.startswith(f"{game}-")]
        assert len(names) >= 3
        assert all(len(words.split()) > 5 for words, _ in shown)
