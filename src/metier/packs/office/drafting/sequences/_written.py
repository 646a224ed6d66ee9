"""Texts that a plan writes, in order, as they are compared."""

import re

from metier.json_values import JsonObject
from metier.packs.office.drafting._plan_texts import list_written

__all__ = ["list_compared", "normalize"]


def normalize(text: str) -> str:
    """A text as two of them are compared: without blanks, marks of lines and capitals."""
    bare = re.sub(r"^(?:#+ (?:[一二三四五六七八九十]+、|\d+ )?|\d+\. |[-•*] )", "", text.strip())
    return "".join(bare.split()).strip('.。:："“”「」').lower()


def list_compared(plan: JsonObject) -> list[str]:
    """Cells, lines and titles of a plan, as they are compared."""
    return [one for one in map(normalize, list_written(plan)) if one]
