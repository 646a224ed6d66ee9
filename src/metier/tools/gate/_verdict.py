"""Verdict of the gate and its explanation."""

from dataclasses import dataclass, field, replace
from typing import Final, Literal

from metier.json_values import JsonObject, JsonValue
from metier.tools._names import find_nearest_name
from metier.tools.gate._rules import Layer

VerdictAnswer = Literal["allow", "deny", "confirm"]
VerdictCode = Literal[
    "allowed",
    "granted",
    "control_tool",
    "approval_needed",
    "arguments_changed",
    "denied_by_policy",
    "not_allowed_by_skill",
    "forbidden_by_skill",
    "not_in_plan",
    "forbidden_by_plan",
    "forbidden_for_task_type",
    "skill_not_active",
    "skill_waits",
    "skill_is_bound",
    "skill_was_left",
    "skill_not_offered",
    "unknown_tool",
    "ambiguous_tool",
    "file_not_kept",
]
_FINAL_CODES: Final = frozenset(
    (
        *("unknown_tool", "ambiguous_tool", "arguments_changed"),
        *("skill_is_bound", "skill_was_left", "skill_not_offered", "skill_waits"),
    )
)


@dataclass(frozen=True, slots=True)
class LayerNote:
    """Answer of one layer about one tool."""

    layer: Layer
    source: str
    answer: VerdictAnswer
    code: VerdictCode
    text: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """Answer of the gate, the layer and reason behind it, and all tools that may run."""

    answer: VerdictAnswer
    code: VerdictCode
    reason: str
    layer: Layer
    source: str
    allowed: tuple[str, ...]
    tool: str = ""
    known: tuple[str, ...] = field(default=(), repr=False, compare=False)
    notes: tuple[LayerNote, ...] = ()

    @property
    def nearest(self) -> str:
        """Known tool closest to an unknown name. Takes milliseconds, so it is computed on demand."""
        return find_nearest_name(self.tool, self.known) if self.known else ""

    @property
    def is_final(self) -> bool:
        """Whether this is a denial that no exception can lift."""
        fixed = self.layer == "operator" or self.code in _FINAL_CODES
        return self.answer == "deny" and fixed

    def deny_changed_arguments(self) -> "Verdict":
        """Denial of a call whose arguments differ from those that a person has approved."""
        reason = f"the arguments of {self.tool!r} changed again after a person had approved it"
        return replace(self, answer="deny", code="arguments_changed", reason=reason)

    def to_json(self) -> JsonObject:
        """Return the verdict as printed by the CLI, the API and the event."""
        layers: list[JsonValue] = [
            {"layer": note.layer, "source": note.source, "answer": note.answer, "text": note.text}
            for note in self.notes
        ]
        return {
            "tool": self.tool,
            "answer": self.answer,
            "code": self.code,
            "reason": self.reason,
            "layer": self.layer,
            "source": self.source,
            "allowed": list(self.allowed),
            "layers": layers,
        }

    def explain(self) -> tuple[str, ...]:
        """Return the verdict in one line, then the answer of each layer, then the tools that may run."""
        said = [f"  {note.layer} ({note.source}): {note.text}" for note in self.notes]
        meant = f"; did you mean {near!r}?" if (near := self.nearest) else ""
        head = f"{self.answer}: {self.tool} [{self.code}], {self.reason}{meant}"
        return head, *said, f"  may run: {', '.join(self.allowed) or 'nothing'}"
