"""Validates results and answers against the JSON Schemas of a plan, with the validator used for tool arguments."""

from collections.abc import Iterator, Mapping
from typing import Final

from metier.errors import InvalidTool
from metier.json_values import JsonObject, JsonValue
from metier.tools import argument_problems, check_parameters

_REFERENCES: Final = ("$ref", "$dynamicRef", "$recursiveRef")


def find_schema_problem(schema: JsonObject) -> str:
    """Why the schema may not be used, or an empty string. References are rejected: a plan writes its schemas inline."""
    for key in _iter_keys(schema):
        if key in _REFERENCES:
            return f"{key!r} is not taken here: write the schema out"
    try:
        check_parameters(_move_type(schema))
    except InvalidTool as error:
        return error.message
    return ""


def find_misfit(value: JsonValue, schema: JsonObject) -> str:
    """The first reason why the value does not match the schema, with its location, or an empty string."""
    for problem in argument_problems(_move_type(schema), value):
        place = problem.path.removeprefix("$").removeprefix(".")
        return f"{place}: {problem.reason}" if place else problem.reason
    return ""


def _move_type(schema: JsonObject) -> JsonObject:
    """The schema without a type at its root, as the tool validator takes it: a result or an answer may be any value.

    It stays the root, so that its references lead to its own `$defs`.
    """
    if "type" not in schema:
        return schema
    rest = {key: value for key, value in schema.items() if key != "type"}
    others = schema.get("allOf")
    return {**rest, "allOf": [{"type": schema["type"]}, *(others if isinstance(others, list | tuple) else ())]}


def _iter_keys(value: JsonValue) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield key
            yield from _iter_keys(item)
    elif isinstance(value, list):
        for item in value:
            yield from _iter_keys(item)
