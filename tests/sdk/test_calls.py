from __future__ import annotations

import time

import grpc
import pytest

import tablestate
from support.fake_server import FakeServer, Fault
from tablestate.v1.catalog_service_pb2 import GetServerInfoResponse, ListGamesResponse
from tablestate.v1.engine_service_pb2 import PlayoutResponse
from tablestate.v1.game_pb2 import GameInfo, GameView
from tablestate.v1.match_pb2 import Match, MatchUpdate
from tablestate.v1.match_service_pb2 import (
    AddBotResponse,
    CreateMatchRequest,
    CreateMatchResponse,
    GetMatchRequest,
    GetMatchResponse,
    GetReplayResponse,
    JoinMatchRequest,
    JoinMatchResponse,
    ListMatchesRequest,
    ListMatchesResponse,
    RecordedEntry,
    ReplaySecrets,
    SubmitActionRequest,
    SubmitActionResponse,
)
from tablestate.v1.search_pb2 import SearchResponse

UNAVAILABLE = Fault(grpc.StatusCode.UNAVAILABLE, "STORAGE_UNAVAILABLE")
DELAY = 0.3
SEAT = tablestate.SeatCredential("m", 1, bytes(32))
HOST = tablestate.HostCredential("m", bytes(32))


def test_the_server_and_its_games(client: tablestate.Client, server: FakeServer) -> None:
    server.answer("GetServerInfo", GetServerInfoResponse(version="1.2.3"))
    server.answer("ListGames", ListGamesResponse(games=[GameInfo(game="offboard")]))
    assert client.server_info().version == "1.2.3"
    assert [game.game for game in client.games()] == ["offboard"]
    assert client.game("offboard").game == "offboard"


def test_a_retry_sends_the_same_bytes(client: tablestate.Client, server: FakeServer) -> None:
    server.answer("SubmitAction", UNAVAILABLE)
    server.answer("SubmitAction", Fault(grpc.StatusCode.UNAVAILABLE, "SHUTTING_DOWN"))
    server.answer("SubmitAction", Fault(grpc.StatusCode.DEADLINE_EXCEEDED))
    server.answer("SubmitAction", SubmitActionResponse(update=MatchUpdate(version=5)))
    assert client.player(SEAT).submit("e3e4").version == 5
    sent = server.requests["SubmitAction"]
    assert len(sent) == 4
    assert len(set(sent)) == 1


def test_two_intents_have_two_request_ids(client: tablestate.Client, server: FakeServer) -> None:
    server.answer("SubmitAction", SubmitActionResponse())
    player = client.player(SEAT)
    player.submit("e3e4")
    player.submit("e3e4")
    first, second = map(SubmitActionRequest.FromString, server.requests["SubmitAction"])
    assert first.request_id != second.request_id


def test_an_attempt_that_hangs_is_made_again(server: FakeServer) -> None:
    server.answer("GetMatch", lambda: time.sleep(DELAY), GetMatchResponse())
    server.answer("GetMatch", GetMatchResponse(match=Match(match_id="m")))
    retry = tablestate.RetryPolicy(attempt_timeout=DELAY / 2)
    with tablestate.Client(server.target, retry=retry) as client:
        assert client.get_match("m").match_id == "m"


def test_long_work_of_the_engine_is_not_begun_anew(server: FakeServer) -> None:
    server.answer("Playout", lambda: time.sleep(DELAY), PlayoutResponse(finished=1))
    server.answer("Search", lambda: time.sleep(DELAY), SearchResponse(done=True))
    retry = tablestate.RetryPolicy(attempt_timeout=DELAY / 4)
    with tablestate.Client(server.target, retry=retry) as client:
        assert client.playout("offboard", games=1).finished == 1
        assert client.search("offboard", GameView(), 0, iterations=1).done
    assert [len(server.requests[name]) for name in ("Playout", "Search")] == [1, 1]


def test_the_deadline_holds_for_all_attempts_together(
    client: tablestate.Client, server: FakeServer
) -> None:
    server.answer("GetMatch", UNAVAILABLE)
    begin = time.monotonic()
    with pytest.raises(tablestate.UnavailableError):
        client.get_match("m", timeout=DELAY)
    assert time.monotonic() - begin < 10 * DELAY
    assert len(server.requests["GetMatch"]) > 1


def test_a_call_that_hangs_ends_at_its_deadline(
    client: tablestate.Client, server: FakeServer
) -> None:
    server.answer("GetMatch", lambda: time.sleep(DELAY), GetMatchResponse())
    with pytest.raises(tablestate.DeadlineExceededError):
        client.get_match("m", timeout=DELAY / 3)


def test_a_server_that_is_not_there_is_unavailable() -> None:
    with (
        tablestate.Client("127.0.0.1:1", timeout=DELAY) as client,
        pytest.raises(tablestate.UnavailableError),
    ):
        client.server_info()


def test_refusals_are_not_tried_again(client: tablestate.Client, server: FakeServer) -> None:
    server.answer("GetMatch", Fault(grpc.StatusCode.NOT_FOUND, "MATCH_NOT_FOUND"))
    with pytest.raises(tablestate.NotFoundError):
        client.get_match("m")
    assert len(server.requests["GetMatch"]) == 1


def test_the_host_makes_the_token_and_keeps_it(
    client: tablestate.Client, server: FakeServer
) -> None:
    server.answer("CreateMatch", CreateMatchResponse(match=Match(match_id="m")))
    match = client.create_match(
        "offboard",
        {"points_to_win": 3},
        on_leave=tablestate.AbsencePolicy.ABSENCE_POLICY_BOT,
        start_policy=tablestate.StartPolicy.START_POLICY_BY_HOST,
        metadata={"table": "7"},
    )
    [sent] = map(CreateMatchRequest.FromString, server.requests["CreateMatch"])
    assert match.credential == tablestate.HostCredential("m", sent.host_token)
    assert len(sent.host_token) == 32
    assert sent.options.offboard.points_to_win == 3
    assert sent.on_leave == tablestate.AbsencePolicy.ABSENCE_POLICY_BOT
    assert sent.start_policy == tablestate.StartPolicy.START_POLICY_BY_HOST
    assert dict(sent.metadata) == {"table": "7"}


def test_a_host_goes_on_with_a_saved_credential(
    client: tablestate.Client, server: FakeServer
) -> None:
    server.answer("AddBot", AddBotResponse(seat=1))
    server.answer("GetMatch", GetMatchResponse(match=Match(match_id="m")))
    match = client.host(HOST)
    assert match.add_bot("greedy").seat == 1
    assert match.get().match_id == "m"
    [sent] = map(GetMatchRequest.FromString, server.requests["GetMatch"])
    assert sent.host_token == HOST.token


def test_joining_makes_a_seat_token(client: tablestate.Client, server: FakeServer) -> None:
    server.answer("JoinMatch", JoinMatchResponse(seat=1))
    player = client.join("m", seat=1, display_name="Ada", player_id="p7")
    [sent] = map(JoinMatchRequest.FromString, server.requests["JoinMatch"])
    assert player.credential == tablestate.SeatCredential("m", 1, sent.seat_token)
    assert (sent.seat, sent.display_name, sent.player_id) == (1, "Ada", "p7")


def test_seat_zero_is_not_the_same_as_any_seat(
    client: tablestate.Client, server: FakeServer
) -> None:
    server.answer("JoinMatch", JoinMatchResponse())
    client.join("m")
    client.join("m", seat=0)
    first, second = map(JoinMatchRequest.FromString, server.requests["JoinMatch"])
    assert not first.HasField("seat")
    assert second.HasField("seat")


def test_all_pages_are_listed(client: tablestate.Client, server: FakeServer) -> None:
    first = ListMatchesResponse(matches=[Match(match_id="a"), Match(match_id="b")])
    first.next_page_token = "next"
    server.answer("ListMatches", first)
    server.answer("ListMatches", ListMatchesResponse(matches=[Match(match_id="c")]))
    found = [match.match_id for match in client.list_matches(game="offboard", page_size=2)]
    assert found == ["a", "b", "c"]
    pages = [ListMatchesRequest.FromString(r) for r in server.requests["ListMatches"]]
    assert [(p.game, p.page_size, p.page_token) for p in pages] == [
        ("offboard", 2, ""),
        ("offboard", 2, "next"),
    ]


def test_a_replay_is_put_together_and_never_twice(
    client: tablestate.Client, server: FakeServer
) -> None:
    parts = [
        GetReplayResponse(match=Match(match_id="m")),
        GetReplayResponse(update=MatchUpdate(version=1)),
        GetReplayResponse(update=MatchUpdate(version=2)),
        GetReplayResponse(recorded=RecordedEntry(version=1)),
        GetReplayResponse(recorded=RecordedEntry(version=2)),
        GetReplayResponse(secrets=ReplaySecrets(secret=b"s")),
    ]
    server.answer("GetReplay", *parts[:3], UNAVAILABLE)
    server.answer("GetReplay", *parts)
    replay = client.replay("m")
    assert replay.match.match_id == "m"
    assert [update.version for update in replay.updates] == [1, 2]
    assert [entry.version for entry in replay.entries] == [1, 2]
    assert replay.secrets == ReplaySecrets(secret=b"s")


def test_headers_go_with_every_call(server: FakeServer) -> None:
    server.answer("GetServerInfo", GetServerInfoResponse())
    headers = [("authorization", "Bearer key")]
    with tablestate.Client(server.target, metadata=headers) as client:
        client.server_info()
    assert server.headers[0]["authorization"] == "Bearer key"


async def test_the_asynchronous_client_retries_alike(server: FakeServer) -> None:
    server.answer("SubmitAction", UNAVAILABLE)
    server.answer("SubmitAction", SubmitActionResponse(update=MatchUpdate(version=5)))
    async with tablestate.AsyncClient(server.target) as client:
        assert (await client.player(SEAT).submit(0)).version == 5
    first, second = server.requests["SubmitAction"]
    assert first == second


async def test_the_asynchronous_client_lists_all_pages(server: FakeServer) -> None:
    page = ListMatchesResponse(matches=[Match(match_id="a")], next_page_token="next")
    server.answer("ListMatches", page)
    server.answer("ListMatches", ListMatchesResponse(matches=[Match(match_id="b")]))
    async with tablestate.AsyncClient(server.target) as client:
        assert [match.match_id async for match in client.list_matches()] == ["a", "b"]
