"""Build the `ToolSpec` of a script that a skill declares."""

from typing import Final

from metier.errors import InvalidTool
from metier.json_values import JsonObject, JsonValue
from metier.skills import DeclaredTool, Skill
from metier.tools._approval import parse_approval
from metier.tools._spec import DEFAULT_TIMEOUT_S, ToolSpec

# A tool that declares no parameters accepts any arguments.
ANY_OBJECT: JsonObject = {"type": "object"}
MAX_TIMEOUT_S: Final = 600.0


def spec_from_declaration(skill: Skill, declared: DeclaredTool) -> ToolSpec:
    """Build the spec of a skill's script from its declaration.

    `approval`, `timeout` (seconds) and `idempotent` are read from the keys beside the parameters.
    """
    hints = declared.hints
    return ToolSpec(
        name=declared.name,
        description=declared.description,
        parameters=ANY_OBJECT if declared.parameters is None else declared.parameters,
        origin="script",
        skill=skill.id,
        idempotent=hints.get("idempotent") is True,
        approval=parse_approval(hints.get("approval")),
        timeout_s=_parse_timeout(hints.get("timeout_s", hints.get("timeout"))),
        effects=frozenset({"executes"}),
    )


def _parse_timeout(value: JsonValue) -> float:
    if value is None:
        return DEFAULT_TIMEOUT_S
    try:
        seconds = float(value) if isinstance(value, int | float | str) and not isinstance(value, bool) else 0.0
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= MAX_TIMEOUT_S:
        hint = f"a number of seconds up to {MAX_TIMEOUT_S:g}"
        raise InvalidTool(f"timeout cannot be {str(value)[:40]!r}", hint=hint)
    return seconds
