"""A service with a gateway, and what browsers send to it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from support.browser import Browser, browser
from support.fake_engine import FakeEngine
from support.service import Client, service
from tablestate_service.app import Parts

SETTINGS = {"gateway": "127.0.0.1:0"}


@pytest.fixture
async def both(tmp_path: Path) -> AsyncIterator[tuple[Browser, Client]]:
    """A browser and a client of gRPC, before one service of the fake game."""
    async with (
        service(tmp_path, Parts(engine=FakeEngine), settings=SETTINGS) as (running, client),
        browser(running.page) as opened,
    ):
        yield opened, client


@pytest.fixture
async def alone(both: tuple[Browser, Client]) -> Browser:
    """The browser of these two."""
    return both[0]
