"""The limits of the gateway: what comes at the limit is served, and what is over it not."""

import asyncio
import contextlib
import gzip
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from limits.test_server import sized
from support.browser import Browser, browser, framed, frames, trailers
from support.fake_engine import FakeEngine
from support.service import service
from tablestate_service.app import Parts
from tablestate_service.gateway import bodies, connections

ROWS = {
    "a request by the gateway",
    "its headers",
    "its arrival",
    "a connection without a request",
    "what has arrived of all requests that are not complete",
}
PATH = "/tablestate.v1.MatchService/GetMatch"
LARGEST = 1024
MOST_HEADERS = 128


@contextlib.asynccontextmanager
async def gateway(directory: Path, **limits: Any) -> AsyncIterator[Browser]:
    parts, settings = Parts(engine=FakeEngine), {"gateway": "127.0.0.1:0"}
    async with (
        service(directory, parts, settings=settings, **limits) as (running, _),
        browser(running.page) as opened,
    ):
        yield opened


async def codes(opened: Browser, message: bytes, *, is_packed: bool) -> tuple[str, str]:
    """What Connect and gRPC-Web answer to a message of GetMatch."""
    body = gzip.compress(message) if is_packed else message
    encoding = "gzip" if is_packed else "identity"
    connect = await opened.send(
        "POST", PATH, body, content_type="application/proto", content_encoding=encoding
    )
    web = await opened.send(
        "POST",
        PATH,
        framed(body, int(is_packed)),
        content_type="application/grpc-web",
        grpc_encoding=encoding,
    )
    ((_, last),) = frames(web.body)
    return connect.json["code"], trailers(last)["grpc-status"]


@pytest.mark.parametrize("is_packed", [False, True])
async def test_a_request_may_have_so_many_bytes(tmp_path: Path, is_packed: bool) -> None:
    async with gateway(tmp_path, max_request_bytes=LARGEST) as opened:
        for size in (LARGEST - 1, LARGEST):
            found = await codes(opened, sized(size), is_packed=is_packed)
            assert found == ("not_found", "5")
        found = await codes(opened, sized(LARGEST + 1), is_packed=is_packed)
        assert found == ("resource_exhausted", "8")
        # What would be very much is not unpacked to see how much.
        found = await codes(opened, bytes(50_000_000), is_packed=True)
        assert found == ("resource_exhausted", "8")


async def test_a_request_has_so_many_headers(tmp_path: Path) -> None:
    async with gateway(tmp_path) as opened:
        few = {f"x_{number}": "y" for number in range(MOST_HEADERS - 10)}
        assert (await opened.json("ListMatches", **few)).status == 200
        many = {f"x_{number}": "y" for number in range(MOST_HEADERS)}
        assert (await opened.json("ListMatches", **many)).status == 400
        assert (await opened.json("ListMatches", x="y" * 8_000)).status == 200
        assert (await opened.json("ListMatches", x="y" * 9_000)).status == 400


async def test_a_request_arrives_in_so_many_seconds(tmp_path: Path) -> None:
    async with gateway(tmp_path, slow_reader_seconds=0.3) as opened:
        reader, writer = await connected(opened)
        writer.write(
            f"POST {PATH} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
            "content-length: 100\r\n\r\n{".encode()
        )
        async with asyncio.timeout(60):
            answer = await reader.readuntil(b"}")
        assert answer.startswith(b"HTTP/1.1 504 ") and b"deadline_exceeded" in answer
        writer.close()


def beginning(sent: int, size: int) -> bytes:
    """The head of a request of so many bytes, and the first of them."""
    head = f"POST {PATH} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/proto\r\n"
    return f"{head}content-length: {size}\r\n\r\n".encode() + bytes(sent)


async def test_so_much_of_unfinished_requests_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bodies, "AT_ONCE", 2)
    monkeypatch.setattr(bodies, "SMALL", LARGEST)
    large = 4 * LARGEST
    async with gateway(tmp_path, max_request_bytes=large) as opened:
        held = [await connected(opened) for _ in range(2)]
        for _, writer in held:
            writer.write(beginning(large - 1, large))
        assert (await codes(opened, sized(LARGEST // 2), is_packed=False))[0] == "not_found"
        await until(opened, sized(large), "resource_exhausted")
        for _, writer in held:
            writer.close()
        await until(opened, sized(large), "not_found")


async def until(opened: Browser, message: bytes, code: str) -> None:
    """Ask until this is what is answered."""
    async with asyncio.timeout(60):
        while (await codes(opened, message, is_packed=False))[0] != code:
            await asyncio.sleep(0.02)


@pytest.mark.parametrize(
    "begun", [b"", b"POST /x HTTP/1.1\r\nhost: loc", b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n"]
)
async def test_a_connection_may_be_silent_for_so_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, begun: bytes
) -> None:
    monkeypatch.setattr(connections, "IDLE_SECONDS", 0.4)
    async with gateway(tmp_path) as opened:
        reader, writer = await connected(opened)
        writer.write(begun)
        started = asyncio.get_running_loop().time()
        async with asyncio.timeout(60):
            with contextlib.suppress(ConnectionResetError):
                await reader.read()
        assert asyncio.get_running_loop().time() - started >= 0.3
        writer.close()


async def connected(opened: Browser) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    port = int(opened.page.rstrip("/").rpartition(":")[2])
    return await asyncio.open_connection("127.0.0.1", port)
