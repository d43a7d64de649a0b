"""The one place that builds concrete things and puts them together."""

import asyncio
import gc
import logging
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeAlias

import grpc

from tablestate_service import logs, matchfile
from tablestate_service.adapters import sqlite_backup
from tablestate_service.adapters.archive_files import ArchiveFiles
from tablestate_service.adapters.fault_points import FaultPoints
from tablestate_service.adapters.local_feed import LocalFeed
from tablestate_service.adapters.opening import StoreUnusableError
from tablestate_service.adapters.sqlite_store import SqliteStore
from tablestate_service.adapters.system import (
    SystemClock,
    SystemEntropy,
    ThreadWorkers,
    go_last,
    go_later,
    keep_freed_memory,
)
from tablestate_service.domain.clocks import TimeControl
from tablestate_service.domain.terms import TimeDefaults
from tablestate_service.listening import ListenError, listen
from tablestate_service.observation import (
    gauge,
    gauge_webhooks,
    observation,
    show_metrics,
    told,
)
from tablestate_service.ports import Archive, Clock, Engine, Entropy, Keyring, MatchFeed, MatchStore
from tablestate_service.ports.observing import Observer
from tablestate_service.ports.simulator import Simulator
from tablestate_service.rpc import messages
from tablestate_service.rpc.engine_servicer import EngineServicer
from tablestate_service.rpc.gate import Gate
from tablestate_service.rpc.health_servicer import HealthServicer
from tablestate_service.rpc.match_servicer import World
from tablestate_service.rpc.pace import Pace
from tablestate_service.rpc.wrapper import Wrapper
from tablestate_service.serving import ALL_SERVICES, SERVICES, grpc_server, handlers_of_all
from tablestate_service.settings import Limits, Settings, address_of, duration, time_default
from tablestate_service.usecases.bots import BotRunner
from tablestate_service.usecases.counting import Counting
from tablestate_service.usecases.forgetting import keep_letting_go
from tablestate_service.usecases.health import StoreHealth
from tablestate_service.usecases.matches import Matches
from tablestate_service.usecases.retention import Retention
from tablestate_service.usecases.tenancy import require_own
from tablestate_service.usecases.timekeeping import Timekeeper
from tablestate_service.usecases.webhooks import HookRunner
from tablestate_service.webhook_file import read_webhooks

__all__ = [
    "ListenError",
    "Parts",
    "RunningService",
    "StoreUnusableError",
    "back_up",
    "core_engine",
    "open_archive",
    "open_store",
    "restore",
    "running_service",
    "serve",
]

log = logging.getLogger(__name__)

Stop: TypeAlias = Callable[[], Awaitable[None]]

_FOLD_THREADS = 2
_LANES_PER_BOT_THREAD = 4
_OBJECTS_BETWEEN_COLLECTIONS = 10_000


def core_engine() -> Engine:
    """The games of the Rust core."""
    from tablestate_service.adapters.core_engine import CoreEngine

    return CoreEngine()


def core_simulator() -> Simulator:
    """The same by the thousand."""
    from tablestate_service.adapters.core_simulator import CoreSimulator

    return CoreSimulator()


@dataclass(frozen=True, slots=True)
class Parts:
    """What a test may replace. The defaults are those of production."""

    engine: Callable[[], Engine] = core_engine
    clock: Clock = field(default_factory=SystemClock)
    entropy: Entropy = field(default_factory=SystemEntropy)
    vfs: str | None = None
    faults: FaultPoints | None = None
    observers: Sequence[Observer] = ()


@dataclass(frozen=True, slots=True)
class RunningService:
    """A service that takes calls at `address`."""

    host: str
    port: int
    page: str = ""
    """The gateway's URL, if there is one."""

    @property
    def address(self) -> str:
        """Where to connect to."""
        return address_of(self.host, self.port)


@asynccontextmanager
async def running_service(
    settings: Settings, parts: Parts | None = None
) -> AsyncIterator[RunningService]:
    """Run a service; it drains on leaving.

    Raises StoreUnusableError, ListenError, and SettingsError for files that cannot be used.
    """
    parts = parts or Parts()
    limits = settings.limits
    async with AsyncExitStack() as stack:
        observer, metrics = observation(stack, settings, parts.observers)
        storage = await _open_storage(stack, settings, parts, observer)
        world, runner = _build(stack, storage, settings, parts)
        await runner.start()
        stack.push_async_callback(runner.stop)
        keeping = asyncio.ensure_future(Timekeeper(world.matches, world.engine, world.store).run())
        stack.push_async_callback(_cancel, [keeping])
        hooks = _start_webhooks(stack, world, settings)
        _start_retention(stack, world, settings)
        letting_go = asyncio.ensure_future(keep_letting_go(world.matches))
        stack.push_async_callback(_cancel, [letting_go])
        wrapper = Wrapper(
            refusal=world.engine.refusal,
            entropy=parts.entropy,
            gate=_gate(settings, world),
            send_seconds=limits.slow_reader_seconds,
            observer=observer,
        )
        health = HealthServicer([each.full_name for each in SERVICES])
        looking = asyncio.ensure_future(StoreHealth(world.store, health.note_store).run())
        stack.push_async_callback(_cancel, [looking])
        engine = _engine_servicer(stack, core_simulator(), limits)
        if metrics is not None:
            gauge(metrics, world, runner, engine, health)
            gauge_webhooks(metrics, hooks)
            show_metrics(stack, metrics, settings.metrics)
        handlers = handlers_of_all(settings, world, engine, wrapper, health)
        server = grpc_server(settings, handlers)
        port = await listen(server, settings)
        stops: list[Stop] = [partial(server.stop, limits.drain_seconds)]
        ends = (health.drain, engine.close, world.feed.close)
        stack.push_async_callback(_drain, wrapper, ends, stops)
        log.info("listening", extra={"host": settings.host, "port": port})
        page = await _start_gateway(settings, handlers, stops)
        yield RunningService(settings.host, port, page)


async def open_store(data_dir: Path, url: str = "") -> MatchStore:
    """Open the store of a data directory that no service runs on, or of a database.

    Call it on the event loop that uses the store. Raises StoreUnusableError.
    """
    if not url:
        return SqliteStore(data_dir)
    from tablestate_service.adapters.postgres_database import open_database
    from tablestate_service.adapters.postgres_store import PostgresStore

    return PostgresStore(await open_database(url, Limits().store_connections))


def back_up(data_dir: Path, target: Path) -> int:
    """Copy the database of a data directory into a new file; how many matches it holds.

    A service may run on it. Raises StoreUnusableError, OSError.
    """
    return sqlite_backup.back_up(data_dir, target)


def restore(source: Path, data_dir: Path) -> int:
    """Put such a copy into a data directory without a database; how many matches it holds.

    Raises StoreUnusableError, OSError.
    """
    return sqlite_backup.restore(source, data_dir)


def open_archive(directory: Path) -> Archive:
    """An archive of match files, in a directory that is made when it is needed."""
    engine = core_engine()
    return ArchiveFiles(directory, lambda log: matchfile.content(engine, log.entries))


def serve(settings: Settings, announce: Callable[[RunningService], None]) -> None:
    """Run a service until SIGTERM or SIGINT, then drain it.

    `announce` is called as soon as it takes calls. Raises StoreUnusableError and ListenError.
    """
    logs.set_up(settings.log_level)
    # A call makes some dozens of objects and no cycles: looking for these after every few
    # calls would cost several per cent.
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    keep_freed_memory()
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        runner.run(_serve(settings, announce))


async def _serve(settings: Settings, announce: Callable[[RunningService], None]) -> None:
    stopping = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    async with running_service(settings) as running:
        announce(running)
        await stopping.wait()
        log.info("draining")
    log.info("stopped")


@dataclass(frozen=True, slots=True)
class _Storage:
    """Where matches are, how nodes hear of them, and how often a node looks after the others."""

    store: MatchStore
    feed: MatchFeed
    look_seconds: float | None


async def _open_storage(
    stack: AsyncExitStack, settings: Settings, parts: Parts, observer: Observer | None
) -> _Storage:
    """Open what the settings say; it is closed with the stack."""
    limits = settings.limits
    committed = observer.committed if observer else None
    if not settings.store:
        files = SqliteStore(
            settings.data_dir, vfs=parts.vfs, faults=parts.faults, committed=committed
        )
        stack.push_async_callback(files.close)
        return _Storage(told(files, observer), LocalFeed(limits.max_watches), None)
    # Most services need no driver of PostgreSQL: it is loaded by those that do.
    from tablestate_service.adapters.postgres_database import open_database
    from tablestate_service.adapters.postgres_feed import POLL_SECONDS, PostgresFeed
    from tablestate_service.adapters.postgres_store import PostgresStore

    database = await open_database(settings.store, limits.store_connections)
    store = PostgresStore(database, faults=parts.faults, committed=committed)
    stack.push_async_callback(store.close)
    feed = PostgresFeed(database, settings.store_listen or settings.store, limits.max_watches)
    feed.start()
    stack.push_async_callback(feed.stop)
    return _Storage(told(store, observer), feed, POLL_SECONDS)


def _build(
    stack: AsyncExitStack, storage: _Storage, settings: Settings, parts: Parts
) -> tuple[World, BotRunner]:
    engine, limits = parts.engine(), settings.limits
    store, feed = storage.store, storage.feed
    folding = ThreadWorkers(_FOLD_THREADS, "fold")
    playing = ThreadWorkers(limits.bot_threads, "bot", go_later)
    stack.callback(folding.close)
    stack.callback(playing.close)
    matches = Matches(
        store=store,
        engine=engine,
        feed=feed,
        workers=folding,
        clock=parts.clock,
        capacity=limits.loaded_matches,
        is_followed=settings.has_feed,
    )
    lanes = limits.bot_threads * _LANES_PER_BOT_THREAD
    runner = BotRunner(matches, engine, store, playing, lanes, storage.look_seconds)
    world = World(
        matches, store, engine, feed, parts.clock, parts.entropy, folding, _time_defaults(settings)
    )
    return world, runner


def _time_defaults(settings: Settings) -> TimeDefaults:
    turn_limit = time_default("turn_limit_default", settings.turn_limit_default)
    return TimeDefaults(
        time_default("waiting_limit_default", settings.waiting_limit_default),
        None if turn_limit is None else TimeControl(turn_limit),
    )


def _gate(settings: Settings, world: World) -> Gate:
    limits = settings.limits
    return Gate(
        _keyring(settings),
        partial(require_own, world.matches, world.store),
        key_pace=Pace(limits.calls_per_key),
        peer_pace=Pace(limits.calls_per_peer),
    )


def _keyring(settings: Settings) -> Keyring | None:
    """The keys and tokens that open the service; None if it is open."""
    if not settings.has_keys:
        return None
    # Open services check no signatures: what does is loaded by those that do.
    from tablestate_service.adapters.keyring import open_keyring

    return open_keyring(settings)


def _start_webhooks(
    stack: AsyncExitStack, world: World, settings: Settings
) -> Sequence[HookRunner]:
    """Deliver news to those that the file of webhooks names."""
    if not settings.webhooks:
        return ()
    # Most services need no client of HTTP: it is loaded by those that do.
    from tablestate_service.adapters.http_courier import HttpCourier

    hooks = read_webhooks(Path(settings.webhooks), os.environ)
    courier = HttpCourier(settings.limits.webhook_seconds)
    stack.push_async_callback(courier.close)
    runners = [
        HookRunner(each, world.store, world.feed, courier, world.clock, messages.webhook_body)
        for each in hooks
    ]
    tasks = [asyncio.ensure_future(each.run()) for each in runners]
    stack.push_async_callback(_cancel, tasks)
    return runners


def _start_retention(stack: AsyncExitStack, world: World, settings: Settings) -> None:
    """Remove matches that ended long ago, if that is wanted."""
    if not settings.retention:
        return
    archive = open_archive(Path(settings.archive)) if settings.archive else None
    retention = Retention(world.store, archive, world.matches.drop)
    seconds = duration("retention", settings.retention)
    task = asyncio.ensure_future(retention.run(world.clock, seconds))
    stack.push_async_callback(_cancel, [task])


async def _cancel(tasks: Sequence[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _engine_servicer(stack: AsyncExitStack, engine: Simulator, limits: Limits) -> EngineServicer:
    stepping = ThreadWorkers(limits.engine_threads, "step", go_later)
    counting = ThreadWorkers(limits.engine_threads, "count", go_last)
    stack.callback(stepping.close)
    stack.callback(counting.close)
    long_work = Counting(engine, counting, most=limits.engine_calls, seconds=limits.engine_seconds)
    return EngineServicer(
        engine,
        stepping,
        long_work,
        max_simulations=limits.max_simulations,
        max_slots=limits.max_slots,
    )


async def _start_gateway(
    settings: Settings, handlers: Sequence[grpc.GenericRpcHandler], stops: list[Stop]
) -> str:
    """Let browsers in too, if that is wanted; gives the URL of their page."""
    if not settings.gateway:
        return ""
    # Services without browsers need no server of HTTP: it is loaded by those that do.
    from tablestate_service.gateway.opening import open_gateway

    gateway, url = await open_gateway(settings, ALL_SERVICES, handlers)
    stops.append(gateway.close)
    log.info("gateway", extra={"url": url})
    return url


async def _drain(
    wrapper: Wrapper, ends: Sequence[Callable[[], None]], stops: Sequence[Stop]
) -> None:
    """Refuse new calls, end the streams, and let finish what runs.

    Streams first: servers would wait for them to the last moment.
    """
    wrapper.is_draining = True
    for end in ends:
        end()
    await asyncio.gather(*(stop() for stop in stops))


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop
