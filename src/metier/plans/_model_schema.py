"""JSON Schema for plans written by a model; kept short because every prompt that offers it pays for it."""

from collections.abc import Iterable

from metier.json_values import JsonObject, JsonValue
from metier.plans._model_plans import MAX_MODEL_STEPS

_TEXT: JsonObject = {"type": "string"}
_TEXTS: JsonObject = {"type": "array", "items": {"type": "string"}}
_EXPRESSION: JsonObject = {"type": "string", "pattern": r"^\$(\.|$)"}
_CHECKS: tuple[str, ...] = ("contains", "regex", "json_schema", "expr", "file_exists", "url_contains", "tool_output")


def build_plan_schema(tools: Iterable[str] = ()) -> JsonObject:
    """Build the schema of a model's plan, limited to `tools` if given. `validate_model_plan` checks the rest."""
    steps: JsonObject = {
        "type": "array",
        "minItems": 1,
        "maxItems": MAX_MODEL_STEPS,
        "items": _build_step_schema(sorted(tools)),
    }
    milestones: JsonObject = {"type": "array", "items": _build_milestone_schema()}
    plan = _build_object_schema("goal", "steps", goal=dict(_TEXT), steps=steps, milestones=milestones)
    return {**plan, "additionalProperties": False}


def _build_step_schema(tools: list[str]) -> JsonObject:
    call: JsonObject = {"enum": list(tools)} if tools else _TEXT
    given: JsonObject = {
        "type": "object",
        "description": "arguments; '$.<id>.path' is a result, '$.message' the user's",
    }
    return _build_object_schema(
        "id",
        "title",
        id=dict(_TEXT),
        title=dict(_TEXT),
        call=dict(call),
        **{"with": given},
        ask={**_TEXT, "description": "question to the user"},
        choices=dict(_TEXTS),
        when=dict(_EXPRESSION),
        save=dict(_TEXT),
        needs={**_TEXTS, "description": "ids of steps it uses"},
    )


def _build_milestone_schema() -> JsonObject:
    """One shape for all checks: one per kind (seven) costs 400 tokens, and checks are validated later anyway."""
    check = _build_object_schema("kind", kind={"enum": list(_CHECKS)})
    check = {**check, "description": "plus text, pattern, schema, expr, path or tool by kind; of: '$.<id>'"}
    on_fail: JsonObject = {"enum": ["stop", "retry", "replan", "continue"]}
    return _build_object_schema(
        "name", "after", "check", name=dict(_TEXT), after=dict(_TEXT), check=check, on_fail=on_fail
    )


def _build_object_schema(*required: str, **properties: JsonValue) -> JsonObject:
    return {"type": "object", "required": list(required), "properties": properties}
