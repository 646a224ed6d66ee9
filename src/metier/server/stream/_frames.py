"""Server-sent event frames: stored events encoded once for all readers."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from metier.errors import MetierError
from metier.store import Event

HEARTBEAT = b": still here\n\n"
DELTAS = frozenset({"reasoning.delta", "text.delta"})
# Not line breaks in the SSE standard, but clients that use `str.splitlines` split lines there.
_LINE_ENDS: Mapping[int, str] = {ord(char): f"\\u{ord(char):04x}" for char in "\x85\u2028\u2029"}


@dataclass(frozen=True, slots=True)
class SseFrame:
    """One SSE message: an event, or consecutive deltas joined under the number of the last."""

    events: tuple[Event, ...]
    encoded: bytes = field(repr=False)

    @classmethod
    def from_events(cls, events: Sequence[Event]) -> "SseFrame":
        """Encode events as one frame; several events must be consecutive deltas."""
        last = events[-1]
        told = dict(last.to_json())
        if len(events) > 1:
            told["data"] = {**last.data, "text": "".join(str(one.data.get("text", "")) for one in events)}
            told["first_seq"] = events[0].seq
        data = json.dumps(told, ensure_ascii=False, separators=(",", ":"), default=dict).translate(_LINE_ENDS)
        return cls(tuple(events), f"id: {last.seq}\nevent: {last.kind}\ndata: {data}\n\n".encode())

    @property
    def first_seq(self) -> int:
        """Number of the first event."""
        return self.events[0].seq

    @property
    def last_seq(self) -> int:
        """Number of the last event, which is the SSE id."""
        return self.events[-1].seq

    @property
    def turn(self) -> str | None:
        """Turn of the events."""
        return self.events[-1].turn

    def keep_after(self, seq: int) -> "SseFrame":
        """Return the frame without the events up to this number, which a reader may have seen already."""
        return self if seq < self.first_seq else SseFrame.from_events([one for one in self.events if one.seq > seq])


def build_frames(events: Sequence[Event]) -> list[SseFrame]:
    """Build frames of stored events; consecutive deltas are joined."""
    frames: list[SseFrame] = []
    held: list[Event] = []
    for event in events:
        if held and not can_join(held[-1], event):
            frames.append(SseFrame.from_events(held))
            held = []
        held.append(event)
        if event.kind not in DELTAS:
            frames.append(SseFrame.from_events(held))
            held = []
    return [*frames, SseFrame.from_events(held)] if held else frames


def can_join(before: Event, event: Event) -> bool:
    """Whether the event is the next delta of the same text, or of the same reasoning."""
    same = event.kind in DELTAS and before.kind == event.kind and before.turn == event.turn
    return same and event.seq == before.seq + 1 and before.data.keys() == event.data.keys() == {"text"}


def encode_failure(failure: MetierError) -> bytes:
    """Last frame of a stream that is ended early; it is no event and has no number."""
    data = json.dumps(failure.to_json(), ensure_ascii=False).translate(_LINE_ENDS)
    return f"event: stream.closed\ndata: {data}\n\n".encode()
