"""What a tool is: its name, what it takes, what it may do to the world."""

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal

from metier.jsons import JsonObject

Origin = Literal["builtin", "pack", "script", "mcp"]
ResultKind = Literal["json", "text", "table", "chart", "image", "file"]
SideEffect = Literal["reads", "writes", "network", "executes"]

DEFAULT_TIMEOUT_S: Final = 30.0

NO_PARAMETERS: Final[JsonObject] = MappingProxyType({"type": "object", "properties": {}, "additionalProperties": False})


@dataclass(frozen=True, slots=True)
class Approval:
    """When a person must agree first: never, always, or when a JMESPath expression over the arguments is true."""

    when: Literal["never", "always", "expression"] = "never"
    expression: str = ""


NEVER: Final = Approval()
ALWAYS: Final = Approval("always")


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as the gate, the model and the log know it.

    `skill` is the skill that brings the tool along; None for tools that belong to the runtime or a pack.
    `idempotent` promises that running a call twice does no more than running it once.
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
