"""Shape of JSON Schemas: whether a schema is one, checked in linear time for the keywords that most schemas use."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.limits._schema_size import measure_schema

__all__ = ["MAX_UNUSUAL_KEYWORDS", "find_shape_problem"]

MAX_UNUSUAL_KEYWORDS: Final = 2_000
_MAX_PLAIN_DEPTH: Final = 50
_TYPES: Final = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})
_ONE_SCHEMA: Final = frozenset({"items", "additionalProperties", "not", "if", "then", "else", "contains"})
_SCHEMA_LISTS: Final = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
_SCHEMA_MAPS: Final = frozenset({"properties", "$defs", "definitions", "patternProperties"})


def find_shape_problem(schema: JsonObject) -> str:
    """Why this is no JSON Schema 2020-12, or an empty string.

    The metaschema takes about a millisecond per keyword, so it is asked only about schemas with unusual keywords.
    """
    try:
        if _is_plain(schema):
            return ""
        if measure_schema(schema).keywords > MAX_UNUSUAL_KEYWORDS:
            return f"more than {MAX_UNUSUAL_KEYWORDS} keywords, of which some are unusual or malformed"
        return _ask_metaschema(schema)
    except RecursionError:
        return "nested too deep"


def _ask_metaschema(schema: JsonObject) -> str:
    from jsonschema import Draft202012Validator, FormatChecker
    from jsonschema.exceptions import SchemaError

    try:  # no formats: `regex` would be that of `re`
        Draft202012Validator.check_schema(dict(schema), format_checker=FormatChecker(()))
    except SchemaError as error:
        where = "/".join(str(part) for part in error.absolute_path) or "the schema"
        return f"{where}: {error.message[:160]}"
    return ""


def _is_plain(schema: JsonObject) -> bool:
    """Whether every keyword is a usual one with a value of the right kind; then the metaschema accepts the schema."""
    waiting: list[tuple[JsonValue, int]] = [(schema, 1)]
    while waiting:
        at, depth = waiting.pop()
        if isinstance(at, bool):
            continue
        if not isinstance(at, dict) or depth > _MAX_PLAIN_DEPTH:
            return False
        for key, value in at.items():
            below = _find_subschemas(key, value)
            if below is None:
                return False
            waiting.extend((one, depth + 1) for one in below)
    return True


def _find_subschemas(key: str, value: JsonValue) -> list[JsonValue] | None:
    """Subschemas under a keyword; None if the keyword is unusual or its value is not of the right kind."""
    if key in _ONE_SCHEMA:
        return [value]
    if key in _SCHEMA_LISTS:
        return list(value) if isinstance(value, list) and value else None
    if key in _SCHEMA_MAPS:
        return list(value.values()) if isinstance(value, dict) else None
    check = _CHECKS.get(key)
    return [] if check is not None and check(value) else None


def _is_text(value: JsonValue) -> bool:
    return isinstance(value, str)


def _is_number(value: JsonValue) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_count(value: JsonValue) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_type(value: JsonValue) -> bool:
    if isinstance(value, str):
        return value in _TYPES
    if not isinstance(value, list) or not value or not all(isinstance(one, str) for one in value):
        return False
    return len(set(map(str, value))) == len(value) and _TYPES.issuperset(map(str, value))


def _is_names(value: JsonValue) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value) and len(set(value)) == len(value)


def _is_anything(_: JsonValue) -> bool:
    return True


def _is_local_reference(value: JsonValue) -> bool:
    return isinstance(value, str) and value.startswith("#")


_CHECKS: Final[Mapping[str, Callable[[JsonValue], bool]]] = MappingProxyType(
    {
        "type": _is_type,
        "required": _is_names,
        "$ref": _is_local_reference,
        "uniqueItems": lambda value: isinstance(value, bool),
        "enum": lambda value: isinstance(value, list),
        "examples": lambda value: isinstance(value, list),
        **dict.fromkeys(("title", "description", "$comment", "format", "pattern"), _is_text),
        **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _is_number),
        **dict.fromkeys(
            ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), _is_count
        ),
        **dict.fromkeys(("default", "const", "x-ui"), _is_anything),
    }
)


def get_properties(schema: JsonObject | None) -> Mapping[str, JsonValue]:
    """Properties that a schema of an object declares."""
    found = (schema or {}).get("properties")
    return found if isinstance(found, Mapping) else {}
