"""Conversion of stored events to AG-UI 1.0 events; kinds without a counterpart become `CUSTOM` events."""

import json
from collections.abc import Callable, Mapping
from typing import Final

from ag_ui.core import (
    BaseEvent,
    CustomEvent,
    Interrupt,
    ReasoningEndEvent,
    ReasoningMessageContentEvent,
    ReasoningMessageEndEvent,
    ReasoningMessageStartEvent,
    ReasoningStartEvent,
    RunErrorEvent,
    RunFinishedCancelledOutcome,
    RunFinishedEvent,
    RunFinishedInterruptOutcome,
    RunFinishedSuccessOutcome,
    RunStartedEvent,
    StateSnapshotEvent,
    StepFinishedEvent,
    StepStartedEvent,
    TextMessageContentEvent,
    TextMessageEndEvent,
    TextMessageStartEvent,
    TokenUsage,
    ToolCallArgsEvent,
    ToolCallEndEvent,
    ToolCallResultEvent,
    ToolCallStartEvent,
)

from metier.json_values import JsonObject, JsonValue
from metier.store import Event

PROTOCOL_VERSION: Final = "1.0"
_STATE_KINDS: Final = frozenset({"skill.activated", "skill.left", "plan.created", "tasks", "todos"})


class AguiRun:
    """One run of one thread. Every message, call and step it opens is closed before the run ends."""

    def __init__(self, thread: str, run: str) -> None:
        self._thread = thread
        self._run = run
        self._message: str | None = None
        self._reasoning: str | None = None
        self._steps: list[str] = []
        self._interrupts: list[Interrupt] = []
        self._state: dict[str, JsonValue] = {"skill": None, "plan": None, "tasks": [], "todos": []}
        self._usage: dict[str, TokenUsage] = {}
        self._ended = False

    def start(self) -> list[BaseEvent]:
        """Build the event that opens the run."""
        return [RunStartedEvent(thread_id=self._thread, run_id=self._run, protocol_version=PROTOCOL_VERSION)]

    def convert(self, event: Event) -> list[BaseEvent]:
        """Convert one stored event to AG-UI events; nothing after the run has ended."""
        if self._ended:
            return []
        known: Mapping[str, Callable[[Event], list[BaseEvent]]] = {
            "reasoning.delta": self._on_reasoning_delta,
            "reasoning.done": self._on_reasoning_done,
            "text.delta": self._on_text_delta,
            "text.done": self._on_text_done,
            "tool.called": self._on_tool_called,
            "tool.result": self._on_tool_result,
            "step.started": self._on_step_started,
            "step.done": self._on_step_done,
            "pause.opened": self._on_pause_opened,
            "usage": self._on_usage,
            "turn.done": self._on_turn_done,
            "turn.failed": self._on_turn_failed,
            "error": self._on_error,
            "turn.started": _ignore,
        }
        return known.get(event.kind, self._on_other)(event)

    def end(self) -> list[BaseEvent]:
        """Build the closing events of a run that has not ended: a turn that pauses has no final event."""
        if self._ended:
            return []
        if self._interrupts:
            return self._finish_run(RunFinishedInterruptOutcome(interrupts=self._interrupts))
        return self._finish_run(RunFinishedSuccessOutcome())

    def fail(self, code: str, message: str) -> list[BaseEvent]:
        """End the run with an error."""
        self._ended = True
        return [RunErrorEvent(message=message, code=code)]

    def _on_reasoning_delta(self, event: Event) -> list[BaseEvent]:
        text = str(event.data.get("text", ""))
        if not text:
            return []
        opened: list[BaseEvent] = []
        if self._reasoning is None:
            self._reasoning = f"{event.conversation}:{event.seq}"
            opened = [
                ReasoningStartEvent(message_id=self._reasoning),
                ReasoningMessageStartEvent(message_id=self._reasoning, role="reasoning"),
            ]
        return [*opened, ReasoningMessageContentEvent(message_id=self._reasoning, delta=text)]

    def _on_reasoning_done(self, _: Event) -> list[BaseEvent]:
        return self._close_reasoning()

    def _close_reasoning(self) -> list[BaseEvent]:
        if self._reasoning is None:
            return []
        message, self._reasoning = self._reasoning, None
        return [ReasoningMessageEndEvent(message_id=message), ReasoningEndEvent(message_id=message)]

    def _on_text_delta(self, event: Event) -> list[BaseEvent]:
        text = str(event.data.get("text", ""))
        if not text:
            return []
        return [*self._open_message(event), self._make_content(text)]

    def _on_text_done(self, event: Event) -> list[BaseEvent]:
        if self._message is not None:
            return self._close_message()
        text = str(event.data.get("text", ""))
        if not text:
            return []
        return [*self._open_message(event), self._make_content(text), *self._close_message()]

    def _open_message(self, event: Event) -> list[BaseEvent]:
        if self._message is not None:
            return []
        self._message = f"{event.conversation}:{event.seq}"
        return [*self._close_reasoning(), TextMessageStartEvent(message_id=self._message, role="assistant")]

    def _make_content(self, text: str) -> BaseEvent:
        return TextMessageContentEvent(message_id=self._message or "", delta=text)

    def _close_message(self) -> list[BaseEvent]:
        if self._message is None:
            return []
        message, self._message = self._message, None
        return [TextMessageEndEvent(message_id=message)]

    def _on_tool_called(self, event: Event) -> list[BaseEvent]:
        call, tool = str(event.data.get("call")), str(event.data.get("tool"))
        arguments = json.dumps(event.data.get("arguments") or {}, ensure_ascii=False, default=dict)
        return [
            *self._close_reasoning(),
            *self._close_message(),
            ToolCallStartEvent(tool_call_id=call, tool_call_name=tool),
            ToolCallArgsEvent(tool_call_id=call, delta=arguments),
            ToolCallEndEvent(tool_call_id=call),
        ]

    def _on_tool_result(self, event: Event) -> list[BaseEvent]:
        told = event.data
        content = told.get("content", told.get("data", told.get("error")))
        text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False, default=dict)
        message = f"{event.conversation}:{event.seq}"
        return [ToolCallResultEvent(message_id=message, tool_call_id=str(told.get("call")), content=text, role="tool")]

    def _on_step_started(self, event: Event) -> list[BaseEvent]:
        step = str(event.data.get("step"))
        if step in self._steps:
            return []
        self._steps.append(step)
        return [StepStartedEvent(step_name=step)]

    def _on_step_done(self, event: Event) -> list[BaseEvent]:
        step = str(event.data.get("step"))
        if step not in self._steps:
            return []
        self._steps.remove(step)
        return [StepFinishedEvent(step_name=step)]

    def _on_pause_opened(self, event: Event) -> list[BaseEvent]:
        told = event.data
        calls = told.get("calls")
        call = calls[0].get("id") if isinstance(calls, list) and calls and isinstance(calls[0], Mapping) else None
        schema = told.get("schema")
        self._interrupts.append(
            Interrupt(
                id=str(told.get("pause")),
                reason=str(told.get("kind")),
                message=str(told.get("text", "")),
                tool_call_id=str(call) if call else None,
                response_schema=dict(schema) if isinstance(schema, Mapping) else None,
                expires_at=_text_or_none(told.get("expires_at")),
                metadata={"metier": dict(told)},
            )
        )
        return []

    def _on_usage(self, event: Event) -> list[BaseEvent]:
        model = str(event.data.get("model", ""))
        known = self._usage.get(model) or TokenUsage(model=model or None, input_tokens=0, output_tokens=0)
        self._usage[model] = TokenUsage(
            model=model or None,
            input_tokens=(known.input_tokens or 0) + _positive_int(event.data.get("input_tokens")),
            output_tokens=(known.output_tokens or 0) + _positive_int(event.data.get("output_tokens")),
        )
        return []

    def _on_turn_done(self, event: Event) -> list[BaseEvent]:
        return self._finish_run(RunFinishedSuccessOutcome(), event.data)

    def _on_turn_failed(self, event: Event) -> list[BaseEvent]:
        return self.fail(str(event.data.get("code", "failed")), str(event.data.get("message", "the turn failed")))

    def _on_error(self, event: Event) -> list[BaseEvent]:
        if event.data.get("code") in ("stopped", "interrupted"):
            return self._finish_run(RunFinishedCancelledOutcome())
        return self._on_other(event)

    def _on_other(self, event: Event) -> list[BaseEvent]:
        told: list[BaseEvent] = [CustomEvent(name=f"metier.{event.kind}", value=dict(event.data))]
        if event.kind in _STATE_KINDS:
            self._update_state(event)
            told.append(StateSnapshotEvent(snapshot=dict(self._state)))
        return told

    def _update_state(self, event: Event) -> None:
        if event.kind in ("tasks", "todos"):
            self._state[event.kind] = event.data.get(event.kind, [])
        elif event.kind == "plan.created":
            self._state["plan"] = event.data
        else:
            self._state["skill"] = event.data.get("skill") if event.kind == "skill.activated" else None

    def _finish_run(
        self,
        outcome: RunFinishedSuccessOutcome | RunFinishedInterruptOutcome | RunFinishedCancelledOutcome,
        result: JsonObject | None = None,
    ) -> list[BaseEvent]:
        closing = self._close_reasoning() + self._close_message()
        closing += [StepFinishedEvent(step_name=step) for step in self._steps]
        self._steps, self._ended = [], True
        finished = RunFinishedEvent(
            thread_id=self._thread,
            run_id=self._run,
            outcome=outcome,
            result=None if result is None else dict(result),
            usage=list(self._usage.values()) or None,
        )
        return [*closing, finished]


def _ignore(_: Event) -> list[BaseEvent]:
    return []


def _positive_int(value: JsonValue) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def _text_or_none(value: JsonValue) -> str | None:
    return None if value is None else str(value)
