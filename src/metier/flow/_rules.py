"""Rules of a pack for planning and reflection: they work without a language model and check one that is set."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol, TypeAlias, runtime_checkable

from metier.flow.dag import DagTracker, Value
from metier.json_values import JsonObject
from metier.language import Language

Decision: TypeAlias = Literal["patch", "replan", "halt"]


@dataclass(frozen=True, slots=True)
class Goal:
    """One goal of the plan: a sentence in the user's language, and what the rules need to pursue it."""

    text: str
    data: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FlowRequest:
    """What a run starts from: the instruction, the files of the conversation and its facts by name.

    `skill_instructions` is the text of the skill, which a model is told where it plans, judges and reports.
    """

    user_instruction: str
    language: Language
    files: tuple[Path, ...] = ()
    facts: JsonObject = field(default_factory=dict)
    skill_instructions: str = ""


@dataclass(frozen=True, slots=True)
class FlowForm:
    """Asks the user for what is missing; each property of the JSON Schema becomes a fact of the same name."""

    title: str
    schema: JsonObject


@dataclass(frozen=True, slots=True)
class Reflection:
    """Judgement of a round. What is not sufficient is decided: patch, replan or halt.

    `keep` names the nodes of the best parts with the reason for each, across all DAGs. `facts` are what was learnt
    about the data (a corrected speed); the next round starts from them. `findings` are sentences for the report.
    With `ask` the next round waits for what only the user knows; the answers become `answers` of the state, and a user
    who puts the form away gets the report of what is there.
    """

    is_sufficient: bool
    reason: str
    decision: Decision = "halt"
    keep: Mapping[str, str] = field(default_factory=dict)
    facts: JsonObject = field(default_factory=dict)
    findings: tuple[str, ...] = ()
    ask: FlowForm | None = None


@dataclass(frozen=True, slots=True)
class FlowState:
    """State of a run as rules see it. `dags` hold all DAGs of all rounds by name, `dag_state` their exports.

    `answers` is what the user said during the run; `form` is the question that the run waits for now.
    """

    user_instruction: str
    language: Language = "en"
    facts: JsonObject = field(default_factory=dict)
    reflection_history: tuple[str, ...] = ()
    high_level_plan: tuple[Goal, ...] = ()
    dag_state: JsonObject = field(default_factory=dict)
    needs_revision: bool = False
    final_report: str = ""
    round: int = 1
    reflections: tuple[Reflection, ...] = ()
    dags: Mapping[str, DagTracker] = field(default_factory=dict)
    answers: JsonObject = field(default_factory=dict)
    form: FlowForm | None = None


class RoundRules(Protocol):
    """Rule form of planner, executor and reflector.

    `plan` gives the goals of a round (one DAG each, in parallel). `act` gives the next execution for a goal as
    `{"op_name", "params", "inputs"}`, or `{"op_name": "stop"}`; it looks at the DAG so far and at nothing else, so that
    a run can go on after a crash. `reflect` judges the round.
    """

    def plan(self, state: FlowState) -> Sequence[Goal]: ...

    def act(self, goal: Goal, dag: DagTracker) -> JsonObject: ...

    def reflect(self, state: FlowState, dags: Mapping[str, DagTracker]) -> Reflection: ...


class FlowRules(RoundRules, Protocol):
    """Rule form of all roles, made by the factory that `flow` in `pack.toml` names.

    `roots` reads the data, or returns a form for what is missing. `report` writes Markdown: conclusion first, evidence
    by node id.
    """

    def roots(self, request: FlowRequest) -> Mapping[str, Value] | FlowForm: ...

    def report(self, state: FlowState) -> str: ...


@runtime_checkable
class DrawingRules(Protocol):
    """Rules that also draw: pictures for the report as PNG, by title."""

    def draw(self, state: FlowState) -> Mapping[str, bytes]: ...
