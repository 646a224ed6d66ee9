"""Checks JSON Schemas of skills: refuses remote references, recursion and patterns that cannot run in linear time."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from graphlib import CycleError, TopologicalSorter
from urllib.parse import unquote

from metier.json_values import JsonObject, JsonValue
from metier.patterns import InvalidPattern, compile_pattern

_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")


@dataclass(frozen=True, slots=True)
class SchemaProblem:
    """Reason to refuse a schema."""

    code: str
    message: str


def check_schema(schema: JsonObject) -> SchemaProblem | None:
    """First reason to refuse this schema, or `None`."""
    return _check(json.dumps(schema, sort_keys=True, ensure_ascii=False, default=dict))


@lru_cache(maxsize=4096)  # the full check costs 1.3 ms, and skills share schemas
def _check(text: str) -> SchemaProblem | None:
    schema = json.loads(text)
    for key, value in _iter_keywords(schema):
        if key in _REFERENCES and isinstance(value, str) and not value.startswith("#"):
            return SchemaProblem("schema_remote_ref", f"{key!r} points to {value[:200]!r}")
        if problem := _find_pattern_problem(key, value):
            return problem
    return _find_combination_problem(schema) or _find_reference_problem(schema) or _find_shape_problem(schema)


def _find_combination_problem(schema: JsonObject) -> SchemaProblem | None:
    """Keywords that no validation can evaluate together in bounded time; tools refuse them as well."""
    used = {key for key, _ in _iter_keywords(schema)}
    beside = used & {"patternProperties", *_REFERENCES}
    if beside and (found := used & {"unevaluatedProperties", "unevaluatedItems"}):
        return SchemaProblem("schema_invalid", f"{min(found)} beside {min(beside)} is not supported")
    return None


def _find_shape_problem(schema: JsonObject) -> SchemaProblem | None:
    from jsonschema import Draft202012Validator, FormatChecker
    from jsonschema.exceptions import SchemaError

    try:
        # no formats: `regex` would be that of `re`
        Draft202012Validator.check_schema(dict(schema), format_checker=FormatChecker(()))
    except SchemaError as error:
        where = "/".join(str(part) for part in error.absolute_path) or "the schema"
        return SchemaProblem("schema_invalid", f"{where}: {error.message[:160]}")
    except RecursionError:
        return SchemaProblem("schema_invalid", "nested too deep")
    return None


def _iter_keywords(value: JsonValue) -> Iterator[tuple[str, JsonValue]]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield key, item
            yield from _iter_keywords(item)
    elif isinstance(value, list):
        for item in value:
            yield from _iter_keywords(item)


def _find_reference_problem(schema: JsonObject) -> SchemaProblem | None:
    """A reference without target, or one that refers to itself directly or indirectly.

    Each target is visited once: following every reference anew doubles the work with every level of a diamond.
    """
    anchors = {
        str(item[word]): item
        for _, item in [("", schema), *_iter_keywords(schema)]
        for word in ("$anchor", "$dynamicAnchor")
        if isinstance(item, Mapping) and word in item
    }
    leads_to: dict[str, list[str]] = {}
    todo = list(_iter_references(schema))
    while todo:
        reference = todo.pop()
        if reference in leads_to:
            continue
        found = schema if reference == "#" else anchors.get(reference[1:], _resolve_pointer(schema, reference))
        if found is None:
            return SchemaProblem("schema_invalid", f"{reference[:200]!r} leads nowhere")
        leads_to[reference] = list(_iter_references(found))
        todo += leads_to[reference]
    try:
        tuple(TopologicalSorter(leads_to).static_order())
    except CycleError as error:
        return SchemaProblem("schema_recursive_ref", f"{error.args[1][0][:200]!r} leads back to itself")
    return None


def _iter_references(value: JsonValue) -> Iterator[str]:
    return (target for key, target in _iter_keywords(value) if key in _REFERENCES and isinstance(target, str))


def _resolve_pointer(root: JsonObject, reference: str) -> JsonValue:
    at: JsonValue = root
    for part in unquote(reference.removeprefix("#")).split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(at, list):
            at = at[int(key)] if key.isdecimal() and len(key) < 5 and int(key) < len(at) else None
        else:
            at = at.get(key) if isinstance(at, Mapping) else None
    return None if at is root else at


def _find_pattern_problem(key: str, value: JsonValue) -> SchemaProblem | None:
    patterns: list[str] = []
    if key == "pattern" and isinstance(value, str):
        patterns = [value]
    elif key == "patternProperties" and isinstance(value, Mapping):
        patterns = list(value)
    for pattern in patterns:
        try:
            compile_pattern(pattern)
        except InvalidPattern as error:
            return SchemaProblem("schema_pattern_unsafe", f"pattern {pattern[:200]!r} cannot be run: {error}")
    return None
