"""Check what a tool returned: everything that leaves here can be stored, sent to clients and shown to the model."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import islice
from typing import Final, cast

from metier.json_values import JsonInvalid, JsonObject, JsonTooLarge, clean_json, clean_text, copy_json, is_cleanable
from metier.tools._calls import ToolFailure, ToolResult

MAX_RESULT_BYTES: Final = 1_048_576
MAX_NOTES: Final = 100
MAX_TEXT_CHARS: Final = 10_000
_REPLACED: Final = "characters or numbers that cannot be stored were replaced"
_CLEANED: Final = "what cannot be stored was replaced: half characters, huge numbers, or what is nested too deep"
# NUL, or a number that may not fit into 64 bits.
_MAYBE_UNSTORABLE: Final = re.compile(r"\\u0000|\d{19}")


def check_result(result: object) -> ToolResult:
    """Return the result if it can be stored and sent: a JSON object of at most 1 MiB; otherwise a failure.

    NUL, half characters, integers beyond 64 bits and what is nested too deep are replaced, and that is noted: the tool
    has run, so its result is not lost for them. Texts of failures and notes are cut.
    """
    if not isinstance(result, ToolResult):
        return ToolResult.fail("invalid_result", f"the tool gave {type(result).__name__} in place of a ToolResult")
    notes = _clean_notes(result.notes)
    if result.failure is not None:
        return replace(result, data=None, failure=_clean_failure(result.failure), notes=notes)
    if not isinstance(result.data, Mapping):
        return ToolResult.fail("invalid_result", "the tool gave neither data nor a failure")
    try:
        data, text, is_cleaned = _copy_data(result.data)
        kept, _, is_kept_cleaned = _copy_data(result.keep)
        keep = cast("JsonObject", clean_json(kept))
    except JsonTooLarge:
        return _fail_large(f"the tool gave more than {MAX_RESULT_BYTES} bytes")
    except (JsonInvalid, ValueError, RecursionError) as error:
        return ToolResult.fail("invalid_result", f"the tool's data is no JSON: {str(error)[:200]}")
    if (size := len(text.encode())) > MAX_RESULT_BYTES:
        return _fail_large(f"the tool gave {size} bytes; the most is {MAX_RESULT_BYTES}")
    if _MAYBE_UNSTORABLE.search(text) and (cleaned := clean_json(data)) != data:
        data, notes = cast("JsonObject", cleaned), (*notes, _REPLACED)
    elif is_cleaned or is_kept_cleaned:
        notes = (*notes, _CLEANED)
    return replace(result, data=data, notes=notes, keep=keep)


def _copy_data(data: JsonObject) -> tuple[JsonObject, str, bool]:
    """A copy of the data, its text, and whether something had to be replaced; raises if it is no JSON at all."""
    try:
        copied = cast("JsonObject", copy_json(data, max_bytes=MAX_RESULT_BYTES))
        return copied, json.dumps(copied, ensure_ascii=False), False
    except JsonTooLarge:
        raise
    except (JsonInvalid, ValueError):
        if not is_cleanable(data):
            raise
    cleaned = cast("JsonObject", copy_json(clean_json(data), max_bytes=MAX_RESULT_BYTES))
    return cleaned, json.dumps(cleaned, ensure_ascii=False), True


def _fail_large(message: str) -> ToolResult:
    return ToolResult.fail("result_too_large", message, hint="ask for less, or let the tool write a file")


def _clean_failure(failure: object) -> ToolFailure:
    if not isinstance(failure, ToolFailure):
        return ToolFailure("tool_failed", _clean(failure) or "the tool gave no reason")
    code = _clean(failure.code)[:80] or "tool_failed"
    return ToolFailure(code, _clean(failure.message) or "the tool gave no reason", _clean(failure.hint))


def _clean_notes(notes: Iterable[object]) -> tuple[str, ...]:
    return tuple(map(_clean, islice(notes, MAX_NOTES)))


def _clean(value: object) -> str:
    text = clean_text(value if isinstance(value, str) else "" if value is None else str(value))
    return text if len(text) <= MAX_TEXT_CHARS else f"{text[:MAX_TEXT_CHARS]}…"
