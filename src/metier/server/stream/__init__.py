"""Stored events as server-sent events, exactly once."""

from metier.server.stream._hub import Hub, Reader
from metier.server.stream._stream import STREAM_HEADERS, EventStream

__all__ = [
    "STREAM_HEADERS",
    "EventStream",
    "Hub",
    "Reader",
]
