"""Parts of the state of a turn: its skill, its plan, and its calls."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import ToolMessage

from metier.agent.adapters import CallRepeats, TurnUsage
from metier.agent.models import ModelChoice, ReplyEnd
from metier.agent.results import FileWatch
from metier.agent.turn._call_batch import CallAnswer, CallBatch, ShownPreview
from metier.agent.turn._plan_runner import PlanRunner
from metier.agent.turn._turn_input import ModelNote
from metier.context import BuiltPrompt, SkillMenu
from metier.json_values import JsonObject, JsonValue
from metier.model_settings import StageName
from metier.skills import Skill
from metier.store import ChosenBy, EventDraft, Pause
from metier.tools import ToolResult


@dataclass(slots=True)
class TurnSkill:
    """Skill in use, the user data loaded for it, and the menu from which the model may choose another."""

    active: Skill | None = None
    chosen_by: ChosenBy | None = None
    scenario: str | None = None
    user_data: Mapping[str, Any] | None = None
    has_computed: bool = False  # the compute tool of the skill has run in this turn
    form_asked_for: str = ""  # skill whose form for user data was opened or answered
    form_retry: ToolResult | None = None  # what was wrong with the answer of the form, to be asked again
    shortlist: tuple[tuple[Skill, float], ...] = ()
    suggested: tuple[Skill, ...] = ()  # skills that the router suggests and of which the model may take none
    can_search: bool = False  # the model chooses, and not all skills are on the menu
    menu: SkillMenu | None = None
    choice_prompt: BuiltPrompt | None = None
    choice_message_count: int = 0
    together: tuple[Skill, ...] = ()  # skills in use beside the active one, in this turn only
    narrowed: dict[tuple[str, str], dict[str, Any] | None] = field(default_factory=dict)  # by skill and tool


@dataclass(slots=True)
class TurnPlan:
    """Plan and todo list."""

    runner: PlanRunner | None = None
    is_due: bool = False  # the plan starts once the user has answered the skill's form
    refused_count: int = 0
    todos: tuple[JsonObject, ...] = ()
    settled: tuple[str, ...] = ()
    waiting_tools: frozenset[str] = frozenset()  # of steps that come after the open question
    has_versions: bool = True  # the conversation had a plan when the turn began


@dataclass(frozen=True, slots=True)
class InterruptAnswer:
    """Answer to LangGraph interrupts of the caller's middleware: the stored run, and the values to resume it with."""

    checkpoint: JsonObject
    values: Mapping[str, Any]


@dataclass(slots=True)
class TurnCalls:
    """Model and tool calls: the open batch, what was granted, what was counted and what the user was shown.

    `answers` are a person's answers about calls of the batch, `previews` what they were shown, `offers` suggestions
    that follow from a call, such as undoing it. `reviewed` are the digests of calls that a person let pass when
    middleware of the caller asked; `edited_ids` are those they edited that the agent's run holds unedited.
    `is_resumed`: the batch comes from the store, and its ready calls run before the model is called. `final_text` is
    the reply that ended the agent's run, `last_reply` the text that was queued last,
    `reminder` what it may say of `pending_pause`. `model_error` is the error of the
    last model call that failed, `stage` why the model was called last. `repairs` are changes made to the model's calls,
    by call; `returned_tools` are tools whose unknown arguments were returned to the model once. `own_sentences` were
    written by tools. `provider_replies` are what models must get back with the results of their calls, by call.
    `raised` are errors of tools on their way through middleware of the caller, by call, with the result of the call.
    `looked_up` is set if the run only makes the calls of its batch: their results, by call; no model is asked.
    `pending_pause` is an open question of an earlier turn; `stays_paused` keeps this turn paused without a new one.
    """

    batch: CallBatch | None = None
    answers: dict[str, CallAnswer] = field(default_factory=dict)
    previews: dict[str, ShownPreview] = field(default_factory=dict)
    reviewed: dict[str, list[str]] = field(default_factory=dict)
    edited_ids: set[str] = field(default_factory=set)
    is_resumed: bool = False
    interrupt: InterruptAnswer | None = None
    granted_tools: frozenset[str] = frozenset()
    lasting_approvals: dict[str, bool] = field(default_factory=dict)
    started_ids: set[str] = field(default_factory=set)
    repairs: dict[str, tuple[JsonObject, ...]] = field(default_factory=dict)
    repeats: CallRepeats = field(default_factory=CallRepeats)
    returned_tools: set[str] = field(default_factory=set)
    provider_replies: dict[str, JsonObject] = field(default_factory=dict)
    usage: TurnUsage = field(default_factory=TurnUsage)
    model_note: ModelNote | None = None
    model_choice: ModelChoice | None = None
    only_chooses: bool = False  # this model takes a skill or none; another one talks to the user
    stage: StageName | None = None
    model_error: Exception | None = None
    is_model_running: bool = False
    prompt_tokens: int = 0
    closing_events: list[EventDraft] = field(default_factory=list)
    pending_pause: Pause | None = None
    stays_paused: bool = False
    shown_kinds: set[str] = field(default_factory=set)
    own_sentences: set[str] = field(default_factory=set)
    final_text: str | None = None
    last_reply: str = ""
    reminder: str = ""
    reply_end: ReplyEnd = "complete"
    suggestions: tuple[JsonObject, ...] = ()
    offers: list[JsonObject] = field(default_factory=list)
    files: FileWatch = field(default_factory=FileWatch)
    raised: dict[str, tuple[Exception, ToolMessage]] = field(default_factory=dict)
    looked_up: dict[str, JsonValue] | None = None
