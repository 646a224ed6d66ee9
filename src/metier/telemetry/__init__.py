"""Telemetry: events in a SQLite file with queries, in batches to a remote service, and as OpenTelemetry spans."""

from metier.telemetry._envelope import EVENT_NAMES, SCHEMA_VERSION, RuntimeEvent, TelemetryEvent
from metier.telemetry._file import Pruned, prune_file
from metier.telemetry._ingest import MOST_BYTES, MOST_EVENTS, Ingested, Rejected
from metier.telemetry._open import Telemetry, open_telemetry, telemetry_path
from metier.telemetry._queries import EventFilter, EventPage, TelemetryQueries, read_time
from metier.telemetry._sink import TelemetrySink
from metier.telemetry._summary import Summary, Times

__all__ = [
    "EVENT_NAMES",
    "MOST_BYTES",
    "MOST_EVENTS",
    "SCHEMA_VERSION",
    "EventFilter",
    "EventPage",
    "Ingested",
    "Pruned",
    "Rejected",
    "RuntimeEvent",
    "Summary",
    "Telemetry",
    "TelemetryEvent",
    "TelemetryQueries",
    "TelemetrySink",
    "Times",
    "open_telemetry",
    "prune_file",
    "read_time",
    "telemetry_path",
]
