from __future__ import annotations

import threading
from itertools import islice

import grpc
import pytest

import tablestate
from support.fake_server import FakeServer, Fault
from tablestate._cursor import Cursor, subscription
from tablestate.v1.match_pb2 import MatchPhase, MatchUpdate
from tablestate.v1.match_service_pb2 import (
    WatchMatchesRequest,
    WatchMatchesResponse,
    WatchSubscription,
)

RUNNING, OVER = MatchPhase.MATCH_PHASE_RUNNING, MatchPhase.MATCH_PHASE_OVER
BREAKS = [
    Fault(grpc.StatusCode.UNAVAILABLE),
    Fault(grpc.StatusCode.UNAVAILABLE, "SHUTTING_DOWN"),
    Fault(grpc.StatusCode.RESOURCE_EXHAUSTED, "WATCHER_TOO_SLOW", metadata={"m": "2"}),
]


def sent(
    version: int, phase: MatchPhase.ValueType = RUNNING, match: str = "m"
) -> WatchMatchesResponse:
    return WatchMatchesResponse(update=MatchUpdate(match_id=match, version=version, phase=phase))


def cursors(server: FakeServer) -> list[dict[str, int]]:
    requests = map(WatchMatchesRequest.FromString, server.requests["WatchMatches"])
    return [{s.match_id: s.after_version for s in r.subscriptions} for r in requests]


@pytest.mark.parametrize("fault", BREAKS)
def test_a_broken_watch_goes_on_without_gap_or_repeat(
    client: tablestate.Client, server: FakeServer, fault: Fault
) -> None:
    server.answer("WatchMatches", sent(1), sent(2), fault)
    server.answer("WatchMatches", fault)
    server.answer("WatchMatches", sent(3), sent(4, OVER))
    assert [update.version for update in client.watch("m")] == [1, 2, 3, 4]
    assert cursors(server) == [{"m": 0}, {"m": 2}, {"m": 2}]


def test_each_break_is_told_and_none_after_the_end(
    client: tablestate.Client, server: FakeServer
) -> None:
    broken: list[tablestate.TablestateError] = []
    server.answer("WatchMatches", sent(1), BREAKS[0])
    server.answer("WatchMatches", BREAKS[1])
    server.answer("WatchMatches", sent(2, OVER))
    updates = client.watch("m", on_break=broken.append)
    assert [update.version for update in updates] == [1, 2]
    assert [error.reason for error in broken] == ["", "SHUTTING_DOWN"]


@pytest.mark.parametrize("fault", BREAKS)
async def test_the_asynchronous_watch_goes_on_alike(server: FakeServer, fault: Fault) -> None:
    server.answer("WatchMatches", sent(1), sent(2), fault)
    server.answer("WatchMatches", sent(3), sent(4, OVER))
    async with tablestate.AsyncClient(server.target) as client:
        assert [update.version async for update in client.watch("m")] == [1, 2, 3, 4]


def test_each_match_goes_on_where_it_stood(client: tablestate.Client, server: FakeServer) -> None:
    first = (sent(1), sent(1, OVER, "n"), sent(1, match="o"), sent(2))
    server.answer("WatchMatches", *first, BREAKS[0])
    server.answer("WatchMatches", sent(2, OVER, "o"), sent(3, OVER))
    assert len(list(client.watch("m", "n", "o"))) == 6
    assert cursors(server)[1] == {"m": 2, "o": 1}  # "n" has ended


def test_a_repeat_is_dropped_and_a_gap_is_asked_for_again(
    client: tablestate.Client, server: FakeServer
) -> None:
    server.answer("WatchMatches", sent(1), sent(1), sent(3))
    server.answer("WatchMatches", sent(2), sent(3, OVER))
    assert [update.version for update in client.watch("m")] == [1, 2, 3]


def test_a_watch_ends_when_the_server_says_so(
    client: tablestate.Client, server: FakeServer
) -> None:
    server.answer("WatchMatches")
    assert list(client.watch("m", after_version=9)) == []


def test_a_watch_that_may_not_be_is_refused(client: tablestate.Client, server: FakeServer) -> None:
    server.answer("WatchMatches", Fault(grpc.StatusCode.NOT_FOUND, "MATCH_NOT_FOUND"))
    with pytest.raises(tablestate.NotFoundError):
        list(client.watch("m"))


def test_a_watch_gives_up_when_its_patience_is_used_up(server: FakeServer) -> None:
    server.answer("WatchMatches", BREAKS[0])
    retry = tablestate.RetryPolicy(watch_patience=0.3)
    with (
        tablestate.Client(server.target, retry=retry) as client,
        pytest.raises(tablestate.UnavailableError),
    ):
        list(client.watch("m"))
    assert len(server.requests["WatchMatches"]) > 1


def test_a_watcher_that_stops_early_ends_its_stream(
    client: tablestate.Client, server: FakeServer
) -> None:
    resume, asked = threading.Event(), threading.Event()

    def wait() -> None:
        asked.set()
        resume.wait(5)

    server.answer("WatchMatches", sent(1), sent(2), wait, *map(sent, range(3, 100)))
    updates = client.watch("m")
    assert [update.version for update in islice(updates, 2)] == [1, 2]
    assert asked.wait(5)
    updates.close()
    resume.set()
    assert list(updates) == []
    assert len(server.requests["WatchMatches"]) == 1


def test_a_seat_watches_with_its_token(client: tablestate.Client, server: FakeServer) -> None:
    server.answer("WatchMatches", sent(1, OVER))
    seat = tablestate.SeatCredential("m", 1, bytes(range(32)))
    list(client.player(seat).watch(include_view=True, include_legal_actions=True))
    [request] = map(WatchMatchesRequest.FromString, server.requests["WatchMatches"])
    assert request.subscriptions[0] == WatchSubscription(
        match_id="m", seat_token=seat.token, include_view=True, include_legal_actions=True
    )


def test_a_subscription_keeps_its_own_cursor_and_is_not_changed() -> None:
    given = WatchSubscription(match_id="m", after_version=4)
    cursor = Cursor([subscription(given, 0, True, True)])
    assert cursor.accept(MatchUpdate(match_id="m", version=5, phase=RUNNING))
    assert given == WatchSubscription(match_id="m", after_version=4)
    assert WatchMatchesRequest.FromString(cursor.request()).subscriptions[0].after_version == 5


def test_updates_of_a_match_that_is_not_watched_are_dropped() -> None:
    cursor = Cursor([WatchSubscription(match_id="m")])
    assert not cursor.accept(MatchUpdate(match_id="n", version=1))


def test_a_watch_ends_at_its_deadline(client: tablestate.Client, server: FakeServer) -> None:
    release = threading.Event()
    server.answer("WatchMatches", sent(1), lambda: bool(release.wait(5)))
    updates = client.watch("m", timeout=0.5)
    assert next(updates).version == 1
    with pytest.raises(tablestate.DeadlineExceededError):
        next(updates)
    release.set()
