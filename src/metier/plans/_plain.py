"""Deep copies of JSON values as plain dicts and lists, because JMESPath checks types by name."""

import math
from collections.abc import Mapping
from typing import Final

from metier.errors import InvalidInput
from metier.json_values import MAX_JSON_DEPTH, JsonObject, JsonValue

_MAX_DEPTH: Final = 3 * MAX_JSON_DEPTH  # a result may hold an answer that holds a file's JSON


def copy_json(value: object, what: str) -> JsonValue:
    """Copy a JSON value; raises `InvalidInput` for anything that is not JSON."""
    try:
        return _copy_value(value, 1)
    except ValueError as error:
        hint = "pass objects, lists, texts, numbers, true, false, null"
        raise InvalidInput(f"{what} is not JSON: {error}", hint=hint) from error


def copy_json_object(value: object, what: str) -> JsonObject:
    """Copy a JSON object; raises `InvalidInput` for anything else."""
    copied = copy_json(value, what)
    if not isinstance(copied, Mapping):
        raise InvalidInput(f"{what} is not a JSON object", hint="pass an object with named values")
    return copied


def copy_json_or_none(value: object) -> JsonValue:
    """Copy a JSON value; None for anything that is not JSON (an infinite number, a function reference)."""
    try:
        return _copy_value(value, 1)
    except ValueError:
        return None


def _copy_value(value: object, depth: int) -> JsonValue:
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, str):
        if not value.isascii() and any("\ud800" <= char <= "\udfff" for char in value):
            raise ValueError(f"half of a character stands in {value[:40]!r}")
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{value} is not a number of JSON")
        return value
    if depth > _MAX_DEPTH:
        raise ValueError(f"nested deeper than {_MAX_DEPTH} levels")
    if isinstance(value, Mapping):
        return {_check_key(key): _copy_value(item, depth + 1) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_copy_value(item, depth + 1) for item in value]
    raise ValueError(f"a {type(value).__name__} stands in it")


def _check_key(key: object) -> str:
    if not isinstance(key, str):
        raise ValueError(f"key {key!r} is not a text")
    return key
