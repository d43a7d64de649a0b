"""Hooks of MkDocs: what the site shows beside `docs/`, and links that work in both.

Documents link to each other as files of the repository, so that they can be read there. On the
site a link to a file of the contract leads to its page of the reference, and one to a file that the
site does not show is left as plain text.
"""

import logging
import os
import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from tools import reference
from tools.contract import PROTO
from tools.sources import ROOT

REFERENCE = "reference"
SHOWN = {
    "clients/go/README.md": "start/go.md",
    "clients/java/README.md": "start/java.md",
    "clients/python/README.md": "start/python.md",
    "clients/rust/README.md": "start/rust.md",
    "clients/typescript/README.md": "start/typescript.md",
    "examples/README.md": "examples/self-play.md",
    "examples/selfplay.svg": "examples/selfplay.svg",
    "tests/data/matches/README.md": "data/matches.md",
    "tests/data/vectors/README.md": "data/vectors.md",
    "tools/parity/README.md": "conformance.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
}
"""Files of the repository outside of `docs/`, and where they are on the site."""

LINK = re.compile(
    r"^```.*?^```$|(?P<mark>!?)\[(?P<text>(?:[^\[\]]|\[[^\]]*\])*)\]"
    r"\((?![a-z]+:|#)(?P<target>[^)#\s]+)(?P<anchor>#[^)\s]*)?\)|`[^`\n]+`",
    re.MULTILINE | re.DOTALL,
)
"""A link to a file; or code, in which nothing is one."""
LOADED = re.compile(
    r'<(?:script|img|iframe|source)\b[^>]*\bsrc="?(?:https?:)?//'
    r'|<link\b[^>]*\brel="?(?:stylesheet|preconnect|icon|preload)[^>]*\bhref="?(?:https?:)?//'
)
log = logging.getLogger("mkdocs.hooks.docs_site")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the files from elsewhere, and the reference."""
    for name, uri in SHOWN.items():
        files.append(File.generated(config, uri, abs_src_path=str(ROOT / name)))
    for name, text in reference.pages().items():
        files.append(File.generated(config, f"{REFERENCE}/{name}", content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Let links to files of the repository lead to what the site shows of them."""
    source = page.file.abs_src_path
    if source is None:
        return markdown
    shown = {each.abs_src_path: each.src_uri for each in files if each.abs_src_path}

    def led(found: re.Match[str]) -> str:
        if found["target"] is None:
            return found[0]
        path = os.path.normpath(Path(source).parent / found["target"])
        uri = shown.get(path) or _of_the_contract(path)
        if uri is not None:
            relative = posixpath.relpath(uri, posixpath.dirname(page.file.src_uri))
            return f"{found['mark']}[{found['text']}]({relative}{found['anchor'] or ''})"
        return found["text"] if Path(path).exists() else found[0]

    return LINK.sub(led, markdown)


def _of_the_contract(path: str) -> str | None:
    inside = Path(path).is_relative_to(PROTO) and Path(path).exists()
    return f"{REFERENCE}/{reference.page_of(path)}" if inside else None


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Warn of pages that load anything from elsewhere, which fails a strict build."""
    for found in LOADED.findall(output):
        log.warning("%s loads something from elsewhere: %s", page.file.src_uri, found)
    return output
