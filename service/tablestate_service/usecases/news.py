"""Following the news of a tenant's matches."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import suppress

from tablestate_service.ports import MatchFeed, MatchStore, Told

_PAGE = 256
_COALESCE_SECONDS = 0.02
"""How long news wait for company: each look is a read of the store."""
_POLL_SECONDS = 1.0
"""What other nodes tell of may get lost."""


async def watch_news(
    store: MatchStore, feed: MatchFeed, tenant: str, after: int
) -> AsyncGenerator[Told, None]:
    """All news with numbers after one, each once, in their order; ends with the feed.

    Refuses SHUTTING_DOWN then, and LIMIT_REACHED.
    """
    # Subscribed before the first read, so that nothing falls between the two.
    subscription = feed.subscribe_all()
    try:
        while True:
            page = await store.news(tenant, after, _PAGE)
            for told in page:
                yield told
                after = told.number
            if len(page) < _PAGE:
                with suppress(TimeoutError):
                    async with asyncio.timeout(_POLL_SECONDS):
                        await subscription.changed()
                await asyncio.sleep(_COALESCE_SECONDS)
    finally:
        subscription.close()
