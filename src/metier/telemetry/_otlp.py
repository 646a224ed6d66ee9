"""Spans to an OTLP receiver, over HTTP with protobuf.

The SDK does the encoding, but not the posting: its exporter also reads `OTEL_*` variables (headers, certificates,
credentials), and here one setting decides.
"""

from collections.abc import Sequence
from typing import Final

from metier.errors import MissingExtra
from metier.telemetry._http import HttpBatchQueue, validate_url
from metier.telemetry._spans import Span

_PATH: Final = "/v1/traces"
_HEADERS: Final = (("content-type", "application/x-protobuf"), ("user-agent", "metier"))


def open_otlp(endpoint: str) -> HttpBatchQueue[Span]:
    """Open a queue of spans to `http://host:4318`, or to a full address with its path."""
    url = validate_url(endpoint, "otlp_endpoint").rstrip("/")
    try:
        import opentelemetry.exporter.otlp.proto.common.trace_encoder
        import opentelemetry.sdk.trace  # noqa: F401 - whether it is there
    except ImportError as error:
        raise MissingExtra(
            "spans need the OpenTelemetry SDK", hint="pip install 'metier[telemetry]', or unset METIER_OTLP_ENDPOINT"
        ) from error
    return HttpBatchQueue("otlp", url if url.endswith(_PATH) else url + _PATH, encode_request, dict(_HEADERS))


def encode_request(spans: Sequence[Span]) -> bytes:
    """Encode one `ExportTraceServiceRequest`."""
    from importlib.metadata import version

    from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import Event, ReadableSpan
    from opentelemetry.sdk.util.instrumentation import InstrumentationScope
    from opentelemetry.trace import SpanContext, SpanKind, Status, StatusCode, TraceFlags

    release = version("metier")
    resource = Resource({"service.name": "metier", "service.version": release})
    scope = InstrumentationScope("metier.telemetry", release)

    def make_context(trace: str, span: str) -> SpanContext:
        return SpanContext(int(trace, 16), int(span, 16), is_remote=False, trace_flags=TraceFlags(TraceFlags.SAMPLED))

    made = [
        ReadableSpan(
            name=one.name,
            context=make_context(one.trace_id, one.span_id),
            parent=make_context(one.trace_id, one.parent_id) if one.parent_id else None,
            resource=resource,
            attributes=one.attributes,
            events=[Event(note.name, note.attributes, note.at_us * 1000) for note in one.events],
            kind=SpanKind.CLIENT if one.kind == "client" else SpanKind.INTERNAL,
            status=Status(StatusCode.ERROR, one.error) if one.error else Status(StatusCode.UNSET),
            start_time=one.start_us * 1000,
            end_time=one.end_us * 1000,
            instrumentation_scope=scope,
        )
        for one in spans
    ]
    return bytes(encode_spans(made).SerializeToString())
