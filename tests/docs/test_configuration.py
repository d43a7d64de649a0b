"""Files and messages that the documents show are read as they stand."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import json_format

from support.code_blocks import CodeBlock, blocks_for
from tablestate.v1.feed_pb2 import FeedItem, FeedKind
from tablestate_service.key_file import read_keys
from tablestate_service.webhook_file import read_webhooks
from tools.parity.contract import METHODS
from tools.sources import ROOT

ELLIPSIS = "…"
SECRET = "whsec_bXkgc2VjcmV0IG9mIHRoaXJ0eS10d28gYnl0ZXMu"


def check_keys(text: str, folder: Path) -> None:
    """A file of keys, with the digest that is left out."""
    path = folder / "keys.toml"
    path.write_text(text.replace(ELLIPSIS, "ab" * 32), encoding="utf-8")
    assert len(read_keys(path)) == text.count("[[key]]")


def check_webhooks(text: str, folder: Path) -> None:
    """A file of webhooks, with its secret in another place."""
    path, secret = folder / "webhooks.toml", folder / "push"
    secret.write_text(SECRET)
    path.write_text(text.replace("/run/secrets/push", str(secret)), encoding="utf-8")
    assert len(read_webhooks(path, {})) == text.count("[[webhook]]")


def check_servers(text: str, folder: Path) -> None:
    """How a host of language models starts the server: its options are there."""
    for server in json.loads(text)["mcpServers"].values():
        assert server["command"] == "tablestate-mcp"
        command = [sys.executable, "-m", "tablestate.mcp", "--help"]
        shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        assert all(word in shown for word in server["args"] if word.startswith("--"))


def check_news(text: str, folder: Path) -> None:
    """What is posted to a webhook."""
    content: dict[str, Any] = json.loads(text)
    item = json_format.ParseDict(content["data"], FeedItem())
    assert content.keys() == {"type", "timestamp", "data"}
    assert content["type"].removeprefix("match.").upper() in FeedKind.Name(item.kind)


def check_report(text: str, folder: Path) -> None:
    """What the runner of an SDK writes: of vectors and calls that there are."""
    report = json.loads(text)
    vectors = {path.stem for path in (ROOT / "tests/data/vectors").glob("*.json")}
    assert report["vectors"].keys() <= vectors
    assert report["calls"].keys() <= set(METHODS)


KINDS: dict[str, Callable[[str, Path], None]] = {
    "[[key]]": check_keys,
    "[[webhook]]": check_webhooks,
    '"mcpServers"': check_servers,
    '"sdk"': check_report,
    '"type": "match.': check_news,
}
"""What each kind of file holds that no other does, and how it is read."""


@pytest.mark.parametrize("block", blocks_for(__file__), ids=lambda block: block.title)
def test_every_file_is_read(block: CodeBlock, tmp_path: Path) -> None:
    (check,) = (check for mark, check in KINDS.items() if mark in block.code)
    check(block.code, tmp_path)
