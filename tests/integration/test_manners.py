"""Proposals through a service; and that nobody gains by an action that is taken back."""

import asyncio
import random
from pathlib import Path
from typing import Any

import grpc
import pytest

from support.service import Client, refused, request_id, service, token
from tablestate.v1 import game_pb2, match_pb2, off_the_rails_pb2, offtrack_pb2
from tablestate.v1 import match_service_pb2 as pb
from tablestate_service.usecases.manners import TakeBacks
from tablestate_service.usecases.matches import Matches

ACTION = match_pb2.MATCH_CHANGE_ACTION
DRAW, UNDO = match_pb2.PROPOSAL_KIND_DRAW, match_pb2.PROPOSAL_KIND_UNDO


async def propose(client: Client, match_id: str, seat: int, kind: Any, **fields: Any) -> Any:
    request = pb.ProposeRequest(
        request_id=request_id(), match_id=match_id, seat_token=token(seat), kind=kind, **fields
    )
    return (await client.matches.Propose(request)).update


async def respond(client: Client, match_id: str, seat: int, version: int, accept: bool) -> Any:
    request = pb.RespondRequest(
        request_id=request_id(),
        match_id=match_id,
        seat_token=token(seat),
        proposal_version=version,
        accept=accept,
    )
    answer = await client.matches.Respond(request)
    assert answer == await client.matches.Respond(request), "a repeated call gets its answer"
    return answer.update


async def undo(client: Client, match_id: str, seat: int, **fields: Any) -> None:
    proposed = await propose(client, match_id, seat, UNDO, **fields)
    assert proposed.proposal.version == proposed.version
    await respond(client, match_id, 1 - seat, proposed.version, True)


async def cannot(client: Client, match_id: str, seat: int, **fields: Any) -> None:
    with refused() as got:
        await propose(client, match_id, seat, UNDO, **fields)
    assert got.reason == "CANNOT_UNDO"


async def view(client: Client, match_id: str, seat: int, **fields: Any) -> bytes:
    """What a seat sees, apart from the number of the version."""
    seen = await client.view(match_id, seat, include_legal_actions=True, **fields)
    seen.ClearField("version")
    seen.ClearField("proposal")
    return seen.SerializeToString(deterministic=True)


async def test_an_action_is_taken_back(tmp_path: Path) -> None:
    async with service(tmp_path) as (_, client):
        match_id = await client.started()
        await client.play(match_id, 7)
        before = [await view(client, match_id, seat) for seat in (0, 1)]
        version = (await client.match(match_id)).version
        await client.play(match_id, 3)
        await undo(client, match_id, 0, undo_to=version)
        assert [await view(client, match_id, seat) for seat in (0, 1)] == before
        match = await client.match(match_id)
        assert match.ply == 7 and not match.HasField("proposal")
        updates = [each.update async for each in _until(client, match_id, match.version)]
        assert updates[-1].undone_to == version
        await client.play(match_id)
        replay = [each async for each in client.matches.GetReplay(_replay(match_id))]
        assert any(each.recorded.undone_to == version for each in replay)
        flaw = await client.matches.VerifyReplay(pb.VerifyReplayRequest(match_id=match_id))
        assert flaw.flaw == 0


def _replay(match_id: str) -> pb.GetReplayRequest:
    return pb.GetReplayRequest(match_id=match_id)


async def _until(client: Client, match_id: str, version: int) -> Any:
    async for each in client.watch(match_id):
        yield each
        if each.update.version == version:
            return


@pytest.mark.parametrize("is_asked", [True, False])
async def test_nothing_is_taken_back_behind_what_comes_while_it_is_looked_for(
    is_asked: bool, stored: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player leaves when it is known already that the action could be taken back."""
    match_id = await stored.started(on_leave=match_pb2.ABSENCE_POLICY_BOT)
    await stored.play(match_id, 6)
    (actor,) = (await stored.match(match_id)).actors
    proposed = await propose(stored, match_id, 1 - actor, UNDO) if is_asked else None
    find, leaver = TakeBacks.find, 1 - actor if is_asked else actor
    left: list[int] = []

    async def find_late(take_backs: TakeBacks, *arguments: Any) -> Any:
        found = await find(take_backs, *arguments)
        if not left:
            left.append(leaver)
            await stored.matches.LeaveSeat(
                pb.LeaveSeatRequest(
                    request_id=request_id(), match_id=match_id, seat_token=token(leaver)
                )
            )
        return found

    monkeypatch.setattr(TakeBacks, "find", find_late)
    with refused() as got:
        if proposed is None:
            await propose(stored, match_id, 1 - actor, UNDO)
        else:
            await respond(stored, match_id, actor, proposed.version, True)
    assert left and got.reason == ("NO_PROPOSAL" if is_asked else "CANNOT_UNDO")
    flaw = await stored.matches.VerifyReplay(pb.VerifyReplayRequest(match_id=match_id))
    assert flaw.flaw == 0


async def test_it_is_ones_own_last_action_by_default(tmp_path: Path) -> None:
    async with service(tmp_path) as (_, client):
        match_id = await client.started()
        await cannot(client, match_id, 0)
        for _ in range(4):
            match = await client.match(match_id)
            (actor,) = match.actors
            await client.play(match_id, 1)
            before = await view(client, match_id, 0, version=match.version)
            await undo(client, match_id, actor)
            assert await view(client, match_id, 0) == before
            await client.play(match_id, 1)


async def test_what_was_undone_is_not_undone_again(tmp_path: Path) -> None:
    async with service(tmp_path) as (_, client):
        match_id = await client.started()
        start = (await client.match(match_id)).version
        await client.play(match_id, 2)
        await undo(client, match_id, 0, undo_to=start)
        for version in (start, start + 1, start + 2):
            await cannot(client, match_id, 0, undo_to=version)


async def test_a_match_goes_on_after_a_restart(tmp_path: Path) -> None:
    async with service(tmp_path) as (_, client):
        match_id = await client.started()
        start = (await client.match(match_id)).version
        await client.play(match_id, 2)
        await undo(client, match_id, 0, undo_to=start)
        seen = await view(client, match_id, 0)
    async with service(tmp_path) as (_, client):
        assert await view(client, match_id, 0) == seen
        await client.play(match_id, 1)


async def test_where_hands_are_hidden_nothing_is_taken_back(tmp_path: Path) -> None:
    options = game_pb2.GameOptions(offtrack=offtrack_pb2.OffTrackOptions())
    async with service(tmp_path) as (_, client):
        match_id = await client.started(options=options)
        for _ in range(20):
            (actor,) = (await client.match(match_id)).actors
            await client.play(match_id, 1)
            await cannot(client, match_id, actor)


async def test_where_chance_had_a_choice_nothing_is_taken_back(tmp_path: Path) -> None:
    # A cart that comes from the mine brings jewels that are drawn; before that all is public.
    options = game_pb2.GameOptions(off_the_rails=off_the_rails_pb2.OffTheRailsOptions())
    chooser = random.Random(7)
    refusals = 0
    async with service(tmp_path) as (_, client):
        match_id = await client.started(options=options)
        while actors := (await client.match(match_id)).actors:
            (actor,) = actors
            legal = (await client.legal(match_id, actor)).legal_actions.actions
            await client.submit(match_id, actor, chooser.choice(legal).notation)
            refusals += await _is_refused(client, match_id, actor)
        replay = [each.recorded async for each in client.matches.GetReplay(_replay(match_id))]
    sizes = [max(each.draw_sizes, default=1) for each in replay if each.change == ACTION]
    assert 0 < sum(size > 1 for size in sizes) <= refusals


async def _is_refused(client: Client, match_id: str, seat: int) -> bool:
    try:
        proposed = await propose(client, match_id, seat, UNDO)
    except grpc.aio.AioRpcError:
        return True
    await respond(client, match_id, seat, proposed.version, False)
    return False


async def test_a_draw_is_agreed_on(tmp_path: Path) -> None:
    async with service(tmp_path) as (_, client):
        match_id = await client.started()
        await client.play(match_id, 3)
        proposed = await propose(client, match_id, 1, DRAW)
        await respond(client, match_id, 0, proposed.version, True)
        match = await client.match(match_id)
        assert match.outcome.reason == game_pb2.OUTCOME_REASON_AGREEMENT
        assert list(match.outcome.shares) == [0.5, 0.5]
        assert list(match.outcome.returns) == [0, 0]


async def test_what_can_be_undone_is_folded_once_for_each_entry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folds = []
    history = Matches.history

    def counted(self: Matches, match_id: str, after: int, until: int) -> Any:
        folds.append(until)
        return history(self, match_id, after, until)

    async with service(tmp_path) as (_, client):
        match_id = await client.started()
        await client.play(match_id, 3)
        monkeypatch.setattr(Matches, "history", counted)
        version = (await client.match(match_id)).version
        await asyncio.gather(*(cannot(client, match_id, 0, undo_to=1) for _ in range(5)))
        with refused() as got:
            await propose(client, match_id, 7, UNDO)
        assert got.reason == "WRONG_SEAT_TOKEN"
        # A refusal asks the store whether the request was answered before; that folds nothing.
        assert folds == [version]


async def test_nothing_is_legal_in_a_pause(fake: Client) -> None:
    match_id = await fake.started(time_control={"turn_limit": {"seconds": 60}})
    assert (await fake.view(match_id, 0, include_legal_actions=True)).legal_actions.actions
    asked = await propose(fake, match_id, 1, match_pb2.PROPOSAL_KIND_PAUSE)
    await respond(fake, match_id, 0, asked.version, True)
    paused = await fake.view(match_id, 0, include_legal_actions=True)
    assert paused.paused and not paused.legal_actions.actions and not paused.legal_actions.mask
