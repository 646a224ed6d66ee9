"""Problems found in a plan: location, code, message and hint."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from metier.json_values import JsonObject
from metier.names import suggest

ProblemCode = Literal[
    "answer_invalid",
    "check_unknown",
    "expression_invalid",
    "name_invalid",
    "name_taken",
    "pattern_unsafe",
    "path_unsafe",
    "plan_cycle",
    "plan_empty",
    "plan_too_long",
    "schema_invalid",
    "step_incomplete",
    "step_two_actions",
    "tool_not_allowed",
    "tool_unknown",
    "unknown_key",
    "unknown_name",
    "unknown_step",
    "value_invalid",
    "value_missing",
    "wrong_order",
]


@dataclass(frozen=True, slots=True)
class PlanProblem:
    """One problem: `path` is a JSON Pointer into the plan, `step` the id of the step that contains it, if any."""

    path: str
    code: ProblemCode
    message: str
    hint: str = ""
    step: str = ""

    def to_json(self) -> JsonObject:
        """The problem as shown by the CLI and the API, and to a model that must correct its plan."""
        return {
            "path": self.path,
            "code": self.code,
            "message": self.message,
            "hint": self.hint,
            "step": self.step,
        }


@dataclass(slots=True)
class ProblemCollector:
    """Collects problems; `path` and `step` are the current location."""

    problems: list[PlanProblem] = field(default_factory=list)
    path: str = ""
    step: str = ""

    def enter(self, *parts: str | int, step: str | None = None) -> "ProblemCollector":
        """A collector for a nested location that shares the same list."""
        path = self.path + "".join(f"/{_escape_pointer(str(part))}" for part in parts)
        return ProblemCollector(self.problems, path, self.step if step is None else step)

    def add(self, code: ProblemCode, message: str, hint: str = "") -> None:
        self.problems.append(PlanProblem(self.path, code, message, hint, self.step))


def suggest_name(name: str, known: Iterable[str]) -> str:
    """Hint with the closest known name, or else the list of known names."""
    names = sorted(known)
    return suggest(name, names, f"known: {', '.join(names[:20]) or 'none'}")


def _escape_pointer(part: str) -> str:
    return part.replace("~", "~0").replace("/", "~1")
