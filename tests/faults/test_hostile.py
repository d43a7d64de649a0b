"""Hostile connections by the hundred beside ordinary play, which fails never and waits little."""

import asyncio
import itertools
import sys
from asyncio.subprocess import PIPE
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import grpc

from support import hostile
from support.faults_process import running
from support.faults_report import by_form
from support.faults_watchers import LONG_GAME
from support.keys import header, key_file, key_of
from support.service import HOST, request_id, token
from tablestate.v1 import game_pb2, match_service_pb2_grpc
from tablestate.v1 import match_service_pb2 as pb

CONNECTIONS = by_form(300, 1000)
SECONDS = by_form(2, 10)
"""Of each of the phases, which take turns: alone, and in bad company."""
PHASES = by_form(1, 2)
PLAYERS = 8
PAUSE = 0.04
MOST = by_form(6, 3)  # The short form is too short to tell more.
LEAST_MILLISECONDS = 10.0
"""A p99 below counts as this: it is a few turns of the scheduler on a machine of two processors."""


class Player:
    """Plays both seats of a match over a connection of its own, at a steady pace."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._matches: Any = match_service_pb2_grpc.MatchServiceStub(channel)
        self._header = header(key_of("player"))
        self._ply = 0
        self.milliseconds: list[float] = []

    async def sit_down(self) -> None:
        create = pb.CreateMatchRequest(
            request_id=request_id(),
            host_token=HOST,
            options=game_pb2.GameOptions.FromString(LONG_GAME.SerializeToString()),
        )
        created = await self._matches.CreateMatch(create, metadata=self._header)
        self._match_id = created.match.match_id
        for seat in (0, 1):
            join = pb.JoinMatchRequest(
                request_id=request_id(), match_id=self._match_id, seat_token=token(seat)
            )
            await self._matches.JoinMatch(join, metadata=self._header)

    async def play(self, seconds: float) -> None:
        """Act and look, again and again; whatever fails is raised."""
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while loop.time() < end:
            seat = token(self._ply % 2)
            act = pb.SubmitActionRequest(
                request_id=request_id(),
                match_id=self._match_id,
                seat_token=seat,
                choice=game_pb2.ActionChoice(notation="1"),
            )
            look = pb.GetViewRequest(match_id=self._match_id, seat_token=seat)
            for call, request in ((self._matches.SubmitAction, act), (self._matches.GetView, look)):
                started = loop.time()
                await call(request, metadata=self._header, timeout=20)
                self.milliseconds.append(1000 * (loop.time() - started))
                await asyncio.sleep(PAUSE)
            self._ply += 1


@asynccontextmanager
async def company(address: str, tally: Counter[str]) -> AsyncIterator[None]:
    """Hostile connections, counted at the end."""
    host, port = address.rsplit(":", 1)
    program = (hostile.__file__, host, port, str(CONNECTIONS))
    process = await asyncio.create_subprocess_exec(
        sys.executable, *program, stdin=PIPE, stdout=PIPE
    )
    await asyncio.sleep(2 * hostile.PAUSE)
    try:
        yield
    finally:
        printed, _ = await process.communicate(b"")
    for line in printed.decode().splitlines():
        what, _, times = line.partition("=")
        tally[what] += int(times)


async def measured(players: list[Player]) -> list[float]:
    """How many milliseconds each call of a phase took."""
    for each in players:
        each.milliseconds.clear()
    await asyncio.gather(*(each.play(SECONDS) for each in players))
    return list(itertools.chain.from_iterable(each.milliseconds for each in players))


def p99(milliseconds: list[float]) -> float:
    return sorted(milliseconds)[int(0.99 * len(milliseconds))]


async def test_ordinary_calls_wait_little_and_none_fails(
    tmp_path: Path, tally: Counter[str]
) -> None:
    keys = str(key_file(tmp_path / "keys.toml"))
    async with AsyncExitStack() as stack:
        service = await stack.enter_async_context(running(tmp_path / "data", keys=keys))
        own = (("grpc.use_local_subchannel_pool", 1),)
        channels = [
            await stack.enter_async_context(grpc.aio.insecure_channel(service.address, options=own))
            for _ in range(PLAYERS)
        ]
        players = [Player(channel) for channel in channels]
        await asyncio.gather(*(each.sit_down() for each in players))
        alone: list[float] = []
        beside: list[float] = []
        for _ in range(PHASES):
            alone += await measured(players)
            async with company(service.address, tally):
                beside += await measured(players)
        assert service.process.returncode is None
    tally["ordinary calls"] = len(alone) + len(beside)
    tally["p99 alone, microseconds"] = round(1000 * p99(alone))
    tally["p99 beside, microseconds"] = round(1000 * p99(beside))
    tally["p99 ratio, per cent"] = round(100 * p99(beside) / p99(alone))
    for deed in ("malformed", "oversized", "wrong tokens", "slow bytes"):
        assert tally[deed] >= CONNECTIONS / 8, f"too few were {deed}"
    assert p99(beside) <= MOST * max(p99(alone), LEAST_MILLISECONDS)
