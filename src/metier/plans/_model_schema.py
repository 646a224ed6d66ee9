"""The JSON Schema that a model fills in when it writes a plan."""

from collections.abc import Iterable

from metier.jsons import JsonObject, JsonValue
from metier.plans._model_plans import MOST_MODEL_STEPS

_NAME: JsonObject = {"type": "string", "pattern": r"^\w[\w-]{0,63}$"}
_TEXT: JsonObject = {"type": "string", "minLength": 1}
_NAMES: JsonObject = {"type": "array", "items": {"type": "string"}}
_EXPRESSION: JsonObject = {"type": "string", "pattern": r"^\$(\.|$)"}


def plan_schema(tools: Iterable[str] = ()) -> JsonObject:
    """What a model's plan looks like; with `tools`, it can call no other. `validate_model_plan` judges the rest."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Plan",
        "description": "The shortest way to the goal. Steps run in order; no step only checks another.",
        "type": "object",
        "additionalProperties": False,
        "required": ["goal", "steps"],
        "properties": {
            "goal": _said("What the user wants, in one sentence."),
            "task_type": {"type": "string"},
            "steps": {"type": "array", "minItems": 1, "maxItems": MOST_MODEL_STEPS, "items": _step(sorted(tools))},
            "milestones": {"type": "array", "maxItems": MOST_MODEL_STEPS, "items": _milestone()},
        },
    }


def _step(tools: list[str]) -> JsonObject:
    call: dict[str, JsonValue] = {"type": "string", "description": "The tool to call; leave out for work of your own."}
    if tools:
        call["enum"] = list(tools)
    properties: dict[str, JsonValue] = {
        "id": {**_NAME, "description": "A short name, unique in the plan."},
        "title": _said("What the step is for."),
        "call": call,
        "with": {
            "type": "object",
            "description": "Arguments. '$.<id>.path' is the result of an earlier step, '$.message' the user's words.",
        },
        "ask": _said("A question to the user, said word for word."),
        "choices": {"type": "array", "minItems": 1, "items": {"type": "string", "minLength": 1}},
        "when": {**_EXPRESSION, "description": "The step is skipped unless this holds."},
        "save": {**_NAME, "description": "Name of the result; the id when left out."},
        "needs": {
            **_NAMES,
            "description": "Ids of the steps whose results this one uses; what nobody uses is dropped.",
        },
    }
    return {"type": "object", "additionalProperties": False, "required": ["id", "title"], "properties": properties}


def _milestone() -> JsonObject:
    return {
        "type": "object",
        "additionalProperties": False,
        "required": ["name", "after", "check"],
        "properties": {
            "name": dict(_TEXT),
            "after": _said("Id of the step after which this must be true."),
            "check": {
                "oneOf": [
                    _check("contains", text=_TEXT, of=_EXPRESSION),
                    _check("regex", pattern=_TEXT, of=_EXPRESSION),
                    _check("json_schema", schema={"type": "object"}, of=_EXPRESSION),
                    _check("expr", expr=_EXPRESSION),
                    _check("file_exists", path=_TEXT),
                    _check("url_contains", text=_TEXT, of=_EXPRESSION),
                    _check("tool_output", tool=_TEXT, text=_TEXT, expr=_EXPRESSION),
                ]
            },
            "on_fail": {"enum": ["stop", "retry", "replan", "continue"]},
        },
    }


def _check(kind: str, **options: JsonObject) -> JsonObject:
    needed = next(iter(options))
    properties: dict[str, JsonValue] = {"kind": {"const": kind}}
    properties.update({name: dict(schema) for name, schema in options.items()})
    return {
        "type": "object",
        "additionalProperties": False,
        "required": ["kind", needed],
        "properties": properties,
    }


def _said(description: str) -> JsonObject:
    return {**_TEXT, "description": description}
