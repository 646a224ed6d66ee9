"""Plan model: steps in order, the tools each may use, and milestones to check."""

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal

from metier.facts import FactSpec
from metier.json_values import JsonObject, JsonValue

PlanSource = Literal["sop", "model", "rule", "none"]
ConstraintSource = Literal["skill", "plan", "task_type", "none"]
FailAction = Literal["stop", "retry", "replan", "continue"]
LastAction = Literal["stop", "replan", "continue"]
CheckKind = Literal[
    "contains",
    "regex",
    "json_schema",
    "expr",
    "file_exists",
    "url_contains",
    "tool_output",
    "file_valid",
    "sources",
    "exit_code",
]

PLAN_VERSION: Final = 1
DATA_ROOTS: Final = (
    *("computed", "document", "facts", "inputs", "language", "message"),
    *("model", "previous", "profile", "skill_data"),
)
_ANY_TEXT: Final[JsonObject] = MappingProxyType({"type": "string", "minLength": 1})


def _empty_object() -> JsonObject:
    return {}


@dataclass(frozen=True, slots=True)
class OnFail:
    """Reaction to a failure: `retry` up to `times` times, then do `then`; the other actions apply at once."""

    action: FailAction = "stop"
    times: int = 0
    then: LastAction = "stop"

    def next_action(self, failures: int) -> FailAction:
        """The action after this many failures."""
        if self.action != "retry":
            return self.action
        return "retry" if failures <= self.times else self.then

    def to_json(self) -> JsonValue:
        if self.action != "retry":
            return self.action
        return {"retry": self.times, "then": self.then}


DEFAULT_ON_FAIL: Final = OnFail()


@dataclass(frozen=True, slots=True)
class Choice:
    """One possible answer: the text shown to the user and the value stored."""

    text: str
    value: JsonValue

    def to_json(self) -> JsonObject:
        return {"text": self.text, "value": self.value}


@dataclass(frozen=True, slots=True)
class Step:
    """One step: a tool call, a question to the user, or (with neither) work for the model.

    `arguments` (written `with`) and `show` may contain `$.path` anywhere; `ask` is sent verbatim. The result is saved
    under `save`, or under the step's id, and `facts` of the conversation are settled from it. `say` names a text of the
    result that the user reads before its tables. `needs` lists steps that must be done first. `tools` restricts what
    the model may use in its own step.
    """

    id: str
    title: str = ""
    call: str | None = None
    arguments: JsonObject = field(default_factory=_empty_object)
    say: str | None = None
    ask: str | None = None
    choices: tuple[Choice, ...] = ()
    answer: JsonObject | None = None
    show: JsonValue = None
    when: str | None = None
    save: str | None = None
    facts: tuple[FactSpec, ...] = ()
    expects: JsonObject | None = None
    needs: tuple[str, ...] = ()
    tools: tuple[str, ...] | None = None
    on_fail: OnFail = DEFAULT_ON_FAIL

    @property
    def saved_as(self) -> str:
        """Name of the step's result in the run's data."""
        return self.save or self.id

    @property
    def answer_schema(self) -> JsonObject:
        """JSON Schema of a valid answer: as written, one of the choices, or any non-empty text."""
        if self.answer is not None:
            return self.answer
        if self.choices:
            return {"enum": [choice.value for choice in self.choices]}
        return dict(_ANY_TEXT)

    def to_json(self) -> JsonObject:
        written: dict[str, JsonValue] = {
            "title": self.title,
            "call": self.call,
            "with": self.arguments,
            "say": self.say,
            "ask": self.ask,
            "choices": [choice.to_json() for choice in self.choices],
            "answer": self.answer,
            "show": self.show,
            "when": self.when,
            "save": self.save,
            "facts": {one.name: one.to_json() for one in self.facts},
            "expects": self.expects,
            "needs": list(self.needs),
            "tools": None if self.tools is None else list(self.tools),
            "on_fail": None if self.on_fail == DEFAULT_ON_FAIL else self.on_fail.to_json(),
        }
        kept_empty = ("tools", "answer", "expects", "show")
        held = {
            key: value
            for key, value in written.items()
            if value is not None and (value not in ("", [], {}) or key in kept_empty)
        }
        return {"id": self.id, **held}


@dataclass(frozen=True, slots=True)
class CheckSpec:
    """A kind of check and its options, validated when the plan is loaded."""

    kind: CheckKind
    options: JsonObject = field(default_factory=_empty_object)

    def to_json(self) -> JsonObject:
        return {"kind": self.kind, **self.options}


@dataclass(frozen=True, slots=True)
class Milestone:
    """A condition to check once step `after` is done."""

    name: str
    after: str
    check: CheckSpec
    on_fail: OnFail = DEFAULT_ON_FAIL

    def to_json(self) -> JsonObject:
        return {
            "name": self.name,
            "after": self.after,
            "check": self.check.to_json(),
            "on_fail": self.on_fail.to_json(),
        }


@dataclass(frozen=True, slots=True)
class Constraints:
    """Tools a plan may use: `allowed` None means no list, an empty list means none at all."""

    allowed: tuple[str, ...] | None = None
    forbidden: tuple[str, ...] = ()
    source: ConstraintSource = "none"

    def permits(self, tool: str) -> bool:
        return tool not in self.forbidden and (self.allowed is None or tool in self.allowed)

    def to_json(self) -> JsonObject:
        return {
            "allowed": None if self.allowed is None else list(self.allowed),
            "forbidden": list(self.forbidden),
            "source": self.source,
        }


UNCONSTRAINED: Final = Constraints()


@dataclass(frozen=True, slots=True)
class Plan:
    """A goal, its steps in execution order, and its milestones.

    `given` names results of an earlier plan that the steps may read.
    """

    goal: str
    source: PlanSource = "none"
    task_type: str = ""
    steps: tuple[Step, ...] = ()
    constraints: Constraints = UNCONSTRAINED
    milestones: tuple[Milestone, ...] = ()
    given: tuple[str, ...] = ()

    def find_step(self, step_id: str) -> Step | None:
        """The step with this id, or None."""
        return next((step for step in self.steps if step.id == step_id), None)

    def to_json(self) -> JsonObject:
        """The plan as JSON for storage and display; `plan_from_json` reads it back."""
        return {
            "version": PLAN_VERSION,
            "goal": self.goal,
            "source": self.source,
            "task_type": self.task_type,
            "steps": [step.to_json() for step in self.steps],
            "constraints": self.constraints.to_json(),
            "milestones": [milestone.to_json() for milestone in self.milestones],
            "given": list(self.given),
        }
