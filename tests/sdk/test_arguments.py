"""What callers get wrong comes back as typed errors, before anything is sent."""

from __future__ import annotations

import asyncio
import math
import threading
import time
from collections.abc import Callable

import pytest

import tablestate
from support.fake_server import FakeServer
from tablestate import Client, InvalidArgumentError
from tablestate.v1.match_service_pb2 import GetMatchResponse

DELAY = 0.3
SEAT = tablestate.SeatCredential("m", 1, bytes(32))
HOST = tablestate.HostCredential("m", bytes(32))


@pytest.mark.parametrize(
    ("call", "field"),
    [
        (lambda client: client.player(SEAT).submit(-1), "choice.index"),
        (lambda client: client.player(SEAT).submit(0, expected_version=-1), "expected_version"),
        (lambda client: client.player(SEAT).view(version=-1), "version"),
        (lambda client: client.join("m", seat=-1), "seat"),
        (lambda client: client.join("m", display_name=7), "display_name"),
        (lambda client: client.join("m", display_name="\ud800"), "display_name"),
        (lambda client: client.host(HOST).add_bot("greedy", seat=2**32), "seat"),
        (lambda client: client.get_match(5), "match_id"),
        (lambda client: next(client.watch("m", after_version=-1)), "after_version"),
        (lambda client: list(client.list_matches(page_size=-1)), "page_size"),
        (lambda client: client.create_match("offboard", on_leave="BOT"), "on_leave"),
        (lambda client: client.create_match("offboard", metadata={"a": 1}), "metadata"),
    ],
)
def test_what_cannot_be_sent_is_refused_by_its_field(
    client: Client, server: FakeServer, call: Callable[[Client], object], field: str
) -> None:
    with pytest.raises(InvalidArgumentError) as caught:
        call(client)
    assert [each.field for each in caught.value.violations] == [field]
    assert isinstance(caught.value, tablestate.InvalidRequestError)
    assert isinstance(caught.value, ValueError)
    assert not server.requests


def test_a_token_that_cannot_be_sent_is_not_shown(client: Client) -> None:
    wrong = tablestate.SeatCredential("m", 1, "secret")  # type: ignore[arg-type]
    with pytest.raises(InvalidArgumentError) as caught:
        client.player(wrong).resign()
    assert str(caught.value) == "INVALID_FIELD: seat_token: expected bytes"


@pytest.mark.parametrize("timeout", [math.nan, -1.0, -math.inf, "5", True])
def test_a_timeout_that_is_none_is_refused(client: Client, timeout: float) -> None:
    with pytest.raises(InvalidArgumentError, match=r"timeout: .*expected a number of seconds"):
        client.get_match("m", timeout=timeout)
    with pytest.raises(InvalidArgumentError, match="timeout: "):
        client.watch("m", timeout=timeout)
    with pytest.raises(InvalidArgumentError, match="timeout: "):
        Client("127.0.0.1:1", timeout=timeout)
    with pytest.raises(InvalidArgumentError, match="attempt_timeout: "):
        tablestate.RetryPolicy(attempt_timeout=timeout)


@pytest.mark.parametrize("multiplier", [math.nan, 0.5, -1.0])
def test_pauses_do_not_shrink(multiplier: float) -> None:
    with pytest.raises(InvalidArgumentError, match=r"multiplier: .*expected a number from 1 on"):
        tablestate.RetryPolicy(multiplier=multiplier)


def test_a_closed_client_says_so(server: FakeServer) -> None:
    client = Client(server.target)
    player, watch = client.player(SEAT), client.watch("m")
    client.close()
    client.close()
    for call in (client.server_info, player.resign, player.replay, lambda: next(watch)):
        with pytest.raises(tablestate.ClientClosedError, match="the client is closed"):
            call()


def test_a_call_under_way_ends_when_its_client_is_closed(server: FakeServer) -> None:
    server.answer("GetMatch", lambda: time.sleep(DELAY), GetMatchResponse())
    client = Client(server.target)
    closing = threading.Timer(DELAY / 3, client.close)
    closing.start()
    with pytest.raises(tablestate.ClientClosedError):
        client.get_match("m")
    closing.join()


async def test_a_closed_asynchronous_client_says_so(server: FakeServer) -> None:
    server.answer("GetMatch", lambda: time.sleep(DELAY), GetMatchResponse())
    client = tablestate.AsyncClient(server.target)
    under_way = asyncio.create_task(client.get_match("m"))
    await asyncio.sleep(DELAY / 3)
    await client.close()
    with pytest.raises(tablestate.ClientClosedError):
        await under_way
    with pytest.raises(tablestate.ClientClosedError):
        await client.server_info()
    with pytest.raises(tablestate.ClientClosedError):
        await client.player(SEAT).replay()
    with pytest.raises(tablestate.ClientClosedError):
        await anext(client.watch("m"))


async def test_a_call_that_its_caller_cancels_is_cancelled(server: FakeServer) -> None:
    server.answer("GetMatch", lambda: time.sleep(DELAY), GetMatchResponse())
    async with tablestate.AsyncClient(server.target) as client:
        under_way = asyncio.create_task(client.get_match("m"))
        await asyncio.sleep(DELAY / 3)
        under_way.cancel()
        with pytest.raises(asyncio.CancelledError):
            await under_way
