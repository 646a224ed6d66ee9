"""Tool specification: name, parameters, approval, side effects."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal

from metier.json_values import JsonObject
from metier.language import Language

Origin = Literal["builtin", "pack", "script", "mcp"]
ResultKind = Literal["json", "text", "table", "chart", "image", "file"]
SideEffect = Literal["reads", "writes", "network", "executes"]
Retrieval = Literal["knowledge", "memory", "cases", "web"]

DEFAULT_TIMEOUT_S: Final = 30.0
MAX_EXAMPLES: Final = 3  # of each kind in a prompt

NO_PARAMETERS: Final[JsonObject] = MappingProxyType({"type": "object", "properties": {}, "additionalProperties": False})


@dataclass(frozen=True, slots=True)
class Approval:
    """When a person must approve first: never, always, or if a JMESPath expression over the arguments is true.

    `lasts` says how long an approval holds: for one call, or for all calls of the tool in the conversation.
    """

    when: Literal["never", "always", "expression"] = "never"
    expression: str = ""
    lasts: Literal["call", "conversation"] = "call"


NEVER: Final = Approval()
ALWAYS: Final = Approval("always")
ONCE_PER_CONVERSATION: Final = Approval("always", lasts="conversation")


@dataclass(frozen=True, slots=True)
class ToolExample:
    """A call that shows how a tool is used, and when."""

    arguments: JsonObject
    note: str = ""


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """Specification of a tool, as the gate, the model and the log see it.

    `skill` is the skill that declares the tool; None for tools of the runtime or a pack. `idempotent` promises that
    running a call twice has the same effect as running it once. `source` names the package, pack or MCP server that
    provides the tool. `undoes` names the tool whose effect it takes back: a call needs the approval that one needs.
    `preview` names what tells, without an effect, what a call would do: a function of the tool, or another tool of the
    same skill that takes the same arguments; it is run before a person is asked for approval.
    `examples` and `edge_cases` (what it does where a caller may expect something else) follow the description.
    `retrieves` says what a tool that looks things up searches: its searches are recorded as retrievals.
    """

    name: str
    description: str
    parameters: JsonObject = field(default_factory=lambda: NO_PARAMETERS)
    origin: Origin = "builtin"
    skill: str | None = None
    result: ResultKind = "json"
    idempotent: bool = False
    approval: Approval = NEVER
    timeout_s: float = DEFAULT_TIMEOUT_S
    effects: frozenset[SideEffect] = field(default_factory=frozenset)
    source: str = ""
    undoes: str = ""
    preview: str = ""
    retrieves: Retrieval | None = None
    examples: tuple[ToolExample, ...] = ()
    edge_cases: tuple[str, ...] = ()

    @property
    def definition(self) -> str:
        """Description for a model: what the tool does, examples of calls, edge cases; a line each."""
        shown = [f"e.g. {_dump(one.arguments)}" + (f" {one.note}" if one.note else "") for one in self.examples]
        lines = [self.description, *shown[:MAX_EXAMPLES], *(f"! {one}" for one in self.edge_cases[:MAX_EXAMPLES])]
        return "\n".join(lines)

    def title(self, language: Language) -> str:
        """Name for people, from the form hints of the schema; the tool's own name if it has none."""
        hints = self.parameters.get("x-ui")
        found = hints.get("title") if isinstance(hints, Mapping) else None
        if isinstance(found, Mapping):
            found = found.get(language) or found.get("en") or found.get("zh")
        return found if isinstance(found, str) and found else self.name

    def to_json(self) -> JsonObject:
        """Convert to the JSON of the API and the command line."""
        return {
            "name": self.name,
            "description": self.description,
            "origin": self.origin,
            "skill": self.skill,
            "source": self.source,
            "approval": self.approval.expression or self.approval.when,
            "result": self.result,
            "timeout_s": self.timeout_s,
            "idempotent": self.idempotent,
            "effects": sorted(self.effects),
            "undoes": self.undoes,
            "preview": self.preview,
            "parameters": self.parameters,
            "examples": [{"arguments": one.arguments, "note": one.note} for one in self.examples],
            "edge_cases": list(self.edge_cases),
        }


def _dump(value: JsonObject) -> str:
    return json.dumps(value, ensure_ascii=False, default=dict)
