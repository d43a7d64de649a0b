"""A caller knows the matches of its tenant, and of others not even that they are there."""

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from support.keys import Guarded, guarded, header, key_of
from support.service import HOST, Client, refused, request_id, token
from tablestate.v1 import match_pb2
from tablestate.v1 import match_service_pb2 as pb
from tablestate.v1.play_pb2 import PlayBegin, PlayRequest
from tablestate.v1.seat_token_pb2 import RevokeSeatTokenRequest

UNKNOWN = "0" * 32


@pytest.fixture(scope="module")
async def service(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Guarded]:
    async with guarded(tmp_path_factory.mktemp("tenants")) as running:
        yield running


async def play(client: Client, match_id: str) -> Any:
    stub: Any = client.matches
    call = stub.Play(metadata=header(key_of("other-operator")))
    await call.write(PlayRequest(begin=PlayBegin(match_id=match_id, seat_token=token(0))))
    return await call.read()


CALLS: dict[str, Callable[[Client, str], Awaitable[Any]]] = {
    "GetMatch": lambda client, match_id: client.match(match_id),
    "GetMatch as host": lambda client, match_id: client.match(match_id, host_token=HOST),
    "GetView": lambda client, match_id: client.view(match_id, 0),
    "ListLegalActions": lambda client, match_id: client.legal(match_id, 0),
    "SubmitAction": lambda client, match_id: client.submit(match_id, 0, "1"),
    "JoinMatch": lambda client, match_id: client.join(match_id, 1),
    "WatchMatches": lambda client, match_id: client.watch(match_id).read(),
    "GetReplay": lambda client, match_id: client.matches.GetReplay(
        pb.GetReplayRequest(match_id=match_id)
    ).read(),
    "Play": play,
    "ForkMatch": lambda client, match_id: client.matches.ForkMatch(
        pb.ForkMatchRequest(
            source=match_pb2.MatchVersion(match_id=match_id, version=4),
            match=pb.CreateMatchRequest(request_id=request_id(), host_token=token(7)),
        )
    ),
    "RevokeSeatToken": lambda client, match_id: client.matches.RevokeSeatToken(
        RevokeSeatTokenRequest(request_id=request_id(), match_id=match_id)
    ),
}


@pytest.mark.parametrize("name", CALLS)
async def test_a_match_of_another_tenant_is_not_there(service: Guarded, name: str) -> None:
    match_id = await (await service.known("player")).started()
    other = await service.known("other-operator")
    told = []
    for each in (match_id, UNKNOWN):
        with refused() as got:
            await CALLS[name](other, each)
        message = got.failure.message.replace(each, "ID")
        told.append((got.failure.code, message, got.reason, got.failure.metadata))
    assert told[0] == told[1] and told[0][2] == "MATCH_NOT_FOUND"


async def test_a_key_creates_for_its_own_tenant(service: Guarded) -> None:
    other = await service.known("other-player")
    match_id = await other.create()
    assert (await other.match(match_id, host_token=HOST)).tenant == "other"
    assert await other.create(tenant="other")
    with refused() as got:
        await other.create(tenant="chess-club")
    assert set(got.failure.violations) == {"tenant"}


async def test_the_same_request_by_another_tenant_is_another_request(service: Guarded) -> None:
    given = {"request_id": request_id(), "host_token": token(77)}
    made = [
        await (await service.known(name)).create(**given)
        for name in ("player", "other-player", "player")
    ]
    assert made[0] == made[2] != made[1]


async def listed(client: Client, **fields: Any) -> list[str]:
    response = await client.matches.ListMatches(pb.ListMatchesRequest(page_size=100, **fields))
    return [each.match_id for each in response.matches]


async def test_lists_are_of_the_tenant_and_of_what_is_public(service: Guarded) -> None:
    player, operator = await service.known("player"), await service.known("operator")
    public = await player.create()
    unlisted = await player.create(visibility=match_pb2.VISIBILITY_UNLISTED)
    invite = await player.create(
        visibility=match_pb2.VISIBILITY_INVITE, invitation_code="a-code-of-sixteen"
    )
    later = await player.started(spectator_delay={"seconds": 60})
    hidden = await player.started(spectator_policy=match_pb2.SPECTATOR_POLICY_REFUSED)
    waiting = await player.create(spectator_policy=match_pb2.SPECTATOR_POLICY_REFUSED)
    foreign = await (await service.known("other-player")).create()
    seen = await listed(player)
    assert [each in seen for each in (public, waiting)] == [True, True]
    assert not {unlisted, invite, later, hidden, foreign} & set(seen)
    of_game = await listed(player, game="offboard", phases=[match_pb2.MATCH_PHASE_WAITING])
    assert {public, waiting} <= set(of_game) and not {unlisted, invite} & set(of_game)
    assert {public, unlisted, invite, later, hidden, waiting} <= set(await listed(operator))
    assert foreign not in await listed(operator)


async def test_a_player_lists_its_own_matches_unlisted_ones_too(service: Guarded) -> None:
    player, ada = await service.known("player"), await service.known("ada")
    operator = await service.known("operator")
    unlisted = {"visibility": match_pb2.VISIBILITY_UNLISTED}
    mine, left, bobs = [await player.create(**unlisted) for _ in range(3)]
    await ada.join(mine, 0)
    await ada.join(left, 0)
    await player.join(bobs, 0, player_id="bob")
    await ada.matches.LeaveSeat(
        pb.LeaveSeatRequest(request_id=request_id(), match_id=left, seat_token=token(0))
    )
    assert await listed(ada, player_id="ada") == [mine]
    assert await listed(operator, player_id="bob") == [bobs]
    assert await listed(operator, player_id="ada", phases=[match_pb2.MATCH_PHASE_RUNNING]) == []
    await player.join(mine, 1, player_id="bob")
    assert await listed(operator, player_id="bob") == [bobs, mine]
    assert await listed(await service.known("other-operator"), player_id="bob") == []
    for client, player_id in ((ada, "bob"), (player, "ada")):
        with refused() as got:
            await listed(client, player_id=player_id)
        assert set(got.failure.violations) == {"player_id"}


async def test_an_operator_sees_what_is_the_hosts_and_no_hand(service: Guarded) -> None:
    player, operator = await service.known("player"), await service.known("operator")
    match_id = await player.create(metadata={"table": "7"})
    await player.join(match_id, 0, player_id="bob")
    seen = await operator.match(match_id)
    assert (seen.metadata["table"], seen.seats[0].player_id) == ("7", "bob")
    assert not (await player.match(match_id)).metadata


async def test_an_open_server_lists_no_players(tmp_path: Path) -> None:
    async with guarded(tmp_path, keys="") as running:
        client = await running.client("")
        with refused() as got:
            await listed(client, player_id="ada")
        assert set(got.failure.violations) == {"player_id"}
        with refused() as got:
            await client.matches.RevokeSeatToken(
                RevokeSeatTokenRequest(request_id=request_id(), match_id=UNKNOWN)
            )
        assert got.reason == "NOT_PERMITTED"
