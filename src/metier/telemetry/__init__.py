"""Telemetry: events in a SQLite file with queries, in batches to a remote service, and as OpenTelemetry spans."""

from metier.telemetry._deletion import EventOwner, delete_events, read_owned_events
from metier.telemetry._envelope import EVENT_NAMES, SCHEMA_VERSION, RuntimeEvent, TelemetryEvent
from metier.telemetry._file import PruneResult, prune_file
from metier.telemetry._ingest import MAX_BATCH_EVENTS, MAX_EVENT_BYTES, IngestResult, RejectedEvent
from metier.telemetry._open import Telemetry, open_telemetry, telemetry_path
from metier.telemetry._queries import EventFilter, EventPage, TelemetryQueries, parse_time
from metier.telemetry._sink import TelemetrySink
from metier.telemetry._summary import DurationStats, TelemetrySummary

__all__ = [
    "EVENT_NAMES",
    "MAX_BATCH_EVENTS",
    "MAX_EVENT_BYTES",
    "SCHEMA_VERSION",
    "DurationStats",
    "EventFilter",
    "EventOwner",
    "EventPage",
    "IngestResult",
    "PruneResult",
    "RejectedEvent",
    "RuntimeEvent",
    "Telemetry",
    "TelemetryEvent",
    "TelemetryQueries",
    "TelemetrySink",
    "TelemetrySummary",
    "delete_events",
    "open_telemetry",
    "parse_time",
    "prune_file",
    "read_owned_events",
    "telemetry_path",
]
