"""What is wrong is refused as the protocol that was spoken has it."""

import asyncio
import base64
import gzip
from collections.abc import Callable
from typing import Any

import pytest

from support.browser import Browser, framed, frames, trailers
from tablestate.v1 import match_service_pb2 as pb
from tablestate_service.gateway import envelope
from tablestate_service.gateway.grpc_web import debased
from tablestate_service.gateway.status import ProtocolError

PATH = "/tablestate.v1.MatchService/GetMatch"
REQUEST = pb.GetMatchRequest(match_id="0" * 32)


async def connect(browser: Browser, path: str = PATH, body: bytes = b"{}", **headers: str) -> str:
    """The code that Connect tells."""
    headers.setdefault("content_type", "application/json")
    answer = await browser.send("POST", path, body, **headers)
    assert answer.status >= 400
    assert answer.headers["content-type"] == "application/json"
    return f"{answer.status} {answer.json['code']}"


async def grpc_web(browser: Browser, path: str = PATH, body: bytes = b"", **headers: str) -> str:
    """The code that gRPC-Web tells, in the body of a response that is fine to HTTP."""
    body = body or framed(REQUEST.SerializeToString())
    answer = await browser.send(
        "POST", path, body, content_type="application/grpc-web+proto", **headers
    )
    assert answer.status == 200
    ((flags, last),) = frames(answer.body)
    assert flags == 0x80
    return trailers(last)["grpc-status"]


@pytest.mark.parametrize(
    "path",
    [
        "/tablestate.v1.MatchService/Nothing",
        "/tablestate.v1.NoService/GetMatch",
        "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
    ],
)
async def test_an_unknown_method_is_unimplemented(alone: Browser, path: str) -> None:
    assert await connect(alone, path) == "404 unimplemented"
    assert await grpc_web(alone, path) == "12"


async def test_a_stream_of_requests_is_unimplemented(alone: Browser) -> None:
    path = "/tablestate.v1.MatchService/Play"
    assert await grpc_web(alone, path, framed(b"")) == "12"


@pytest.mark.parametrize(
    "kind",
    ["text/plain", "application/xml", "application/grpc", "application/json; charset=latin-1", ""],
)
async def test_an_unknown_content_type_is_refused(alone: Browser, kind: str) -> None:
    answer = await alone.send("POST", PATH, b"{}", content_type=kind or "application")
    assert answer.status == 415
    assert "application/json" in answer.headers["accept-post"]


async def test_unary_calls_and_streams_have_content_types_of_their_own(alone: Browser) -> None:
    answer = await alone.send("POST", PATH, framed(b"{}"), content_type="application/connect+json")
    assert answer.status == 415
    path = "/tablestate.v1.MatchService/WatchMatches"
    answer = await alone.send("POST", path, b"{}", content_type="application/json")
    assert answer.status == 415


async def test_a_method_takes_no_get(alone: Browser) -> None:
    assert (await alone.send("GET", PATH)).status == 405


async def test_pages_of_other_origins_are_refused(alone: Browser) -> None:
    for origin in (
        "https://evil.example",
        "null",
        "http://127.0.0.1.evil.example:8080",
        "http://[",
    ):
        assert await connect(alone, origin=origin) == "403 permission_denied"
        assert await grpc_web(alone, origin=origin) == "7"
        answer = await alone.send("OPTIONS", PATH, origin=origin)
        assert answer.status == 403
        assert "access-control-allow-origin" not in answer.headers


async def test_pages_of_this_machine_may_call(alone: Browser) -> None:
    for origin in (alone.page.rstrip("/"), "http://localhost:5173", "http://[::1]:4000"):
        asked = await alone.send(
            "OPTIONS",
            PATH,
            origin=origin,
            access_control_request_method="POST",
            access_control_request_headers="content-type,connect-protocol-version",
        )
        assert asked.status == 204
        assert asked.headers["access-control-allow-origin"] == origin
        assert "connect-protocol-version" in asked.headers["access-control-allow-headers"]
        answer = await alone.json("GetMatch", origin=origin)
        assert answer.json["code"] == "invalid_argument"
        assert answer.headers["access-control-allow-origin"] == origin
        assert answer.headers["vary"] == "origin"


async def test_a_caller_that_waits_to_be_asked_for_its_body_is_asked(alone: Browser) -> None:
    port = int(alone.page.rstrip("/").rpartition(":")[2])
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(
        f"POST {PATH} HTTP/1.1\r\nhost: localhost\r\nexpect: 100-continue\r\n"
        "content-type: application/json\r\ncontent-length: 2\r\n\r\n".encode()
    )
    async with asyncio.timeout(60):
        assert await reader.readuntil(b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n"
        writer.write(b"{}")
        assert (await reader.readline()).startswith(b"HTTP/1.1 400 ")
    writer.close()


@pytest.mark.parametrize("text", ["", "x", "-5", "1.5", "12345678901"])
async def test_a_timeout_of_connect_is_a_number(alone: Browser, text: str) -> None:
    assert await connect(alone, connect_timeout_ms=text) == "400 invalid_argument"


@pytest.mark.parametrize("text", ["", "5", "S", "123456789S", "5d", "-5S"])
async def test_a_timeout_of_grpc_web_is_a_number_with_a_unit(alone: Browser, text: str) -> None:
    assert await grpc_web(alone, grpc_timeout=text) == "3"


async def test_another_version_of_connect_is_refused(alone: Browser) -> None:
    assert await connect(alone, connect_protocol_version="2") == "400 invalid_argument"


async def test_unknown_compression_is_refused(alone: Browser) -> None:
    assert await connect(alone, content_encoding="br") == "501 unimplemented"
    assert await grpc_web(alone, grpc_encoding="snappy") == "12"


async def test_what_is_not_compressed_as_it_says_is_refused(alone: Browser) -> None:
    packed = gzip.compress(REQUEST.SerializeToString())
    for body in (b"nonsense", packed[:-3], packed + packed):
        assert await connect(alone, body=body, content_encoding="gzip") == "400 invalid_argument"
        assert await grpc_web(alone, body=framed(body, 1), grpc_encoding="gzip") == "3"
    assert await grpc_web(alone, body=framed(packed, 1)) == "13"


async def test_a_fault_of_the_gateway_is_told_without_its_text(
    alone: Browser, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def faulty(*_: object) -> None:
        raise ValueError("a secret")

    monkeypatch.setattr("tablestate_service.gateway.server.metadata_of", faulty)
    answer = await alone.json("GetMatch")
    assert (answer.status, answer.json) == (
        500,
        {"code": "internal", "message": "internal error"},
    )
    assert await grpc_web(alone) == "13"
    assert "ValueError: a secret" in caplog.text
    monkeypatch.setattr("tablestate_service.gateway.page.Page.answer", faulty)
    answer = await alone.send("GET", "/")
    assert (answer.status, answer.body) == (500, b"")


async def test_broken_envelopes_are_refused(alone: Browser) -> None:
    whole = framed(REQUEST.SerializeToString())
    assert await grpc_web(alone, body=whole[:-1]) == "3"
    assert await grpc_web(alone, body=whole + b"\0") == "3"
    assert await grpc_web(alone, body=whole + whole) == "12"
    assert await grpc_web(alone, body=framed(b"", 0x40)) == "3"


async def grpc_web_text(browser: Browser, body: bytes) -> str:
    """The code that gRPC-Web tells in base64."""
    answer = await browser.send("POST", PATH, body, content_type="application/grpc-web-text")
    ((_, last),) = frames(base64.b64decode(answer.body))
    return trailers(last)["grpc-status"]


async def test_what_is_not_base64_is_refused(alone: Browser) -> None:
    assert await grpc_web_text(alone, b"not base64!") == "3"


class Counted:
    """Calls a function, and counts how often."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.calls = 0

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        self.calls += 1
        return self.function(*arguments, **options)


async def test_a_text_of_many_pieces_is_not_decoded(
    alone: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = framed(REQUEST.SerializeToString())
    bytewise = b"".join(base64.b64encode(body[at : at + 1]) for at in range(len(body)))
    assert await grpc_web_text(alone, bytewise) == "5"
    assert await grpc_web_text(alone, b"AA==" * 100_000) == "3"
    decoding = Counted(base64.b64decode)
    monkeypatch.setattr("tablestate_service.gateway.grpc_web.base64.b64decode", decoding)
    assert debased(b"AA==" * 256) == bytes(256)
    assert decoding.calls == 256
    with pytest.raises(ProtocolError, match="256 pieces"):
        debased(b"AA==" * 257)
    assert decoding.calls == 256


def test_of_many_messages_no_more_than_two_are_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = Counted(envelope.Envelope)
    monkeypatch.setattr(envelope, "Envelope", made)
    with pytest.raises(ProtocolError, match="more than one"):
        envelope.only_message(bytes(100_000), "identity", 100_000)
    assert made.calls == 2
