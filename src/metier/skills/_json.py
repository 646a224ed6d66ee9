"""JSON values, and a reader that refuses what JSON does not say."""

import json
from collections.abc import Mapping, Sequence
from typing import NoReturn, TypeAlias

JsonValue: TypeAlias = "bool | int | float | str | Sequence[JsonValue] | Mapping[str, JsonValue] | None"
JsonObject: TypeAlias = Mapping[str, JsonValue]


class JsonInvalid(ValueError):
    """Not the JSON of RFC 8259, or more than a reader should be asked for; `line` where it is known."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


def load_json(text: str) -> JsonValue:
    """Parse strictly: no NaN, no Infinity, no key written twice, no bottomless nesting."""
    try:
        value: JsonValue = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise JsonInvalid(error.msg, error.lineno) from error
    except RecursionError as error:
        raise JsonInvalid("nested too deep") from error
    return value


def _unique(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in found if keys.count(key) > 1)
        raise JsonInvalid(f"key {twice!r} is written twice")
    return found


def _no_constant(name: str) -> NoReturn:
    raise JsonInvalid(f"{name} is not JSON")
