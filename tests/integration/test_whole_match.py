"""A match over a real channel, from CreateMatch to its result and replay."""

import asyncio
import random
import time
from typing import Any

import grpc

from support.service import HOST, Client, refused, request_id, token
from tablestate.v1 import catalog_service_pb2, game_pb2, match_pb2, offboard_pb2, offtrack_pb2
from tablestate.v1 import match_service_pb2 as pb
from tablestate_service.domain import fairness

SHORT = game_pb2.GameOptions(offboard=offboard_pb2.OffboardOptions(points_to_win=1, quiet_limit=10))


async def play_seat(client: Client, match_id: str, seat: int) -> list[Any]:
    """Play a seat to the end as a client would: by watching and answering."""
    chooser = random.Random(seat)
    updates = []
    watch = client.watch(match_id, seat_token=token(seat), include_legal_actions=True)
    async for message in watch:
        update = message.update
        updates.append(update)
        if seat in update.actors:
            action = chooser.choice(update.legal_actions.actions)
            await client.submit(match_id, seat, action.notation, expected_version=update.version)
    return updates


async def test_two_clients_play_a_match_to_its_result(real: Client) -> None:
    match_id = await real.create(options=SHORT)
    async with grpc.aio.insecure_channel(real.address) as channel:
        other = Client(channel)
        await real.join(match_id, 0, display_name="Rosa")
        await other.join(match_id, 1, display_name="Yann")
        red, yellow = await asyncio.gather(
            play_seat(real, match_id, 0), play_seat(other, match_id, 1)
        )
    match = await real.match(match_id)
    assert match.phase == match_pb2.MATCH_PHASE_OVER
    assert match.outcome.reason != game_pb2.OUTCOME_REASON_UNSPECIFIED
    assert sum(match.outcome.shares) == 1
    assert [seat.display_name for seat in match.seats] == ["Rosa", "Yann"]
    for updates in (red, yellow):
        assert [each.version for each in updates] == list(range(1, match.version + 1))
        assert updates[-1].outcome == match.outcome
        assert not updates[-1].actors


async def replay_of(client: Client, match_id: str, **fields: Any) -> list[pb.GetReplayResponse]:
    request = pb.GetReplayRequest(match_id=match_id, **fields)
    return [part async for part in client.matches.GetReplay(request)]


async def test_the_record_of_a_match_that_is_over_proves_its_chance(real: Client) -> None:
    match_id = await real.started(options=SHORT)
    await real.play(match_id)
    parts = await replay_of(real, match_id)
    match = parts[0].match
    kinds = [part.WhichOneof("part") for part in parts]
    count = match.version
    assert kinds == ["match", *["update"] * count, *["recorded"] * count, "secrets"]
    secrets = parts[-1].secrets
    assert fairness.commitment(match_id, secrets.secret) == match.commitment
    assert fairness.seed(match_id, secrets.secret, [b"", b""]) == secrets.seed
    entries = [part.recorded for part in parts if part.WhichOneof("part") == "recorded"]
    assert [each.version for each in entries] == list(range(1, count + 1))
    assert sum(bool(each.notation) for each in entries) == match.ply


async def test_nothing_secret_is_told_of_a_running_match_or_of_one_never_revealed(
    real: Client,
) -> None:
    running = await real.started()
    await real.play(running, 4)
    never = await real.started(reveal_policy=match_pb2.REVEAL_POLICY_NEVER)
    await real.matches.AbortMatch(
        pb.AbortMatchRequest(request_id=request_id(), match_id=never, host_token=HOST)
    )
    for match_id, versions in ((running, 8), (never, 5)):
        kinds = [part.WhichOneof("part") for part in await replay_of(real, match_id)]
        assert kinds == ["match", *["update"] * versions]


async def test_a_match_aborted_before_its_start_has_a_secret_but_no_seed(real: Client) -> None:
    match_id = await real.create()
    await real.matches.AbortMatch(
        pb.AbortMatchRequest(request_id=request_id(), match_id=match_id, host_token=HOST)
    )
    secrets = (await replay_of(real, match_id))[-1].secrets
    assert len(secrets.secret) == 32
    assert secrets.seed == b""


async def test_of_two_who_act_on_one_version_one_hears_that_it_is_late(real: Client) -> None:
    match_id = await real.started()
    legal = await real.legal(match_id, 0)
    notations = [action.notation for action in legal.legal_actions.actions[:8]]
    calls = [
        real.submit(match_id, 0, notation, expected_version=legal.version) for notation in notations
    ]
    results = await asyncio.gather(*calls, return_exceptions=True)
    losers = [each for each in results if isinstance(each, grpc.aio.AioRpcError)]
    assert len(losers) == len(notations) - 1
    assert {each.code() for each in losers} == {grpc.StatusCode.ABORTED}
    with refused() as late:
        raise losers[0]
    assert late.reason == "STALE_VERSION"
    assert late.failure.metadata == {
        "current_version": str(legal.version + 1),
        "expected_version": str(legal.version),
    }
    assert (await real.match(match_id)).ply == 1


async def test_a_view_of_an_old_version_is_what_was_seen_then(real: Client) -> None:
    match_id = await real.started()
    seen = {}
    for _ in range(6):
        view = await real.view(match_id, 0, include_observation=True)
        seen[view.version] = view
        await real.play(match_id, 1)
    for version, expected in seen.items():
        assert await real.view(match_id, 0, include_observation=True, version=version) == expected


async def test_an_answer_shows_what_was_asked_for(real: Client) -> None:
    match_id = await real.started()
    legal = await real.legal(match_id, 0)
    index = legal.legal_actions.actions[0].index
    response = await real.matches.SubmitAction(
        pb.SubmitActionRequest(
            request_id=request_id(),
            match_id=match_id,
            seat_token=token(0),
            choice=game_pb2.ActionChoice(index=index),
            include_view=True,
            include_legal_actions=True,
        )
    )
    update = response.update
    view = await real.view(match_id, 0, include_legal_actions=True)
    assert update.view == view.view
    assert update.HasField("legal_actions") and not update.legal_actions.actions
    assert len(update.events) == 1
    theirs = await real.view(match_id, 1, include_legal_actions=True)
    assert theirs.legal_actions == (await real.legal(match_id, 1)).legal_actions
    assert theirs.legal_actions.actions


async def test_an_illegal_action_names_the_rule(real: Client) -> None:
    match_id = await real.started()
    with refused() as illegal:
        await real.submit(match_id, 0, "e3e4")
    assert illegal.failure.code is grpc.StatusCode.FAILED_PRECONDITION
    assert illegal.reason == "ILLEGAL_ACTION"
    assert illegal.failure.metadata["action"] == "e3e4"
    assert illegal.failure.metadata["rule"]
    assert (await real.match(match_id)).ply == 0


async def test_options_are_refused_with_every_fault(real: Client) -> None:
    options = offboard_pb2.OffboardOptions(points_to_win=25, quiet_limit=5)
    with refused() as wrong:
        await real.create(options=game_pb2.GameOptions(offboard=options))
    assert wrong.reason == "INVALID_OPTIONS"
    assert len(wrong.failure.violations) == 2
    assert any("points_to_win" in field for field in wrong.failure.violations)


async def test_the_catalog_tells_what_is_played(real: Client) -> None:
    info = await real.catalog.GetServerInfo(catalog_service_pb2.GetServerInfoRequest())
    games = await real.catalog.ListGames(catalog_service_pb2.ListGamesRequest())
    assert info.store == catalog_service_pb2.STORE_KIND_SQLITE and not info.feed_available
    assert info.limits.max_watches == 20_000 and info.limits.max_engine_time.seconds == 600
    assert abs(info.start_time.seconds - time.time()) < 600
    assert "Python 3." in info.build and info.version
    assert info.games == [game.game for game in games.games]
    assert "offboard" in info.games
    assert {"greedy", "random"} <= set(games.games[0].bots)
    with refused() as unknown:
        await real.catalog.ListGames(catalog_service_pb2.ListGamesRequest(game="chess"))
    assert unknown.reason == "GAME_NOT_FOUND"
    assert unknown.failure.metadata == {"game": "chess"}


async def test_the_catalog_tells_the_layouts_that_options_lead_to(real: Client) -> None:
    def asked(**fields: Any) -> Any:
        return real.catalog.ListGames(catalog_service_pb2.ListGamesRequest(**fields))

    three = game_pb2.GameOptions(offtrack=offtrack_pb2.OffTrackOptions(seats=3))
    (info,) = (await asked(options=three)).games
    (usual,) = (await asked(game="offtrack")).games
    assert info.game == "offtrack" and info.default_options == usual.default_options
    match_id = await real.create(options=three)
    for seat in range(3):
        await real.join(match_id, seat)
    seen = await real.view(match_id, 0, include_observation=True)
    assert info.observation_space != usual.observation_space
    assert len(seen.observation) == info.observation_space.size
    for fields, wrong in (
        ({"options": {}}, {"options.game"}),
        ({"options": three, "game": "offboard"}, {"game"}),
        ({"options": {"offtrack": {"seats": 9}}}, {"options.offtrack.seats"}),
    ):
        with refused() as got:
            await asked(**fields)
        assert set(got.failure.violations) == wrong


async def test_bots_of_the_core_play_each_other(real: Client) -> None:
    match_id = await real.create(options=SHORT)
    for seat, bot in enumerate(("greedy", "random")):
        await real.add_bot(match_id, bot, seat)
    match = await real.ended(match_id)
    assert match.phase == match_pb2.MATCH_PHASE_OVER
    assert match.ply > 0
