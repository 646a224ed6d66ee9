"""Checks JSON Schemas of skills: refuses remote references, recursion and patterns that cannot run in linear time."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from graphlib import CycleError, TopologicalSorter

from metier.json_values import JsonObject, JsonValue
from metier.limits import (
    REFERENCES,
    InvalidPattern,
    SchemaSize,
    compile_pattern,
    describe_excess,
    find_anchors,
    find_shape_problem,
    find_target,
    measure_schema,
)


@dataclass(frozen=True, slots=True)
class SchemaProblem:
    """Reason to refuse a schema."""

    code: str
    message: str


def check_schema(schema: JsonObject) -> SchemaProblem | None:
    """First reason to refuse this schema, or `None`."""
    return _check(json.dumps(schema, sort_keys=True, ensure_ascii=False, default=dict))


def check_schemas_together(schemas: Iterable[JsonObject]) -> SchemaProblem | None:
    """Reason to refuse a skill whose schemas are too large together, or `None`."""
    excess = describe_excess(sum(map(measure_schema, schemas), SchemaSize()))
    return SchemaProblem("schema_too_large", excess) if excess else None


@lru_cache(maxsize=4096)  # the full check costs 1.3 ms, and skills share schemas
def _check(text: str) -> SchemaProblem | None:
    schema = json.loads(text)
    if excess := describe_excess(measure_schema(schema)):
        return SchemaProblem("schema_too_large", excess)
    for key, value in _iter_keywords(schema):
        if key in REFERENCES and isinstance(value, str) and not value.startswith("#"):
            return SchemaProblem("schema_remote_ref", f"{key!r} points to {value[:200]!r}")
        if problem := _find_pattern_problem(key, value):
            return problem
    if problem := _find_combination_problem(schema) or _find_reference_problem(schema):
        return problem
    why = find_shape_problem(schema)
    return SchemaProblem("schema_invalid", why) if why else None


def _find_combination_problem(schema: JsonObject) -> SchemaProblem | None:
    """Keywords that no validation can evaluate together in bounded time; tools refuse them as well."""
    used = {key for key, _ in _iter_keywords(schema)}
    beside = used & {"patternProperties", *REFERENCES}
    if beside and (found := used & {"unevaluatedProperties", "unevaluatedItems"}):
        return SchemaProblem("schema_invalid", f"{min(found)} beside {min(beside)} is not supported")
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
    anchors = find_anchors(schema)
    leads_to: dict[int, list[int]] = {}
    names: dict[int, str] = {}
    waiting: list[JsonValue] = [schema]
    while waiting:
        found = waiting.pop()
        if id(found) in leads_to:
            continue
        references = dict.fromkeys(_iter_references(found))
        targets = {reference: find_target(schema, reference, anchors) for reference in references}
        for reference, target in targets.items():
            if target is None:
                return SchemaProblem("schema_invalid", f"{reference[:200]!r} leads nowhere")
            names[id(target)] = reference
        leads_to[id(found)] = [id(target) for target in targets.values()]
        waiting += targets.values()
    try:
        tuple(TopologicalSorter(leads_to).static_order())
    except CycleError as error:
        name = next(names[one] for one in error.args[1] if one in names)
        return SchemaProblem("schema_recursive_ref", f"{name[:200]!r} leads back to itself")
    return None


def _iter_references(value: JsonValue) -> Iterator[str]:
    return (target for key, target in _iter_keywords(value) if key in REFERENCES and isinstance(target, str))


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
