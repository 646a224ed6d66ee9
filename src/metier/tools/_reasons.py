"""Explain JSON Schema validation errors in short, plain sentences."""

import json
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

_SHOWN: Final = 60
_MOST_NAMES: Final = 5
_MOST_CHOICES: Final = 12
_MOST_CHARS: Final = 200
_MOST_SAID: Final = 400
_TYPES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "object": "an object",
        "array": "a list",
        "string": "a text",
        "integer": "a whole number",
        "number": "a number",
        "boolean": "true or false",
        "null": "null",
    }
)


def reason_of(error: "ValidationError") -> str:
    """Return a sentence for the keyword that failed; for other keywords, the message of the library."""
    wanted: Any = error.validator_value
    value: Any = error.instance
    match error.validator:
        case "required":
            missing = [name for name in wanted if name not in value]
            return f"{', '.join(missing[:_MOST_NAMES])} missing"
        case "type":
            kinds = [wanted] if isinstance(wanted, str) else wanted
            return f"must be {' or '.join(_TYPES.get(kind, kind) for kind in kinds)}, not {_shown(value)}"
        case "enum":
            return f"must be one of {', '.join(map(_shown, wanted[:_MOST_CHOICES]))}, not {_shown(value)}"
        case "pattern":
            return f"{_shown(value)} does not match {wanted!r}"
        case "format":
            return f"{_shown(value)} is not a valid {wanted}"
        case "anyOf" | "oneOf" if error.context:
            return f"{_shown(value)} fits none of the {len(wanted)} forms it may have"
    return error.message if len(error.message) <= _MOST_SAID else f"does not fulfil {error.validator!r}"


def unknown_names(extra: Sequence[str], known: Iterable[str]) -> str:
    """Format unknown names beside the known ones."""
    return f"unknown: {', '.join(extra[:_MOST_NAMES])[:_SHOWN]}; known: {', '.join(known)[:_MOST_CHARS] or 'none'}"


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
