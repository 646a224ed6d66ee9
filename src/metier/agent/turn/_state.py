"""State of one turn, shared by the middleware of its agent as LangGraph's runtime context."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from langchain_core.messages import ToolMessage

from metier.agent.adapters import held_message
from metier.agent.results import FileWatch
from metier.agent.turn._call_batch import CallBatch, HeldCall
from metier.agent.turn._journal import Journal, PlanSnapshot
from metier.agent.turn._plan_runner import PlanRunner
from metier.agent.turn._resources import OpenGate, Resources
from metier.context import BuiltPrompt, SkillMenu
from metier.json_values import JsonObject, JsonValue
from metier.plans import CallModel, rules_from_plan
from metier.skills import Catalog, Skill
from metier.store import EventDraft, Message, MessageDraft, Pause, VoiceMode
from metier.tools import (
    Gate,
    Language,
    Rules,
    TaskType,
    TaskTypeMatch,
    ToolCall,
    ToolContext,
    ToolSpec,
    Verdict,
    rules_from_skills,
)

_CLOSED_TODO_STATES: Final = frozenset({"completed", "done", "cancelled"})
_DISPLAY_KINDS: Final = frozenset({"table", "chart"})
MAX_RESULT_CHARS: Final = 24_000


@dataclass(frozen=True, slots=True)
class ModelNote:
    """Runtime instruction added to the next model call; `data` is read by the built-in model only."""

    purpose: str
    text: str
    data: JsonObject = field(default_factory=dict)


@dataclass(slots=True)
class TurnUsage:
    """Calls, refusals and tokens of one turn so far."""

    model_calls: int = 0
    tool_calls: int = 0
    refusals: int = 0
    input_tokens: int = 0
    output_tokens: int = 0

    def to_json(self) -> JsonObject:
        return {
            "model_calls": self.model_calls,
            "tool_calls": self.tool_calls,
            "refusals": self.refusals,
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
        }


def usage_from_json(value: JsonValue) -> TurnUsage:
    """Read what `to_json` wrote, so that a resumed turn continues its counts."""
    known = value if isinstance(value, Mapping) else {}
    numbers = {key: item for key, item in known.items() if isinstance(item, int)}
    return TurnUsage(**{key: item for key, item in numbers.items() if key in TurnUsage.__slots__})


@dataclass(slots=True)
class TurnState:
    """Mutable state of one turn: request, skill, plan and tool calls."""

    resources: Resources
    journal: Journal
    user: str
    message: str
    language: Language
    catalog: Catalog
    active_skill: Skill | None = None
    scenario: str | None = None
    is_new_turn: bool = False
    host: str | None = None
    document: str | None = None
    earlier_messages: tuple[Message, ...] = ()
    shortlist: tuple[tuple[Skill, float], ...] = ()
    plan_runner: PlanRunner | None = None
    todos: tuple[JsonObject, ...] = ()
    pending_pause: Pause | None = None
    granted_tools: frozenset[str] = frozenset()
    model_note: ModelNote | None = None
    call_batch: CallBatch | None = None
    closing_events: list[EventDraft] = field(default_factory=list)
    stays_paused: bool = False
    usage: TurnUsage = field(default_factory=TurnUsage)
    started_call_ids: set[str] = field(default_factory=set)
    shown_kinds: set[str] = field(default_factory=set)
    suggestions: tuple[JsonObject, ...] = ()
    started_at: datetime | None = None
    prompt_tokens: int = 0
    choice_prompt: BuiltPrompt | None = None
    choice_message_count: int = 0
    menu: SkillMenu | None = None
    user_data: Mapping[str, Any] | None = None
    plans_refused: int = 0
    plan_due: bool = False
    profile_form_skill: str = ""
    voice: VoiceMode | None = None
    files: FileWatch = field(default_factory=FileWatch)
    _task_type_match: TaskTypeMatch | None = None

    @property
    def conversation(self) -> str:
        return self.journal.lease.conversation

    @property
    def turn(self) -> str:
        return self.journal.lease.id

    @property
    def is_paused(self) -> bool:
        """Whether the turn waits for a person. `pause.opened` is emitted when the lease is released."""
        return bool(self.closing_events) or self.stays_paused

    @property
    def has_open_work(self) -> bool:
        """Whether the conversation has open plan steps, an open pause or open todos."""
        running = self.pending_pause is not None or (self.plan_runner is not None and not self.plan_runner.is_over)
        return running or any(str(todo.get("status")) not in _CLOSED_TODO_STATES for todo in self.todos)

    @property
    def open_gate(self) -> OpenGate:
        """Gate for the current skill, plan step and granted exceptions."""
        return self.resources.open_gate_for(
            self.catalog, self.active_skill, self.task_type, self._plan_rules(), self.granted_tools
        )

    @property
    def gate(self) -> Gate:
        return self.open_gate.gate

    def get_spec(self, tool: str) -> ToolSpec | None:
        return self.gate.get_spec(tool)

    @property
    def workspace(self) -> Path:
        """Folder for the files of this conversation."""
        return self.resources.workspace(self.conversation)

    def tool_context(self, progress: Callable[[float, str], None] | None = None) -> ToolContext:
        """Context passed to a tool of this turn; `progress` receives its progress reports."""
        return ToolContext(self.workspace, self.conversation, self.turn, self.document, progress)

    def plan_snapshot(self) -> PlanSnapshot | None:
        """Plan and todos in the form that the store keeps; None without either."""
        if self.plan_runner is None and not self.todos:
            return None
        plan = {} if self.plan_runner is None else self.plan_runner.to_json()
        unfinished = self.has_open_work
        state = "running" if unfinished or self.plan_runner is None else self.plan_runner.state
        return PlanSnapshot(
            {"skill": self.active_skill.id if self.active_skill else "", **plan, "todos": list(self.todos)}, state
        )

    def hold_for_approval(self, call: ToolCall, verdict: Verdict) -> ToolMessage:
        """Hold a call until a person approves it."""
        return self.hold_call(HeldCall(call, "approve", {"reason": verdict.reason, "layer": verdict.layer}))

    def hold_call(self, held: HeldCall) -> ToolMessage:
        """Hold a call. The returned message is a placeholder: the agent's run ends before the model reads it."""
        if self.call_batch is not None:
            self.call_batch.held.append(held)
        return held_message(held.call)

    async def emit(self, draft: EventDraft) -> None:
        await self.journal.emit(draft)

    def queue_display_events(self, *drafts: EventDraft) -> None:
        """Queue events for display (tables, charts, files); stored with the next write, usually the call's result."""
        self.shown_kinds |= {draft.kind for draft in drafts} & _DISPLAY_KINDS
        self.journal.queue(*drafts)

    def queue_reply(self, text: str) -> None:
        """Queue an assistant message; stored with the next write, usually the end of the turn."""
        self.journal.queue(EventDraft("text.done", {"text": text}), message=MessageDraft("assistant", text))

    async def switch_skill(self, skill: Skill | None, scenario: str | None, why: str) -> None:
        """Make this the conversation's skill, or leave the current one with None; emits the change."""
        left, same = (
            self.active_skill,
            self.active_skill is not None and skill is not None and skill.id == self.active_skill.id,
        )
        self.scenario = scenario
        if same:
            self.active_skill = skill
            return
        self.active_skill = skill
        self.user_data = None
        drafts = []
        if left is not None:
            drafts.append(EventDraft("skill.left", {"skill": left.id, "title": left.title, "why": why}))
        if skill is not None:
            told: dict[str, JsonValue] = {"skill": skill.id, "title": skill.title, "why": why, "scenario": scenario}
            drafts.append(EventDraft("skill.activated", {**told, "version": skill.version, "digest": skill.digest}))
        await self.resources.store.conversations.set_skill(self.conversation, skill.id if skill else None)
        await self.journal.emit(*drafts)

    @property
    def task_type(self) -> TaskType | None:
        """Task type of the message; None if the skill lists its tools, which makes that gate layer moot."""
        if self.active_skill is not None and rules_from_skills([self.active_skill])[0].allowed is not None:
            return None
        if self._task_type_match is None:
            self._task_type_match = self.resources.task_types.classify(self.message)
        return self._task_type_match.task_type

    def _plan_rules(self) -> Rules | None:
        if self.plan_runner is None or self.plan_runner.is_over:
            return None
        move = self.plan_runner.current_move
        if isinstance(move, CallModel) and move.purpose == "act":
            return Rules("plan", f"step {move.step.id if move.step else ''}", allowed=frozenset(move.tools))
        return rules_from_plan(self.plan_runner.run.plan)
