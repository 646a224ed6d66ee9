"""Reasoning of a model call while it arrives, kept apart from the text of its reply."""

import time
from dataclasses import dataclass
from typing import Final

from metier.agent.adapters._limits import MAX_OUTPUT_CHARS
from metier.json_values import JsonValue, clean_text
from metier.store import EventDraft

_MIN_DELTA_CHARS: Final = 64  # each delta is a write, and a model may think long


@dataclass(slots=True)
class StreamedReasoning:
    """Reasoning that was received since the last `reasoning.done`. Joined, its deltas are the text that is stored."""

    _sent: str = ""
    _unsent: str = ""
    _began_s: float = 0.0

    def add(self, piece: str) -> EventDraft | None:
        """Add a piece; returns the delta to emit, if enough has arrived."""
        if not self._sent and not self._unsent:
            self._began_s = time.perf_counter()
        self._unsent += piece
        return self._take_delta() if len(self._unsent) >= _MIN_DELTA_CHARS else None

    def finish(self, **more: JsonValue) -> list[EventDraft]:
        """End it; returns the last delta and `reasoning.done`, or nothing if the model did not think."""
        delta = self._take_delta()
        text, self._sent, self._unsent = self._sent, "", ""
        if not text:
            return []
        elapsed_ms = round(1000 * (time.perf_counter() - self._began_s), 1)
        done = EventDraft("reasoning.done", {"text": text, "elapsed_ms": elapsed_ms, **more})
        return [done] if delta is None else [delta, done]

    def _take_delta(self) -> EventDraft | None:
        """Next delta, without white space around the whole text, and never more than is stored."""
        text = self._unsent.rstrip()
        self._unsent = self._unsent[len(text) :]
        text = text if self._sent else text.lstrip()
        text = clean_text(text[: max(0, MAX_OUTPUT_CHARS - len(self._sent))])
        if not text:
            return None
        self._sent += text
        return EventDraft("reasoning.delta", {"text": text})
