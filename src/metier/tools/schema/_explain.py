"""Explain JSON Schema validation errors in short, plain sentences."""

import json
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

_MAX_PREVIEW_CHARS: Final = 60
_MAX_NAMES: Final = 5
_MAX_CHOICES: Final = 12
_MAX_KNOWN_CHARS: Final = 200
_MAX_MESSAGE_CHARS: Final = 400
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


def explain_error(error: "ValidationError") -> str:
    """Return a sentence for the keyword that failed; for other keywords, the message of the library."""
    wanted: Any = error.validator_value
    value: Any = error.instance
    match error.validator:
        case "required":
            missing = [name for name in wanted if name not in value]
            return f"{', '.join(missing[:_MAX_NAMES])} missing"
        case "type":
            kinds = [wanted] if isinstance(wanted, str) else wanted
            return f"must be {' or '.join(_TYPES.get(kind, kind) for kind in kinds)}, not {_preview(value)}"
        case "enum":
            return f"must be one of {', '.join(map(_preview, wanted[:_MAX_CHOICES]))}, not {_preview(value)}"
        case "pattern":
            return f"{_preview(value)} does not match {wanted!r}"
        case "format":
            return f"{_preview(value)} is not a valid {wanted}"
        case "anyOf" | "oneOf" if error.context:
            return f"{_preview(value)} fits none of the {len(wanted)} forms it may have"
        case "maxLength":
            return f"{_preview(value)} has more than {wanted} characters"
    return error.message if len(error.message) <= _MAX_MESSAGE_CHARS else f"does not fulfil {error.validator!r}"


def describe_unknown_names(extra: Sequence[str], known: Iterable[str]) -> str:
    """Format unknown names beside the known ones."""
    unknown = ", ".join(extra[:_MAX_NAMES])[:_MAX_PREVIEW_CHARS]
    return f"unknown: {unknown}; known: {', '.join(known)[:_MAX_KNOWN_CHARS] or 'none'}"


def _preview(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _MAX_PREVIEW_CHARS else text[: _MAX_PREVIEW_CHARS - 1] + "…"
