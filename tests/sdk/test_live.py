"""The clients against the real service, over a real channel."""

from __future__ import annotations

import asyncio
import hashlib
import random
import threading
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

import tablestate
from support.cut_proxy import CutProxy
from tablestate import MatchChange, MatchPhase, MatchUpdate
from tablestate.v1.offboard_pb2 import OffboardAction, OffboardDirection, OffboardMove
from tablestate_service.cli.embedded import embedded_service, service
from tools.ports import free_port

B1 = 5
SHORT_MATCH = {"points_to_win": 1}


@pytest.fixture(scope="module")
def target() -> Iterator[str]:
    with embedded_service() as address:
        yield address


@pytest.fixture
def client(target: str) -> Iterator[tablestate.Client]:
    with tablestate.Client(target) as client:
        yield client


def versions(updates: list[MatchUpdate]) -> list[int]:
    return [update.version for update in updates]


def bot_match(client: tablestate.Client) -> tablestate.HostedMatch:
    host = client.create_match("offboard", SHORT_MATCH)
    host.add_bot("greedy")
    host.add_bot("random")
    return host


def test_the_server_tells_its_games(client: tablestate.Client) -> None:
    assert "offboard" in client.server_info().games
    game = client.game("offboard")
    assert game == next(each for each in client.games() if each.game == "offboard")
    assert {"greedy", "random"} <= set(game.bots)


def test_a_whole_match_against_a_bot(client: tablestate.Client) -> None:
    chance = random.Random(1)
    host = client.create_match("offboard", {"points_to_win": 2})
    player = host.join(seat=1, display_name="Ada")
    host.add_bot("greedy", seat=0)
    told = []
    for update in player.watch(include_view=True, include_legal_actions=True, timeout=120.0):
        told.append(update)
        if player.seat in update.actors:
            action = chance.choice(update.legal_actions.actions)
            player.submit(action, expected_version=update.version)
    match = client.get_match(host.match_id)
    assert versions(told) == list(range(1, match.version + 1))
    assert match.phase == MatchPhase.MATCH_PHASE_OVER
    assert told[-1].outcome == match.outcome
    assert sum(update.change == MatchChange.MATCH_CHANGE_ACTION for update in told) == match.ply


def test_an_action_has_three_names(client: tablestate.Client) -> None:
    host = client.create_match("offboard")
    red, yellow = host.join(), host.join()
    move = OffboardMove(tail=B1, direction=OffboardDirection.OFFBOARD_DIRECTION_NW)
    by_message = red.submit(OffboardAction(move=move), include_view=True)
    assert by_message.events[0].offboard.moved.tail == B1
    by_index = yellow.submit(yellow.legal_actions().legal_actions.actions[0].index)
    assert by_index.version == by_message.version + 1
    listed = red.legal_actions(min_version=by_index.version)
    by_notation = red.submit(listed.legal_actions.actions[-1].notation)
    assert by_notation.ply == 3


def test_refusals_come_as_their_classes(client: tablestate.Client) -> None:
    host = client.create_match("offboard", start_policy=tablestate.StartPolicy.START_POLICY_BY_HOST)
    red = host.join()
    with pytest.raises(tablestate.SeatsOpenError):
        host.start()
    with pytest.raises(tablestate.MatchPhaseError):
        red.submit("b1c1")
    with pytest.raises(tablestate.SeatTakenError):
        host.join(seat=0)
    yellow = host.join()
    started = host.start()
    with pytest.raises(tablestate.NotTheActorError) as not_the_actor:
        yellow.submit("b4c4")
    assert (not_the_actor.value.actor, not_the_actor.value.seat) == (0, 1)
    with pytest.raises(tablestate.IllegalActionError) as illegal:
        red.submit("e3e4")
    assert illegal.value.rule
    with pytest.raises(tablestate.StaleVersionError) as stale:
        red.submit("b1c1", expected_version=1)
    assert stale.value.current_version == started.version
    with pytest.raises(tablestate.VersionNotReachedError):
        red.view(min_version=started.version + 1)
    with pytest.raises(tablestate.NotFoundError):
        client.get_match("0" * 32)
    with pytest.raises(tablestate.InvalidRequestError) as invalid:
        client.get_match("not an id")
    assert [violation.field for violation in invalid.value.violations] == ["match_id"]
    stranger = client.player(tablestate.SeatCredential(host.match_id, 0, bytes(32)))
    with pytest.raises(tablestate.PermissionDeniedError):
        stranger.legal_actions()


def test_players_settle_things_and_play_again(client: tablestate.Client) -> None:
    limits = tablestate.time_control(turn_limit=600, bank=60)
    host = client.create_match("offboard", time_control=limits, waiting_limit=600)
    red, yellow = host.join(), host.join()
    pause = red.propose(tablestate.ProposalKind.PROPOSAL_KIND_PAUSE)
    assert yellow.respond(pause.version, accept=True).change == MatchChange.MATCH_CHANGE_ACCEPTED
    assert client.get_match(host.match_id).paused
    assert red.resume().change == MatchChange.MATCH_CHANGE_RESUMED
    with pytest.raises(tablestate.PreconditionError, match="out of time"):
        yellow.claim_timeout()
    draw = yellow.propose(tablestate.ProposalKind.PROPOSAL_KIND_DRAW)
    red.respond(draw.version, accept=True)
    assert client.get_match(host.match_id).phase == MatchPhase.MATCH_PHASE_OVER
    intent = tablestate.Intent()
    again = [red.rematch(intent=intent), red.rematch(intent=intent), yellow.rematch()]
    assert [each.seat for each in again] == [1, 1, 0]
    assert client.get_match(again[0].match_id).phase == MatchPhase.MATCH_PHASE_RUNNING


def test_leaving_resigning_and_aborting(client: tablestate.Client) -> None:
    host = client.create_match("offboard")
    first = host.join()
    assert first.leave().change == MatchChange.MATCH_CHANGE_SEAT_FREED
    red, yellow = host.join(), host.join()
    assert red.resign().change == MatchChange.MATCH_CHANGE_FORFEITED
    assert list(client.get_match(host.match_id).outcome.winners) == [yellow.seat]
    other = client.create_match("offboard")
    assert other.abort().phase == MatchPhase.MATCH_PHASE_ABORTED
    with pytest.raises(tablestate.MatchPhaseError):
        other.join()


def test_a_client_goes_on_after_its_own_restart(target: str, client: tablestate.Client) -> None:
    host = client.create_match("offboard", metadata={"table": "7"})
    player = host.join(player_id="p7")
    saved = host.credential.save(), player.credential.save()
    with tablestate.Client(target) as reborn:
        host = reborn.host(tablestate.HostCredential.load(saved[0]))
        player = reborn.player(tablestate.SeatCredential.load(saved[1]))
        assert dict(host.get().metadata) == {"table": "7"}
        assert host.get().seats[0].player_id == "p7"
        host.add_bot("random")
        assert len(player.legal_actions().legal_actions.actions) == 54


def test_matches_are_listed_over_pages(client: tablestate.Client) -> None:
    made = [client.create_match("offboard").match_id for _ in range(5)]
    waiting = [MatchPhase.MATCH_PHASE_WAITING]
    listed = client.list_matches(game="offboard", phases=waiting, page_size=2)
    assert [match.match_id for match in islice(listed, 5)] == made[::-1]


def test_a_replay_keeps_the_promise_made_before(client: tablestate.Client) -> None:
    host = bot_match(client)
    promised = host.get().commitment
    watched = list(host.watch(timeout=120.0))
    replay = client.replay(host.match_id)
    assert versions(list(replay.updates)) == versions(watched)
    assert [entry.version for entry in replay.entries] == versions(watched)
    assert replay.secrets is not None
    fields = [b"tablestate/commitment/v1", host.match_id.encode(), replay.secrets.secret]
    framed = b"".join(len(field).to_bytes(4, "big") + field for field in fields)
    assert hashlib.sha256(framed).digest() == promised


async def test_of_two_that_act_on_one_version_one_wins(target: str) -> None:
    async with tablestate.AsyncClient(target) as client:
        host = await client.create_match("offboard")
        red = await host.join()
        await host.join()
        version = (await red.legal_actions()).version
        results = await asyncio.gather(
            *(red.submit(name, expected_version=version) for name in ("b1c1", "b2c2")),
            return_exceptions=True,
        )
    [won] = [result for result in results if isinstance(result, MatchUpdate)]
    [lost] = [result for result in results if isinstance(result, tablestate.StaleVersionError)]
    assert won.version == lost.current_version == version + 1


async def test_one_watch_follows_many_matches(target: str) -> None:
    async with tablestate.AsyncClient(target) as client:
        hosts = [await client.create_match("offboard", SHORT_MATCH) for _ in range(4)]
        for host in hosts:
            await host.add_bot("greedy")
            await host.add_bot("greedy")
        told: dict[str, list[int]] = {host.match_id: [] for host in hosts}
        async for update in client.watch(*told, timeout=120.0):
            told[update.match_id].append(update.version)
        ends = {key: (await client.get_match(key)).version for key in told}
    assert told == {key: list(range(1, end + 1)) for key, end in ends.items()}


def test_a_watch_and_a_call_outlive_a_restart_of_the_server(tmp_path: Path) -> None:
    port = free_port()
    retry = tablestate.RetryPolicy(max_delay=0.2)
    with tablestate.Client(f"127.0.0.1:{port}", timeout=60.0, retry=retry) as client:
        with service(tmp_path, port):
            host = client.create_match("offboard")
            players = host.join(), host.join()
            watch = host.watch(timeout=120.0)
            told = list(islice(watch, 4))
        early = threading.Thread(target=players[0].submit, args=["b1c1"])
        early.start()  # finds no server at first
        with service(tmp_path, port):
            told += islice(watch, 1)
            early.join()
            players[1].submit("b4a4")
            told += islice(watch, 1)
            host.abort()
            told += watch
    assert versions(told) == [1, 2, 3, 4, 5, 6, 7]
    assert told[-1].phase == MatchPhase.MATCH_PHASE_ABORTED


def test_watches_and_calls_outlive_cut_connections(target: str) -> None:
    chance = random.Random(2)
    retry = tablestate.RetryPolicy(initial_delay=0.01, max_delay=0.05)
    with (
        CutProxy(target) as proxy,
        tablestate.Client(proxy.address, timeout=60.0, retry=retry) as client,
    ):
        host = client.create_match("offboard", {"quiet_limit": 40})
        players = host.join(), host.join()
        told = []
        for update in host.watch(timeout=180.0):
            told.append(update)
            if chance.random() < 0.3:
                proxy.cut()
            for seat in update.actors:
                turn = players[seat].legal_actions(min_version=update.version)
                action = chance.choice(turn.legal_actions.actions)
                players[seat].submit(action, expected_version=turn.version)
        match = client.get_match(host.match_id)
    assert proxy.accepted > 10
    assert versions(told) == list(range(1, match.version + 1))
    assert match.phase == MatchPhase.MATCH_PHASE_OVER
