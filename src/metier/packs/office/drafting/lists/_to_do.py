"""Things to do as a part of minutes or of a report: 周报，包括待办清单：订会议室、发通知."""

import re
from collections.abc import Sequence
from typing import Final

from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting._topics import TopicMention
from metier.packs.office.drafting.lists._lists import split_items
from metier.packs.office.drafting.lists._said_lists import find_said_lists

__all__ = ["add_to_do", "find_to_do", "take_to_do"]

_PART: Final = (
    r"(?:包括|包含|含有?|带上?|附上?|加上?|要有|里面有|including|include|with|plus|and add)\s*"
    r"(?:一?[个份张]|an?\s|the\s)?\s*"
    r"(?P<name>待办(?:事项)?(?:清单|列表)?|行动项(?:清单)?|"
    r"to[ -]?do (?:list|items)|action items?|list of tasks|task list)"
    r"\s*(?P<sign>:|(?=[,，。;.\n]|$))"
)
_SAME: Final = re.compile(r"待办|行动项|action items?|to[ -]?dos?\b", re.IGNORECASE)
_STOP: Final = re.compile(r"[。\n]|\.(?=\s|$)")


def take_to_do(text: RequestText) -> tuple[str, tuple[str, ...]]:
    """Name of the list of things to do that a request wants as a part, and its items; empty if it wants none."""
    found = text.take(_PART)
    if found is None:
        return "", ()
    name = text.raw[found.start("name") : found.end("name")]
    if not found["sign"]:
        return name, ()
    stop = _STOP.search(text.mask, found.end())
    end = stop.start() if stop else len(text.mask)
    items = split_items(text, found.end(), end)
    text.consume(found.end(), end)
    return name, items


def add_to_do(sections: Sequence[str], name: str) -> tuple[tuple[str, ...], str]:
    """The sections with the list of things to do among them, and what it is called there."""
    same = next((one for one in sections if _SAME.search(one)), "") if name else ""
    return (*sections, *([name] if name and not same else [])), same or name


def find_to_do(text: RequestText, mentions: list[TopicMention]) -> TopicMention | None:
    """The list of things to do whose items follow behind a colon; what they name is nothing to be written itself."""
    said = next(
        (one for one in find_said_lists(RequestText(text.raw)) if one.is_to_do and not one.names_columns()), None
    )
    first = mentions[0] if mentions else None
    return (
        first if said and first and first.topic.id in ("todo", "checklist") and ":" in text.mask[first.end :] else None
    )
