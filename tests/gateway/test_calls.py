"""The protocols of browsers bring the same answers as gRPC does."""

import base64
import gzip
import json
from pathlib import Path
from typing import Any

import grpc
import pytest

from support.browser import Browser, browser, framed, frames, reasons, unpadded
from support.service import Client, Failure, service, token
from tablestate.v1 import catalog_service_pb2
from tablestate.v1 import match_service_pb2 as pb

GRPC_WEB = ("application/grpc-web", "application/grpc-web+proto", "application/grpc-web-text")
NOBODY = "0" * 32


def update_of(data: bytes) -> Any:
    return pb.WatchMatchesResponse.FromString(data).update


async def test_unary_calls_answer_the_same_by_every_protocol(both: tuple[Browser, Client]) -> None:
    opened, client = both
    request = pb.GetMatchRequest(match_id=await client.started())
    expected = await client.matches.GetMatch(request)
    answer = await opened.proto("GetMatch", request)
    assert answer.status == 200
    assert answer.headers["content-type"] == "application/proto"
    assert pb.GetMatchResponse.FromString(answer.body) == expected
    spelled = await opened.json("GetMatch", {"matchId": request.match_id})
    assert spelled.json["match"]["matchId"] == request.match_id
    assert spelled.json["match"]["version"] == str(expected.match.version)
    for kind in GRPC_WEB:
        (message,), last = await opened.grpc_web("GetMatch", request, kind)
        assert pb.GetMatchResponse.FromString(message) == expected
        assert last == {"grpc-status": "0"}


async def test_streams_tell_the_same_by_every_protocol(both: tuple[Browser, Client]) -> None:
    opened, client = both
    match_id = await client.started()
    await client.resign(match_id, 0)
    subscription = pb.WatchSubscription(match_id=match_id)
    request = pb.WatchMatchesRequest(subscriptions=[subscription])
    expected = [each.update.version async for each in client.matches.WatchMatches(request)]
    for kind in GRPC_WEB:
        messages, last = await opened.grpc_web("WatchMatches", request, kind)
        assert [update_of(each).version for each in messages] == expected
        assert last == {"grpc-status": "0"}
    body = framed(json.dumps({"subscriptions": [{"matchId": match_id}]}).encode())
    answer = await opened.send(
        "POST",
        "/tablestate.v1.MatchService/WatchMatches",
        body,
        content_type="application/connect+json",
    )
    *spelled, (flags, end) = frames(answer.body)
    told = [int(json.loads(message)["update"]["version"]) for _, message in spelled]
    assert (told, flags, json.loads(end)) == (expected, 2, {})


async def test_a_refusal_is_the_same_by_every_protocol(both: tuple[Browser, Client]) -> None:
    opened, client = both
    request = pb.GetMatchRequest(match_id=NOBODY)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await client.matches.GetMatch(request)
    expected = Failure(caught.value)
    answer = await opened.json("GetMatch", {"matchId": NOBODY})
    assert answer.status == 404
    assert answer.json["code"] == "not_found"
    assert answer.json["message"] == expected.message
    (detail,) = answer.json["details"]
    assert detail["type"] == "google.rpc.ErrorInfo"
    assert detail["debug"]["reason"] == expected.reason == "MATCH_NOT_FOUND"
    assert unpadded(detail["value"]) == expected.info.SerializeToString()
    for kind in GRPC_WEB:
        messages, last = await opened.grpc_web("GetMatch", request, kind)
        assert messages == []
        assert last["grpc-status"] == "5"
        assert last["grpc-message"] == expected.message
        assert reasons(unpadded(last["grpc-status-details-bin"])) == ["MATCH_NOT_FOUND"]


async def test_a_stream_tells_its_refusal_in_its_last_envelope(alone: Browser) -> None:
    request = pb.GetReplayRequest(match_id=NOBODY)
    async with alone.stream("GetReplay", request) as stream:
        flags, end = await stream.read()
    assert flags == 2
    error = json.loads(end)["error"]
    assert error["code"] == "not_found"
    assert error["details"][0]["debug"]["reason"] == "MATCH_NOT_FOUND"


async def test_a_repeated_call_in_json_is_the_same_call(both: tuple[Browser, Client]) -> None:
    opened, client = both
    match_id = await client.create()
    join = {
        "requestId": "the-same-request-id",
        "matchId": match_id,
        "seat": 0,
        "seatToken": base64.b64encode(token(0)).decode(),
    }
    first = await opened.json("JoinMatch", join)
    again = await opened.json("JoinMatch", dict(reversed(join.items())))
    assert first.status == again.status == 200
    assert first.body == again.body
    other = await opened.json("JoinMatch", join | {"seat": 1})
    assert (other.status, other.json["code"]) == (409, "already_exists")


async def test_what_is_no_json_of_the_request_is_refused_without_its_content(
    alone: Browser,
) -> None:
    requests: list[Any] = [{"matchId": ["secret"]}, ["secret"], "secret", {"minVersion": "secret"}]
    for request in requests:
        answer = await alone.json("GetMatch", request)
        assert (answer.status, answer.json["code"]) == (400, "invalid_argument")
        assert answer.json["details"][0]["debug"]["reason"] == "MALFORMED_REQUEST"
        assert "secret" not in answer.body.decode()


async def test_long_answers_are_compressed_for_those_who_take_that(tmp_path: Path) -> None:
    path = "/tablestate.v1.CatalogService/ListGames"
    async with (
        service(tmp_path, settings={"gateway": "127.0.0.1:0"}) as (running, _),
        browser(running.page) as opened,
    ):
        plain = await opened.json(path)
        assert "content-encoding" not in plain.headers
        assert (await opened.json(path, accept_encoding="gzip;q=0")).body == plain.body
        answer = await opened.json(path, accept_encoding="br, gzip;q=0.5")
        assert answer.headers["content-encoding"] == "gzip"
        assert gzip.decompress(answer.body) == plain.body
        assert len(answer.body) < len(plain.body) / 2
        request = catalog_service_pb2.ListGamesRequest()
        (whole,), _ = await opened.grpc_web(path, request)
        (unpacked,), _ = await opened.grpc_web(path, request, grpc_accept_encoding="gzip")
        assert unpacked == whole
        body = framed(request.SerializeToString())
        sent = await opened.send(
            "POST", path, body, content_type="application/grpc-web", grpc_accept_encoding="gzip"
        )
        (flags, packed), _ = frames(sent.body)
        assert (flags, gzip.decompress(packed)) == (1, whole)


async def test_compressed_requests_are_read(alone: Browser) -> None:
    message = pb.GetMatchRequest(match_id=NOBODY).SerializeToString()
    packed = gzip.compress(message)
    path = "/tablestate.v1.MatchService/GetMatch"
    answer = await alone.send(
        "POST", path, packed, content_type="application/proto", content_encoding="gzip"
    )
    assert answer.json["code"] == "not_found"
    answer = await alone.send(
        "POST",
        path,
        framed(packed, 1),
        content_type="application/grpc-web",
        grpc_encoding="gzip",
    )
    ((_, last),) = frames(answer.body)
    assert b"grpc-status: 5" in last
