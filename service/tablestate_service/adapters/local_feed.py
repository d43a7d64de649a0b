"""The feed within one process."""

import asyncio
from collections.abc import Sequence

from tablestate_service.domain.errors import limit_reached, shutting_down


class Watched:
    """A match that is watched here: by whom, and the version that was told last."""

    __slots__ = ("subscriptions", "version")

    def __init__(self) -> None:
        """Nothing was told yet."""
        # In the order they came, and woken in it.
        self.subscriptions: dict[LocalSubscription, None] = {}
        self.version = 0


class LocalFeed:
    """Wakes the watchers of a match in this process."""

    def __init__(self, max_watches: int) -> None:
        """Allow at most that many subscriptions at a time."""
        self._max_watches = max_watches
        self._watched: dict[str, Watched] = {}
        self._subscriptions: set[LocalSubscription] = set()
        self._of_all: set[LocalSubscription] = set()
        self.is_closed = False

    def publish(self, match_id: str, version: int) -> None:
        """Wake all who watch a match, unless they were told of that version before."""
        for subscription in self._of_all:
            subscription.tell("", 0)
        watched = self._watched.get(match_id)
        if watched is None or version <= watched.version:
            return
        watched.version = version
        for subscription in watched.subscriptions:
            subscription.tell(match_id, version)

    def subscribe(self, match_ids: Sequence[str]) -> "LocalSubscription":
        """News of these matches; refuses SHUTTING_DOWN, LIMIT_REACHED."""
        subscription = self._subscribed(tuple(match_ids))
        for match_id in match_ids:
            self._watched.setdefault(match_id, Watched()).subscriptions[subscription] = None
        return subscription

    def subscribe_all(self) -> "LocalSubscription":
        """News of all matches; refuses SHUTTING_DOWN, LIMIT_REACHED."""
        subscription = self._subscribed(())
        self._of_all.add(subscription)
        return subscription

    def _subscribed(self, match_ids: tuple[str, ...]) -> "LocalSubscription":
        if self.is_closed:
            raise shutting_down()
        if len(self._subscriptions) >= self._max_watches:
            raise limit_reached("watches", self._max_watches)
        subscription = LocalSubscription(self, match_ids)
        self._subscriptions.add(subscription)
        return subscription

    def unsubscribe(self, subscription: "LocalSubscription") -> None:
        """Forget a subscription."""
        self._subscriptions.discard(subscription)
        self._of_all.discard(subscription)
        for match_id in subscription.match_ids:
            watched = self._watched.get(match_id)
            if watched is None:
                continue
            watched.subscriptions.pop(subscription, None)
            if not watched.subscriptions:
                del self._watched[match_id]

    def is_watched(self, match_id: str) -> bool:
        """Whether anybody watches a match."""
        return match_id in self._watched

    @property
    def subscriptions(self) -> int:
        """How many there are now."""
        return len(self._subscriptions)

    def watched(self) -> Sequence[str]:
        """The matches that anybody watches."""
        return tuple(self._watched)

    def close(self) -> None:
        """Wake and end all subscriptions."""
        self.is_closed = True
        for subscription in self._subscriptions:
            subscription.wake()


class LocalSubscription:
    """News for one watcher: one wake-up whatever the number of its matches."""

    __slots__ = ("_feed", "_news", "_waiter", "match_ids")

    def __init__(self, feed: LocalFeed, match_ids: tuple[str, ...]) -> None:
        """Made by the feed."""
        self._feed = feed
        self._news: dict[str, int] = {}
        self._waiter: asyncio.Future[None] | None = None
        self.match_ids = match_ids

    def tell(self, match_id: str, version: int) -> None:
        """A match has reached a version."""
        self._news[match_id] = version
        self.wake()

    def wake(self) -> None:
        """There is news, be it of the feed itself."""
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def changed(self) -> dict[str, int]:
        """Wait until there is news; refuses SHUTTING_DOWN once the feed is closed."""
        if not self._news and not self._feed.is_closed:
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
            self._waiter = None
        if self._feed.is_closed:
            raise shutting_down()
        news, self._news = self._news, {}
        return news

    def close(self) -> None:
        """End the subscription."""
        self._feed.unsubscribe(self)
