"""JSON Schemas that skills bring along: refuse those that fetch, loop or take for ever."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module

from metier.skills._json import JsonObject, JsonValue

_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
_MOST_DEEP = 64


@dataclass(frozen=True, slots=True)
class SchemaProblem:
    """Why a schema is refused."""

    code: str
    message: str


def check_schema(schema: JsonObject) -> SchemaProblem | None:
    """The first reason not to use this schema, or `None`."""
    return _check(json.dumps(schema, sort_keys=True, ensure_ascii=False, default=dict))


@lru_cache(maxsize=4096)  # the full check costs 1.3 ms, and skills share schemas
def _check(text: str) -> SchemaProblem | None:
    schema = json.loads(text)
    for key, value in _keywords(schema):
        if key in _REFERENCES and isinstance(value, str) and not value.startswith("#"):
            return SchemaProblem("schema_remote_ref", f"{key!r} points to {value!r}")
        if key in ("pattern", "patternProperties") and (found := _unsafe_in(value)):
            return SchemaProblem("schema_pattern_unsafe", f"pattern {found!r} can take exponential time")
    if loop := _loop(schema, schema, ()):
        return SchemaProblem("schema_recursive_ref", f"{loop!r} leads back to itself")
    return _shape_problem(schema)


def _shape_problem(schema: JsonObject) -> SchemaProblem | None:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError

    try:
        Draft202012Validator.check_schema(dict(schema))
    except SchemaError as error:
        where = "/".join(str(part) for part in error.absolute_path) or "the schema"
        return SchemaProblem("schema_invalid", f"{where}: {error.message[:160]}")
    return None


def _keywords(value: JsonValue, depth: int = 0) -> Iterator[tuple[str, JsonValue]]:
    if depth > _MOST_DEEP:
        return
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield key, item
            yield from _keywords(item, depth + 1)
    elif isinstance(value, list):
        for item in value:
            yield from _keywords(item, depth + 1)


def _loop(value: JsonValue, root: JsonObject, open_: tuple[str, ...]) -> str:
    """The reference that is still being followed when it is met again."""
    if isinstance(value, list):
        return next((found for item in value if (found := _loop(item, root, open_))), "")
    if not isinstance(value, Mapping):
        return ""
    target = value.get("$ref")
    if isinstance(target, str):
        if target in open_ or target == "#":
            return target
        return _loop(_pointed(root, target), root, (*open_, target))
    return next((found for item in value.values() if (found := _loop(item, root, open_))), "")


def _pointed(root: JsonObject, pointer: str) -> JsonValue:
    at: JsonValue = root
    for part in pointer.removeprefix("#").strip("/").split("/"):
        key = part.replace("~1", "/").replace("~0", "~")
        at = at.get(key) if isinstance(at, Mapping) else None
    return at


def _unsafe_in(value: JsonValue) -> str:
    patterns = [value] if isinstance(value, str) else list(value) if isinstance(value, Mapping) else []
    return next((pattern for pattern in patterns if is_unsafe_pattern(pattern)), "")


def is_unsafe_pattern(pattern: str) -> bool:
    """Whether a repeat stands inside a repeat, as in `(a+)+`: such a pattern backtracks without end."""
    parser = import_module("re._parser")
    try:
        return _nested_repeat(parser.parse(pattern), 0)
    except (RecursionError, OverflowError, ValueError, parser.error):
        return True


def _nested_repeat(parsed: object, repeats: int) -> bool:
    if not hasattr(parsed, "__iter__") or isinstance(parsed, str):
        return False
    for item in parsed:
        if isinstance(item, tuple) and len(item) == 2 and str(item[0]) in ("MAX_REPEAT", "MIN_REPEAT"):
            _, most, inner = item[1]
            unbounded = int(most) > 100
            if unbounded and repeats:
                return True
            if _nested_repeat(inner, repeats + unbounded):
                return True
        elif _nested_repeat(item, repeats):
            return True
    return False
