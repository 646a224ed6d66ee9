"""The `read_result` tool: reads what a digest in the prompt leaves out, from a stored result. Pure functions."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from metier.agent.adapters import data_text
from metier.json_values import JsonObject, JsonValue
from metier.tokens import count_if_above, split_by_tokens
from metier.tools import ToolSpec

# A page is shown whole by the prompt that follows the call, whatever the language: digests leave pages alone.
MAX_PAGE_TOKENS: Final = 800
PAGE_SCHEMA: Final[JsonObject] = MappingProxyType(
    {"type": "integer", "minimum": 1, "description": "page of a long text, from 1; next_page says that more follows"}
)
READ_RESULT: Final = ToolSpec(
    "read_result",
    "Read the whole result of an earlier call, of which only a digest is shown. "
    "`find` gives only rows and lines with this text.",
    {
        "type": "object",
        "properties": {
            "call": {"type": "string", "description": "id of the call, as the digest names it"},
            "find": {"type": "string", "description": "text that a row must hold, such as a name"},
            "page": {**PAGE_SCHEMA},
        },
        "required": ["call"],
        "additionalProperties": False,
    },
)


def read_stored_result(data: JsonValue, find: str = "", page: int = 1) -> JsonObject:
    """Rows and lines of a result that hold a text, or without one a page of the whole."""
    if not find.strip():
        return {"status": "read", **read_page(data if isinstance(data, str) else data_text(data), page)}
    rows = find_rows(data, find.strip())
    found: JsonObject = {"status": "found", "count": len(rows)}
    if count_if_above(data_text(rows), MAX_PAGE_TOKENS) is None:
        return {**found, "rows": rows}
    lines = [one if isinstance(one, str) else data_text(one) for one in rows]
    return {**found, **read_page("\n".join(lines), page)}


def read_page(text: str, page: int = 1) -> JsonObject:
    """A page of a text, the last one if there are fewer, with the number of the next."""
    pages = list(split_by_tokens(text, MAX_PAGE_TOKENS)) or [""]
    at = max(1, min(page, len(pages)))
    following: JsonObject = {"next_page": at + 1} if at < len(pages) else {}
    return {"page": at, "pages": len(pages), "text": pages[at - 1], **following}


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
