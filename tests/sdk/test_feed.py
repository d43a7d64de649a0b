from __future__ import annotations

from itertools import islice

import grpc
import pytest

import tablestate
from support.fake_server import FakeServer, Fault
from tablestate.v1.feed_pb2 import FeedItem, WatchFeedRequest, WatchFeedResponse

UNAVAILABLE = Fault(grpc.StatusCode.UNAVAILABLE)
SLOW = Fault(grpc.StatusCode.RESOURCE_EXHAUSTED, "WATCHER_TOO_SLOW")


def news(number: int) -> WatchFeedResponse:
    return WatchFeedResponse(item=FeedItem(version=number), cursor=f"cursor {number}")


def cursors(server: FakeServer) -> list[str]:
    return [WatchFeedRequest.FromString(each).cursor for each in server.requests["WatchFeed"]]


def test_a_broken_feed_goes_on_from_its_last_cursor(
    client: tablestate.Client, server: FakeServer
) -> None:
    broken: list[tablestate.TablestateError] = []
    server.answer("WatchFeed", news(1), news(2), UNAVAILABLE)
    server.answer("WatchFeed", SLOW)
    server.answer("WatchFeed", news(3))
    feed = client.watch_feed("secret", tenant="shop", cursor="cursor 0", on_break=broken.append)
    assert [each.item.version for each in islice(feed, 3)] == [1, 2, 3]
    assert cursors(server) == ["cursor 0", "cursor 2", "cursor 2"]
    assert [error.reason for error in broken] == ["", "WATCHER_TOO_SLOW"]
    sent = WatchFeedRequest.FromString(server.requests["WatchFeed"][0])
    assert (sent.feed_secret, sent.tenant) == ("secret", "shop")


def test_a_feed_without_its_secret_is_refused(
    client: tablestate.Client, server: FakeServer
) -> None:
    server.answer("WatchFeed", Fault(grpc.StatusCode.PERMISSION_DENIED, "WRONG_FEED_SECRET"))
    with pytest.raises(tablestate.PermissionDeniedError) as refused:
        next(client.watch_feed("another"))
    assert refused.value.reason == "WRONG_FEED_SECRET"
    assert "another" not in str(refused.value)


def test_a_feed_with_a_time_that_is_none_is_not_asked_for(client: tablestate.Client) -> None:
    with pytest.raises(tablestate.InvalidArgumentError):
        client.watch_feed("secret", timeout=-1.0)
