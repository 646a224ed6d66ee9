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
        check_parameters(_wrap_schema(schema))
    except InvalidTool as error:
        return error.message
    return ""


def find_misfit(value: JsonValue, schema: JsonObject) -> str:
    """The first reason why the value does not match the schema, with its location, or an empty string."""
    for problem in argument_problems(_wrap_schema(schema), {"value": value}):
        place = problem.path.removeprefix("$.value").removeprefix(".")
        return f"{place}: {problem.reason}" if place else problem.reason
    return ""


def _wrap_schema(schema: JsonObject) -> JsonObject:
    """Wrap the schema in an object: the tool validator expects objects, but a result or an answer may be any value."""
    return {"properties": {"value": schema}}


def _iter_keys(value: JsonValue) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield key
            yield from _iter_keys(item)
    elif isinstance(value, list):
        for item in value:
            yield from _iter_keys(item)
