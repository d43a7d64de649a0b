"""Webhooks: news posted to an operator's own server, signed, in order, at least once.

The form is that of Standard Webhooks (standardwebhooks.com).
"""

import asyncio
import base64
import hmac
import logging
import math
import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import aclosing

from tablestate_service.domain.errors import DomainError, Reason
from tablestate_service.domain.news import News
from tablestate_service.ports import HOOK_SECONDS, Clock, Courier, Hook, MatchFeed, MatchStore, Told
from tablestate_service.usecases.news import watch_news

log = logging.getLogger(__name__)

_CLAIM_SECONDS = HOOK_SECONDS / 4
"""A claim is made anew when it is older, so that a delivery always ends within it."""
_LOOK_SECONDS = 5.0
"""How often a node looks whether the one that delivers is still there."""
_FIRST_DELAY = 1.0
_LONGEST_DELAY = 60.0
_NANOSECONDS = 1_000_000_000


class HookRunner:
    """Delivers the news of one webhook, unless another node does.

    One piece of news is under way at a time, and the next waits until it was taken: so they
    arrive in order, and a receiver that fails holds back its own hook and nothing else.
    """

    def __init__(
        self,
        hook: Hook,
        store: MatchStore,
        feed: MatchFeed,
        courier: Courier,
        clock: Clock,
        body_of: Callable[[News], bytes],
    ) -> None:
        """Deliver by a courier; `body_of` writes news down."""
        self._hook = hook
        self._store = store
        self._feed = feed
        self._courier = courier
        self._clock = clock
        self._body_of = body_of
        self._claimed_at = -math.inf
        self._failures = 0

    @property
    def delivers(self) -> bool:
        """Whether it is this node that delivers."""
        return self._claimed_at > -math.inf

    @property
    def is_failing(self) -> bool:
        """Whether what this node delivers now was not taken at first."""
        return self.delivers and self._failures > 0

    async def run(self) -> None:
        """Deliver until the feed is closed."""
        while True:
            try:
                await self._deliver_all()
            except DomainError as refusal:
                if refusal.reason is Reason.SHUTTING_DOWN:
                    return
                log.error(
                    "webhook waits for the store",
                    extra={"hook": self._hook.name, "reason": refusal.reason.name},
                )
            except Exception:
                log.exception("webhook failed", extra={"hook": self._hook.name})
            await asyncio.sleep(_LOOK_SECONDS)

    async def _deliver_all(self) -> None:
        """Deliver what lies behind the cursor, as long as no other node does."""
        cursor = await self._claim()
        if cursor is None:
            return
        news = watch_news(self._store, self._feed, self._hook.tenant, cursor)
        async with aclosing(news):
            async for told in news:
                if not await self._deliver(told):
                    return

    async def _deliver(self, told: Told) -> bool:
        """Deliver one piece of news, however often it takes; False if another node does."""
        self._failures = 0
        while await self._may_deliver(told):
            status = await self._post(told)
            if status is not None and 200 <= status < 300:
                self._failures = 0
                return await self._store.move_hook(self._hook.name, told.number)
            self._failures += 1
            log.warning(
                "webhook was not taken",
                extra={"hook": self._hook.name, "status": status, "failures": self._failures},
            )
            await self._pause(_delay_after(self._failures))
        self._failures = 0  # They are another node's now, and so may be their success.
        return False

    async def _may_deliver(self, told: Told) -> bool:
        """Whether this node has the hook, and the news were not delivered meanwhile."""
        if self._now() - self._claimed_at < _CLAIM_SECONDS:
            return True
        cursor = await self._claim()
        return cursor is not None and cursor < told.number

    async def _claim(self) -> int | None:
        began = self._now()
        cursor = await self._store.claim_hook(self._hook.name)
        self._claimed_at = -math.inf if cursor is None else began
        return cursor

    async def _pause(self, seconds: float) -> None:
        """Wait, and keep the hook: another node would know nothing of the failures."""
        end = self._now() + seconds
        while (left := end - self._now()) > 0:
            await asyncio.sleep(min(left, _CLAIM_SECONDS))
            await self._claim()

    async def _post(self, told: Told) -> int | None:
        body = self._body_of(told.news)
        second = self._clock.now() // _NANOSECONDS
        headers = signed_headers(self._hook.keys, message_id(told.news), second, body)
        return await self._courier.post(self._hook.url, headers, body)

    def _now(self) -> float:
        return asyncio.get_running_loop().time()


def message_id(news: News) -> str:
    """The id of a message, the same for each of its deliveries."""
    return f"{news.match_id}-{news.version}-{news.kind.name.lower()}"


def signed_headers(
    keys: Sequence[bytes], message_id: str, second: int, body: bytes
) -> Mapping[str, str]:
    """The headers of a message, with a signature by each key."""
    signed = f"{message_id}.{second}.".encode() + body
    digests = (hmac.digest(key, signed, "sha256") for key in keys)
    return {
        "content-type": "application/json",
        "webhook-id": message_id,
        "webhook-timestamp": str(second),
        "webhook-signature": " ".join(f"v1,{base64.b64encode(d).decode()}" for d in digests),
    }


def _delay_after(failures: int) -> float:
    # Jitter: hooks that failed together must not come back together.
    longest = min(_FIRST_DELAY * 2.0 ** min(failures - 1, 10), _LONGEST_DELAY)
    return random.uniform(longest / 2, longest)
