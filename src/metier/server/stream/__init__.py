"""Stored events as server-sent events, exactly once."""

from metier.server.stream._hub import Hub, Reader
from metier.server.stream._slots import CHECK_KEYS_EVERY_S, SlotResponse, StreamSlot, StreamSlots
from metier.server.stream._stream import STREAM_HEADERS, EventStream

__all__ = [
    "CHECK_KEYS_EVERY_S",
    "STREAM_HEADERS",
    "EventStream",
    "Hub",
    "Reader",
    "SlotResponse",
    "StreamSlot",
    "StreamSlots",
]
