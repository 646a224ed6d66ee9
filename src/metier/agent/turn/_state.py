"""State of one turn, shared by the middleware of its agent as LangGraph's runtime context."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final

from langchain_core.messages import ToolMessage

from metier.agent.adapters import Price, guard_text, held_message
from metier.agent.models import ModelChoice, ModelWishes
from metier.agent.turn._call_batch import HeldCall
from metier.agent.turn._journal import Journal, PlanSnapshot
from metier.agent.turn._resources import OpenGate, Resources
from metier.agent.turn._state_parts import TurnCalls, TurnPlan, TurnSkill
from metier.agent.turn._turn_input import TurnInput
from metier.context import is_computed
from metier.errors import UsageError
from metier.json_values import JsonObject, JsonValue
from metier.model_settings import SkillChooser, StageName
from metier.plans import CallModel, rules_from_plan
from metier.skills import Skill
from metier.store import ChosenBy, EventDraft, MessageDraft
from metier.tasks import TaskAnalysis, TaskList
from metier.tools import (
    Gate,
    Rules,
    TaskType,
    ToolContext,
    ToolSpec,
    rules_before_compute,
    rules_from_skills,
)

_REPORT_BY: Final = "report_by"
_CLOSED_TODO_STATES: Final = frozenset({"completed", "done", "cancelled"})
_DISPLAY_KINDS: Final = frozenset({"table", "chart", "map"})
MAX_RESULT_CHARS: Final = 24_000
MODEL_KEY: Final = "model"
SET_ASIDE: Final = "set_aside"  # in a stored plan that waits until the user asks for it
SETTLED: Final = "settled"  # marks of such plans that were taken up again or dropped
PERSONS: Final[frozenset[ChosenBy | None]] = frozenset({"user", "caller"})
_CHOSEN_BY: Final[Mapping[ChosenBy, str]] = MappingProxyType(
    {
        "user": "the user named it",
        "caller": "the caller named it",
        "router": "the router is sure",
        "model": "the model chose it",
    }
)
_LEFT_BY: Final[Mapping[ChosenBy, str]] = MappingProxyType(
    {
        "user": "the user left it",
        "caller": "the caller named another",
        "router": "the message is for another skill",
        "model": "the model left it",
    }
)


@dataclass(slots=True)
class TurnState:
    """State of one turn: what was asked (fixed), and its skill, plan and calls (changed by the turn's middleware)."""

    resources: Resources
    journal: Journal
    request: TurnInput
    skill: TurnSkill = field(default_factory=TurnSkill)
    plan: TurnPlan = field(default_factory=TurnPlan)
    calls: TurnCalls = field(default_factory=TurnCalls)
    tasks: TaskList = field(default_factory=TaskList)
    analysis: TaskAnalysis | None = None

    @property
    def conversation(self) -> str:
        return self.journal.lease.conversation

    @property
    def turn(self) -> str:
        return self.journal.lease.id

    @property
    def is_paused(self) -> bool:
        """Whether the turn waits for a person. `pause.opened` is emitted when the lease is released."""
        return bool(self.calls.closing_events) or self.calls.stays_paused

    @property
    def holds_text(self) -> bool:
        """Whether the model's text must not be shown while it is written: checked first, or not said by this model."""
        by_template = self.calls.stage == "act" and self.reports_by_template
        return self.calls.stage == "report" or by_template or self.calls.only_chooses

    @property
    def reports_by_template(self) -> bool:
        """Whether the skill's report is its template also with a language model: every sentence in it was checked."""
        skill, runner = self.skill.active, self.plan.runner
        is_own = skill is not None and runner is not None and runner.skill == skill.id
        return is_own and skill is not None and skill.metadata.get(_REPORT_BY) == "template"

    @property
    def has_open_work(self) -> bool:
        """Whether the conversation has open plan steps, an open pause or open todos."""
        running = self.calls.pending_pause is not None or (
            self.plan.runner is not None and not self.plan.runner.is_over
        )
        return running or any(str(todo.get("status")) not in _CLOSED_TODO_STATES for todo in self.plan.todos)

    def choose_model(self, stage: StageName | None) -> ModelChoice:
        """Choose the model for a stage of this turn: the request's, the conversation's, the skill's, the stage's."""
        wanted = self.skill.active.metadata.get(MODEL_KEY) if self.skill.active is not None else None
        skill = wanted if isinstance(wanted, str) and wanted else None
        return self.resources.models.choose(
            stage, ModelWishes(self.request.model, self.request.conversation_model, skill)
        )

    @property
    def skill_chooser(self) -> SkillChooser:
        """Who chooses the skill of this message; without a language model it is the router."""
        if self.uses_builtin_model("choose"):
            return "router"
        return self.request.skill_choice or self.resources.settings.skill_choice

    @property
    def is_builtin_call(self) -> bool:
        """Whether the model call that is being made goes to the built-in model."""
        choice = self.calls.model_choice
        return choice is not None and self.resources.models.is_builtin(choice)

    def find_price(self, choice: ModelChoice | None, answered: str, *, stood_in: bool) -> Price:
        """Price of the model that answered a call of `choice`: the chosen one, or the fallback that stood in for it."""
        return Price() if choice is None else self.resources.models[choice.name].find_price(answered, stood_in=stood_in)

    def describe_model_choice(self) -> JsonObject:
        """Which stage the model call belongs to, and who chose its model."""
        choice = self.calls.model_choice
        if choice is None:
            return {}
        unknown: JsonObject = {"unknown": choice.unknown} if choice.unknown else {}
        return {"stage": self.calls.stage, "name": choice.name, "chosen_by": choice.chosen_by, **unknown}

    def uses_builtin_model(self, stage: StageName) -> bool:
        """Whether this stage works without a language model."""
        return self.resources.models.is_builtin(self.choose_model(stage))

    @property
    def open_gate(self) -> OpenGate:
        """Gate for the current skill, plan step and granted exceptions."""
        opened = self.resources.open_gate_for(
            self.request.catalog,
            self.skill.active,
            self.task_type,
            self._plan_rules(),
            self.calls.granted_tools,
            together=self.skill.together if self.skill.active is not None else (),
            first=self._rules_before_compute(),
        )
        return opened if self.request.document is None else opened.with_document()

    @property
    def gate(self) -> Gate:
        return self.open_gate.gate

    def get_spec(self, tool: str) -> ToolSpec | None:
        return self.gate.get_spec(tool)

    @property
    def workspace(self) -> Path:
        """Folder for the files of this conversation."""
        return self.resources.workspace(self.conversation)

    @property
    def elapsed_s(self) -> float:
        """Seconds since the turn started or was resumed."""
        started = self.request.started_at_s
        return 0.0 if started is None else self.resources.timer() - started

    def tool_context(self, progress: Callable[[float, str], None] | None = None) -> ToolContext:
        """Context passed to a tool of this turn; `progress` receives its progress reports."""
        asked = self.request
        return ToolContext(self.workspace, self.conversation, self.turn, asked.document, progress, asked.user)

    def plan_snapshot(self) -> PlanSnapshot | None:
        """Plan and todos in the form that the store keeps; None without either."""
        if self.plan.runner is None and not self.plan.todos:
            return None
        plan = {} if self.plan.runner is None else self.plan.runner.to_json()
        if self.plan.settled:
            plan = {**plan, SETTLED: list(self.plan.settled)}
        unfinished = self.has_open_work
        state = "running" if unfinished or self.plan.runner is None else self.plan.runner.state
        return PlanSnapshot(
            {"skill": self.skill.active.id if self.skill.active else "", **plan, "todos": list(self.plan.todos)}, state
        )

    def hold_call(self, held: HeldCall) -> ToolMessage:
        """Hold a call. The returned message is a placeholder: the agent's run ends before the model reads it."""
        if self.calls.batch is not None and not self.is_held(held.call.id):
            self.calls.batch.held.append(held)
        return held_message(held.call)

    def is_held(self, call_id: str) -> bool:
        """Whether a call of the open batch waits for a person."""
        batch = self.calls.batch
        return batch is not None and any(one.call.id == call_id for one in batch.held)

    async def emit(self, draft: EventDraft) -> None:
        await self.journal.emit(draft)

    def queue_display_events(self, *drafts: EventDraft) -> None:
        """Queue events for display (tables, charts, files); stored with the next write, usually the call's result."""
        self.calls.shown_kinds |= {draft.kind for draft in drafts if not _is_words_only(draft)} & _DISPLAY_KINDS
        self.journal.queue(*drafts)

    def text_drafts(self, text: str) -> list[EventDraft]:
        """Events of a text that is complete, with how the reply ended if it did not come to its end."""
        end, self.calls.reply_end = self.calls.reply_end, "complete"
        told: dict[str, JsonValue] = {} if end == "complete" else {"end": end}
        told |= {"reminder": left} if (left := self.calls.reminder) and text.endswith(left) else {}
        return self.journal.text_drafts(text, **told)

    def guard_text(self, text: str) -> str:
        """The model's text as far as the guards of packs let it pass; what rules and tools wrote stands as it is."""
        skill, profile = self.skill.active.id if self.skill.active else "", (self.skill.user_data or {}).get("profile")
        guards, own = () if self.resources.models.is_all_builtin else self.resources.guards, self.calls.own_sentences
        return guard_text(guards, text, self.request.language, skill, profile or {}, own=own)

    def queue_reply(self, text: str) -> None:
        """Queue an assistant message; stored with the next write, usually the end of the turn."""
        self.calls.last_reply = text
        self.journal.queue(*self.text_drafts(text), message=MessageDraft("assistant", text))

    async def switch_skill(self, skill: Skill | None, scenario: str | None, by: ChosenBy, why: str = "") -> None:
        """Make this the conversation's skill, or leave it with None; emits the change, with `why` or who chose it."""
        left, self.skill.active, self.skill.scenario = self.skill.active, skill, scenario
        if left is not None and skill is not None and left.id == skill.id:
            if by in PERSONS and self.skill.chosen_by not in PERSONS:
                await self._store_skill(skill, by)
            return
        self.skill.user_data = None
        drafts = []
        if left is not None:
            title = left.title_in(self.request.language)
            told: JsonObject = {"skill": left.id, "title": title, "why": _LEFT_BY[by], "by": by}
            drafts.append(EventDraft("skill.left", told))
            self.calls.usage.skills_left += by == "model"
        if skill is not None:
            title = skill.title_in(self.request.language)
            told = {"skill": skill.id, "title": title, "why": why or _CHOSEN_BY[by], "by": by, "scenario": scenario}
            beside: JsonObject = {"together": [one.id for one in self.skill.together]} if self.skill.together else {}
            told = {**told, **beside, "version": skill.version, "digest": skill.digest}
            drafts.append(EventDraft("skill.activated", told))
        await self._store_skill(skill, by)
        await self.journal.emit(*drafts)

    async def _store_skill(self, skill: Skill | None, by: ChosenBy) -> None:
        self.skill.chosen_by = chosen = None if skill is None else by
        await self.resources.store.conversations.set_skill(self.conversation, skill.id if skill else None, by=chosen)

    def analyze_task(self) -> TaskAnalysis:
        """What kind of task the message is."""
        self.analysis = self.analysis or self.resources.analyzer.analyze(self.request.message)
        return self.analysis

    @property
    def task_type(self) -> TaskType | None:
        """Task type of the message; None if the skill lists its tools, which makes that gate layer moot."""
        if self.skill.active is not None and rules_from_skills([self.skill.active])[0].allowed is not None:
            return None
        return self.analyze_task().task_type

    @property
    def is_computed(self) -> bool:
        """Whether what the skill computes is there, from the user data as it is now, or was computed in this turn."""
        skill, kept = self.skill.active, self.skill.user_data
        is_kept = skill is not None and kept is not None and is_computed(skill, kept["profile"], kept["skill_data"])
        return self.skill.has_computed or is_kept

    def _rules_before_compute(self) -> Rules | None:
        skill = self.skill.active
        return None if skill is None or not skill.needs.compute or self.is_computed else rules_before_compute(skill)

    def _plan_rules(self) -> Rules | None:
        if self.plan.runner is None or self.plan.runner.is_over:
            return None
        move = self.plan.runner.current_move
        if isinstance(move, CallModel) and move.purpose == "act":
            return Rules("plan", f"step {move.step.id if move.step else ''}", allowed=frozenset(move.tools))
        return rules_from_plan(self.plan.runner.run.plan)


def get_turn_state(runtime: object) -> TurnState:
    """Return the state of the turn that this agent runs for; `UsageError` outside Metier's own runtime."""
    state = getattr(runtime, "context", None)
    if not isinstance(state, TurnState):
        raise UsageError("this middleware belongs to Metier's own runtime", hint="use metier.langchain in other agents")
    return state


def _is_words_only(draft: EventDraft) -> bool:
    """Whether it is a table without a number, of which no chart can be drawn."""
    rows = draft.data.get("rows")
    if draft.kind != "table" or not isinstance(rows, list):
        return False
    values = [value for row in rows for value in (row.values() if isinstance(row, dict) else row or ())]
    return not any(isinstance(value, int | float) and not isinstance(value, bool) for value in values)
