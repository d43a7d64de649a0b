"""The news of a tenant's matches, for its operator."""

from contextlib import aclosing

from tablestate.v1 import feed_pb2 as pb
from tablestate_service.domain.access import Role
from tablestate_service.domain.errors import invalid_field, watcher_too_slow, wrong_feed_secret
from tablestate_service.domain.hashing import same, token_hash
from tablestate_service.ports import MatchFeed, MatchStore, Told
from tablestate_service.rpc import feed_token, messages
from tablestate_service.rpc.callers import caller, own_tenant
from tablestate_service.rpc.requests import Fields
from tablestate_service.rpc.sender import SlowReaderError
from tablestate_service.rpc.wrapper import Send
from tablestate_service.usecases.news import watch_news


class FeedServicer:
    """Serves operators and, without keys, those who know the server's feed secret."""

    def __init__(self, store: MatchStore, feed: MatchFeed, secret: str) -> None:
        """Tell the news of a store; an empty secret is none."""
        self._store = store
        self._feed = feed
        self._secret = token_hash(secret.encode()) if secret else None

    async def watch_feed(self, request: pb.WatchFeedRequest, send: Send) -> None:
        """Stream all news after a cursor."""
        if caller().role is not Role.OPERATOR:
            self._require_secret(request.feed_secret)
        fields = Fields()
        tenant = own_tenant(fields, request.tenant)
        after = feed_token.decode(request.cursor, _list_of(tenant)) if request.cursor else 0
        if after is None:
            fields.wrong("cursor", request.cursor, "a cursor of this very feed")
        fields.check()
        if after and after > await self._store.last_news():
            # A backup was restored: what came after the cursor has been told of under its numbers.
            raise invalid_field("cursor", request.cursor, "one that this store has given")
        async with aclosing(watch_news(self._store, self._feed, tenant, after or 0)) as watch:
            async for told in watch:
                try:
                    await send(_response(told))
                except SlowReaderError:
                    raise watcher_too_slow({}) from None

    def _require_secret(self, given: str) -> None:
        if not given:
            raise invalid_field("feed_secret", "", "the secret of the server's feed")
        if self._secret is None or not same(self._secret, token_hash(given.encode())):
            raise wrong_feed_secret()


def _response(told: Told) -> bytes:
    cursor = feed_token.encode(told.number, _list_of(told.news.tenant))
    response = pb.WatchFeedResponse(item=messages.feed_item(told.news), cursor=cursor)
    return response.SerializeToString()


def _list_of(tenant: str) -> str:
    return f"feed/{tenant}"
