"""Builds what observes the service, for `app.py`: metrics and traces."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from tablestate_service import __version__
from tablestate_service.adapters.observed_store import observed
from tablestate_service.listening import ListenError
from tablestate_service.ports import MatchStore
from tablestate_service.ports.observing import Observer, Observers
from tablestate_service.rpc.engine_servicer import EngineServicer
from tablestate_service.rpc.health_servicer import HealthServicer
from tablestate_service.rpc.match_servicer import World
from tablestate_service.settings import Settings, SettingsError, split_address
from tablestate_service.usecases.bots import BotRunner
from tablestate_service.usecases.webhooks import HookRunner

if TYPE_CHECKING:
    from tablestate_service.adapters.prometheus import PrometheusMetrics

log = logging.getLogger(__name__)


def observation(
    stack: AsyncExitStack, settings: Settings, given: Sequence[Observer]
) -> tuple[Observer | None, PrometheusMetrics | None]:
    """Who is told of calls and of the store, if anybody is; and the metrics, if they are wanted."""
    observers, metrics = list(given), None
    # Most services need neither: they are loaded by those that do.
    if settings.traces:
        try:
            from tablestate_service.adapters.tracing import Tracing, exporting_provider
        except ImportError:
            raise SettingsError("traces need the package tablestate-service[otel]") from None
        provider = exporting_provider()
        stack.callback(provider.shutdown)
        observers.append(Tracing(provider))
    if settings.metrics:
        from tablestate_service.adapters.prometheus import PrometheusMetrics

        metrics = PrometheusMetrics()
        observers.append(metrics)
    if len(observers) == 1:
        return observers[0], metrics
    return (Observers(observers) if observers else None), metrics


def gauge(
    metrics: PrometheusMetrics,
    world: World,
    runner: BotRunner,
    engine: EngineServicer,
    health: HealthServicer,
) -> None:
    """Show what is read off the parts whenever somebody asks."""
    matches, feed = world.matches, world.feed
    metrics.info(version=__version__)
    metrics.gauge("serving", "1 while health says SERVING.", lambda: health.is_serving)
    metrics.gauge("matches_loaded", "Matches kept in memory.", lambda: matches.loaded)
    metrics.gauge(
        "watches", "Watches, Play streams and feeds now open.", lambda: feed.subscriptions
    )
    metrics.gauge("bots_thinking", "Turns that bots think about now.", lambda: runner.thinking)
    metrics.gauge("bots_waiting", "Matches that wait for a bot's turn.", lambda: runner.waiting)
    metrics.gauge("batch_slots", "Games in the batches of all streams.", lambda: engine.slots)
    metrics.gauge("engine_calls", "Playouts, counts and searches now.", lambda: engine.running)


def gauge_webhooks(metrics: PrometheusMetrics, hooks: Sequence[HookRunner]) -> None:
    """Show how delivering goes, if there is anybody to deliver to."""
    if not hooks:
        return
    metrics.gauge(
        "webhooks_delivering",
        "Webhooks that this node delivers, of those that it knows.",
        lambda: sum(each.delivers for each in hooks),
    )
    metrics.gauge(
        "webhooks_failing",
        "Of those, webhooks whose news are not taken now.",
        lambda: sum(each.is_failing for each in hooks),
    )


def show_metrics(stack: AsyncExitStack, metrics: PrometheusMetrics, address: str) -> None:
    """Let metrics be fetched until the stack is closed; raises ListenError."""
    from tablestate_service.adapters.prometheus import MetricsPort

    try:
        port = MetricsPort(metrics, *split_address("metrics", address))
    except OSError as error:
        raise ListenError(f"cannot listen on {address} for metrics: {error.strerror}") from None
    stack.callback(port.close)
    log.info("metrics", extra={"port": port.port})


def told(store: MatchStore, observer: Observer | None) -> MatchStore:
    """The same store, with its operations told to the observer, if there is one."""
    return observed(store, observer) if observer else store
