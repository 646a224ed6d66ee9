"""Deep copies of JSON values as plain dicts and lists, because JMESPath checks types by name."""

import math
from collections.abc import Mapping
from typing import Final

from metier.errors import InvalidInput
from metier.jsons import JSON_DEPTH, JsonObject, JsonValue

_DEEPEST: Final = 3 * JSON_DEPTH  # a result may hold an answer that holds a file's JSON


def plain(value: object, what: str) -> JsonValue:
    """Copy a JSON value; raises `InvalidInput` for anything that is not JSON."""
    try:
        return _copied(value, 1)
    except ValueError as error:
        hint = "pass objects, lists, texts, numbers, true, false, null"
        raise InvalidInput(f"{what} is not JSON: {error}", hint=hint) from error


def plain_object(value: object, what: str) -> JsonObject:
    """Copy a JSON object; raises `InvalidInput` for anything else."""
    copied = plain(value, what)
    if not isinstance(copied, Mapping):
        raise InvalidInput(f"{what} is not a JSON object", hint="pass an object with named values")
    return copied


def plain_or_none(value: object) -> JsonValue:
    """Copy a JSON value; None for anything that is not JSON (an infinite number, a function reference)."""
    try:
        return _copied(value, 1)
    except ValueError:
        return None


def _copied(value: object, depth: int) -> JsonValue:
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
    if depth > _DEEPEST:
        raise ValueError(f"nested deeper than {_DEEPEST} levels")
    if isinstance(value, Mapping):
        return {_key(key): _copied(item, depth + 1) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_copied(item, depth + 1) for item in value]
    raise ValueError(f"a {type(value).__name__} stands in it")


def _key(key: object) -> str:
    if not isinstance(key, str):
        raise ValueError(f"key {key!r} is not a text")
    return key
