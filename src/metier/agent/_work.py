"""State of one turn, shared by the middleware of its agent as LangGraph's runtime context."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from langchain_core.messages import ToolMessage

from metier.agent._exchange import Exchange, Held
from metier.agent._files import Files
from metier.agent._journal import Journal, Saved
from metier.agent._kit import Kit, Opened
from metier.agent._plan_desk import PlanDesk
from metier.context import Built, SkillMenu
from metier.jsons import JsonObject, JsonValue
from metier.plans import Model, plan_rules
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
    skill_rules,
)

_SETTLED: Final = frozenset({"completed", "done", "cancelled"})
_EYE: Final = frozenset({"table", "chart"})
MOST_RESULT_CHARS: Final = 24_000


@dataclass(frozen=True, slots=True)
class Note:
    """Runtime instruction added to the next model call; `data` is read by the built-in model only."""

    purpose: str
    text: str
    data: JsonObject = field(default_factory=dict)


@dataclass(slots=True)
class Counts:
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


def counts_from(value: JsonValue) -> Counts:
    """Read what `to_json` wrote, so that a resumed turn continues its counts."""
    known = value if isinstance(value, Mapping) else {}
    numbers = {key: item for key, item in known.items() if isinstance(item, int)}
    return Counts(**{key: item for key, item in numbers.items() if key in Counts.__slots__})


@dataclass(slots=True)
class Work:
    """Mutable state of one turn: request, skill, plan and tool calls."""

    kit: Kit
    journal: Journal
    user: str
    message: str
    language: Language
    catalog: Catalog
    skill: Skill | None = None
    scenario: str | None = None
    fresh: bool = False
    host: str | None = None
    document: str | None = None
    before: tuple[Message, ...] = ()
    shortlist: tuple[tuple[Skill, float], ...] = ()
    plan: PlanDesk | None = None
    todos: tuple[JsonObject, ...] = ()
    aside: Pause | None = None
    granted: frozenset[str] = frozenset()
    note: Note | None = None
    exchange: Exchange | None = None
    closing: list[EventDraft] = field(default_factory=list)
    waits: bool = False
    counts: Counts = field(default_factory=Counts)
    begun: set[str] = field(default_factory=set)
    shown: set[str] = field(default_factory=set)
    suggested: tuple[JsonObject, ...] = ()
    began: datetime | None = None
    prompt_tokens: int = 0
    chosen: Built | None = None
    chosen_at: int = 0
    menu: SkillMenu | None = None
    material: Mapping[str, Any] | None = None
    plans_refused: int = 0
    plan_due: bool = False
    data_of: str = ""
    voice: VoiceMode | None = None
    files: Files = field(default_factory=Files)
    _classified: TaskTypeMatch | None = None

    @property
    def conversation(self) -> str:
        return self.journal.lease.conversation

    @property
    def turn(self) -> str:
        return self.journal.lease.id

    @property
    def paused(self) -> bool:
        """Whether the turn waits for a person. `pause.opened` is emitted when the lease is released."""
        return bool(self.closing) or self.waits

    @property
    def unfinished(self) -> bool:
        """Whether the conversation has open plan steps, an open pause or open todos."""
        running = self.aside is not None or (self.plan is not None and not self.plan.over)
        return running or any(str(todo.get("status")) not in _SETTLED for todo in self.todos)

    @property
    def opened(self) -> Opened:
        """Gate for the current skill, plan step and granted exceptions."""
        return self.kit.opened(self.catalog, self.skill, self.task_type, self._plan_rules(), self.granted)

    @property
    def gate(self) -> Gate:
        return self.opened.gate

    def spec(self, tool: str) -> ToolSpec | None:
        return self.gate.spec(tool)

    @property
    def workspace(self) -> Path:
        """Folder for the files of this conversation."""
        return self.kit.workspace(self.conversation)

    def context(self, progress: Callable[[float, str], None] | None = None) -> ToolContext:
        """Context passed to a tool of this turn; `progress` receives its progress reports."""
        return ToolContext(self.workspace, self.conversation, self.turn, self.document, progress)

    def saved(self) -> Saved | None:
        """Plan and todos in the form that the store keeps; None without either."""
        if self.plan is None and not self.todos:
            return None
        plan = {} if self.plan is None else self.plan.to_json()
        unfinished = self.unfinished
        state = "running" if unfinished or self.plan is None else self.plan.state
        return Saved({"skill": self.skill.id if self.skill else "", **plan, "todos": list(self.todos)}, state)

    def hold(self, call: ToolCall, verdict: Verdict) -> ToolMessage:
        """Hold a call until a person approves it."""
        return self.keep(Held(call, "approve", {"reason": verdict.reason, "layer": verdict.layer}))

    def keep(self, held: Held) -> ToolMessage:
        """Hold a call. The returned message is a placeholder: the agent's run ends before the model reads it."""
        if self.exchange is not None:
            self.exchange.held.append(held)
        return ToolMessage("…", tool_call_id=held.call.id, name=held.call.name, artifact={"metier": {"held": True}})

    async def emit(self, draft: EventDraft) -> None:
        await self.journal.emit(draft)

    def show(self, *drafts: EventDraft) -> None:
        """Queue events for display (tables, charts, files); stored with the next write, usually the call's result."""
        self.shown |= {draft.kind for draft in drafts} & _EYE
        self.journal.later(*drafts)

    def say(self, text: str) -> None:
        """Queue an assistant message; stored with the next write, usually the end of the turn."""
        self.journal.later(EventDraft("text.done", {"text": text}), message=MessageDraft("assistant", text))

    async def enter(self, skill: Skill | None, scenario: str | None, why: str) -> None:
        """Make this the conversation's skill, or leave the current one with None; emits the change."""
        left, same = self.skill, self.skill is not None and skill is not None and skill.id == self.skill.id
        self.scenario = scenario
        if same:
            self.skill = skill
            return
        self.skill = skill
        self.material = None
        drafts = []
        if left is not None:
            drafts.append(EventDraft("skill.left", {"skill": left.id, "title": left.title, "why": why}))
        if skill is not None:
            told: dict[str, JsonValue] = {"skill": skill.id, "title": skill.title, "why": why, "scenario": scenario}
            drafts.append(EventDraft("skill.activated", {**told, "version": skill.version, "digest": skill.digest}))
        await self.kit.store.conversations.set_skill(self.conversation, skill.id if skill else None)
        await self.journal.emit(*drafts)

    @property
    def task_type(self) -> TaskType | None:
        """Task type of the message; None if the skill lists its tools, which makes that gate layer moot."""
        if self.skill is not None and skill_rules([self.skill])[0].allowed is not None:
            return None
        if self._classified is None:
            self._classified = self.kit.task_types.classify(self.message)
        return self._classified.task_type

    def _plan_rules(self) -> Rules | None:
        if self.plan is None or self.plan.over:
            return None
        move = self.plan.move
        if isinstance(move, Model) and move.purpose == "act":
            return Rules("plan", f"step {move.step.id if move.step else ''}", allowed=frozenset(move.tools))
        return plan_rules(self.plan.run.plan)
