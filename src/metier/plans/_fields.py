"""Reads single values of a plan: a value of the right type or a recorded problem, never an exception."""

import re
from collections.abc import Collection, Mapping
from typing import Final

from metier.jsons import JsonObject, JsonValue
from metier.plans._expressions import BadExpression, compiled
from metier.plans._problems import Findings, nearest
from metier.plans._schemas import schema_problem
from metier.plans._values import expressions_in

NAME_CHARS: Final = 64
TEXT_CHARS: Final = 2_000
MOST_NAMES: Final = 200
_NAME: Final = re.compile(r"\w[\w-]{0,63}")
_TYPES: Final[tuple[tuple[type | tuple[type, ...], str], ...]] = (
    (bool, "true or false"),
    ((int, float), "a number"),
    (str, "a text"),
    (list, "a list"),
    (Mapping, "an object"),
)


def known_keys(item: JsonObject, keys: Collection[str], found: Findings) -> None:
    """Reject unknown keys, so that a misspelt `when` does not become a step that always runs."""
    for key in item:
        if key not in keys:
            found.at(key).add("unknown_key", f"{key!r} is not a key here", nearest(key, keys))


def object_of(value: JsonValue, found: Findings) -> JsonObject | None:
    if isinstance(value, Mapping):
        return value
    found.add("value_invalid", f"expected an object, found {_kind(value)}")
    return None


def objects_of(value: JsonValue, found: Findings, most: int) -> list[tuple[int, JsonObject]]:
    """Read the objects of a list with their indexes; a missing list counts as empty."""
    if value is None:
        return []
    if not isinstance(value, list):
        found.add("value_invalid", f"expected a list, found {_kind(value)}")
        return []
    if len(value) > most:
        found.add("plan_too_long", f"{len(value)} entries; the most is {most}", "take the shortest way to the goal")
        return []
    read = ((number, object_of(item, found.at(number))) for number, item in enumerate(value))
    return [(number, item) for number, item in read if item is not None]


def text_of(item: JsonObject, key: str, found: Findings, most: int = TEXT_CHARS) -> str | None:
    """Read a non-empty string; None if the key is missing or invalid."""
    value = item.get(key)
    if value is None:
        return None
    if not isinstance(value, str):
        found.at(key).add("value_invalid", f"{key!r} must be a text, found {_kind(value)}")
        return None
    if not value.strip():
        found.at(key).add("value_invalid", f"{key!r} is empty")
        return None
    if len(value) > most:
        found.at(key).add("value_invalid", f"{key!r} has {len(value)} characters; the most is {most}")
        return None
    return value


def name_of(item: JsonObject, key: str, found: Findings) -> str | None:
    """Read a name: letters of any script, digits, `_` and `-`."""
    name = text_of(item, key, found, most=NAME_CHARS)
    if name is not None and not _NAME.fullmatch(name):
        found.at(key).add("name_invalid", f"{name!r} is no name", "letters, digits, '_' and '-', at most 64")
        return None
    return name


def names_of(item: JsonObject, key: str, found: Findings) -> tuple[str, ...] | None:
    """Read a list of strings; a single string counts as a list of one."""
    value = item.get(key)
    if value is None:
        return None
    listed = [value] if isinstance(value, str) else value
    if not isinstance(listed, list) or not all(isinstance(name, str) and name.strip() for name in listed):
        found.at(key).add("value_invalid", f"{key!r} must be a list of names")
        return None
    if len(listed) > MOST_NAMES:
        found.at(key).add("value_invalid", f"{key!r} has {len(listed)} names; the most is {MOST_NAMES}")
        return None
    return tuple(dict.fromkeys(str(name) for name in listed))


def expression_of(item: JsonObject, key: str, found: Findings) -> str | None:
    """Read a string that must be a valid expression."""
    text = text_of(item, key, found)
    if text is None:
        return None
    return text if _compiles(text, found.at(key)) else None


def template_of(item: JsonObject, key: str, found: Findings) -> JsonValue:
    """Read any JSON value; every expression inside it is compiled and checked."""
    value = item.get(key)
    for path, text in expressions_in(value):
        _compiles(text, found.at(key, *path))
    return value


def schema_of(item: JsonObject, key: str, found: Findings) -> JsonObject | None:
    """Read a JSON Schema that plans may use."""
    if item.get(key) is None:
        return None
    schema = object_of(item[key], found.at(key))
    if schema is not None and (problem := schema_problem(schema)):
        found.at(key).add("schema_invalid", f"{key!r} is no schema for us: {problem}", "JSON Schema, draft 2020-12")
        return None
    return schema


def _compiles(text: str, found: Findings) -> bool:
    try:
        compiled(text)
    except BadExpression as error:
        where = f"step {found.step!r}: " if found.step else ""
        found.add(
            "expression_invalid",
            f"{where}{text[:80]!r} is no expression: {error}",
            "'$.scenario.matches[0].id' reads the data; '$$5' is the text '$5'",
        )
        return False
    return True


def _kind(value: JsonValue) -> str:
    return next((name for kind, name in _TYPES if isinstance(value, kind)), "nothing")
