"""The feed within one process."""

import asyncio
from collections.abc import Sequence

from tablestate_service.domain.errors import limit_reached, shutting_down


class LocalFeed:
    """Wakes the watchers of a match in this process."""

    def __init__(self, max_watches: int) -> None:
        """Allow at most that many subscriptions at a time."""
        self._max_watches = max_watches
        self._watchers: dict[str, set[LocalSubscription]] = {}
        self._subscriptions: set[LocalSubscription] = set()
        self.is_closed = False

    def publish(self, match_id: str) -> None:
        """Wake all who watch a match."""
        for subscription in self._watchers.get(match_id, ()):
            subscription.wake(match_id)

    def subscribe(self, match_ids: Sequence[str]) -> "LocalSubscription":
        """News of these matches; refuses SHUTTING_DOWN, LIMIT_REACHED."""
        if self.is_closed:
            raise shutting_down()
        if len(self._subscriptions) >= self._max_watches:
            raise limit_reached("watches", self._max_watches)
        subscription = LocalSubscription(self, tuple(match_ids))
        self._subscriptions.add(subscription)
        for match_id in match_ids:
            self._watchers.setdefault(match_id, set()).add(subscription)
        return subscription

    def unsubscribe(self, subscription: "LocalSubscription") -> None:
        """Forget a subscription."""
        self._subscriptions.discard(subscription)
        for match_id in subscription.match_ids:
            watchers = self._watchers.get(match_id)
            if watchers is None:
                continue
            watchers.discard(subscription)
            if not watchers:
                del self._watchers[match_id]

    def is_watched(self, match_id: str) -> bool:
        """Whether anybody watches a match."""
        return match_id in self._watchers

    def close(self) -> None:
        """Wake and end all subscriptions."""
        self.is_closed = True
        for subscription in self._subscriptions:
            subscription.wake(None)


class LocalSubscription:
    """News for one watcher: one wake-up whatever the number of its matches."""

    __slots__ = ("_feed", "_news", "_waiter", "match_ids")

    def __init__(self, feed: LocalFeed, match_ids: tuple[str, ...]) -> None:
        """Made by the feed."""
        self._feed = feed
        self._news: set[str] = set()
        self._waiter: asyncio.Future[None] | None = None
        self.match_ids = match_ids

    def wake(self, match_id: str | None) -> None:
        """There is news of a match, or with None of the feed itself."""
        if match_id is not None:
            self._news.add(match_id)
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def changed(self) -> set[str]:
        """Wait until there is news; refuses SHUTTING_DOWN once the feed is closed."""
        if not self._news and not self._feed.is_closed:
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
            self._waiter = None
        if self._feed.is_closed:
            raise shutting_down()
        news, self._news = self._news, set()
        return news

    def close(self) -> None:
        """End the subscription."""
        self._feed.unsubscribe(self)
