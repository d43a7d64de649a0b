"""The docs site: its reference has everything of the contract, and links work in both places."""

import logging
from pathlib import Path

import pytest
from google.protobuf.descriptor import Descriptor
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from tablestate.v1 import error_reason_pb2, match_service_pb2
from tools import contract, docs_site, reference
from tools.sources import ROOT

PAGES = reference.pages()


@pytest.fixture(scope="module")
def config() -> MkDocsConfig:
    return load_config(str(ROOT / "mkdocs.yml"))


@pytest.fixture(scope="module")
def files(config: MkDocsConfig) -> Files:
    docs = [File(each, str(ROOT / "docs"), "", True) for each in ("errors.md", "rules/common.md")]
    return config.plugins.on_files(Files(docs), config=config)


def test_every_method_message_field_and_value_has_an_anchor() -> None:
    for file in contract.files():
        page = PAGES[reference.page_of(file.name)]
        anchors = [each.name for each in file.message_type] + [each.name for each in file.enum_type]
        for message in file.message_type:
            anchors += [f"{message.name}.{field.name}" for field in message.field]
        for enum in file.enum_type:
            anchors += [f"{enum.name}.{value.name}" for value in enum.value]
        for service in file.service:
            anchors += [f"{service.name}.{method.name}" for method in service.method]
        assert [each for each in anchors if f"{{ #{each} }}" not in page] == []


def test_comments_types_and_access_are_told() -> None:
    page = PAGES["match_service.md"]
    method = match_service_pb2.DESCRIPTOR.services_by_name["MatchService"].methods_by_name["AddBot"]
    assert isinstance(method.input_type, Descriptor)
    told = page.partition("{ #MatchService.AddBot }")[2].partition("\n## ")[0]
    assert "Puts a bot on a seat. For the host." in told
    assert f"[{method.input_type.name}](match_service.md#AddBotRequest)" in told
    assert "[ROLE_PLAYER](access.md#Role.ROLE_PLAYER)" in told
    assert "[REQUEST_TOKEN_HOST](access.md#RequestToken.REQUEST_TOKEN_HOST)" in told
    assert "`POST /tablestate.v1.MatchService/AddBot`" in told


def test_what_a_comment_names_is_linked() -> None:
    reasons = error_reason_pb2.ErrorReason.keys()
    assert "ERROR_REASON_POSITION_HIDDEN" in reasons
    anchor = "error_reason.md#ErrorReason.ERROR_REASON_POSITION_HIDDEN"
    assert f"[POSITION_HIDDEN]({anchor})" in PAGES["match_service.md"]
    assert "[ClaimTimeout](match_service.md#MatchService.ClaimTimeout)" in PAGES["match.md"]
    assert "[chance.md](../chance.md)" in PAGES["match.md"]


@pytest.mark.parametrize(
    ("page", "link", "led"),
    [
        ("errors.md", "[a](rules/common.md#x)", "[a](rules/common.md#x)"),
        ("rules/common.md", "[a](../errors.md)", "[a](../errors.md)"),
        ("errors.md", "[a](../proto/tablestate/v1)", "[a](reference/index.md)"),
        ("errors.md", "[a](../proto/tablestate/v1/match.proto)", "[a](reference/match.md)"),
        ("errors.md", "[a](../clients/python/README.md#b)", "[a](start/python.md#b)"),
        ("start/python.md", "[a](../../docs/errors.md)", "[a](../errors.md)"),
        ("errors.md", "see [`a.py`](../tools/check.py) there", "see `a.py` there"),
        ("errors.md", "[a](https://example.org/x.md)", "[a](https://example.org/x.md)"),
        ("errors.md", "`a[b](../tools/check.py)`", "`a[b](../tools/check.py)`"),
        ("errors.md", "[a](missing.md)", "[a](missing.md)"),
    ],
)
def test_links_lead_to_what_the_site_shows(
    page: str, link: str, led: str, config: MkDocsConfig, files: Files
) -> None:
    file = files.get_file_from_path(page)
    assert file is not None
    shown = docs_site.on_page_markdown(link, Page(None, file, config), config, files)
    assert shown == led


@pytest.mark.parametrize(
    ("html", "count"),
    [
        ('<script src="https://cdn.example/a.js">', 1),
        ('<link rel="stylesheet" href="https://fonts.example/a.css">', 1),
        ('<img alt="x" src="//example.org/a.png">', 1),
        ('<img src="../a.svg"><link rel="stylesheet" href="../a.css">', 0),
        ('<a href="https://example.org/">there</a>', 0),
    ],
)
def test_a_page_that_loads_from_elsewhere_is_warned_of(
    html: str, count: int, config: MkDocsConfig, caplog: pytest.LogCaptureFixture
) -> None:
    page = Page(None, File("errors.md", str(Path("docs")), "", True), config)
    with caplog.at_level(logging.WARNING):
        assert docs_site.on_post_page(html, page, config) == html
    assert len(caplog.records) == count
