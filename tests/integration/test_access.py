"""Who may call what: every cell of the table in `docs/access.md`, on a service that runs."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import grpc
import pytest
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc import error_details_pb2, status_pb2

from support.keys import KEYS, Guarded, guarded, header, key_file, key_of
from support.service import HOST, Client, Failure, refused, request_id, token
from tablestate import AsyncClient
from tablestate.v1 import access_pb2, catalog_service_pb2, game_pb2, match_pb2, offboard_pb2
from tablestate.v1 import match_service_pb2 as pb
from tablestate.v1.feed_pb2 import WatchFeedRequest
from tablestate_service.settings import Limits
from tools.access_table import methods

Kind: TypeAlias = access_pb2.RequestToken.ValueType

NO_TOKEN = access_pb2.REQUEST_TOKEN_UNSPECIFIED
HOST_TOKEN, SEAT_TOKEN = access_pb2.REQUEST_TOKEN_HOST, access_pb2.REQUEST_TOKEN_SEAT
FIELDS = {HOST_TOKEN: ("host_token", HOST), SEAT_TOKEN: ("seat_token", token(0))}
METHODS = {method.name: method for method in methods()}
CALLERS = {
    "nobody": ("", access_pb2.ROLE_ANYONE),
    "stranger": ("tsk_nobody-knows-this", access_pb2.ROLE_ANYONE),
    "player": (key_of("player"), access_pb2.ROLE_PLAYER),
    "operator": (key_of("operator"), access_pb2.ROLE_OPERATOR),
}
OPTIONS = game_pb2.GameOptions(offboard=offboard_pb2.OffboardOptions())
MORE: dict[str, dict[str, Any]] = {
    "CreateMatch": {"host_token": HOST, "options": OPTIONS},
    "JoinMatch": {"seat_token": token(7)},
    "AddBot": {"bot": "random"},
    "ReplaceSeatToken": {"seat": 0, "new_seat_token": token(8)},
    "RevokeSeatToken": {"seat": 0},
    "Rematch": {"new_seat_token": token(8), "new_host_token": token(9)},
    "Propose": {"kind": match_pb2.PROPOSAL_KIND_DRAW},
    "SubmitAction": {"choice": game_pb2.ActionChoice(notation="1")},
    "RevealEntropy": {"entropy": token(9)},
    "Playout": {"options": OPTIONS, "games": 1},
    "Perft": {"options": OPTIONS, "depth": 1},
}
"""What a method wants besides match, request id and token to be carried out."""


class Given(NamedTuple):
    """Which token a request has."""

    kind: Kind
    value: bytes


def access_of(method: MethodDescriptor) -> access_pb2.Access:
    return method.GetOptions().Extensions[access_pb2.access]


def cells() -> list[Any]:
    """Method, caller, and which token is given how."""
    found = []
    for method in methods():
        access = access_of(method)
        tokens = [each for each in (access.token, *access.optional_tokens) if each in FIELDS]
        kinds = [(each, how) for each in tokens for how in ("right", "wrong")] + [
            (NO_TOKEN, "none")
        ]
        for caller in CALLERS:
            for kind, how in kinds:
                name = access_pb2.RequestToken.Name(kind).removeprefix("REQUEST_TOKEN_").lower()
                label = f"{method.name}-{caller}-{how}" + (f" {name}" if kind else "")
                found.append(pytest.param(method.name, caller, kind, how, id=label))
    return found


def expected(method: MethodDescriptor, caller: str, kind: Kind, how: str) -> str:
    """The reason that the table gives for a refusal; empty if the call is let in."""
    access, (_, role) = access_of(method), CALLERS[caller]
    if role < access.role:
        return "WRONG_KEY" if role == access_pb2.ROLE_ANYONE else "NOT_PERMITTED"
    if how == "wrong":
        return "WRONG_HOST_TOKEN" if kind == HOST_TOKEN else "WRONG_SEAT_TOKEN"
    return "INVALID_FIELD" if how == "none" and access.token in FIELDS else ""


def fill(message: Message, name: str, match_id: str, given: Given) -> Message:
    """Fill in what the fields of a request are called after."""
    fields: dict[str, Any] = dict(MORE.get(name, {}))
    if "subscriptions" in message.DESCRIPTOR.fields_by_name:
        subscription = pb.WatchSubscription(match_id=match_id)
        if given.kind == SEAT_TOKEN:
            subscription.seat_token = given.value
        return type(message)(subscriptions=[subscription])
    if "begin" in message.DESCRIPTOR.fields_by_name and name == "Play":
        begin = {"match_id": match_id}
        return type(message)(
            begin=begin | ({"seat_token": given.value} if given.kind == SEAT_TOKEN else {})
        )
    if name == "ForkMatch":
        settings = pb.CreateMatchRequest(request_id=request_id(), host_token=token(7))
        source = match_pb2.MatchVersion(match_id=match_id, version=4)
        return pb.ForkMatchRequest(source=source, match=settings)
    common: dict[str, Any] = {"request_id": request_id(), "match_id": match_id}
    if given.kind in FIELDS:
        common[FIELDS[given.kind][0]] = given.value
    known = message.DESCRIPTOR.fields_by_name
    return type(message)(**{k: v for k, v in (common | fields).items() if k in known})


async def reason_of(client: Client, method: MethodDescriptor, request: bytes, key: str) -> str:
    """Make a call, as far as its first answer; the reason of its refusal, or nothing."""
    path = f"/{method.containing_service.full_name}/{method.name}"
    channel: Any = client.channel
    try:
        if method.client_streaming:
            call = channel.stream_stream(path)(metadata=header(key))
            await call.write(request)
        elif method.server_streaming:
            call = channel.unary_stream(path)(request, metadata=header(key))
        else:
            await channel.unary_unary(path)(request, metadata=header(key))
            return ""
        await call.read()
        call.cancel()
    except grpc.aio.AioRpcError as error:
        return Failure(error).reason
    return ""


@pytest.fixture(scope="module")
async def service(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Guarded]:
    async with guarded(tmp_path_factory.mktemp("access")) as running:
        yield running


@pytest.fixture(scope="module")
async def bare(service: Guarded) -> Client:
    """A client that brings no key of its own."""
    channel = grpc.aio.insecure_channel(service.address)
    return Client(channel, service.address)


@pytest.mark.parametrize(("name", "caller", "kind", "how"), cells())
async def test_a_cell_of_the_table(
    service: Guarded, bare: Client, name: str, caller: str, kind: Kind, how: str
) -> None:
    method, key = METHODS[name], CALLERS[caller][0]
    match_id = await (await service.known("player")).started()
    value = FIELDS[kind][1] if how == "right" else token(999)
    message = GetMessageClass(method.input_type)()
    request = fill(message, name, match_id, Given(kind, value)).SerializeToString()
    reason = await reason_of(bare, method, request, key)
    if wanted := expected(method, caller, kind, how):
        assert reason == wanted
    else:
        # It is let in: what is refused then is the caller's state or request, not the caller.
        refusals = {"WRONG_KEY", "NOT_PERMITTED", "WRONG_HOST_TOKEN", "WRONG_SEAT_TOKEN"}
        assert reason not in refusals
        assert reason != "INVALID_FIELD" or name in ("Simulate", "Evaluate", "Search")


def test_every_method_says_who_may_call_it() -> None:
    assert all(access_of(method).role for method in methods())


@pytest.mark.parametrize(
    "given",
    [
        (("authorization", key_of("player")),),
        (("authorization", f"Basic {key_of('player')}"),),
        (("authorization", "Bearer "),),
        (("authorization", f"Bearer  {key_of('player')}"),),
        (("authorization", f"Bearer {key_of('player')} "),),
        (*header(key_of("player")), *header(key_of("player"))),
    ],
)
async def test_a_key_is_brought_in_one_way(
    bare: Client, given: tuple[tuple[str, str], ...]
) -> None:
    with refused() as got:
        await bare.matches.ListMatches(pb.ListMatchesRequest(), metadata=given)
    assert (got.reason, got.failure.code) == ("WRONG_KEY", grpc.StatusCode.UNAUTHENTICATED)


async def test_the_scheme_is_read_in_any_case(bare: Client) -> None:
    given = (("authorization", f"bearer {key_of('player')}"),)
    await bare.matches.ListMatches(pb.ListMatchesRequest(), metadata=given)


async def test_nothing_of_a_request_is_looked_at_before_the_key(bare: Client) -> None:
    with refused() as got:
        await bare.raw("/tablestate.v1.MatchService/GetMatch")(b"\xff\xff no message")
    assert got.reason == "WRONG_KEY"


async def test_a_key_that_names_a_player_joins_as_that_player(service: Guarded) -> None:
    player, ada = await service.known("player"), await service.known("ada")
    match_id = await player.create()
    await ada.join(match_id, 0)
    with refused() as got:
        await ada.join(match_id, 1, player_id="bob")
    assert set(got.failure.violations) == {"player_id"}
    await player.join(match_id, 1, player_id="bob")
    match = await player.match(match_id, host_token=HOST)
    assert [each.player_id for each in match.seats] == ["ada", "bob"]


async def test_an_operator_reads_the_feed_of_its_tenant_alone(service: Guarded) -> None:
    operator = await service.known("other-operator")
    created = await operator.create()
    call = operator.matches.WatchFeed(WatchFeedRequest())
    assert (await call.read()).item.match_id == created
    call.cancel()
    with refused() as got:
        await operator.matches.WatchFeed(WatchFeedRequest(tenant="chess-club")).read()
    assert set(got.failure.violations) == {"tenant"}


async def test_a_key_that_is_taken_away_opens_nothing_and_ends_its_streams(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tablestate_service.rpc.gate.RECHECK_SECONDS", 0.2)
    monkeypatch.setattr("tablestate_service.adapters.keyring._LOOK_SECONDS", 0.1)
    async with guarded(tmp_path) as running:
        player, ada = await running.known("player"), await running.known("ada")
        match_id = await player.started()
        watches = [each.watch(match_id) for each in (player, ada)]
        for watch in watches:
            await watch.read()
        key_file(tmp_path / "keys.toml", {k: v for k, v in KEYS.items() if k != "ada"})
        with refused() as got:
            async with asyncio.timeout(60):
                while True:
                    await watches[1].read()
        assert got.reason == "WRONG_KEY"
        with refused() as got:
            await ada.match(match_id)
        assert got.reason == "WRONG_KEY"
        (tmp_path / "keys.toml").write_text("no keys at all")
        await asyncio.sleep(0.3)
        await player.submit(match_id, 0, "1")
        assert (await watches[0].read()).update is not None


def retry_seconds(error: grpc.aio.AioRpcError) -> float:
    """What the hint of a refusal says."""
    for key, value in error.trailing_metadata() or ():
        if key == "grpc-status-details-bin":
            for detail in status_pb2.Status.FromString(value).details:
                info = error_details_pb2.RetryInfo()
                if detail.Unpack(info):
                    return float(info.retry_delay.ToMilliseconds()) / 1000
    raise AssertionError("there is no hint")


async def test_each_key_has_its_pace_and_those_without_that_of_their_peer(tmp_path: Path) -> None:
    limits = Limits(calls_per_key=10, calls_per_peer=5)
    async with guarded(tmp_path, limits=limits) as running:
        player, ada = await running.known("player"), await running.known("ada")
        stranger = await running.client("tsk_unknown")
        info = catalog_service_pb2.GetServerInfoRequest()

        async def made(client: Client) -> tuple[int, grpc.aio.AioRpcError]:
            for count in range(40):
                try:
                    await client.matches.ListMatches(pb.ListMatchesRequest())
                except grpc.aio.AioRpcError as error:
                    if Failure(error).reason != "WRONG_KEY":
                        return count, error
            raise AssertionError("nothing was refused")

        for client, least in ((player, 20), (ada, 20), (stranger, 10)):
            count, error = await made(client)
            assert least <= count < least + 10
            failure = Failure(error)
            assert failure.reason == "TOO_MANY_CALLS"
            assert failure.code is grpc.StatusCode.RESOURCE_EXHAUSTED
            assert 0 < retry_seconds(error) <= 1 / 5
        # Whoever has no key shares the pace of its peer, whatever it calls.
        with refused() as got:
            await (await running.client("")).catalog.GetServerInfo(info)
        assert got.reason == "TOO_MANY_CALLS"
        await asyncio.sleep(0.3)
        await player.catalog.GetServerInfo(info)
        await stranger.catalog.GetServerInfo(info)
        health = stranger.raw("/grpc.health.v1.Health/Check")
        for _ in range(50):
            await health(b"")


async def test_the_client_comes_again_when_it_is_told_to(tmp_path: Path) -> None:
    async with guarded(tmp_path, limits=Limits(calls_per_key=10)) as running:
        given = header(key_of("player"))
        async with AsyncClient(running.address, metadata=given) as client:
            for _ in range(30):
                await client.server_info()
