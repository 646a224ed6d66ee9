"""Check what a tool returned: everything that leaves here can be stored, sent to clients and shown to the model."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import islice
from typing import Final, cast

from metier.json_values import JsonInvalid, JsonObject, clean_json, clean_text, copy_json
from metier.tools._calls import ToolFailure, ToolResult

MAX_RESULT_BYTES: Final = 1_048_576
MAX_NOTES: Final = 100
MAX_TEXT_CHARS: Final = 10_000
_REPLACED: Final = "characters or numbers that cannot be stored were replaced"
# NUL, or a number that may not fit into 64 bits.
_MAYBE_UNSTORABLE: Final = re.compile(r"\\u0000|\d{19}")


def check_result(result: object) -> ToolResult:
    """Return the result if it can be stored and sent: a JSON object of at most 1 MiB; otherwise a failure.

    NUL characters and integers beyond 64 bits are replaced. Texts of failures and notes are cut.
    """
    if not isinstance(result, ToolResult):
        return ToolResult.fail("invalid_result", f"the tool gave {type(result).__name__} in place of a ToolResult")
    notes = _clean_notes(result.notes)
    if result.failure is not None:
        return replace(result, data=None, failure=_clean_failure(result.failure), notes=notes)
    if not isinstance(result.data, Mapping):
        return ToolResult.fail("invalid_result", "the tool gave neither data nor a failure")
    try:
        data = cast("JsonObject", copy_json(result.data))
        keep = cast("JsonObject", clean_json(copy_json(result.keep)))
        text = json.dumps(data, ensure_ascii=False)
    except (JsonInvalid, ValueError, RecursionError) as error:
        return ToolResult.fail("invalid_result", f"the tool's data is no JSON: {str(error)[:200]}")
    if (size := len(text.encode())) > MAX_RESULT_BYTES:
        message = f"the tool gave {size} bytes; the most is {MAX_RESULT_BYTES}"
        return ToolResult.fail("result_too_large", message, hint="ask for less, or let the tool write a file")
    if _MAYBE_UNSTORABLE.search(text) and (cleaned := clean_json(data)) != data:
        data, notes = cast("JsonObject", cleaned), (*notes, _REPLACED)
    return replace(result, data=data, notes=notes, keep=keep)


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
