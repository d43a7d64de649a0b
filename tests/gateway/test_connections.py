"""Readers that go away, wait too long or read too slowly."""

import asyncio
import contextlib
import socket
import time
from pathlib import Path
from typing import Any

import grpc
import pytest
from aiohttp import web

from support.browser import Browser, browser, framed
from support.fake_engine import FakeEngine, FakeState
from support.service import Client, service
from tablestate.v1 import game_pb2, offboard_pb2
from tablestate.v1 import match_service_pb2 as pb
from tablestate_service.app import Parts
from tablestate_service.ports.observing import Ended, Headers

SETTINGS = {"gateway": "127.0.0.1:0"}
LONG = game_pb2.GameOptions(offboard=offboard_pb2.OffboardOptions(points_to_win=10_000))
WATCH = "/tablestate.v1.MatchService/WatchMatches"


class Calls:
    """An observer: the calls that are open, and how the others have ended."""

    def __init__(self) -> None:
        self.open = 0
        self.ended: list[tuple[str, str]] = []

    def call(self, method: str, headers: Headers) -> Ended:
        self.open += 1

        def ended(code: str) -> None:
            self.open -= 1
            self.ended.append((method, code))

        return ended

    def stored(self, operation: str) -> Ended:
        return lambda result: None

    def committed(self, appends: int) -> None:
        """Of no interest."""

    async def until(self, open_calls: int) -> float:
        """Wait until so many are open; the seconds it took."""
        started = time.monotonic()
        async with asyncio.timeout(60):
            while self.open != open_calls:
                await asyncio.sleep(0.005)
        return time.monotonic() - started


def watch_of(match_id: str, **fields: Any) -> pb.WatchMatchesRequest:
    subscription = pb.WatchSubscription(match_id=match_id, **fields)
    return pb.WatchMatchesRequest(subscriptions=[subscription])


def raw(path: str, request: Any) -> bytes:
    """A request by gRPC-Web as it goes over the wire."""
    body = framed(request.SerializeToString())
    head = f"POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/grpc-web\r\n"
    return f"{head}content-length: {len(body)}\r\n\r\n".encode() + body


async def test_a_browser_that_goes_away_ends_its_watches_at_once(tmp_path: Path) -> None:
    calls = Calls()
    parts = Parts(engine=FakeEngine, observers=[calls])
    async with service(tmp_path, parts, settings=SETTINGS, max_watches=20) as (running, client):
        request = watch_of(await client.started())
        for kind in ("application/connect+proto", "application/grpc-web+proto") * 2:
            async with browser(running.page) as opened:
                streams = [
                    await opened.session.post(
                        opened.page.rstrip("/") + WATCH,
                        data=framed(request.SerializeToString()),
                        headers={"content-type": kind},
                    )
                    for _ in range(20)
                ]
                for stream in streams:
                    await stream.content.readexactly(5)
                await calls.until(20)
                for stream in streams:
                    stream.close()
                assert await calls.until(0) < 2
        assert calls.ended.count((WATCH, "CANCELLED")) == 80


MORE = b"GET /x HTTP/1.1\r\nhost: localhost\r\n\r\n"
"""A request behind another; the library reads no further than some of them."""


async def test_a_watch_behind_which_more_is_asked_for_is_ended(tmp_path: Path) -> None:
    calls = Calls()
    parts = Parts(engine=FakeEngine, observers=[calls])
    async with service(tmp_path, parts, settings=SETTINGS) as (running, client):
        reader, writer = await connected(running.page)
        writer.write(raw(WATCH, watch_of(await client.started())))
        await reader.readuntil(b"\r\n\r\n")
        writer.write(MORE)
        async with asyncio.timeout(60):
            with contextlib.suppress(ConnectionResetError):
                await reader.read()
        await calls.until(0)
        writer.close()
    assert calls.ended[-1] == (WATCH, "CANCELLED")


@pytest.mark.parametrize("behind", [1, 100])
async def test_a_watch_is_ended_with_its_caller_whatever_came_with_it(
    tmp_path: Path, behind: int
) -> None:
    calls = Calls()
    parts = Parts(engine=FakeEngine, observers=[calls])
    async with service(tmp_path, parts, settings=SETTINGS) as (running, client):
        _, writer = await connected(running.page)
        writer.write(raw(WATCH, watch_of(await client.started())) + MORE * behind)
        await calls.until(1)
        writer.close()
        assert await calls.until(0) < 2
    assert calls.ended[-1] == (WATCH, "CANCELLED")


async def connected(page: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection("127.0.0.1", int(page.rstrip("/").rpartition(":")[2]))


async def test_a_watch_is_open_before_there_is_anything_to_tell(
    both: tuple[Browser, Client],
) -> None:
    browser, client = both
    match_id = await client.started()
    version = (await client.match(match_id)).version
    request = watch_of(match_id)
    request.subscriptions[0].after_version = version
    async with asyncio.timeout(60), browser.stream("WatchMatches", request) as stream:
        await client.resign(match_id, 0)
        flags, message = await stream.read()
    assert flags == 0
    assert pb.WatchMatchesResponse.FromString(message).update.version > version


@pytest.mark.parametrize(
    ("kind", "header"),
    [
        ("application/connect+proto", {"connect-timeout-ms": "150"}),
        ("application/grpc-web+proto", {"grpc-timeout": "150m"}),
    ],
)
async def test_a_call_ends_with_its_deadline(
    both: tuple[Browser, Client], kind: str, header: dict[str, str]
) -> None:
    opened, client = both
    request = watch_of(await client.started())
    started = time.monotonic()
    answer = await opened.send(
        "POST", WATCH, framed(request.SerializeToString()), content_type=kind, **header
    )
    assert 0.1 < time.monotonic() - started < 3
    wanted = b"deadline_exceeded" if "connect" in kind else b"grpc-status: 4"
    assert wanted in answer.body


async def test_a_deadline_may_end_a_stream_before_it_has_begun(
    both: tuple[Browser, Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare = web.StreamResponse.prepare

    async def slowly(response: web.StreamResponse, request: Any) -> Any:
        if type(response) is web.StreamResponse:
            await asyncio.sleep(60)
        return await prepare(response, request)

    opened, client = both
    request = watch_of(await client.started())
    monkeypatch.setattr(web.StreamResponse, "prepare", slowly)
    async with asyncio.timeout(60):
        messages, last = await opened.grpc_web("WatchMatches", request, grpc_timeout="50m")
    assert not messages and last["grpc-status"] == "4"


async def test_a_reader_that_takes_nothing_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    large = offboard_pb2.OffboardView(position="x" * 50_000)
    view = game_pb2.GameView(offboard=large).SerializeToString()
    monkeypatch.setattr(FakeState, "view", lambda self, viewer: view)
    calls = Calls()
    parts = Parts(engine=FakeEngine, observers=[calls])
    async with service(tmp_path, parts, settings=SETTINGS, slow_reader_seconds=0.3) as (
        running,
        client,
    ):
        match_id = await client.started(options=LONG)
        await play_on(client, match_id, 30)
        with contextlib.closing(socket.socket()) as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.connect(("127.0.0.1", int(running.page.rstrip("/").rpartition(":")[2])))
            connection.sendall(raw(WATCH, watch_of(match_id, include_view=True)))
            await calls.until(1)
            await calls.until(0)
        assert calls.ended[-1] == (WATCH, "RESOURCE_EXHAUSTED")


async def play_on(client: Client, match_id: str, plies: int) -> None:
    for ply in range(plies):
        await client.submit(match_id, ply % 2, "1")


async def test_a_drain_ends_watches_of_browsers_with_a_reason(tmp_path: Path) -> None:
    parts = Parts(engine=FakeEngine)
    async with service(tmp_path, parts, settings=SETTINGS) as (running, client):
        request = watch_of(await client.started())
        opened = browser(running.page)
        page = await opened.__aenter__()
        asking = asyncio.ensure_future(page.grpc_web("WatchMatches", request))
        await asyncio.sleep(0.2)
    _, last = await asking
    assert last["grpc-status"] == str(grpc.StatusCode.UNAVAILABLE.value[0])
    await opened.__aexit__(None, None, None)


async def test_a_request_that_takes_long_to_read_holds_up_nobody(tmp_path: Path) -> None:
    async with service(tmp_path, Parts(engine=FakeEngine), settings=SETTINGS) as (running, client):
        async with browser(running.page) as opened:
            metadata = {f"key {number}": "value" for number in range(30_000)}
            reading = asyncio.ensure_future(opened.json("CreateMatch", {"metadata": metadata}))
            served = 0
            while not reading.done():
                await client.matches.ListMatches(pb.ListMatchesRequest())
                served += 1
            assert (await reading).json["code"] == "invalid_argument"
        assert served >= 3  # Else the first would wait for all of it.
