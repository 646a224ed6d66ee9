"""Conversion of a turn's events to an OpenAI chat completion, complete or in chunks."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from metier.event_text import render_chart, render_map, render_pause, render_table
from metier.json_values import JsonObject, JsonValue
from metier.store import Event

_PARAGRAPH_BREAK: Final = "\n\n"


@dataclass(slots=True)
class Reply:
    """Text and reasoning of the assistant so far, and the tokens used."""

    id: str
    model: str
    created: int
    text: str = ""
    reasoning: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    conversation: str | None = None
    turn: str | None = None
    failure: JsonObject | None = None
    finish_reason: str = "stop"
    _streamed: str = field(default="", repr=False)
    _is_thinking: bool = field(default=False, repr=False)

    def add_event(self, event: Event) -> JsonObject:
        """Add an event; return the delta of a stream that it makes, which may be empty."""
        self.conversation, self.turn = event.conversation, event.turn
        if event.kind in ("reasoning.delta", "reasoning.done"):
            added = self._add_reasoning(event)
            return {"reasoning_content": added} if added else {}
        added = self._add_text(event)
        return {"content": added} if added else {}

    def _add_text(self, event: Event) -> str:
        told = event.data
        match event.kind:
            case "text.delta":
                return self._add_delta(str(told.get("text", "")))
            case "text.done":
                self.finish_reason = _read_finish_reason(told)
                return self._add_message(str(told.get("text", "")))
            case "table":
                return self._add_block(render_table(told))
            case "chart":
                return self._add_block(render_chart(told))
            case "map":
                return self._add_block(render_map(told))
            case "pause.opened":
                return self._add_block(self._render_question(told))
            case "turn.done":
                self.input_tokens, self.output_tokens = (
                    _int_or_zero(told, "input_tokens"),
                    _int_or_zero(told, "output_tokens"),
                )
            case "turn.failed":
                self.failure = told
            case "error" if told.get("code") == "limit_reached":
                self.finish_reason = "length"
            case _:
                pass
        return ""

    def to_chunk(self, delta: JsonObject, finish: str | None = None) -> JsonObject:
        """Build one chunk of a stream."""
        choice: JsonObject = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
        return {**self._build_head("chat.completion.chunk"), "choices": [choice]}

    def to_usage_chunk(self) -> JsonObject:
        """Build the last chunk of a stream with `include_usage`."""
        return {**self._build_head("chat.completion.chunk"), "choices": [], "usage": self._usage_to_json()}

    def to_completion(self) -> JsonObject:
        """Build the complete, non-streamed response."""
        reasoning: JsonObject = {"reasoning_content": self.reasoning} if self.reasoning else {}
        message: JsonObject = {"role": "assistant", "content": self.text, "refusal": None, **reasoning}
        choice: JsonObject = {"index": 0, "message": message, "finish_reason": self.finish_reason, "logprobs": None}
        return {**self._build_head("chat.completion"), "choices": [choice], "usage": self._usage_to_json()}

    def _add_reasoning(self, event: Event) -> str:
        """Reasoning of several model calls is separated by blank lines; `reasoning.done` repeats what was streamed."""
        if event.kind == "reasoning.done":
            self._is_thinking = False
            return ""
        text = str(event.data.get("text", ""))
        added = text if self._is_thinking or not self.reasoning else _PARAGRAPH_BREAK + text
        self._is_thinking = True
        self.reasoning += added
        return added

    def _add_delta(self, text: str) -> str:
        added = text if self._streamed or not self.text else _PARAGRAPH_BREAK + text
        self._streamed += text
        self.text += added
        return added

    def _add_message(self, text: str) -> str:
        """Finish a streamed message, or add one that was not streamed."""
        if self._streamed:
            self._streamed = ""
            return ""
        return self._add_block(text)

    def _render_question(self, told: JsonObject) -> str:
        """Render a question; its sentence is left out if the text just ended with it."""
        text = render_pause(told)
        sentence = str(told.get("text", ""))
        return text.removeprefix(sentence).strip() if sentence and self.text.endswith(sentence) else text

    def _add_block(self, text: str) -> str:
        if not text:
            return ""
        self._streamed = ""
        added = _PARAGRAPH_BREAK + text if self.text else text
        self.text += added
        return added

    def _build_head(self, kind: str) -> JsonObject:
        return {
            "id": self.id,
            "object": kind,
            "created": self.created,
            "model": self.model,
            "metier": {"conversation": self.conversation, "turn": self.turn},
        }

    def _usage_to_json(self) -> JsonObject:
        total = self.input_tokens + self.output_tokens
        return {
            "prompt_tokens": self.input_tokens,
            "completion_tokens": self.output_tokens,
            "total_tokens": total,
        }


def _read_finish_reason(told: Mapping[str, JsonValue]) -> str:
    """Why the model's last reply ended, in OpenAI's words."""
    end = told.get("end")
    return "content_filter" if end == "filter" else "length" if end else "stop"


def _int_or_zero(told: Mapping[str, JsonValue], key: str) -> int:
    value = told.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
