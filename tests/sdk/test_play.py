"""Seats played over one stream, by either client, against the real service."""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc
import pytest

import tablestate
from support.cut_proxy import CutProxy
from tablestate import MatchPhase, MatchUpdate
from tablestate.v1.play_pb2 import PlayResponse
from tablestate_service.cli.embedded import embedded_service, service
from tools.ports import free_port

QUICK = tablestate.RetryPolicy(initial_delay=0.01, max_delay=0.05)


@pytest.fixture(scope="module")
def target() -> Iterator[str]:
    with embedded_service() as address:
        yield address


@pytest.fixture
def client(target: str) -> Iterator[tablestate.Client]:
    with tablestate.Client(target) as client:
        yield client


def play_out(player: tablestate.SeatedPlayer, chance: random.Random) -> list[int]:
    """Play a seat to the end of its match; the versions of its actions."""
    with player.play(timeout=120.0) as play:
        return [play.act(chance.choice(turn.legal_actions.actions)) for turn in play]


def test_two_bots_play_a_whole_match(client: tablestate.Client) -> None:
    host = client.create_match("offboard", {"points_to_win": 1})
    players = host.join(), host.join()
    with ThreadPoolExecutor(2) as threads:
        acted = list(threads.map(play_out, players, (random.Random(1), random.Random(2))))
    match = client.get_match(host.match_id)
    assert match.phase == MatchPhase.MATCH_PHASE_OVER
    assert sorted(acted[0] + acted[1]) == list(range(5, match.version + 1))
    assert len(acted[0]) + len(acted[1]) == match.ply


async def test_the_asynchronous_client_plays_too(target: str) -> None:
    chance = random.Random(3)
    async with tablestate.AsyncClient(target) as client:
        host = await client.create_match("offboard", {"points_to_win": 1})
        player = await host.join()
        await host.add_bot("greedy")
        async with client.play(player.credential, include_view=True, timeout=120.0) as play:
            async for turn in play:
                assert turn.HasField("view")
                assert await play.act(chance.choice(turn.legal_actions.actions)) > turn.version
        assert (await client.get_match(host.match_id)).phase == MatchPhase.MATCH_PHASE_OVER


def test_all_updates_come_once_from_any_version(client: tablestate.Client) -> None:
    host = client.create_match("offboard")
    player, other = host.join(), host.join()
    with player.play(after_version=0) as play:
        assert play.act("b1c1", expected_version=4) == 5
        assert other.resign().version == 6
        updates = list(play.updates())
    assert [each.version for each in updates] == [1, 2, 3, 4, 5, 6]
    with player.play() as late:
        assert [each.version for each in late.updates()] == [6]


def test_a_refusal_raises_and_the_play_goes_on(client: tablestate.Client) -> None:
    host = client.create_match("offboard")
    player, other = host.join(), host.join()
    with player.play() as play, other.play() as others:
        assert next(iter(play)).version == 4
        with pytest.raises(tablestate.IllegalActionError) as illegal:
            play.act("e3e4")
        assert illegal.value.rule and illegal.value.intent is not None
        with pytest.raises(tablestate.StaleVersionError) as stale:
            play.act("b1c1", expected_version=2)
        assert stale.value.current_version == 4
        with pytest.raises(tablestate.NotTheActorError):
            others.act("b4c4")
        intent = tablestate.Intent()
        assert play.act("b1c1", intent=intent) == play.act("b1c1", intent=intent) == 5
        assert next(iter(others)).version == 5
        assert others.resign() == 6
        with pytest.raises(tablestate.MatchPhaseError):
            play.act("b2c2", expected_version=6)


def test_what_an_action_leaves_unanswered_at_the_end_is_asked_for_apart(
    client: tablestate.Client,
) -> None:
    host = client.create_match("offboard")
    player = host.join()
    host.join()
    with player.play() as play:
        intent = tablestate.Intent()
        assert play.resign(intent=intent) == 5
        assert play.resign(intent=intent) == 5  # The stream has ended by now.
        with pytest.raises(tablestate.MatchPhaseError):
            play.act("b1c1", expected_version=5)


def test_a_play_outlives_cut_connections(target: str) -> None:
    chance = random.Random(4)
    breaks: list[tablestate.TablestateError] = []
    with (
        CutProxy(target) as proxy,
        tablestate.Client(target) as undisturbed,
        tablestate.Client(proxy.address, retry=QUICK) as client,
    ):
        host = undisturbed.create_match("offboard", {"quiet_limit": 40})
        player = client.player(host.join().credential)
        host.add_bot("random")
        told: list[MatchUpdate] = []
        with player.play(after_version=0, on_break=breaks.append, timeout=180.0) as play:
            for update in play.updates():
                told.append(update)
                if chance.random() < 0.3:
                    proxy.cut()
                if player.seat in update.actors:
                    action = chance.choice(update.legal_actions.actions)
                    assert play.act(action) == update.version + 1
        match = undisturbed.get_match(host.match_id)
    assert len(breaks) > 5
    assert [each.version for each in told] == list(range(1, match.version + 1))
    assert match.phase == MatchPhase.MATCH_PHASE_OVER


def test_a_play_outlives_a_restart_of_the_server(tmp_path: Path) -> None:
    port = free_port()
    retry = tablestate.RetryPolicy(max_delay=0.2)
    with tablestate.Client(f"127.0.0.1:{port}", timeout=60.0, retry=retry) as client:
        with service(tmp_path, port):
            host = client.create_match("offboard")
            player, other = host.join(), host.join()
            play = player.play(timeout=120.0)
            turns = iter(play)
            assert next(turns).version == 4
        with service(tmp_path, port):
            assert play.act("b1c1") == 5
            other.submit("b4c4")
            assert next(turns).version == 6
            play.close()


KILLS = 5


class MortalServer:
    """A service as a process, killed and started again on the same port."""

    def __init__(self, directory: Path, port: int) -> None:
        command = [sys.executable, "-m", "tablestate_service", "serve", "--port", str(port)]
        self._command = [*command, "--data-dir", str(directory), "--log-level", "error"]
        self.start()

    def start(self) -> None:
        self._process = subprocess.Popen(self._command, stdout=subprocess.PIPE)
        assert self._process.stdout is not None
        assert self._process.stdout.readline(), "the service did not start"

    def kill(self) -> None:
        self._process.kill()
        self._process.communicate()

    def kill_and_start(self) -> None:
        self.kill()
        self.start()


def test_a_play_outlives_kills_of_the_server_and_acts_once(tmp_path: Path) -> None:
    chance = random.Random(6)
    port = free_port()
    server = MortalServer(tmp_path, port)
    retry = tablestate.RetryPolicy(max_delay=0.2)
    kills = 0
    with tablestate.Client(f"127.0.0.1:{port}", timeout=60.0, retry=retry) as client:
        host = client.create_match("offboard", {"quiet_limit": 40})
        player = host.join()
        host.add_bot("random")
        versions: list[int] = []
        with player.play(after_version=0, timeout=180.0) as play:
            for update in play.updates():
                versions.append(update.version)
                if player.seat not in update.actors:
                    continue
                killing = None
                if kills < KILLS and chance.random() < 0.5:
                    # Before the action is sent, while it is written, or behind its answer.
                    killing = threading.Timer(chance.uniform(0, 0.01), server.kill_and_start)
                    killing.start()
                    kills += 1
                action = chance.choice(update.legal_actions.actions)
                assert play.act(action) == update.version + 1
                if killing is not None:
                    killing.join()
        match = client.get_match(host.match_id)
    server.kill()
    assert kills == KILLS
    assert versions == list(range(1, match.version + 1))
    assert match.phase == MatchPhase.MATCH_PHASE_OVER


def test_a_play_ends_with_its_client_and_at_its_deadline(client: tablestate.Client) -> None:
    host = client.create_match("offboard")
    player = host.join()
    with player.play(timeout=0.2) as short, pytest.raises(tablestate.DeadlineExceededError):
        list(short)
    with player.play() as play:
        next(play.updates())
        client.close()
        with pytest.raises(tablestate.ClientClosedError):
            play.act("b1c1")


async def test_a_play_of_the_asynchronous_client_ends_with_it(target: str) -> None:
    async with tablestate.AsyncClient(target) as client:
        player = await (await client.create_match("offboard")).join()
        turns = aiter(player.play())
        waiting = asyncio.ensure_future(anext(turns))
        await asyncio.sleep(0.2)
    with pytest.raises(tablestate.ClientClosedError):
        await waiting


def test_an_answer_that_says_more_than_is_known_is_an_error_of_its_code() -> None:
    from tablestate._status import refusal_error

    answer = PlayResponse()
    answer.answer.refusal.code = grpc.StatusCode.ABORTED.value[0]
    answer.answer.refusal.status = b"\xff"
    error = refusal_error(answer.answer.refusal)
    assert (type(error), error.code) == (tablestate.TablestateError, grpc.StatusCode.ABORTED)
