"""What callers get wrong comes back as typed errors, before anything is sent."""

from __future__ import annotations

import asyncio
import contextlib
import math
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

import tablestate
from support.fake_server import FakeServer
from tablestate import Client, InvalidArgumentError
from tablestate._packing import game_state
from tablestate.v1.game_pb2 import GameView
from tablestate.v1.match_service_pb2 import CreateMatchRequest, GetMatchResponse
from tablestate.v1.offtrack_pb2 import OffTrackScoring

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
        (lambda client: client.create_match("offboard", on_leave="ROBOT"), "on_leave"),
        (lambda client: client.fork_match("m", 1, options={}), "options"),
        (lambda client: client.fork_match("m", 1, colour="red"), "colour"),
        (lambda client: client.player(SEAT).propose("MERCY"), "kind"),
        (lambda client: client.search("offboard", GameView(), 0, seconds=61), "seconds"),
        (lambda client: client.create_match("offboard", metadata={"a": 1}), "metadata"),
        (lambda client: client.batch("offboard", -1), "size"),
        (lambda client: client.batch("offboard", 2**32), "size"),
        (lambda client: client.batch("offboard", 1.5), "size"),
        (lambda client: client.batch("offboard", 1, seed=-1), "seed"),
        (lambda client: client.batch("offboard", 1, seeds=[2**64]), "seeds"),
        (lambda client: client.batch("offboard", 1, observer=-1), "observer"),
        (lambda client: client.watch(), "matches"),
        (lambda client: client.watch("m", SEAT), "matches"),
        (lambda client: client.player(None), "credential"),
        (lambda client: client.host(SEAT), "credential"),
        (lambda client: client.play(None), "credential"),
        (lambda _: tablestate.SeatCredential("m", 0, b""), "seat_token"),
        (lambda _: tablestate.HostCredential("m", b""), "host_token"),
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


@pytest.mark.parametrize(
    ("target", "metadata", "words"),
    [
        (None, [], "target: expected where"),
        ("", [], "target: '': expected where"),
        ("x", [], "target: 'x': expected where"),
        ("http://127.0.0.1:50051", [], "target: 'http://127.0.0.1:50051': expected where"),
        ("127.0.0.1:0", [], "target: '127.0.0.1:0': expected where"),
        ("127.0.0.1:65536", [], "target: '127.0.0.1:65536': expected where"),
        ("127.0.0.1:-1", [], "target: '127.0.0.1:-1': expected where"),
        ("127.0.0.1:1/x", [], "target: '127.0.0.1:1/x': expected where"),
        ("a b:5", [], "target: 'a b:5': expected where"),
        ("x:1", {"authorization": "Bearer secret"}, "metadata: expected a list .*not dict"),
        ("x:1", ["authorization"], r"metadata\[0\]: expected a pair"),
        ("x:1", [("a", "b"), ("authorization", 5)], r"metadata\[1\]: expected a pair"),
        ("x:1", [("Authorization", "secret")], r"metadata\[0\].name: 'Authorization': expected"),
        ("x:1", [("grpc-status", "0")], r"metadata\[0\].name: 'grpc-status'"),
        ("x:1", [("authorization", "secret\n")], r"metadata\[0\].value: expected"),
        ("x:1", [("key-bin", "secret")], r"metadata\[0\].value: expected"),
    ],
)
def test_what_is_no_target_and_no_header_is_refused(target: Any, metadata: Any, words: str) -> None:
    with pytest.raises(InvalidArgumentError, match=words) as caught:
        Client(target, metadata=metadata)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    "target",
    [
        "localhost:1",
        "[::1]:65535",
        ":50051",
        "dns:///example.org",
        "unix:/run/socket",
        "ipv4:127.0.0.1:1,127.0.0.1:2",
        "a_b.c:80",
    ],
)
def test_targets_are_addresses_with_a_port_or_what_grpc_names(target: str) -> None:
    with Client(target) as client:
        assert target in repr(client)


@pytest.mark.parametrize("multiplier", [0.5, math.nan, math.inf, "2"])
def test_a_policy_of_retries_ends(multiplier: Any) -> None:
    with pytest.raises(InvalidArgumentError, match="multiplier"):
        tablestate.RetryPolicy(multiplier=multiplier)


@pytest.mark.parametrize("state", [b"\xff", None, "state"])
def test_what_is_no_state_is_refused_and_not_shown(state: Any) -> None:
    with pytest.raises(InvalidArgumentError, match=r"^INVALID_FIELD: state: expected a GameState"):
        game_state(state)


def test_the_last_word_of_a_value_names_it(client: Client, server: FakeServer) -> None:
    with contextlib.suppress(tablestate.TablestateError):
        client.create_match("offtrack", {"scoring": "low"}, on_leave="BOT", seating="RANDOM")
    request = CreateMatchRequest.FromString(server.requests["CreateMatch"][0])
    assert request.on_leave == tablestate.AbsencePolicy.ABSENCE_POLICY_BOT
    assert request.seating == tablestate.Seating.SEATING_RANDOM
    assert request.options.offtrack.scoring == OffTrackScoring.OFF_TRACK_SCORING_LOW


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


def test_a_text_that_is_a_secret_is_refused_without_being_shown() -> None:
    half = "secret\udc80"
    with tablestate.Client("127.0.0.1:1") as client:
        for call in (
            lambda: next(iter(client.watch_feed(feed_secret=half))),
            lambda: client.join("a" * 32, invitation_code=half),
        ):
            with pytest.raises(InvalidArgumentError) as refused:
                call()
            assert "expected text" in str(refused.value)
            assert "\udc80" not in str(refused.value)
