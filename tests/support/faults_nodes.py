"""Nodes on a PostgreSQL, each a process, and players who go from one to the other."""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from signal import Signals
from typing import Any

import grpc

from support.faults_player import Player
from support.faults_process import ServiceProcess, start
from support.service import Client
from support.waiting import finished
from tools.postgres import Postgres

_BREATH = 0.05
_END_SECONDS = 120


class Node:
    """A node that can be killed and started again, and a client of it."""

    def __init__(self, url: str, settings: dict[str, Any]) -> None:
        self._url, self._settings = url, settings
        self._channels: list[grpc.aio.Channel] = []
        self.service: ServiceProcess
        self.client: Client

    async def start(self) -> None:
        """Start it; it listens on another port than before."""
        self.service = await start(Path(), store=self._url, **self._settings)
        self._channels.append(grpc.aio.insecure_channel(self.service.address))
        self.client = Client(self._channels[-1])

    async def kill(self) -> None:
        """Kill it with all that it was about to do."""
        await self.service.kill()

    async def close(self) -> None:
        """Kill it for good."""
        await self.kill()
        await asyncio.gather(*(each.close() for each in self._channels))


@asynccontextmanager
async def running_nodes(url: str, count: int = 2, **settings: Any) -> AsyncIterator[list[Node]]:
    """So many nodes on a database; they are killed in the end."""
    nodes = [Node(url, settings) for _ in range(count)]
    async with AsyncExitStack() as stack:
        for node in nodes:
            await node.start()
            stack.push_async_callback(node.close)
        yield nodes


class Load:
    """Players who act on any node, and repeat on any node what was not answered."""

    def __init__(self, nodes: list[Node], players: list[Player], tally: Counter[str]) -> None:
        self._nodes, self._players, self._tally = nodes, players, tally
        self._chooser = random.Random(len(players))
        self._playing: list[asyncio.Task[None]] = []
        self._is_over = False

    @property
    def actions(self) -> int:
        """How many were acknowledged."""
        return sum(player.actions for player in self._players)

    @property
    def match_count(self) -> int:
        """How many matches were created."""
        return sum(len(player.matches) for player in self._players)

    def begin(self) -> None:
        """Let them play."""
        self._is_over = False
        self._playing = [asyncio.ensure_future(self._play(each)) for each in self._players]

    async def end(self) -> None:
        """Let each finish what it has begun."""
        self._is_over = True
        await finished(self._playing, _END_SECONDS)

    async def verify(self, *, all_again: bool = False) -> None:
        """Compare what a node tells with what was acknowledged by any."""
        client = self._chooser.choice(self._nodes).client
        verifying = (each.verify(client, all_again=all_again) for each in self._players)
        self._tally["entries compared"] += sum(await asyncio.gather(*verifying))

    async def _play(self, player: Player) -> None:
        while not self._is_over or player.pending is not None:
            try:
                await player.step(self._chooser.choice(self._nodes).client)
            except grpc.aio.AioRpcError as error:
                assert error.code() is grpc.StatusCode.UNAVAILABLE, error.details()
                player.retried += 1
                self._tally["calls repeated"] += 1
                await asyncio.sleep(_BREATH)


async def restart(server: Postgres, how: Signals) -> None:
    """Stop PostgreSQL in some way, and start it again."""
    await asyncio.to_thread(server.stop, how)
    await asyncio.to_thread(server.start)
