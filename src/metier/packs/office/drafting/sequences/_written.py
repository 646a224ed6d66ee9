"""Texts that a plan writes, in order."""

import re
from collections.abc import Iterator
from typing import Final

from metier.json_values import JsonObject, JsonValue

__all__ = ["list_written", "normalize"]

_TITLED: Final = ("insert_chart_from_selection", "add_slide")


def normalize(text: str) -> str:
    """A text as two of them are compared: without blanks, marks of lines and capitals."""
    bare = re.sub(r"^(?:#+ (?:[一二三四五六七八九十]+、|\d+ )?|\d+\. |[-•*] )", "", text.strip())
    return "".join(bare.split()).strip('.。:："“”「」').lower()


def list_written(plan: JsonObject) -> list[str]:
    """Cells, lines and titles of a plan, as they are compared."""
    return [one for one in map(normalize, _list_texts(plan.get("actions"))) if one]


def _list_texts(actions: JsonValue) -> Iterator[str]:
    for one in actions if isinstance(actions, list) else []:
        if not isinstance(one, dict):
            continue
        for name in ("text", "content", "note", "caption", *(["title"] if one.get("op") in _TITLED else [])):
            yield from str(one.get(name) or "").splitlines()
        data = one.get("data")
        for row in data if isinstance(data, list) else []:
            yield from (str(cell) for cell in row) if isinstance(row, list) else ()
        yield from _list_texts(one.get("actions"))
