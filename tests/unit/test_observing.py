"""What observers are told, and what they make of it."""

import asyncio
import logging
from collections.abc import Iterator

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from support.memory_store import MemoryStore
from support.stored import append_of, created, match_id
from tablestate_service.adapters.observed_store import observed
from tablestate_service.adapters.prometheus import PrometheusMetrics
from tablestate_service.adapters.tracing import Tracing
from tablestate_service.ports import RequestTakenError
from tablestate_service.ports.observing import Ended, Headers, Observers

TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"


class Noting:
    """Writes down what it is told."""

    def __init__(self, notes: list[str], name: str = "") -> None:
        self.notes, self.name = notes, name

    def call(self, method: str, headers: Headers) -> Ended:
        return self._began(method)

    def stored(self, operation: str) -> Ended:
        return self._began(operation)

    def committed(self, appends: int) -> None:
        self.notes.append(f"{self.name}committed {appends}")

    def _began(self, what: str) -> Ended:
        self.notes.append(f"{self.name}{what} begins")
        return lambda how: self.notes.append(f"{self.name}{what} {how}")


def test_several_observers_end_in_the_reverse_order() -> None:
    notes: list[str] = []
    both = Observers([Noting(notes, "a "), Noting(notes, "b ")])
    both.call("m", lambda: ())("OK")
    both.committed(3)
    assert notes == [
        *("a m begins", "b m begins", "b m OK", "a m OK"),
        *("a committed 3", "b committed 3"),
    ]


async def test_every_operation_of_a_store_is_told_with_how_it_ended() -> None:
    notes: list[str] = []
    store = observed(MemoryStore(), Noting(notes))
    await store.append(append_of(created(1)))
    with pytest.raises(RequestTakenError):
        await store.append(append_of(created(1)))
    log = await store.load(match_id(1), after=0, limit=None)
    assert log is not None and log.head_version == 1
    assert await store.claim_turn(match_id(1), 1)
    await asyncio.sleep(0)
    assert notes == [
        *("append begins", "append OK", "append begins", "append RequestTakenError"),
        *("load begins", "load OK", "claim_turn begins", "claim_turn OK"),
    ]


def test_calls_are_counted_by_method_and_code() -> None:
    metrics = PrometheusMetrics()
    for code in ("OK", "OK", "NOT_FOUND"):
        metrics.call("/s/M", lambda: ())(code)
    open_call = metrics.call("/s/M", lambda: ())
    metrics.committed(5)
    metrics.gauge("watches", "Now open.", lambda: 7)
    read = metrics.registry.get_sample_value
    assert read("tablestate_rpc_seconds_count", {"method": "/s/M", "code": "OK"}) == 2
    assert read("tablestate_rpc_seconds_count", {"method": "/s/M", "code": "NOT_FOUND"}) == 1
    assert read("tablestate_rpc_in_flight", {"method": "/s/M"}) == 1
    assert read("tablestate_store_group_size_bucket", {"le": "8.0"}) == 1
    assert read("tablestate_watches") == 7
    open_call("OK")
    assert read("tablestate_rpc_in_flight", {"method": "/s/M"}) == 0


@pytest.fixture
def spans() -> Iterator[tuple[Tracing, InMemorySpanExporter]]:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    yield Tracing(provider), exporter
    provider.shutdown()


def test_a_call_continues_the_trace_of_its_caller_and_holds_the_work_of_the_store(
    spans: tuple[Tracing, InMemorySpanExporter],
) -> None:
    tracing, exporter = spans
    headers = [("traceparent", f"00-{TRACE}-{PARENT}-01"), ("authorization", "secret")]
    call = tracing.call("/tablestate.v1.MatchService/GetMatch", lambda: headers)
    tracing.stored("load")("STORAGE_UNAVAILABLE")
    call("UNAVAILABLE")
    inner, outer = exporter.get_finished_spans()
    assert (inner.name, outer.name) == ("store.load", "tablestate.v1.MatchService/GetMatch")
    assert outer.context and inner.parent and outer.parent
    assert f"{outer.context.trace_id:032x}" == TRACE
    assert f"{outer.parent.span_id:016x}" == PARENT
    assert inner.parent.span_id == outer.context.span_id
    assert {inner.status.status_code, outer.status.status_code} == {StatusCode.ERROR}
    assert "secret" not in outer.to_json() + inner.to_json()


def test_what_a_caller_does_wrong_is_no_fault_of_the_server(
    spans: tuple[Tracing, InMemorySpanExporter], caplog: pytest.LogCaptureFixture
) -> None:
    tracing, exporter = spans
    with caplog.at_level(logging.WARNING):
        tracing.call("/s/M", lambda: [("traceparent", "garbage")])("NOT_FOUND")
    (span,) = exporter.get_finished_spans()
    assert span.status.status_code is StatusCode.UNSET and span.parent is None
    assert not caplog.records
