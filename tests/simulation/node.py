"""A node: the real use cases and servicers on a simulated store, feed, clock and machine."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, TypeVar

from google.protobuf.message import Message

from simulation.ledger import Ledger
from simulation.loop import Line
from simulation.store import POLL_SECONDS, News, SimulatedFeed, SimulatedStore
from simulation.weather import Weather
from support.fake_engine import FakeEngine
from support.memory_store import MemoryDatabase
from tablestate.v1 import match_service_pb2 as pb
from tablestate_service.domain.errors import DomainError
from tablestate_service.domain.terms import TimeDefaults
from tablestate_service.rpc.fairness_servicer import FairnessServicer
from tablestate_service.rpc.manners_servicer import MannersServicer
from tablestate_service.rpc.match_servicer import MatchServicer, World
from tablestate_service.rpc.stream_servicer import StreamServicer
from tablestate_service.usecases.bots import BotRunner
from tablestate_service.usecases.matches import Matches
from tablestate_service.usecases.timekeeping import Timekeeper

T = TypeVar("T")
Answer = asyncio.Future["bytes | DomainError"]

_LANES = 2
_CAPACITIES = (1, 2, 100)
_START = 1_700_000_000_000_000_000
_SKEW = 5_000_000_000
_THOUGHT = 0.5
_LONG_THOUGHT = (4.0, 16.0)


class SkewedClock:
    """The time of the simulation, as a machine's clock shows it."""

    def __init__(self, weather: Weather) -> None:
        chooser = weather.chooser
        self._start = _START + (
            chooser.randint(-_SKEW, _SKEW) if weather.happens("clock wrong") else 0
        )

    def now(self) -> int:
        return self._start + int(asyncio.get_running_loop().time() * 1e3) * 1_000_000


class DrawnEntropy:
    """Bytes that follow from the seed."""

    def __init__(self, weather: Weather) -> None:
        self._chooser = weather.chooser

    def token_bytes(self, size: int) -> bytes:
        return self._chooser.randbytes(size)


class SlowWorkers:
    """Takes its time over what threads would do."""

    def __init__(self, weather: Weather, most: float) -> None:
        self._weather = weather
        self._most = most

    async def run(self, work: Callable[[], T]) -> T:
        await self._weather.pause(0.0, self._most)
        return work()


class ThinkingWorkers(SlowWorkers):
    """Sometimes takes longer than a turn stays claimed."""

    async def run(self, work: Callable[[], T]) -> T:
        if self._weather.happens("long thought"):
            await self._weather.pause(*_LONG_THOUGHT)
        return await super().run(work)


class Cluster:
    """The nodes and what they share."""

    def __init__(self, weather: Weather, seats: int) -> None:
        self.weather = weather
        self.engine = FakeEngine(seats)
        self.database = MemoryDatabase()
        self.ledger = Ledger(self.database)
        self.database_line = Line("database")
        self.news = News(weather)
        self.nodes: list[Node] = []
        """Those that live."""


class Node:
    """One life of a node. It ends with `crash`."""

    def __init__(self, cluster: Cluster, name: str) -> None:
        """Start it."""
        weather = cluster.weather
        self.name = name
        self.line = Line(name)
        self._cluster = cluster
        self._streams: set[Stream] = set()
        violate = cluster.ledger.violate
        store = SimulatedStore(
            cluster.database, name, weather, cluster.database_line, self.crash, violate
        )
        self._feed = SimulatedFeed(cluster.news, store, self.line)
        clock, entropy = SkewedClock(weather), DrawnEntropy(weather)
        folding = SlowWorkers(weather, 0.005)
        matches = Matches(
            store=store,
            engine=cluster.engine,
            feed=self._feed,
            workers=folding,
            clock=clock,
            capacity=weather.chooser.choice(_CAPACITIES),
            is_followed=True,
        )
        thinking = ThinkingWorkers(weather, _THOUGHT)
        self._runner = BotRunner(matches, cluster.engine, store, thinking, _LANES, POLL_SECONDS)
        world = World(
            matches, store, cluster.engine, self._feed, clock, entropy, folding, TimeDefaults()
        )
        timekeeper = Timekeeper(matches, cluster.engine, store)
        self._unary = (MatchServicer(world), FairnessServicer(world), MannersServicer(world))
        self._streaming = StreamServicer(world)
        self._background = [self._begin(self._start()), self._begin(self._feed.keep_polling())]
        self._background.append(self._begin(timekeeper.run()))
        cluster.news.feeds.append(self._feed)
        cluster.nodes.append(self)

    def crash(self) -> None:
        """Die at once, whatever is under way."""
        if self.line.is_cut:
            return
        self._cluster.ledger.note(f"{self.name} dies")
        self.line.cut()
        self._cluster.nodes.remove(self)
        self._cluster.news.feeds.remove(self._feed)
        for stream in list(self._streams):
            stream.put(None)

    def call(self, method: str, data: bytes) -> tuple[asyncio.Task[None], Answer]:
        """Have a method answer a request, as bytes; the answer never comes if the node dies."""
        answer: Answer = asyncio.get_running_loop().create_future()
        name = _snake(method)
        request = getattr(pb, f"{method}Request").FromString(data)
        handler = next(getattr(each, name) for each in self._unary if hasattr(each, name))
        return self._begin(self._answer(handler, request, answer)), answer

    def watch(self, request: pb.WatchMatchesRequest) -> "Stream":
        """Begin a watch."""
        stream = Stream()
        self._streams.add(stream)
        stream.serving = self._begin(self._serve(request, stream))
        return stream

    def _begin(self, work: Any) -> asyncio.Task[Any]:
        return asyncio.get_running_loop().create_task(work, context=self.line.context)

    async def _start(self) -> None:
        while True:
            try:
                return await self._runner.start()
            except DomainError:
                await asyncio.sleep(POLL_SECONDS)

    async def _answer(
        self,
        method: Callable[[Message], Awaitable[bytes]],
        request: Message,
        answer: Answer,
    ) -> None:
        result = await self._result(partial(method, request))
        if not answer.done():
            answer.set_result(result)

    async def _serve(self, request: pb.WatchMatchesRequest, stream: "Stream") -> None:
        watch = self._streaming.watch_matches
        try:
            result = await self._result(partial(watch, request, stream.send))
            stream.put(result if isinstance(result, DomainError) else Ended())
        finally:
            self._streams.discard(stream)

    async def _result(self, call: Callable[[], Awaitable[T]]) -> T | DomainError:
        """What a call gives or refuses; anything else that it raises is a fault of the node."""
        try:
            return await call()
        except DomainError as refusal:
            return refusal
        except Exception as error:
            refused = self._cluster.engine.refusal(error)
            if refused is None:
                self._cluster.ledger.violate(f"{self.name} fails: {error!r}")
                raise
            return refused


class Ended:
    """The end of a watch whose matches have all ended."""


class Stream:
    """The messages of a watch; None once the node has died."""

    def __init__(self) -> None:
        self._messages: asyncio.Queue[bytes | DomainError | Ended | None] = asyncio.Queue()
        self._room = asyncio.Semaphore(2)
        self.serving: asyncio.Task[None]

    async def send(self, message: bytes) -> None:
        """Send a message, when there is room for it."""
        await self._room.acquire()
        self.put(message)

    def put(self, message: "bytes | DomainError | Ended | None") -> None:
        """Put a last message, for which there always is room."""
        self._messages.put_nowait(message)

    async def get(self) -> "bytes | DomainError | Ended | None":
        """The next message."""
        message = await self._messages.get()
        self._room.release()
        return message

    def cancel(self) -> None:
        """Give the watch up."""
        self.serving.cancel()


def _snake(method: str) -> str:
    return re.sub("(?<!^)(?=[A-Z])", "_", method).lower()
