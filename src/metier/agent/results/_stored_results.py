"""The `read_result` tool: reads what a digest in the prompt leaves out, from a stored result. Pure functions."""

from collections.abc import Mapping, Sequence
from typing import Final

from metier.agent.adapters import data_text
from metier.json_values import JsonObject, JsonValue
from metier.tools import ToolSpec

_PAGE_CHARS: Final = 3000
_MAX_ROWS: Final = 20
READ_RESULT: Final = ToolSpec(
    "read_result",
    "Read the whole result of an earlier call, of which only a digest is shown. "
    "`find` gives only rows and lines with this text.",
    {
        "type": "object",
        "properties": {
            "call": {"type": "string", "description": "id of the call, as the digest names it"},
            "find": {"type": "string", "description": "text that a row must hold, such as a name"},
            "page": {"type": "integer", "minimum": 1, "description": "part of a long result, from 1"},
        },
        "required": ["call"],
        "additionalProperties": False,
    },
)


def read_stored_result(data: JsonValue, find: str = "", page: int = 1) -> JsonObject:
    """Rows and lines of a result that hold a text, or without one a page of the whole."""
    if find.strip():
        rows = find_rows(data, find.strip())
        return {"status": "found", "count": len(rows), "rows": rows[:_MAX_ROWS]}
    pages = split_pages(data if isinstance(data, str) else data_text(data))
    at = max(1, min(page, len(pages)))
    return {"status": "read", "page": at, "pages": len(pages), "text": pages[at - 1]}


def find_rows(data: JsonValue, text: str) -> list[JsonValue]:
    """Smallest objects, list items and lines that hold the text, in order."""
    if isinstance(data, str):
        return [line for line in data.splitlines() if text.casefold() in line.casefold()]
    if not isinstance(data, Mapping | Sequence):
        return []
    inner = data.values() if isinstance(data, Mapping) else data
    nested = [one for one in inner if isinstance(one, Mapping | Sequence) and not isinstance(one, str)]
    if found := [row for one in nested for row in find_rows(one, text)]:
        return found
    holding = [one for one in inner if text.casefold() in str(one).casefold()]
    return [data] if holding and isinstance(data, Mapping) else holding


def split_pages(text: str, max_chars: int = _PAGE_CHARS) -> list[str]:
    """Split a text into pages at blanks, so that no number or word is cut; joined, they are the text again."""
    pages = []
    while len(text) > max_chars:
        blank = text.rfind(" ", 1, max_chars)
        cut = blank if blank > max_chars // 2 else max_chars
        pages.append(text[:cut])
        text = text[cut:]
    return [*pages, text]
