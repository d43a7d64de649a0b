"""A mixed load as users bring it, which counts every violation of what they are promised."""

import asyncio
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from support.faults_process import ServiceProcess
from support.waiting import finished
from tablestate import (
    AsyncClient,
    AsyncSeatedPlayer,
    MatchPhaseError,
    RetryPolicy,
    TablestateError,
)
from tablestate.v1.match_pb2 import MatchChange, MatchUpdate

GAMES = ("eternitium", "off_the_rails", "offboard", "offtrack")
CALL_SECONDS = 60.0
PATIENT = RetryPolicy(max_delay=0.5)
MOST_ACTIONS = 40
_PAUSE = 0.01
_SLOTS = 64
_PLAYOUTS = 20
_WIDE = {f"{number:064}": 256 * "\N{EARTH GLOBE EUROPE-AFRICA}" for number in range(16)}
"""As much metadata as a match may have, 17 KiB."""


@dataclass
class Watch:
    """What a spectator has been told of a match."""

    versions: list[int] = field(default_factory=list)

    async def follow(self, client: AsyncClient, match_id: str) -> None:
        """Watch it to its end, over all breaks."""
        async for update in client.watch(match_id):
            self.versions.append(update.version)


@dataclass
class Course:
    """A match, and what was acknowledged of it."""

    player: AsyncSeatedPlayer
    watch: Watch
    watching: asyncio.Task[None]
    acknowledged: list[MatchUpdate] = field(default_factory=list)

    async def require_kept(self) -> None:
        """Assert that what was acknowledged is there, once, and that the watch had it all."""
        async with asyncio.timeout(CALL_SECONDS):
            await self.watching
        updates = (await self.player.replay(timeout=CALL_SECONDS)).updates
        whole = list(range(1, len(updates) + 1))
        assert [each.version for each in updates] == self.watch.versions == whole
        own = [each for each in updates if _is_action_of(each, self.player.seat)]
        assert own == self.acknowledged


def _is_action_of(update: MatchUpdate, seat: int) -> bool:
    acted = update.change == MatchChange.MATCH_CHANGE_ACTION
    return acted and update.HasField("seat") and update.seat == seat


class Load:
    """Players against bots, spectators, readers, and users of the engine, until told to end."""

    def __init__(self, clients: Sequence[AsyncClient], tally: Counter[str]) -> None:
        """Share the load between clients, each of one node."""
        self._clients, self._tally = clients, tally
        self._is_over = False
        self._tasks: list[asyncio.Task[None]] = []

    async def fill_caches(self, matches: int) -> None:
        """Fill what the store keeps in memory of its database, which is bounded.

        Otherwise it grows for as long as the load is slow, like what has no bound.
        """
        client = self._clients[0]
        for _ in range(matches):
            await client.create_match("offboard", metadata=_WIDE, timeout=CALL_SECONDS)
        async for _ in client.list_matches(timeout=CALL_SECONDS):
            pass

    def begin(self, players: int) -> None:
        """Let so many players come, and with them the others."""
        kinds: list[Callable[[random.Random], Awaitable[None]]] = [self._play] * players
        kinds += [self._read, self._step_batch, self._play_out]
        for number, kind in enumerate(kinds):
            self._tasks.append(asyncio.ensure_future(self._repeat(kind, random.Random(number))))

    async def end(self) -> None:
        """Let each finish; raises what any of them ran into."""
        self._is_over = True
        await finished(self._tasks, 2 * CALL_SECONDS)

    def require_alive(self) -> None:
        """Raise what any of them ran into so far."""
        for task in self._tasks:
            if task.done():
                task.result()

    async def _repeat(
        self, work: Callable[[random.Random], Awaitable[None]], chooser: random.Random
    ) -> None:
        while not self._is_over:
            await work(chooser)
            await asyncio.sleep(_PAUSE)

    async def _play(self, chooser: random.Random) -> None:
        client = chooser.choice(self._clients)
        hosted = await client.create_match(chooser.choice(GAMES), timeout=CALL_SECONDS)
        player = await hosted.join(timeout=CALL_SECONDS)
        for _ in (await hosted.get(timeout=CALL_SECONDS)).seats[1:]:
            await hosted.add_bot("greedy", timeout=CALL_SECONDS)
        watch = Watch()
        onlooker = chooser.choice(self._clients)
        watching = asyncio.ensure_future(watch.follow(onlooker, hosted.match_id))
        course = Course(player, watch, watching)
        await self._act(course, chooser)
        await course.require_kept()
        self._tally["matches played and compared"] += 1
        self._tally["actions acknowledged"] += len(course.acknowledged)

    async def _act(self, course: Course, chooser: random.Random) -> None:
        while len(course.acknowledged) < MOST_ACTIONS:
            answer = await course.player.legal_actions(timeout=CALL_SECONDS)
            match = await self._clients[0].get_match(
                course.player.match_id, min_version=answer.version, timeout=CALL_SECONDS
            )
            if match.HasField("outcome"):
                return
            if answer.legal_actions.actions:
                index = chooser.choice(answer.legal_actions.actions).index
                acted = await course.player.submit(index, timeout=CALL_SECONDS)
                course.acknowledged.append(acted)
            await asyncio.sleep(_PAUSE)
        with suppress(MatchPhaseError):  # A bot may have ended it meanwhile.
            await course.player.resign(timeout=CALL_SECONDS)

    async def _read(self, chooser: random.Random) -> None:
        client = chooser.choice(self._clients)
        count = 0
        async for match in client.list_matches(page_size=20, timeout=CALL_SECONDS):
            await client.view(match.match_id, timeout=CALL_SECONDS)
            count += 1
            if count == 20:
                break
        self._tally["views read"] += count

    async def _step_batch(self, chooser: random.Random) -> None:
        """Step a batch a while; a stream that breaks takes its games with it, and that is all."""
        with suppress(TablestateError):
            client = chooser.choice(self._clients)
            async with await client.batch(chooser.choice(GAMES), _SLOTS, auto_reset=True) as batch:
                for _ in range(50):
                    await batch.step([chooser.getrandbits(32) for _ in range(_SLOTS)], "draw")
                self._tally["steps of batches"] += 50 * _SLOTS

    async def _play_out(self, chooser: random.Random) -> None:
        client = chooser.choice(self._clients)
        game = chooser.choice(GAMES)
        await client.playout(game, games=_PLAYOUTS, max_plies=500, timeout=CALL_SECONDS)
        self._tally["playouts"] += _PLAYOUTS


async def weigh(service: ServiceProcess, seconds: float, samples: list[int]) -> None:
    """Note a process's resident memory in KiB every so often, until cancelled."""
    while True:
        samples.append(service.rss())
        await asyncio.sleep(seconds)


def drift(samples: Sequence[int]) -> float:
    """By which part the mean of the last fifth exceeds that of the first."""
    fifth = max(1, len(samples) // 5)
    first, last = sum(samples[:fifth]) / fifth, sum(samples[-fifth:]) / fifth
    return last / first - 1
