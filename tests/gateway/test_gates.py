"""What holds for callers by gRPC holds for browsers: keys, roles, paces, TLS."""

import asyncio
import base64
import logging
import socket
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from support.browser import Browser, browser
from support.certificates import Authority
from support.fake_engine import FakeEngine
from support.keys import guarded, key_of
from support.service import token
from tablestate.v1 import match_service_pb2 as pb
from tablestate_service.app import ListenError, Parts, RunningService, running_service
from tablestate_service.settings import Limits, Settings, SettingsError

GATEWAY = "127.0.0.1:0"
LIST = "ListMatches"


def bearer(name: str) -> str:
    return f"Bearer {key_of(name)}"


async def reason(opened: Browser, method: str, request: Any = None, **headers: str) -> str:
    """The reason of a refusal; empty if there is none."""
    answer = await opened.json(method, request, **headers)
    if answer.status == 200:
        return ""
    return str(answer.json["details"][0]["debug"]["reason"])


@asynccontextmanager
async def from_address(page: str, address: str) -> AsyncIterator[Browser]:
    """A browser on another machine, so to speak."""
    connector = aiohttp.TCPConnector(local_addr=(address, 0))
    async with aiohttp.ClientSession(connector=connector) as session:
        yield Browser(session, page)


async def test_keys_and_roles_are_asked_for(tmp_path: Path) -> None:
    async with (
        guarded(tmp_path, gateway=GATEWAY) as running,
        browser(running.page) as opened,
    ):
        assert await reason(opened, LIST) == "WRONG_KEY"
        assert await reason(opened, LIST, authorization="Bearer tsk_unknown") == "WRONG_KEY"
        assert await reason(opened, LIST, authorization=bearer("player")) == ""
        revoke = {"requestId": "x" * 16, "matchId": "0" * 32, "seat": 0}
        asked = await reason(opened, "RevokeSeatToken", revoke, authorization=bearer("player"))
        assert asked == "NOT_PERMITTED"
        asked = await reason(opened, "RevokeSeatToken", revoke, authorization=bearer("operator"))
        assert asked == "MATCH_NOT_FOUND"
        _, last = await opened.grpc_web(LIST, pb.ListMatchesRequest())
        assert last["grpc-status"] == "16"


async def test_the_json_of_a_stranger_is_not_read(tmp_path: Path) -> None:
    async with (
        guarded(tmp_path, gateway=GATEWAY) as running,
        browser(running.page) as opened,
    ):
        assert await reason(opened, LIST, "no request") == "WRONG_KEY"
        given = bearer("player")
        assert await reason(opened, LIST, "no request", authorization=given) == "MALFORMED_REQUEST"


@pytest.mark.parametrize("kind", ["grpc-web-text", "grpc-web", "connect+json", "proto"])
async def test_what_a_stranger_has_packed_is_not_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    def never(*_: object) -> bytes:
        raise AssertionError("it was unpacked")

    monkeypatch.setattr("tablestate_service.gateway.grpc_web.debased", never)
    monkeypatch.setattr("tablestate_service.gateway.exchange.only_message", never)
    monkeypatch.setattr("tablestate_service.gateway.compression.decompressed", never)
    method = "WatchMatches" if "connect" in kind else LIST
    async with guarded(tmp_path, gateway=GATEWAY) as running, browser(running.page) as opened:
        answer = await opened.send(
            "POST",
            f"/tablestate.v1.MatchService/{method}",
            b"nonsense",
            content_type=f"application/{kind}",
            content_encoding="gzip",
        )
    body = base64.b64decode(answer.body) if "text" in kind else answer.body
    assert b"grpc-status: 16" in body or b'"unauthenticated"' in body


async def test_each_browser_has_the_pace_of_its_own_address_whatever_it_says(
    tmp_path: Path,
) -> None:
    async with guarded(tmp_path, gateway=GATEWAY, limits=Limits(calls_per_peer=1)) as running:
        async with from_address(running.page, "127.0.0.2") as first:
            told = [
                await reason(first, LIST, x_forwarded_for=f"192.0.2.{number}")
                for number in range(15)
            ]
        assert told[:2] == ["WRONG_KEY"] * 2
        assert "TOO_MANY_CALLS" in told[2:]
        async with from_address(running.page, "127.0.0.3") as second:
            assert await reason(second, LIST) == "WRONG_KEY"


async def test_a_key_that_is_withdrawn_ends_the_streams_of_browsers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tablestate_service.rpc.gate.RECHECK_SECONDS", 0.2)
    async with (
        guarded(tmp_path, gateway=GATEWAY) as running,
        browser(running.page) as opened,
    ):
        client = await running.known("player")
        subscription = pb.WatchSubscription(match_id=await client.started())
        asking = asyncio.ensure_future(
            opened.grpc_web(
                "WatchMatches",
                pb.WatchMatchesRequest(subscriptions=[subscription]),
                authorization=bearer("player"),
            )
        )
        await asyncio.sleep(0.3)
        (tmp_path / "keys.toml").write_text("")
        async with asyncio.timeout(60):
            _, last = await asking
        assert last["grpc-status"] == "16"


async def test_tokens_are_in_no_line_of_the_log(
    both: tuple[Browser, Any], caplog: pytest.LogCaptureFixture
) -> None:
    opened, client = both
    match_id = await client.started()
    with caplog.at_level(logging.DEBUG):
        for seat in ("0" * 43 + "=", "A" * 44, "secret"):
            await opened.json("GetView", {"matchId": match_id, "seatToken": seat})
        await opened.proto("GetView", pb.GetViewRequest(match_id=match_id, seat_token=token(1)))
        await opened.send("POST", "/secret/secret", b"secret", content_type="application/json")
        for nonsense in (b"secret\r\n\r\n", b"GET / HTTP/1.1\r\nauthorization secret\r\n\r\n"):
            reader, writer = await asyncio.open_connection("127.0.0.1", port_of(opened.page))
            writer.write(nonsense)
            answer = await reader.read()
            assert answer.startswith(b"HTTP/1.0 400 ")
            assert b"server: tablestate\r\n" in answer.lower() and b"secret" not in answer
            assert answer.endswith(b"\r\n\r\nthis is no request of HTTP/1.1\n")
            writer.close()
    lines = "\n".join(f"{each.getMessage()} {each.__dict__}" for each in caplog.records)
    assert "AAAAAAAA" not in lines and "secret" not in lines and token(1).hex() not in lines


@asynccontextmanager
async def served(directory: Path, **settings: Any) -> AsyncIterator[RunningService]:
    chosen = Settings(port=0, data_dir=directory / "data", gateway=GATEWAY, **settings)
    async with running_service(chosen, Parts(engine=FakeEngine)) as running:
        yield running


async def is_served(page: str, trusted: Authority, shown: tuple[Path, Path] | None = None) -> bool:
    context = ssl.create_default_context(cadata=trusted.certificate.decode())
    if shown is not None:
        context.load_cert_chain(*shown)
    try:
        async with aiohttp.ClientSession() as session, session.get(page, ssl=context) as response:
            return response.headers["server"] == "tablestate"
    except aiohttp.ClientError:
        return False


def written(folder: Path, authority: Authority) -> tuple[Path, Path]:
    """A client's certificate and key, in files."""
    files = folder / "client.pem", folder / "client.key"
    key, certificate = authority.issue("a browser")
    files[0].write_bytes(certificate)
    files[1].write_bytes(key)
    return files


async def test_with_a_certificate_browsers_come_by_tls(tmp_path: Path) -> None:
    authority, clients = Authority(), Authority("of clients")
    files = authority.write(tmp_path)
    async with served(tmp_path, **files) as running:
        assert running.page.startswith("https://")
        assert await is_served(running.page, authority)
        assert not await is_served(running.page, Authority("of strangers"))
        assert not await is_served(running.page.replace("https", "http"), authority)
    (tmp_path / "clients.pem").write_bytes(clients.certificate)
    async with served(tmp_path, **files, client_ca=str(tmp_path / "clients.pem")) as running:
        assert not await is_served(running.page, authority)
        assert await is_served(running.page, authority, written(tmp_path, clients))
        assert not await is_served(running.page, authority, written(tmp_path, authority))


def port_of(page: str) -> int:
    return int(page.rstrip("/").rpartition(":")[2])


def name_shown(page: str, authority: Authority) -> str:
    context = ssl.create_default_context(cadata=authority.certificate.decode())
    with (
        socket.create_connection(("127.0.0.1", port_of(page)), timeout=5) as plain,
        context.wrap_socket(plain, server_hostname="localhost") as secure,
    ):
        subject: Any = (secure.getpeercert() or {})["subject"]
    return str(subject[0][0][1])


async def test_a_certificate_is_renewed_while_the_gateway_runs(tmp_path: Path) -> None:
    authority = Authority()
    async with served(tmp_path, **authority.write(tmp_path, "first")) as running:
        assert await asyncio.to_thread(name_shown, running.page, authority) == "first"
        authority.write(tmp_path, "second")
        assert await asyncio.to_thread(name_shown, running.page, authority) == "second"
        (tmp_path / "cert.pem").write_text("no certificate")
        assert await asyncio.to_thread(name_shown, running.page, authority) == "second"


def test_beyond_loopback_the_gateway_wants_tls_or_a_word() -> None:
    with pytest.raises(SettingsError, match=r"gateway is '0\.0"):
        Settings(gateway="0.0.0.0:8080")
    Settings(gateway="0.0.0.0:8080", allow_insecure=True)
    Settings(gateway="0.0.0.0:8080", tls_cert="cert", tls_key="key")


@pytest.mark.parametrize("address", ["8080", "127.0.0.1", "127.0.0.1:http", ":8080"])
def test_the_gateway_has_a_host_and_a_port(address: str) -> None:
    with pytest.raises(SettingsError, match="gateway"):
        Settings(gateway=address)


@pytest.mark.parametrize(
    "origin", ["play.example", "https://play.example/", "ftp://a", "https://", "*", "http://u@a"]
)
def test_origins_are_written_as_browsers_write_them(origin: str) -> None:
    with pytest.raises(SettingsError, match="gateway_origins"):
        Settings(gateway_origins=f"https://play.example,{origin}")


async def test_pages_of_listed_origins_may_call(tmp_path: Path) -> None:
    async with (
        served(tmp_path, gateway_origins="https://a.example, https://b.example:444") as running,
        browser(running.page) as opened,
    ):
        for origin in ("https://a.example", "https://b.example:444"):
            answer = await opened.json(LIST, origin=origin)
            assert answer.status == 200
            assert answer.headers["access-control-allow-origin"] == origin
        for origin in ("https://b.example", "http://a.example", "https://c.a.example"):
            assert (await opened.json(LIST, origin=origin)).json["code"] == "permission_denied"


async def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        chosen = Settings(port=0, data_dir=tmp_path, gateway=address)
        with pytest.raises(ListenError, match=f"{address} for browsers"):
            async with running_service(chosen, Parts(engine=FakeEngine)):
                pass
