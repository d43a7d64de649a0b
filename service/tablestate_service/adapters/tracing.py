"""Traces by OpenTelemetry: a span for each call, and within it one for each work of the store.

Needs the extra `otel`. Where they go is said by the variables of OpenTelemetry itself, such as
OTEL_EXPORTER_OTLP_ENDPOINT. Spans hold names of methods, codes and times, nothing of a match.
"""

from opentelemetry import context, trace
from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import SpanKind, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from tablestate_service.ports.observing import Ended, Headers

_PARENT = ("traceparent", "tracestate")
# What the conventions for gRPC call faults of the server.
_FAULTS = frozenset(
    ("UNKNOWN", "DEADLINE_EXCEEDED", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS")
)
_EXPECTED = frozenset(("OK", "CANCELLED", "VersionConflictError", "RequestTakenError"))


def exporting_provider() -> TracerProvider:
    """Spans go to a collector, as the environment says; `shutdown` sends the last."""
    provider = TracerProvider()
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return provider


class Tracing:
    """Fulfils `Observer`; spans continue the caller's trace (W3C Trace Context)."""

    def __init__(self, provider: trace.TracerProvider) -> None:
        """Make spans of this provider."""
        self._tracer = provider.get_tracer("tablestate_service")
        self._propagator = TraceContextTextMapPropagator()

    def call(self, method: str, headers: Headers) -> Ended:
        """Begin the span of a call, within which all is that the call does."""
        carrier = {key: value for key, value in headers() if key in _PARENT}
        span = self._tracer.start_span(
            method[1:],
            context=self._propagator.extract(carrier),
            kind=SpanKind.SERVER,
            attributes={"rpc.system.name": "grpc", "rpc.method": method[1:]},
        )
        token = context.attach(trace.set_span_in_context(span))

        def ended(code: str) -> None:
            span.set_attribute("rpc.response.status_code", code)
            if code in _FAULTS:
                span.set_status(StatusCode.ERROR)
            context.detach(token)
            span.end()

        return ended

    def stored(self, operation: str) -> Ended:
        """Begin the span of what the store is asked for."""
        span = self._tracer.start_span(f"store.{operation}", kind=SpanKind.CLIENT)

        def ended(result: str) -> None:
            span.set_attribute("tablestate.result", result)
            if result not in _EXPECTED:
                span.set_status(StatusCode.ERROR)
            span.end()

        return ended

    def committed(self, appends: int) -> None:
        """A transaction is none of a single call."""
