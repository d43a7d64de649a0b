"""The page's files, as browsers fetch them."""

import gzip
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from support.browser import Browser, browser
from tablestate_service.gateway.origins import Origins
from tablestate_service.gateway.page import Page
from tablestate_service.gateway.server import Gateway
from tablestate_service.settings import Limits

INDEX = b"<!doctype html><title>the page</title>"
SCRIPT = b"console.log('the script');" * 100
HASHED = "/assets/index-CAFE_123.js"


@pytest.fixture
async def page(tmp_path: Path) -> AsyncIterator[Browser]:
    """A browser before a gateway with a page of three files, and a secret beside it."""
    folder = tmp_path / "page"
    (folder / "assets").mkdir(parents=True)
    (tmp_path / "secret.html").write_text("secret")
    (folder / "index.html").write_bytes(INDEX)
    (folder / "icon.svg").write_text("<svg/>")
    (folder / HASHED[1:]).write_bytes(SCRIPT)
    files = Page(folder, tmp_path / "openapi.json")
    gateway = Gateway({}, Origins((), "127.0.0.1"), files, Limits())
    port = await gateway.listen("127.0.0.1", 0, None)
    async with browser(f"http://127.0.0.1:{port}/") as opened:
        yield opened
    await gateway.close()


async def test_the_page_is_there_and_asked_for_again(page: Browser) -> None:
    answer = await page.send("GET", "/")
    assert (answer.status, answer.body) == (200, INDEX)
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    again = await page.send("GET", "/", if_none_match=answer.headers["etag"])
    assert (again.status, again.body) == (304, b"")


async def test_a_path_of_the_page_shows_the_page(page: Browser) -> None:
    for path in ("/match/" + "0" * 32, "/replay/x?ply=3", "/index.html"):
        assert (await page.send("GET", path)).body == INDEX
    assert (await page.send("GET", "/assets/gone-CAFE_123.js")).status == 404
    assert (await page.send("HEAD", "/")).body == b""


async def test_files_that_never_change_are_kept(page: Browser) -> None:
    answer = await page.send("GET", HASHED, accept_encoding="gzip")
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["content-encoding"] == "gzip"
    assert gzip.decompress(answer.body) == SCRIPT
    assert len(answer.body) < len(SCRIPT) / 10
    assert answer.headers["content-type"].startswith("text/javascript")
    assert "immutable" not in (await page.send("GET", "/icon.svg")).headers["cache-control"]


async def test_no_path_leads_out_of_the_page(page: Browser) -> None:
    for path in ("/../secret.html", "/%2e%2e/secret.html", "/assets/../../secret.html", "//secret"):
        assert b"secret" not in (await page.send("GET", path)).body


async def test_a_page_is_told_to_load_nothing_from_elsewhere(page: Browser) -> None:
    for path in ("/", HASHED, "/gone.js"):
        headers = (await page.send("GET", path)).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["server"] == "tablestate"


async def test_other_verbs_are_refused(page: Browser) -> None:
    for verb in ("PUT", "DELETE", "PATCH"):
        assert (await page.send(verb, "/")).status == 405
