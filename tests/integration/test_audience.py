"""For whom a match is there: invited players, spectators now, later, or none."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import grpc
import pytest

from support.fake_engine import FakeEngine
from support.keys import guarded
from support.service import HOST, Client, refused, request_id, service, token
from tablestate.v1 import match_pb2
from tablestate.v1 import match_service_pb2 as pb
from tablestate_service.app import Parts

CODE = "an-invitation-of-many-letters"
INVITE, REFUSED = match_pb2.VISIBILITY_INVITE, match_pb2.SPECTATOR_POLICY_REFUSED
MINUTE = 60 * 1_000_000_000


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.time = 1_700_000_000_000_000_000

    def now(self) -> int:
        return self.time


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def client(tmp_path: Path, clock: Clock) -> AsyncIterator[Client]:
    async with service(tmp_path, Parts(engine=FakeEngine, clock=clock)) as (_, client):
        yield client


async def test_an_invitation_opens_a_seat_and_nothing_else_does(client: Client) -> None:
    match_id = await client.create(visibility=INVITE, invitation_code=CODE)
    assert (await client.match(match_id)).visibility == INVITE
    for wrong in ({}, {"invitation_code": CODE[:-1] + "x"}):
        with refused() as got:
            await client.join(match_id, 0, **wrong)
        assert got.failure.code is grpc.StatusCode.PERMISSION_DENIED
        assert got.reason == "WRONG_INVITATION" and CODE not in got.failure.message
    again = {"invitation_code": CODE, "request_id": request_id()}
    joined = await client.join(match_id, 0, **again)
    assert await client.join(match_id, 0, **again) == joined
    await client.join(match_id, 1, invitation_code=CODE)
    with refused() as got:
        await client.join(match_id, 1, seat_token=token(5))
    assert got.reason == "WRONG_INVITATION"
    with refused() as got:
        await client.join(match_id, 1, seat_token=token(5), invitation_code=CODE)
    assert got.reason == "MATCH_ALREADY_STARTED"


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"visibility": INVITE}, "invitation_code"),
        ({"visibility": INVITE, "invitation_code": "short"}, "invitation_code"),
        ({"invitation_code": CODE}, "invitation_code"),
        ({"visibility": 9}, "visibility"),
        ({"spectator_policy": 9}, "spectator_policy"),
        ({"spectator_delay": {"seconds": -1}}, "spectator_delay"),
        ({"spectator_delay": {"seconds": 7 * 86400, "nanos": 1}}, "spectator_delay"),
        ({"spectator_policy": REFUSED, "spectator_delay": {"seconds": 1}}, "spectator_delay"),
    ],
)
async def test_what_cannot_be_is_refused(
    client: Client, fields: dict[str, Any], named: str
) -> None:
    with refused() as got:
        await client.create(**fields)
    assert set(got.failure.violations) == {named}


def look(seat: int | None) -> dict[str, Any]:
    return {} if seat is None else {"seat_token": token(seat)}


LOOKS: dict[str, Callable[[Client, str, int | None], Awaitable[Any]]] = {
    "GetMatch": lambda client, match_id, seat: client.match(match_id, **look(seat)),
    "GetView": lambda client, match_id, seat: client.matches.GetView(
        pb.GetViewRequest(match_id=match_id, **look(seat))
    ),
    "WatchMatches": lambda client, match_id, seat: client.watch(match_id, **look(seat)).read(),
    "GetReplay": lambda client, match_id, seat: client.matches.GetReplay(
        pb.GetReplayRequest(match_id=match_id, **look(seat))
    ).read(),
    "VerifyReplay": lambda client, match_id, seat: client.matches.VerifyReplay(
        pb.VerifyReplayRequest(match_id=match_id, **look(seat))
    ),
}


@pytest.mark.parametrize("name", LOOKS)
async def test_refused_spectators_see_the_lobby_and_no_more(client: Client, name: str) -> None:
    match_id = await client.create(spectator_policy=REFUSED)
    await LOOKS[name](client, match_id, None)
    watch = client.watch(match_id)
    await client.join(match_id, 0)
    await client.join(match_id, 1)
    for ended in (False, True):
        if ended:
            await client.matches.Resign(
                pb.ResignRequest(request_id=request_id(), match_id=match_id, seat_token=token(0))
            )
        with refused() as got:
            await LOOKS[name](client, match_id, None)
        assert got.reason == "SPECTATORS_REFUSED"
        await LOOKS[name](client, match_id, 0)
        assert (await client.match(match_id, host_token=HOST)).version >= 4
        with refused() as got:
            await client.join(match_id, 0, seat_token=token(9))
        assert got.failure.metadata == {"phase": "RUNNING"}
    seen = []
    with refused() as got:
        while True:
            seen.append((await watch.read()).update.version)
    assert (seen, got.reason) == ([1, 2, 3], "SPECTATORS_REFUSED")


async def test_delayed_spectators_see_the_match_as_it_was(client: Client, clock: Clock) -> None:
    match_id = await client.started(spectator_delay={"seconds": 60})
    await client.submit(match_id, 0, "1")
    clock.time += MINUTE // 2
    await client.submit(match_id, 1, "1")

    async def told() -> Any:
        match = await client.match(match_id)
        view = await client.matches.GetView(pb.GetViewRequest(match_id=match_id))
        replay = [
            part async for part in client.matches.GetReplay(pb.GetReplayRequest(match_id=match_id))
        ]
        verdict = await LOOKS["VerifyReplay"](client, match_id, None)
        assert {view.version, verdict.version, len(replay) - 1} == {match.version}
        assert replay[0].match == match and (view.ply, view.actors) == (match.ply, match.actors)
        return match

    seen = await told()
    # The lobby, with both seats taken.
    assert (seen.version, seen.phase, seen.ply) == (3, match_pb2.MATCH_PHASE_WAITING, 0)
    assert not seen.actors and len(seen.seats) == 2
    beyond: list[dict[str, Any]] = [{"version": 4}, {"min_version": 4}]
    for wanted in beyond:
        with refused() as got:
            await client.matches.GetView(pb.GetViewRequest(match_id=match_id, **wanted))
        assert (got.reason, got.failure.metadata) == (
            "VERSION_NOT_REACHED",
            {"current_version": "3"},
        )
    with refused() as got:
        await client.watch(match_id, after_version=5).read()
    assert got.failure.metadata == {"current_version": "3", "match_id": match_id}
    with refused() as got:
        await client.matches.ForkMatch(
            pb.ForkMatchRequest(
                source=match_pb2.MatchVersion(match_id=match_id, version=5),
                match=pb.CreateMatchRequest(request_id=request_id(), host_token=token(7)),
            )
        )
    assert got.failure.metadata == {"current_version": "3"}
    clock.time += MINUTE // 2
    seen = await told()
    assert (seen.version, seen.ply, list(seen.actors)) == (5, 1, [1])
    assert seen.update_time.seconds == clock.time // 10**9 - 60
    await client.matches.Resign(
        pb.ResignRequest(request_id=request_id(), match_id=match_id, seat_token=token(0))
    )
    seen = await told()
    assert seen.phase == match_pb2.MATCH_PHASE_RUNNING and not seen.HasField("outcome")
    assert (await client.match(match_id, seat_token=token(1))).HasField("outcome")
    assert (await client.view(match_id, 1)).version == 7
    clock.time += MINUTE
    assert (await client.match(match_id)).HasField("outcome")


async def test_an_operator_looks_on_at_once(tmp_path: Path) -> None:
    async with guarded(tmp_path) as running:
        player, operator = await running.known("player"), await running.known("operator")
        for fields in ({"spectator_policy": REFUSED}, {"spectator_delay": {"seconds": 60}}):
            match_id = await player.started(**fields)
            for name in LOOKS:
                await LOOKS[name](operator, match_id, None)
            assert (await operator.match(match_id)).version == 4


@pytest.fixture
async def timed(tmp_path: Path) -> AsyncIterator[Client]:
    async with guarded(tmp_path, keys="") as running:
        yield await running.client("")


async def test_a_delayed_watch_comes_late_whole_and_in_order(timed: Client) -> None:
    match_id = await timed.create(spectator_delay={"nanos": 800_000_000})
    loop = asyncio.get_running_loop()
    came: dict[int, float] = {}

    async def follow() -> None:
        async for message in timed.watch(match_id):
            came[message.update.version] = loop.time()

    following = asyncio.ensure_future(follow())
    written: dict[int, float] = {}
    for seat in (0, 1):
        await timed.join(match_id, seat)
    written[4] = loop.time()
    for ply in range(4):
        await asyncio.sleep(0.2)
        written[5 + ply] = loop.time()
        await timed.submit(match_id, ply % 2, "1")
    written[9] = loop.time()
    await timed.matches.Resign(
        pb.ResignRequest(request_id=request_id(), match_id=match_id, seat_token=token(0))
    )
    async with asyncio.timeout(60):
        await following
    assert list(came) == list(range(1, 10))
    assert all(came[version] - written[version] >= 0.75 for version in range(5, 10))


async def test_a_seat_given_back_shows_no_more_than_spectators_see(client: Client) -> None:
    match_id = await client.create(spectator_policy=REFUSED)
    await client.join(match_id, 0)
    watch = client.watch(match_id, seat_token=token(0))
    await watch.read()
    await client.matches.LeaveSeat(
        pb.LeaveSeatRequest(request_id=request_id(), match_id=match_id, seat_token=token(0))
    )
    with refused() as got:
        while True:
            await watch.read()
    assert got.reason == "WRONG_SEAT_TOKEN"
