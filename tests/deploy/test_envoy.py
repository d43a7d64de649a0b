"""Two nodes behind Envoy as it is deployed: the client plays, a browser watches, a node dies."""

import asyncio
import random
from pathlib import Path

import aiohttp
import pytest

import tablestate
from support.envoy import envoy, web_messages
from support.faults_process import running
from tablestate import MatchPhase
from tablestate.v1 import match_service_pb2 as pb
from tools.postgres import Postgres

WATCH = "/tablestate.v1.MatchService/WatchMatches"
SETTLED = 6


async def watched(port: int, match_id: str, seen: dict[int, int]) -> None:
    """Watch a match to its end as a browser does, resuming when the stream breaks."""
    while True:
        watch = pb.WatchSubscription(match_id=match_id, after_version=max(seen, default=0))
        request = pb.WatchMatchesRequest(subscriptions=[watch]).SerializeToString()
        try:
            async for message in web_messages(port, WATCH, request):
                update = pb.WatchMatchesResponse.FromString(message).update
                seen[update.version] = seen.get(update.version, 0) + 1
            return
        except (ConnectionError, aiohttp.ClientError, asyncio.IncompleteReadError, AssertionError):
            await asyncio.sleep(0.1)


async def test_a_match_is_played_and_watched_through_envoy_though_a_node_is_killed(
    tmp_path: Path, postgres: Postgres
) -> None:
    url = postgres.url(postgres.create_database())
    chance, seen = random.Random(7), dict[int, int]()
    async with (
        running(tmp_path, store=url, engine="core") as one,
        running(tmp_path, store=url, engine="core") as other,
        envoy(tmp_path, [port_of(each.address) for each in (one, other)]) as port,
        tablestate.AsyncClient(f"127.0.0.1:{port}") as client,
    ):
        assert "offboard" in (await client.server_info()).games
        host = await client.create_match("offboard", {"points_to_win": 1})
        seats = [await host.join() for _ in range(2)]
        watching = asyncio.ensure_future(watched(port, host.match_id, seen))
        plies = 0
        async with asyncio.timeout(120):
            while (match := await host.get()).phase == MatchPhase.MATCH_PHASE_RUNNING:
                player = next(each for each in seats if each.seat in match.actors)
                legal = (await player.legal_actions()).legal_actions.actions
                await player.submit(chance.choice(legal).notation)
                plies += 1
                if plies == SETTLED:
                    await one.kill()
            await watching
        assert match.phase == MatchPhase.MATCH_PHASE_OVER and plies > SETTLED
        assert seen == dict.fromkeys(range(1, match.version + 1), 1)


def port_of(address: str) -> int:
    return int(address.rpartition(":")[2])


async def test_a_browser_is_told_that_any_page_may_call(tmp_path: Path) -> None:
    asked = {"origin": "https://games.example", "access-control-request-method": "POST"}
    async with (
        running(tmp_path) as one,
        running(tmp_path / "other") as other,
        envoy(tmp_path, [port_of(one.address), port_of(other.address)]) as port,
        aiohttp.ClientSession() as session,
        session.options(f"http://127.0.0.1:{port}{WATCH}", headers=asked) as answer,
    ):
        assert answer.headers["access-control-allow-origin"] == "https://games.example"
        assert "x-grpc-web" in answer.headers["access-control-allow-headers"]
        assert "POST" in answer.headers["access-control-allow-methods"]


pytestmark = pytest.mark.postgres
