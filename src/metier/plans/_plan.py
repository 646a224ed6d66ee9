"""What a plan is: steps in order, what each may use, what must be true on the way."""

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal

from metier.jsons import JsonObject, JsonValue

PlanSource = Literal["sop", "model", "none"]
ConstraintSource = Literal["skill", "plan", "task_type", "none"]
FailAction = Literal["stop", "retry", "replan", "continue"]
LastAction = Literal["stop", "replan", "continue"]
CheckKind = Literal["contains", "regex", "json_schema", "expr", "file_exists", "url_contains", "tool_output"]

PLAN_VERSION: Final = 1
DATA_ROOTS: Final = ("inputs", "message", "profile")
_ANY_TEXT: Final[JsonObject] = MappingProxyType({"type": "string", "minLength": 1})


def _nothing() -> JsonObject:
    return {}


@dataclass(frozen=True, slots=True)
class OnFail:
    """What follows a failure: `retry` at most `times` times and `then` the last resort; the others at once."""

    action: FailAction = "stop"
    times: int = 0
    then: LastAction = "stop"

    def next(self, failures: int) -> FailAction:
        """What to do after this many failures."""
        if self.action != "retry":
            return self.action
        return "retry" if failures <= self.times else self.then

    def to_json(self) -> JsonValue:
        if self.action != "retry":
            return self.action
        return {"retry": self.times, "then": self.then}


STOP: Final = OnFail()


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer to choose: the words shown, and the value kept."""

    text: str
    value: JsonValue

    def to_json(self) -> JsonObject:
        return {"text": self.text, "value": self.value}


@dataclass(frozen=True, slots=True)
class Step:
    """One step: a call, a question, or work for the model (neither).

    `arguments` (written `with`) and `show` hold `$.path` anywhere inside; `ask` is said word for word, whatever it
    contains. The result is kept under `save`, or under the step's id. `needs` are steps that must have been done.
    `tools` narrows what the model may use in a step of its own.
    """

    id: str
    title: str = ""
    call: str | None = None
    arguments: JsonObject = field(default_factory=_nothing)
    ask: str | None = None
    choices: tuple[Choice, ...] = ()
    answer: JsonObject | None = None
    show: JsonValue = None
    when: str | None = None
    save: str | None = None
    expects: JsonObject | None = None
    needs: tuple[str, ...] = ()
    tools: tuple[str, ...] | None = None
    on_fail: OnFail = STOP

    @property
    def saved_as(self) -> str:
        """The name of the result in the run's data."""
        return self.save or self.id

    @property
    def answer_schema(self) -> JsonObject:
        """What an answer must look like: as written, one of the choices, or any text."""
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
            "ask": self.ask,
            "choices": [choice.to_json() for choice in self.choices],
            "answer": self.answer,
            "show": self.show,
            "when": self.when,
            "save": self.save,
            "expects": self.expects,
            "needs": list(self.needs),
            "tools": None if self.tools is None else list(self.tools),
            "on_fail": None if self.on_fail == STOP else self.on_fail.to_json(),
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
    """A kind of check and what it needs to know; the keys are those of the kind, checked at load."""

    kind: CheckKind
    options: JsonObject = field(default_factory=_nothing)

    def to_json(self) -> JsonObject:
        return {"kind": self.kind, **self.options}


@dataclass(frozen=True, slots=True)
class Milestone:
    """Something that must be true once step `after` is done."""

    name: str
    after: str
    check: CheckSpec
    on_fail: OnFail = STOP

    def to_json(self) -> JsonObject:
        return {
            "name": self.name,
            "after": self.after,
            "check": self.check.to_json(),
            "on_fail": self.on_fail.to_json(),
        }


@dataclass(frozen=True, slots=True)
class Constraints:
    """Which tools a plan may use: `allowed` None means no list, an empty list means none at all."""

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


FREE: Final = Constraints()


@dataclass(frozen=True, slots=True)
class Plan:
    """A goal, the steps to it in the order they run, and what is checked on the way.

    `given` names results of an earlier plan that the steps may read.
    """

    goal: str
    source: PlanSource = "none"
    task_type: str = ""
    steps: tuple[Step, ...] = ()
    constraints: Constraints = FREE
    milestones: tuple[Milestone, ...] = ()
    given: tuple[str, ...] = ()

    def step(self, step_id: str) -> Step | None:
        """The step of this id, if there is one."""
        return next((step for step in self.steps if step.id == step_id), None)

    def to_json(self) -> JsonObject:
        """The plan as it is stored, shown and read back by `plan_from_json`."""
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
