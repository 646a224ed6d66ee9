"""Server-sent event frames: stored events encoded once for all readers."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from metier.jsons import JsonObject
from metier.store import Event

HEARTBEAT = b": still here\n\n"
DELTA = "text.delta"
# Not line breaks in the SSE standard, but clients that use `str.splitlines` split lines there.
_LINE_ENDS: Mapping[int, str] = {ord(char): f"\\u{ord(char):04x}" for char in "\x85\u2028\u2029"}


def event_json(event: Event) -> JsonObject:
    """Convert a stored event to its JSON form in the API."""
    return {
        "conversation": event.conversation,
        "turn": event.turn,
        "seq": event.seq,
        "at": event.at.isoformat(),
        "kind": event.kind,
        "data": event.data,
    }


@dataclass(frozen=True, slots=True)
class Frame:
    """One SSE message: an event, or consecutive text deltas joined under the number of the last."""

    events: tuple[Event, ...]
    wire: bytes = field(repr=False)

    @classmethod
    def of(cls, events: Sequence[Event]) -> "Frame":
        """Encode events as one frame; several events must be consecutive text deltas."""
        last = events[-1]
        told = dict(event_json(last))
        if len(events) > 1:
            told["data"] = {**last.data, "text": "".join(str(one.data.get("text", "")) for one in events)}
            told["first_seq"] = events[0].seq
        data = json.dumps(told, ensure_ascii=False, separators=(",", ":"), default=dict).translate(_LINE_ENDS)
        return cls(tuple(events), f"id: {last.seq}\nevent: {last.kind}\ndata: {data}\n\n".encode())

    @property
    def first(self) -> int:
        """Number of the first event."""
        return self.events[0].seq

    @property
    def last(self) -> int:
        """Number of the last event, which is the SSE id."""
        return self.events[-1].seq

    @property
    def turn(self) -> str | None:
        """Turn of the events."""
        return self.events[-1].turn

    def after(self, seq: int) -> "Frame":
        """Return the frame without the events up to this number, which a reader may have seen already."""
        return self if seq < self.first else Frame.of([one for one in self.events if one.seq > seq])


def frames_of(events: Sequence[Event]) -> list[Frame]:
    """Build frames of stored events; consecutive text deltas are joined."""
    frames: list[Frame] = []
    held: list[Event] = []
    for event in events:
        if held and not joins(held[-1], event):
            frames.append(Frame.of(held))
            held = []
        held.append(event)
        if event.kind != DELTA:
            frames.append(Frame.of(held))
            held = []
    return [*frames, Frame.of(held)] if held else frames


def joins(before: Event, event: Event) -> bool:
    """Whether the event is the next delta of the same text."""
    same = before.kind == event.kind == DELTA and before.turn == event.turn
    return same and event.seq == before.seq + 1 and before.data.keys() == event.data.keys() == {"text"}
