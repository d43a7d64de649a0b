"""One simulation: what a seed brings about, and whether it may."""

import asyncio
import gc
import logging
import random
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from simulation.caller import Caller
from simulation.clients import Host, Player, Reader, Watcher
from simulation.ledger import Ledger
from simulation.loop import Line, simulated_loop
from simulation.node import Cluster, Node
from simulation.weather import Weather

_MAX_SECONDS = 2_000.0
"""Of the time of the simulation: no seed needs half as long."""
_STORM = (3.0, 25.0)


@dataclass(frozen=True)
class Outcome:
    """What a seed has shown: nothing is wrong if there are no violations."""

    seed: int
    violations: list[str]
    trace: list[str]
    faults: Counter[str]


class _Errors(logging.Handler):
    """Whatever the service logs as an error is one."""

    def __init__(self, ledger: Ledger) -> None:
        super().__init__(logging.ERROR)
        self._ledger = ledger

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        self._ledger.violate(f"the service logs: {record.getMessage()} {error or ''}".strip())


@contextmanager
def _errors_told(ledger: Ledger) -> Iterator[None]:
    errors, log = _Errors(ledger), logging.getLogger("tablestate_service")
    log.addHandler(errors)
    try:
        yield
    finally:
        log.removeHandler(errors)


class Simulation:
    """Some nodes, some matches, a storm."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._chooser = random.Random(f"simulation {seed}")
        self._loop = simulated_loop(random.Random(f"lines {seed}"))
        self._weather = Weather(self._chooser)
        self._cluster = Cluster(self._weather, self._chooser.choice((2, 2, 3)))
        self._ledger = self._cluster.ledger

    def run(self) -> Outcome:
        """Let everything happen."""
        with _errors_told(self._ledger):
            self._loop.run(self._happen(), _MAX_SECONDS, self._ledger)
        ledger = self._ledger
        return Outcome(self.seed, [*ledger.violations], [*ledger.trace], self._weather.tally)

    async def _happen(self) -> None:
        clients = Line("clients").context
        loop = asyncio.get_running_loop()
        playing = loop.create_task(self._all_play(), context=clients)
        await asyncio.gather(self._storm(), playing)
        await loop.create_task(self._all_repeat(), context=clients)
        self._ledger.close(self._cluster.engine)

    async def _storm(self) -> None:
        """Let nodes die and start, and the weather become calm some time."""
        count = self._chooser.choice((2, 2, 3))
        loop = asyncio.get_running_loop()
        calm = loop.time() + self._chooser.uniform(*_STORM)
        started = 0
        while loop.time() < calm or len(self._cluster.nodes) < count:
            while len(self._cluster.nodes) < count:
                started += 1
                Node(self._cluster, f"node{started}")
            await self._weather.pause(0.2, 3.0)
            if loop.time() >= calm:
                self._weather.calm()
            elif self._cluster.nodes and self._weather.happens("crash"):
                self._chooser.choice(self._cluster.nodes).crash()
                await self._weather.pause(0.0, 3.0)
        self._weather.calm()

    async def _all_play(self) -> None:
        await asyncio.gather(
            *(self._table(number) for number in range(self._chooser.randint(1, 3)))
        )

    async def _table(self, number: int) -> None:
        host = Host(self._cluster, number)
        match_id = await host.create()
        others = (
            *(player.join_and_play(match_id) for player in self._players(number)),
            *(self._watcher(number, each).watch_to_the_end(match_id) for each in range(2)),
            Reader(self._cluster, f"reader{number}").read_to_the_end(match_id),
        )
        if self._chooser.random() < 0.2:
            others = (*others, host.fork(match_id))
        await asyncio.gather(host.add_bots(match_id), host.see_to_the_end(match_id), *others)

    def _watcher(self, table: int, number: int) -> Watcher:
        return Watcher(self._cluster, f"watcher{table}{number}")

    def _players(self, table: int) -> list[Player]:
        """One for each seat, some with a second device."""
        names = []
        for number in range(self._cluster.engine.seats):
            devices = 2 if self._chooser.random() < 0.2 else 1
            names += [(f"p{table}{number}{device}", number) for device in range(devices)]
        return [Player(self._cluster, name, number) for name, number in names]

    async def _all_repeat(self) -> None:
        """Every answer is given again, byte for byte."""
        caller = Caller(self._cluster, "repeater")
        answered = [sent for sent in self._ledger.sent.values() if sent.answer is not None]
        await asyncio.gather(*(caller.repeat(sent) for sent in answered))


def simulate(seed: int) -> Outcome:
    """What a seed brings about."""
    # What is collected when would follow from what ran before.
    gc.disable()
    try:
        return Simulation(seed).run()
    finally:
        _take_apart()
        gc.enable()


def _take_apart() -> None:
    """Collect what is left, much of it in mid-sentence, as nothing ever is in a real process."""
    hook, sys.unraisablehook = sys.unraisablehook, lambda _: None
    logging.disable()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            gc.collect()
    finally:
        logging.disable(logging.NOTSET)
        sys.unraisablehook = hook
