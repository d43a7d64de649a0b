"""Nodes with a feed, in this process, for tests."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import grpc

from support.fake_engine import FakeEngine
from support.service import Client
from tablestate_service.app import Parts, running_service
from tablestate_service.settings import Settings

FEED_SECRET = "a feed secret of thirty-two letters"


@asynccontextmanager
async def node(directory: Path, store: str = "", **settings: Any) -> AsyncIterator[Client]:
    """A client of a service of the fake game, on a data directory or on a database."""
    chosen = Settings(port=0, data_dir=directory, store=store, feed_secret=FEED_SECRET, **settings)
    async with AsyncExitStack() as channels, running_service(chosen, PARTS) as running:
        channel = grpc.aio.insecure_channel(running.address)
        await channels.enter_async_context(channel)
        yield Client(channel, running.address)


PARTS = Parts(engine=FakeEngine)
