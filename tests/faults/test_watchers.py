"""The feed under stress: readers that never read, break off, or are very many."""

import asyncio
import math
import random
import time
from collections import Counter
from pathlib import Path

import grpc

from support.cut_proxy import CutProxy
from support.faults_process import ServiceProcess, running
from support.faults_report import by_form
from support.faults_watchers import (
    LONG_GAME,
    NEVER_READING,
    act,
    clients,
    open_watches,
    read_some,
    read_to_end,
)
from support.service import HOST, Client, request_id
from tablestate.v1 import match_service_pb2 as pb

STUCK = by_form(50, 200)
STUCK_ACTIONS = by_form(1_000, 10_000)
LAST = STUCK_ACTIONS + 4


async def act_and_weigh(
    service: ServiceProcess, client: Client, match_id: str, tally: Counter[str]
) -> list[int]:
    """Take all actions of a match; the server's memory after each tenth of them, in KiB."""
    weights = []
    for tenth in range(10):
        await act(client, match_id, STUCK_ACTIONS // 10, first=tenth * STUCK_ACTIONS // 10)
        weights.append(service.rss())
    tally["actions"] += STUCK_ACTIONS
    return weights


async def test_readers_that_never_read_cost_no_memory_and_can_resume(
    tmp_path: Path, tally: Counter[str]
) -> None:
    async with (
        running(tmp_path, slow_reader_seconds=by_form(1, 5)) as service,
        clients(service.address, 1) as [player],
        clients(service.address, 20, NEVER_READING) as readers,
    ):
        match_id = await player.started(options=LONG_GAME)
        watches = await open_watches(readers, [match_id] * STUCK, include_view=True)
        before = service.rss()
        weights = await act_and_weigh(service, player, match_id, tally)
        tally["KiB of the server before the actions"] = before
        tally["KiB after half of them"] = weights[4]
        tally["KiB after all"] = weights[-1]
        await asyncio.sleep(by_form(2, 6))
        ends = await asyncio.gather(*map(read_to_end, watches))
        resumed = {}
        for number, (versions, failure) in enumerate(ends):
            assert failure is not None
            assert failure.code is grpc.StatusCode.RESOURCE_EXHAUSTED
            assert failure.reason == "WATCHER_TOO_SLOW"
            assert versions == list(range(1, len(versions) + 1))
            assert failure.metadata == {match_id: str(versions[-1])}
            assert versions[-1] < LAST
            resumed[number] = versions[-1]
            tally["blocked writes that ended a watch"] += 1
        await resume(player, match_id, resumed, tally)
    assert tally["blocked writes that ended a watch"] == STUCK
    assert weights[-1] - weights[4] < 8 * 1024, "no plateau"
    assert weights[-1] - before < 64 * 1024


async def resume(
    client: Client, match_id: str, resumed: dict[int, int], tally: Counter[str]
) -> None:
    """Go on from where each watch ended: some to the end of the match, the rest a while."""
    for number, version in resumed.items():
        watch = client.watch(match_id, after_version=version)
        if number % 20 == 0:
            rest = await read_some(watch, LAST - version)
            assert rest == list(range(version + 1, LAST + 1))
        else:
            rest = await read_some(watch, 50)
            assert rest == list(range(version + 1, version + 51))
        tally["watches resumed"] += 1
        tally["versions read after resuming"] += len(rest)


async def test_readers_stuck_in_the_past_of_a_long_match_cost_no_memory(
    tmp_path: Path, tally: Counter[str]
) -> None:
    """They are sent what is no longer in memory, and must not each hold the whole log."""
    async with (
        running(tmp_path, slow_reader_seconds=60) as service,
        clients(service.address, 1) as [player],
        clients(service.address, 20, NEVER_READING) as readers,
    ):
        match_id = await player.started(options=LONG_GAME)
        await act(player, match_id, STUCK_ACTIONS - 1)
        before = service.rss()
        watches = await open_watches(readers, [match_id] * STUCK, include_view=True)
        await act(player, match_id, 1, first=STUCK_ACTIONS - 1)
        await asyncio.sleep(by_form(3, 30))
        tally["KiB of the server before"] = before
        tally["KiB with the readers"] = service.rss()
        tally["stuck readers"] = sum(not each.done() for each in watches)
        for each in watches:
            each.cancel()
    assert tally["stuck readers"] == STUCK
    assert tally["KiB with the readers"] - before < 128 * 1024


DISCONNECTS = by_form(150, 1_000)
WANDERERS, MATCHES = 40, 10
IMPATIENT = (("grpc.initial_reconnect_backoff_ms", 50), ("grpc.max_reconnect_backoff_ms", 100))


class Wanderer:
    """Watches a match, breaks off or is cut off, and goes on from where it was."""

    def __init__(self, client: Client, match_id: str, chooser: random.Random) -> None:
        self.versions: list[int] = []
        self.disconnects: Counter[str] = Counter()
        self._client, self._match_id, self._chooser = client, match_id, chooser

    @property
    def is_done(self) -> bool:
        return self.disconnects.total() >= math.ceil(DISCONNECTS / WANDERERS)

    async def follow(self) -> None:
        """Watch until the match is over."""
        while not await self._watch_a_while():
            pass

    async def _watch_a_while(self) -> bool:
        after = self.versions[-1] if self.versions else 0
        watch = self._client.watch(self._match_id, after_version=after)
        left = None if self.is_done else self._chooser.randint(1, 12)
        try:
            async for message in watch:
                self.versions.append(message.update.version)
                left = left and left - 1
                if left == 0:
                    watch.cancel()
                    self.disconnects["broken off by the client"] += 1
                    return False
        except grpc.aio.AioRpcError as error:
            assert error.code() is grpc.StatusCode.UNAVAILABLE, error.details()
            self.disconnects["cut off"] += 1
            return False
        return True


async def act_until_done(player: Client, match_id: str, wanderers: list[Wanderer]) -> int:
    """Act in a match while anybody still has to be cut off; the last version."""
    ply = 0
    while not all(each.is_done for each in wanderers):
        await player.submit(match_id, ply % 2, "1")
        ply += 1
    await player.matches.AbortMatch(
        pb.AbortMatchRequest(request_id=request_id(), match_id=match_id, host_token=HOST)
    )
    version: int = (await player.match(match_id)).version
    return version


async def cut_now_and_then(proxy: CutProxy, chooser: random.Random) -> None:
    while True:
        await asyncio.sleep(chooser.uniform(0.2, 0.6))
        proxy.cut()


async def test_after_any_disconnect_a_watch_goes_on_without_gap_or_repeat(
    tmp_path: Path, tally: Counter[str]
) -> None:
    chooser = random.Random(11)
    async with (
        running(tmp_path) as service,
        clients(service.address, 1) as [player],
    ):
        with CutProxy(service.address) as proxy:
            async with clients(proxy.address, 8, IMPATIENT) as readers:
                matches = [await player.started(options=LONG_GAME) for _ in range(MATCHES)]
                wanderers = [
                    Wanderer(readers[n % 8], matches[n % MATCHES], chooser)
                    for n in range(WANDERERS)
                ]
                following = [asyncio.ensure_future(each.follow()) for each in wanderers]
                cutting = asyncio.ensure_future(cut_now_and_then(proxy, chooser))
                last = await asyncio.gather(
                    *(act_until_done(player, each, wanderers) for each in matches)
                )
                cutting.cancel()
                async with asyncio.timeout(60):
                    await asyncio.gather(*following)
                    # Whoever was cut off behind the last message has only the end to hear of.
                    for match_id, version in zip(matches, last, strict=True):
                        watch = player.watch(match_id, after_version=version)
                        assert await read_to_end(watch) == ([], None)
    for number, each in enumerate(wanderers):
        assert each.versions == list(range(1, last[number % MATCHES] + 1))
        tally.update(each.disconnects)
        tally["versions seen"] += len(each.versions)
    assert tally["broken off by the client"] + tally["cut off"] >= DISCONNECTS
    assert min(tally["broken off by the client"], tally["cut off"]) >= DISCONNECTS // 10


DRAINED, STUCK_IN_DRAIN = 950, 50


async def test_a_drain_ends_a_thousand_watches_in_ten_seconds(
    tmp_path: Path, tally: Counter[str]
) -> None:
    """One in twenty of them never reads and has more to read than it takes: those are cut off."""
    async with (
        running(tmp_path, drain_seconds=5) as service,
        clients(service.address, 8) as readers,
        clients(service.address, 10, NEVER_READING) as stuck,
    ):
        match_id = await readers[0].started(options=LONG_GAME)
        await act(readers[0], match_id, 800)
        never_read = await open_watches(stuck, [match_id] * STUCK_IN_DRAIN, include_view=True)
        watches = await open_watches(readers, [match_id] * DRAINED, after_version=804)
        reading = [asyncio.ensure_future(read_to_end(each)) for each in watches]
        await asyncio.sleep(1)
        started = time.monotonic()
        assert await service.stop() == 0
        tally["milliseconds of the drain"] = int(1000 * (time.monotonic() - started))
        for versions, failure in await asyncio.gather(*reading):
            assert versions == []
            assert failure is not None
            tally[f"watches ended with {failure.code.name} {failure.reason}"] += 1
        tally["readers stuck when it began"] = sum(not each.done() for each in never_read)
    assert tally["watches ended with UNAVAILABLE SHUTTING_DOWN"] == DRAINED
    assert tally["readers stuck when it began"] == STUCK_IN_DRAIN
    assert tally["milliseconds of the drain"] <= 10_000


IDLE = by_form(1_000, 10_000)


async def test_watches_that_all_come_at_once_are_all_taken(
    tmp_path: Path, tally: Counter[str]
) -> None:
    """As after a restart; by default gRPC would cancel some of them."""
    count = by_form(3_000, 10_000)
    async with (
        running(tmp_path) as service,
        clients(service.address, 20) as readers,
    ):
        match_id = await readers[0].started(options=LONG_GAME)
        watches = [readers[n % 20].watch(match_id, after_version=3) for n in range(count)]
        for versions in await asyncio.gather(*(read_some(each, 1) for each in watches)):
            tally["watches opened at once"] += versions == [4]
    assert tally["watches opened at once"] == count


async def test_idle_watches_are_cheap(tmp_path: Path, tally: Counter[str]) -> None:
    async with (
        running(tmp_path) as service,
        clients(service.address, 20) as readers,
    ):
        match_ids = [await readers[0].started(options=LONG_GAME) for _ in range(100)]
        before = service.rss()
        watches = await open_watches(readers, match_ids * (IDLE // 100), after_version=4)
        grown = service.rss() - before
        tally["idle watches"] = sum(not each.done() for each in watches)
        tally["KiB for all"] = grown
        tally["KiB for each"] = round(grown / IDLE)
        # They are alive: each of some hears of what happens.
        await act(readers[0], match_ids[0], 1)
        for each in watches[::100]:
            assert await read_some(each, 1) == [5]
            tally["of them still told of an action"] += 1
    assert tally["idle watches"] == IDLE
    assert grown <= 600 * 1024 * IDLE / 10_000
