"""A call whose answer was lost can be made again as the very same call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import grpc
import pytest

import tablestate
from support.fake_server import FakeServer, Fault
from tablestate import Client, Intent
from tablestate.v1.match_pb2 import Match
from tablestate.v1.match_service_pb2 import (
    AbortMatchResponse,
    AddBotResponse,
    CreateMatchResponse,
    JoinMatchResponse,
    LeaveSeatResponse,
    ResignResponse,
    StartMatchResponse,
    SubmitActionResponse,
)

TOKEN = bytes(range(32))
SEAT = tablestate.SeatCredential("m", 1, bytes(32))
HOST = tablestate.HostCredential("m", bytes(32))
GONE = Fault(grpc.StatusCode.UNAVAILABLE)
METADATA = {str(number): "value" for number in range(16)}
Call = Callable[[Client, dict[str, Any]], object]

CALLS: dict[str, tuple[Call, Any]] = {
    "CreateMatch": (
        lambda client, given: client.create_match("offboard", metadata=METADATA, **given),
        CreateMatchResponse(match=Match(match_id="m")),
    ),
    "JoinMatch": (lambda client, given: client.join("m", **given), JoinMatchResponse(seat=1)),
    "AddBot": (lambda client, given: client.host(HOST).add_bot("b", **given), AddBotResponse()),
    "StartMatch": (lambda client, given: client.host(HOST).start(**given), StartMatchResponse()),
    "AbortMatch": (lambda client, given: client.host(HOST).abort(**given), AbortMatchResponse()),
    "SubmitAction": (
        lambda client, given: client.player(SEAT).submit(0, **given),
        SubmitActionResponse(),
    ),
    "Resign": (lambda client, given: client.player(SEAT).resign(**given), ResignResponse()),
    "LeaveSeat": (lambda client, given: client.player(SEAT).leave(**given), LeaveSeatResponse()),
}


@pytest.mark.parametrize("method", CALLS)
def test_the_error_has_what_it_takes_to_make_the_same_call(
    client: Client, server: FakeServer, method: str
) -> None:
    call, answer = CALLS[method]
    server.answer(method, GONE)
    with pytest.raises(tablestate.TablestateError) as caught:
        call(client, {"timeout": 0.3})
    server.answer(method, answer)
    server.answer(method, answer)
    call(client, {"intent": caught.value.intent})
    call(client, {})
    *same, other = server.requests[method]
    assert len(set(same)) == 1
    assert len(same) >= 2
    assert other not in same


def test_the_token_of_an_intent_becomes_the_key(client: Client, server: FakeServer) -> None:
    server.answer("CreateMatch", CreateMatchResponse(match=Match(match_id="m")))
    server.answer("JoinMatch", JoinMatchResponse(seat=1))
    intent = Intent("request-id-of-mine", TOKEN)
    assert client.create_match("offboard", intent=intent).credential.token == TOKEN
    assert client.join("m", intent=intent).credential.token == TOKEN
    assert client.host(HOST).join(intent=intent).credential.token == TOKEN


def test_an_error_of_a_call_that_changes_nothing_has_no_intent(
    client: Client, server: FakeServer
) -> None:
    server.answer("GetMatch", GONE)
    with pytest.raises(tablestate.TablestateError) as caught:
        client.get_match("m", timeout=0.3)
    assert caught.value.intent is None


async def test_the_asynchronous_client_tells_the_intent_too(server: FakeServer) -> None:
    server.answer("JoinMatch", GONE)
    async with tablestate.AsyncClient(server.target) as client:
        with pytest.raises(tablestate.TablestateError) as caught:
            await client.join("m", timeout=0.3)
        server.answer("JoinMatch", JoinMatchResponse(seat=1))
        player = await client.join("m", intent=caught.value.intent)
    assert len(set(server.requests["JoinMatch"])) == 1
    assert caught.value.intent is not None
    assert player.credential.token == caught.value.intent.token


def test_errors_and_handles_never_show_a_token(client: Client, server: FakeServer) -> None:
    server.answer("JoinMatch", GONE)
    with pytest.raises(tablestate.TablestateError) as caught:
        client.join("m", intent=Intent(token=TOKEN), timeout=0.3)
    player = client.player(tablestate.SeatCredential("m", 1, TOKEN))
    host = client.host(tablestate.HostCredential("m", TOKEN))
    shown = f"{caught.value} {caught.value!r} {caught.value.intent} {player} {host} {client}"
    assert repr(TOKEN)[2:-1] not in shown
    assert TOKEN.hex() not in shown
    assert repr(player) == "<SeatedPlayer of seat 1 of match m>"
    assert repr(host) == "<HostedMatch of match m>"
    assert repr(client) == f"<Client of {server.target}>"
