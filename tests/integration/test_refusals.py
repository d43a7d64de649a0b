"""What is refused over a real channel, and how it is told."""

import base64
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeAlias

import grpc
import pytest
from google.protobuf.descriptor import MethodDescriptor

from support.fake_engine import FakeEngine
from support.service import HOST, Client, Failure, refused, request_id, service, token
from tablestate.v1 import catalog_service_pb2, match_pb2, match_service_pb2
from tablestate.v1 import match_service_pb2 as pb
from tablestate_service.app import Parts

Call: TypeAlias = Callable[[Client, str], Awaitable[Any]]

METHODS: list[MethodDescriptor] = [
    method
    for service in (
        match_service_pb2.DESCRIPTOR.services_by_name["MatchService"],
        catalog_service_pb2.DESCRIPTOR.services_by_name["CatalogService"],
    )
    for method in service.methods
    # Without keys there is no operator, and nothing of its requests is looked at.
    if not method.name.endswith("SeatToken")
]
MUTATING = (
    "JoinMatch",
    "LeaveSeat",
    "AddBot",
    "StartMatch",
    "SubmitAction",
    "RevealEntropy",
    "Resign",
    "AbortMatch",
)
BY_HOST = ("AddBot", "StartMatch", "AbortMatch")
UNKNOWN = "f" * 32


async def raw(client: Client, method: MethodDescriptor, data: bytes) -> Failure:
    """Send bytes to a method; the status they are refused with."""
    path = f"/{method.containing_service.full_name}/{method.name}"
    with refused() as got:
        if method.server_streaming:
            async for _ in client.raw(path, streaming=True)(data):
                pass
        else:
            await client.raw(path)(data)
    return got.failure


@pytest.mark.parametrize("data", [b"\xff", b"\x0a\x05ab", b"\x0a\x02\xff\xfe", b"\x0b" * 200])
@pytest.mark.parametrize("method", METHODS, ids=lambda method: str(method.name))
async def test_bytes_that_are_no_request_are_refused(
    fake: Client, method: MethodDescriptor, data: bytes
) -> None:
    if not method.input_type.fields and data == b"\x0a\x02\xff\xfe":
        data = b"\xff"  # An unknown field is no fault of a message without any.
    failure = await raw(fake, method, data)
    assert failure.code is grpc.StatusCode.INVALID_ARGUMENT
    assert failure.reason == "MALFORMED_REQUEST"


@pytest.mark.parametrize("method", METHODS, ids=lambda method: str(method.name))
async def test_an_empty_request_is_refused_with_its_fields_or_answered(
    fake: Client, method: MethodDescriptor
) -> None:
    answered = {"ListMatches", "GetServerInfo", "ListGames"}
    if method.name in answered:
        path = f"/{method.containing_service.full_name}/{method.name}"
        assert isinstance(await fake.raw(path)(b""), bytes)
        return
    failure = await raw(fake, method, b"")
    assert failure.reason == "INVALID_FIELD"
    assert failure.violations


def mutate(client: Client, name: str, match_id: str, key: bytes, **fields: Any) -> Awaitable[Any]:
    """A mutating call with a credential."""
    credential = "host_token" if name in BY_HOST else "seat_token"
    extra: dict[str, Any] = {"request_id": request_id(), "match_id": match_id, credential: key}
    if name == "AddBot":
        extra["bot"] = "random"
    if name == "SubmitAction":
        extra["choice"] = {"notation": "1"}
    if name == "RevealEntropy":
        extra["entropy"] = token(9)
    request = getattr(pb, f"{name}Request")(**extra | fields)
    call: Awaitable[Any] = getattr(client.matches, name)(request)
    return call


@pytest.mark.parametrize("name", MUTATING)
async def test_an_unknown_match_is_not_found(fake: Client, name: str) -> None:
    with refused() as got:
        await mutate(fake, name, UNKNOWN, token(5))
    assert got.failure.code is grpc.StatusCode.NOT_FOUND
    assert got.reason == "MATCH_NOT_FOUND"


@pytest.mark.parametrize("name", [name for name in MUTATING if name != "JoinMatch"])
async def test_a_wrong_token_may_do_nothing(fake: Client, name: str) -> None:
    match_id = await fake.started()
    with refused() as got:
        await mutate(fake, name, match_id, token(77))
    assert got.failure.code is grpc.StatusCode.PERMISSION_DENIED
    assert got.reason == ("WRONG_HOST_TOKEN" if name in BY_HOST else "WRONG_SEAT_TOKEN")


@pytest.mark.parametrize("name", MUTATING)
async def test_the_faults_of_a_call_are_told_together(fake: Client, name: str) -> None:
    with refused() as got:
        await mutate(fake, name, "no id", b"short", request_id="x")
    credential = "host_token" if name in BY_HOST else "seat_token"
    assert got.reason == "INVALID_FIELD"
    assert {"match_id", "request_id", credential} <= set(got.failure.violations)
    assert "short" not in got.failure.message + str(got.failure.violations)


READS: dict[str, Call] = {
    "GetView": lambda client, match_id: client.view(match_id, 77),
    "ListLegalActions": lambda client, match_id: client.legal(match_id, 77),
    "GetMatch": lambda client, match_id: client.match(match_id, host_token=token(77)),
}


@pytest.mark.parametrize("name", READS)
async def test_a_wrong_token_sees_nothing(fake: Client, name: str) -> None:
    match_id = await fake.started()
    with refused() as got:
        await READS[name](fake, match_id)
    assert got.failure.code is grpc.StatusCode.PERMISSION_DENIED


@pytest.mark.parametrize("stream", ["watch", "replay"])
async def test_a_wrong_token_streams_nothing(fake: Client, stream: str) -> None:
    match_id = await fake.started()
    replay = pb.GetReplayRequest(match_id=match_id, seat_token=token(77))
    with refused() as got:
        if stream == "watch":
            await anext(aiter(fake.watch(match_id, seat_token=token(77))))
        else:
            await anext(aiter(fake.matches.GetReplay(replay)))
    assert got.reason == "WRONG_SEAT_TOKEN"


async def test_a_view_ahead_of_the_match_is_refused(fake: Client) -> None:
    match_id = await fake.started()
    for fields in ({"version": 5}, {"min_version": 5}):
        with refused() as got:
            await fake.view(match_id, 0, **fields)
        assert got.reason == "VERSION_NOT_REACHED"
        assert got.failure.metadata == {"current_version": "4"}
    with refused() as got:
        await fake.view(match_id, 0, version=0)
    assert got.failure.violations == {"version": "'0': expected at least 1"}


async def test_there_is_no_view_before_the_start(fake: Client) -> None:
    match_id = await fake.create()
    await fake.join(match_id, 0)
    view = await fake.view(match_id, 0)
    assert not view.HasField("view")
    assert view.phase == match_pb2.MATCH_PHASE_WAITING


async def test_a_bot_that_is_none_is_refused_with_those_that_are(fake: Client) -> None:
    match_id = await fake.create()
    with refused() as got:
        await fake.add_bot(match_id, "deep thought", 0)
    assert got.failure.violations == {"bot": "'deep thought': expected one of greedy, random"}


@pytest.mark.parametrize("count", [0, 257])
async def test_a_watch_has_bounds(fake: Client, count: int) -> None:
    with refused() as got:
        await anext(aiter(fake.watch(*(f"{number:032x}" for number in range(count)))))
    assert "subscriptions" in got.failure.violations


async def test_a_match_is_watched_once_in_a_stream(fake: Client) -> None:
    match_id = await fake.started()
    with refused() as got:
        await anext(aiter(fake.watch(match_id, match_id)))
    assert "subscriptions[1].match_id" in got.failure.violations


async def test_too_many_watches_are_refused(tmp_path: Path) -> None:
    async with service(tmp_path, Parts(engine=FakeEngine), max_watches=2) as (_, client):
        match_id = await client.started()
        watches = [aiter(client.watch(match_id)) for _ in range(2)]
        for watch in watches:
            await anext(watch)
        with refused() as got:
            await anext(aiter(client.watch(match_id)))
        assert got.failure.code is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert got.reason == "LIMIT_REACHED"
        assert got.failure.metadata == {"limit": "watches", "maximum": "2"}


async def test_a_request_that_is_too_large_is_refused(tmp_path: Path) -> None:
    async with service(tmp_path, Parts(engine=FakeEngine), max_request_bytes=1000) as (_, client):
        with refused() as got:
            await client.create(metadata={"key": "x" * 2000})
    assert got.failure.code is grpc.StatusCode.RESOURCE_EXHAUSTED


async def test_lists_are_paged_and_tokens_belong_to_their_list(fake: Client) -> None:
    ids = [await fake.create() for _ in range(5)]
    seen: list[str] = []
    page = pb.ListMatchesResponse()
    while not seen or page.next_page_token:
        page = await fake.matches.ListMatches(
            pb.ListMatchesRequest(page_size=2, page_token=page.next_page_token)
        )
        seen += [match.match_id for match in page.matches]
    assert seen == list(reversed(ids))
    first = await fake.matches.ListMatches(pb.ListMatchesRequest(page_size=2))
    with refused() as got:
        await fake.matches.ListMatches(
            pb.ListMatchesRequest(page_size=3, page_token=first.next_page_token)
        )
    assert "page_token" in got.failure.violations


async def test_a_page_token_tells_the_last_match_of_its_page_alone(fake: Client) -> None:
    for _ in range(3):
        await fake.create()
    page = await fake.matches.ListMatches(pb.ListMatchesRequest(page_size=2))
    known = bytes.fromhex(page.matches[-1].match_id)
    told = base64.urlsafe_b64decode(page.next_page_token)
    assert told.startswith(known) and len(told) == len(known) + 8
    # The list that it belongs to is known as well: the same for all matches.
    following = pb.ListMatchesRequest(page_size=2, page_token=page.next_page_token)
    gone = base64.urlsafe_b64encode(bytes(16) + told[16:]).decode()
    await fake.matches.ListMatches(following)
    with refused() as got:
        await fake.matches.ListMatches(pb.ListMatchesRequest(page_size=2, page_token=gone))
    assert "still there" in got.failure.violations["page_token"]


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"page_size": 101}, "page_size"),
        ({"phases": [0]}, "phases[0]"),
        ({"phases": [1, 9]}, "phases[1]"),
        ({"page_token": "nonsense"}, "page_token"),
    ],
)
async def test_a_list_that_cannot_be_is_refused(
    fake: Client, fields: dict[str, Any], field: str
) -> None:
    with refused() as got:
        await fake.matches.ListMatches(pb.ListMatchesRequest(**fields))
    assert field in got.failure.violations


async def test_of_too_many_items_none_is_looked_at(fake: Client) -> None:
    with refused() as got:
        phases: Any = [9] * 200_000
        await fake.matches.ListMatches(pb.ListMatchesRequest(phases=phases))
    assert got.failure.violations == {"phases": "'200000 items': expected 0 to 4 items"}
    with refused() as got:
        await fake.create(metadata={f"{number:070}": "" for number in range(2_000)})
    assert got.failure.violations == {"metadata": "'2000 items': expected 0 to 16 items"}
    many = pb.WatchMatchesRequest(subscriptions=[pb.WatchSubscription()] * 50_000)
    with refused() as got:
        await anext(aiter(fake.matches.WatchMatches(many)))
    assert got.failure.violations == {"subscriptions": "'50000 items': expected 1 to 256 items"}


@pytest.mark.parametrize(
    "metadata",
    [
        {"k" * 20_000: "v" * 300},
        {f"{number}": "🎲" * 257 for number in range(16)},
        {"\x1b[31m\n": "v" * 300},
        {f"{number}" + "\U000e0041" * 200: "\U000e0041" * 300 for number in range(16)},
    ],
    ids=["long key", "emoji", "controls", "tags"],
)
async def test_a_refusal_arrives_whatever_was_sent(fake: Client, metadata: dict[str, str]) -> None:
    with refused() as got:
        await fake.create(metadata=metadata)
    assert got.failure.code is grpc.StatusCode.INVALID_ARGUMENT
    assert got.reason == "INVALID_FIELD"
    assert all(field.startswith("metadata") for field in got.failure.violations)
    told = [got.failure.message, *got.failure.violations, *got.failure.violations.values()]
    assert len(told) > 1 and all(each.isprintable() for each in told)


async def test_a_watch_of_long_nonsense_is_refused_legibly(fake: Client) -> None:
    with refused() as got:
        await anext(aiter(fake.watch(*["\U000e0041" * 200] * 16)))
    assert got.failure.code is grpc.StatusCode.INVALID_ARGUMENT
    assert got.reason == "INVALID_FIELD"
    assert "subscriptions[0].match_id" in got.failure.violations


async def test_a_list_of_an_unknown_game_is_refused(fake: Client) -> None:
    with refused() as got:
        await fake.matches.ListMatches(pb.ListMatchesRequest(game="chess"))
    assert got.reason == "GAME_NOT_FOUND"


async def test_metadata_and_player_ids_are_for_the_host(fake: Client) -> None:
    match_id = await fake.create(metadata={"shelf": "3"})
    joined = await fake.join(match_id, 0, player_id="p-17")
    assert not joined.match.metadata and not joined.match.seats[0].player_id
    public = await fake.match(match_id)
    assert not public.metadata and not public.seats[0].player_id
    private = await fake.match(match_id, host_token=HOST)
    assert dict(private.metadata) == {"shelf": "3"}
    assert private.seats[0].player_id == "p-17"
