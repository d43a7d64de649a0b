"""An operator gives a seat another token, or takes it away: at once, everywhere."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from support.keys import guarded, header, key_of
from support.service import Client, refused, request_id, token
from tablestate.v1 import match_pb2
from tablestate.v1.play_pb2 import PlayBegin, PlayRequest
from tablestate.v1.seat_token_pb2 import ReplaceSeatTokenRequest, RevokeSeatTokenRequest

REPLACED = match_pb2.MATCH_CHANGE_SEAT_TOKEN_REPLACED
REVOKED = match_pb2.MATCH_CHANGE_SEAT_TOKEN_REVOKED
NEW = token(50)
STORES = ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]


@pytest.fixture(params=STORES)
async def nodes(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[list[Any]]:
    """Two nodes on one database; with SQLite twice the one there can be."""
    async with AsyncExitStack() as stack:
        if request.param == "sqlite":
            yield [await stack.enter_async_context(guarded(tmp_path))] * 2
            return
        url = request.getfixturevalue("database_url")
        yield [await stack.enter_async_context(guarded(tmp_path, store=url)) for _ in range(2)]


async def replace(client: Client, match_id: str, seat: int | None = 0, **fields: Any) -> Any:
    given = {"request_id": request_id(), "new_seat_token": NEW} | fields
    call = ReplaceSeatTokenRequest(match_id=match_id, seat=seat, **given)
    return (await client.matches.ReplaceSeatToken(call)).update


async def revoke(client: Client, match_id: str, seat: int = 0) -> Any:
    call = RevokeSeatTokenRequest(request_id=request_id(), match_id=match_id, seat=seat)
    return (await client.matches.RevokeSeatToken(call)).update


async def ends(stream: Any) -> str:
    """The reason that a stream ends with."""
    with refused() as got:
        while True:
            await stream.read()
    return got.reason


@pytest.mark.parametrize("change", [REPLACED, REVOKED])
async def test_the_old_token_ends_with_its_streams_on_every_node(
    nodes: list[Any], change: int
) -> None:
    player, elsewhere = await nodes[0].known("player"), await nodes[1].known("player")
    operator = await nodes[0].known("operator")
    match_id = await player.started()
    await player.submit(match_id, 0, "1")
    watches = [each.watch(match_id, seat_token=token(0)) for each in (player, elsewhere)]
    plays = []
    for each in (player, elsewhere):
        call = each.matches.Play(metadata=header(key_of("player")))
        await call.write(PlayRequest(begin=PlayBegin(match_id=match_id, seat_token=token(0))))
        plays.append(call)
    for stream in (*watches, *plays):
        await stream.read()
    bystander = elsewhere.watch(match_id, seat_token=token(1), after_version=5)
    act = replace if change == REPLACED else revoke
    update = await act(operator, match_id)
    assert (update.change, update.seat, update.version) == (change, 0, 6)
    for stream in (*watches, *plays):
        assert await ends(stream) == "WRONG_SEAT_TOKEN"
    assert (await bystander.read()).update.change == change
    for each in (player, elsewhere):
        with refused() as got:
            await each.view(match_id, 0)
        assert got.reason == "WRONG_SEAT_TOKEN"


async def test_the_new_token_holds_the_seat_with_all_its_history(nodes: list[Any]) -> None:
    player, operator = await nodes[0].known("player"), await nodes[1].known("operator")
    match_id = await player.started()
    before = [
        (await stream.read()).update
        for stream in [player.watch(match_id, seat_token=token(0), include_view=True)]
        for _ in range(4)
    ]
    again: dict[str, Any] = {"request_id": request_id()}
    update = await replace(operator, match_id, **again)
    assert await replace(operator, match_id, **again) == update
    await player.submit(match_id, 0, "1", seat_token=NEW)
    stream = player.watch(match_id, seat_token=NEW, include_view=True)
    after = [(await stream.read()).update for _ in range(6)]
    assert after[:4] == before
    assert await revoke(operator, match_id) and await ends(stream) == "WRONG_SEAT_TOKEN"
    await replace(operator, match_id, new_seat_token=token(51))
    await player.submit(match_id, 1, "1")
    await player.submit(match_id, 0, "1", seat_token=token(51))


async def test_no_seat_loses_its_token_for_want_of_a_number(tmp_path: Path) -> None:
    async with guarded(tmp_path) as running:
        player, operator = await running.known("player"), await running.known("operator")
        match_id = await player.started()
        with refused() as got:
            await replace(operator, match_id, None)
        assert got.failure.violations.keys() == {"seat"}
        assert (await player.view(match_id, 0)).seat == 0


async def test_only_a_players_seat_has_a_token_to_replace(tmp_path: Path) -> None:
    async with guarded(tmp_path) as running:
        player, operator = await running.known("player"), await running.known("operator")
        match_id = await player.create(on_leave=match_pb2.ABSENCE_POLICY_DEFAULT_ACTION)
        await player.join(match_id, 0)
        with refused() as got:
            await replace(operator, match_id, 1)
        assert (got.reason, got.failure.metadata) == ("SEAT_NOT_HELD", {"seat": "1"})
        with refused() as got:
            await replace(operator, match_id, 2)
        assert set(got.failure.violations) == {"seat"}
        await player.join(match_id, 1)
        with refused() as got:
            await replace(operator, match_id, 1, new_seat_token=token(0))
        assert got.reason == "SEAT_TOKEN_IN_USE"
        assert (await replace(operator, match_id, 1)).change == REPLACED
        with refused() as got:
            await replace(await running.known("other-operator"), match_id, 1)
        assert got.reason == "MATCH_NOT_FOUND"
        with refused() as got:
            await replace(player, match_id, 1)
        assert got.reason == "NOT_PERMITTED"
