"""A service with its page, and a real browser that looks at it."""

from collections.abc import AsyncIterator, Iterator

import pytest
from playwright.async_api import Browser, async_playwright

from support.chromium import FLAGS, Visitor, program
from support.page_server import PageServer


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PageServer]:
    with PageServer(tmp_path_factory.mktemp("data")) as server:
        yield server


@pytest.fixture(scope="session")
async def chromium() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=program(), args=FLAGS)
        yield browser
        await browser.close()


@pytest.fixture
async def visitor(chromium: Browser, server: PageServer) -> AsyncIterator[Visitor]:
    """Somebody at a desk, who has never been here; the console must stay free of errors."""
    async with Visitor(chromium, server.address) as visitor:
        yield visitor
        assert visitor.complaints == []
