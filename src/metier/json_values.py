"""JSON types and a strict JSON parser."""

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NoReturn, TypeAlias

__all__ = ["MAX_JSON_DEPTH", "JsonInvalid", "JsonObject", "JsonValue", "load_json"]

MAX_JSON_DEPTH: Final = 32

JsonValue: TypeAlias = "bool | int | float | str | Sequence[JsonValue] | Mapping[str, JsonValue] | None"
JsonObject: TypeAlias = Mapping[str, JsonValue]


class JsonInvalid(ValueError):
    """The text is not valid JSON (RFC 8259) or exceeds a limit; `line` is set if known."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


def load_json(text: str) -> JsonValue:
    """Parse JSON strictly: no NaN or Infinity, no lone surrogates, no duplicate keys, bounded nesting."""
    try:
        value: JsonValue = json.loads(
            text,
            object_pairs_hook=_reject_duplicate_keys,
            parse_constant=_reject_constant,
            parse_float=_parse_float,
            parse_int=_parse_int,
        )
    except json.JSONDecodeError as error:
        raise JsonInvalid(error.msg, error.lineno) from error
    except RecursionError as error:
        raise JsonInvalid("nested too deep") from error
    _check_texts(value, 1)
    return value


def _reject_duplicate_keys(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise JsonInvalid(f"key {twice[:80]!r} is written twice")
    return found


def _reject_constant(name: str) -> NoReturn:
    raise JsonInvalid(f"{name} is not JSON")


def _parse_float(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise JsonInvalid(f"{digits[:40]} is too large a number")
    return number


def _parse_int(digits: str) -> int:
    try:
        return int(digits)
    except ValueError as error:  # Python's limit is 4300 digits
        raise JsonInvalid(f"a number of {len(digits)} digits is too large") from error


def _check_texts(value: JsonValue, depth: int) -> None:
    """Reject lone surrogates: they pass the parser, then fail wherever the text is written as UTF-8."""
    if isinstance(value, str):
        if not value.isascii() and any("\ud800" <= char <= "\udfff" for char in value):
            raise JsonInvalid(f"half of a character stands in {value[:40]!r}")
    elif isinstance(value, Mapping | list):
        if depth > MAX_JSON_DEPTH:
            raise JsonInvalid(f"nested deeper than {MAX_JSON_DEPTH} levels")
        if isinstance(value, Mapping):
            for key in value:
                _check_texts(key, depth)
        for item in value.values() if isinstance(value, Mapping) else value:
            _check_texts(item, depth + 1)
