"""Metrics in the format of Prometheus, on a port of their own.

Labels are names of methods, codes, and operations of the store: few, and the same whatever is
played. See docs/operations.md.
"""

import time
from collections.abc import Callable

from prometheus_client import (
    CollectorRegistry,
    Gauge,
    GCCollector,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    start_http_server,
)

from tablestate_service.ports.observing import Ended, Headers

_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60)
_APPENDS = (1, 2, 4, 8, 16, 32, 64, 128, 256)


class PrometheusMetrics:
    """Fulfils `Observer`; counts in a registry of its own."""

    def __init__(self) -> None:
        """Begin at nothing."""
        self.registry = registry = CollectorRegistry(auto_describe=True)
        for collector in (ProcessCollector, PlatformCollector, GCCollector):
            collector(registry=registry)
        self._in_flight = Gauge(
            "tablestate_rpc_in_flight",
            "Calls and streams now open.",
            ("method",),
            registry=registry,
        )
        self._seconds = Histogram(
            "tablestate_rpc_seconds",
            "Calls that have ended, and how long they took; of streams, how long they were open.",
            ("method", "code"),
            buckets=_SECONDS,
            registry=registry,
        )
        self._stored = Histogram(
            "tablestate_store_seconds",
            "What the store was asked for, from then to its answer.",
            ("operation", "result"),
            buckets=_SECONDS,
            registry=registry,
        )
        self._committed = Histogram(
            "tablestate_store_group_size",
            "Appends that were committed in one transaction.",
            buckets=_APPENDS,
            registry=registry,
        )
        self._methods: dict[str, _Method] = {}
        self._operations: dict[tuple[str, str], Histogram] = {}

    def call(self, method: str, headers: Headers) -> Ended:
        """Count a call."""
        known = self._methods.get(method)
        if known is None:
            known = self._methods[method] = _Method(method, self._seconds)
            self._in_flight.labels(method).set_function(lambda: known.open)
        return known.began()

    def stored(self, operation: str) -> Ended:
        """Take the time of the store."""
        started = time.perf_counter()

        def ended(result: str) -> None:
            key = operation, result
            known = self._operations.get(key)
            if known is None:
                known = self._operations[key] = self._stored.labels(*key)
            known.observe(time.perf_counter() - started)

        return ended

    def committed(self, appends: int) -> None:
        """Count the appends of a transaction."""
        self._committed.observe(appends)

    def gauge(self, name: str, text: str, read: Callable[[], float]) -> None:
        """Tell a number that is read whenever somebody asks, on another thread."""
        Gauge(f"tablestate_{name}", text, registry=self.registry).set_function(read)

    def info(self, **labels: str) -> None:
        """Tell what runs, as labels of a gauge that is always 1."""
        about = Gauge("tablestate_build_info", "What runs.", tuple(labels), registry=self.registry)
        about.labels(**labels).set(1)


class _Method:
    """The counts of one method, found once: looking them up costs more than counting."""

    __slots__ = ("_codes", "_method", "_seconds", "open")

    def __init__(self, method: str, seconds: Histogram) -> None:
        self._method = method
        self._seconds = seconds
        self._codes: dict[str, Histogram] = {}
        self.open = 0

    def began(self) -> Ended:
        """Count a call that begins, and at its end."""
        started = time.perf_counter()
        self.open += 1  # All calls are of one thread.

        def ended(code: str) -> None:
            self.open -= 1
            seconds = self._codes.get(code)
            if seconds is None:
                seconds = self._codes[code] = self._seconds.labels(self._method, code)
            seconds.observe(time.perf_counter() - started)

        return ended


class MetricsPort:
    """Where Prometheus fetches the metrics, by HTTP, on threads of its own."""

    def __init__(self, metrics: PrometheusMetrics, host: str, port: int) -> None:
        """Listen; raises OSError."""
        self._server, self._thread = start_http_server(port, host, metrics.registry)
        self.port: int = self._server.server_port

    def close(self) -> None:
        """Answer no more."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
