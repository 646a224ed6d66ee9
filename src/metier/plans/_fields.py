"""Reads single values of a plan: a value of the right type or a recorded problem, never an exception."""

import re
from collections.abc import Collection, Mapping
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.limits import BadExpression
from metier.plans._expressions import compile_expression
from metier.plans._problems import ProblemCollector, suggest_name
from metier.plans._schemas import find_schema_problem
from metier.plans._values import find_expressions

MAX_NAME_CHARS: Final = 64
MAX_TEXT_CHARS: Final = 2_000
MAX_NAMES: Final = 200
_NAME: Final = re.compile(r"\w[\w-]{0,63}")
_TYPES: Final[tuple[tuple[type | tuple[type, ...], str], ...]] = (
    (bool, "true or false"),
    ((int, float), "a number"),
    (str, "a text"),
    (list, "a list"),
    (Mapping, "an object"),
)


def check_keys(item: JsonObject, keys: Collection[str], found: ProblemCollector) -> None:
    """Reject unknown keys, so that a misspelt `when` does not become a step that always runs."""
    for key in item:
        if key not in keys:
            found.enter(key).add("unknown_key", f"{key!r} is not a key here", suggest_name(key, keys))


def read_object(value: JsonValue, found: ProblemCollector) -> JsonObject | None:
    if isinstance(value, Mapping):
        return value
    found.add("value_invalid", f"expected an object, found {_describe_type(value)}")
    return None


def read_objects(value: JsonValue, found: ProblemCollector, max_items: int) -> list[tuple[int, JsonObject]]:
    """Read the objects of a list with their indexes; a missing list counts as empty."""
    if value is None:
        return []
    if not isinstance(value, list):
        found.add("value_invalid", f"expected a list, found {_describe_type(value)}")
        return []
    if len(value) > max_items:
        found.add(
            "plan_too_long", f"{len(value)} entries; the most is {max_items}", "take the shortest way to the goal"
        )
        return []
    read = ((number, read_object(item, found.enter(number))) for number, item in enumerate(value))
    return [(number, item) for number, item in read if item is not None]


def read_text(item: JsonObject, key: str, found: ProblemCollector, max_chars: int = MAX_TEXT_CHARS) -> str | None:
    """Read a non-empty string; None if the key is missing or invalid."""
    value = item.get(key)
    if value is None:
        return None
    if not isinstance(value, str):
        found.enter(key).add("value_invalid", f"{key!r} must be a text, found {_describe_type(value)}")
        return None
    if not value.strip():
        found.enter(key).add("value_invalid", f"{key!r} is empty")
        return None
    if len(value) > max_chars:
        found.enter(key).add("value_invalid", f"{key!r} has {len(value)} characters; the most is {max_chars}")
        return None
    return value


def read_name(item: JsonObject, key: str, found: ProblemCollector) -> str | None:
    """Read a name: letters of any script, digits, `_` and `-`."""
    name = read_text(item, key, found, max_chars=MAX_NAME_CHARS)
    if name is not None and not _NAME.fullmatch(name):
        found.enter(key).add("name_invalid", f"{name!r} is no name", "letters, digits, '_' and '-', at most 64")
        return None
    return name


def read_names(item: JsonObject, key: str, found: ProblemCollector) -> tuple[str, ...] | None:
    """Read a list of strings; a single string counts as a list of one."""
    value = item.get(key)
    if value is None:
        return None
    listed = [value] if isinstance(value, str) else value
    if not isinstance(listed, list) or not all(isinstance(name, str) and name.strip() for name in listed):
        found.enter(key).add("value_invalid", f"{key!r} must be a list of names")
        return None
    if len(listed) > MAX_NAMES:
        found.enter(key).add("value_invalid", f"{key!r} has {len(listed)} names; the most is {MAX_NAMES}")
        return None
    return tuple(dict.fromkeys(str(name) for name in listed))


def read_expression(item: JsonObject, key: str, found: ProblemCollector) -> str | None:
    """Read a string that must be a valid expression."""
    text = read_text(item, key, found)
    if text is None:
        return None
    return text if _check_expression(text, found.enter(key)) else None


def read_template(item: JsonObject, key: str, found: ProblemCollector) -> JsonValue:
    """Read any JSON value; every expression inside it is compiled and checked."""
    value = item.get(key)
    for path, text in find_expressions(value):
        _check_expression(text, found.enter(key, *path))
    return value


def read_schema(item: JsonObject, key: str, found: ProblemCollector) -> JsonObject | None:
    """Read a JSON Schema that plans may use."""
    if item.get(key) is None:
        return None
    schema = read_object(item[key], found.enter(key))
    if schema is not None and (problem := find_schema_problem(schema)):
        found.enter(key).add("schema_invalid", f"{key!r} is no schema for us: {problem}", "JSON Schema, draft 2020-12")
        return None
    return schema


def _check_expression(text: str, found: ProblemCollector) -> bool:
    try:
        compile_expression(text)
    except BadExpression as error:
        where = f"step {found.step!r}: " if found.step else ""
        found.add(
            "expression_invalid",
            f"{where}{text[:80]!r} is no expression: {error}",
            "'$.scenario.matches[0].id' reads the data; '$$5' is the text '$5'",
        )
        return False
    return True


def _describe_type(value: JsonValue) -> str:
    return next((name for kind, name in _TYPES if isinstance(value, kind)), "nothing")
