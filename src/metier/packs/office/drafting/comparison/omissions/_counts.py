"""Counts, levels and kinds that a request says and its plan does not have: three points and four lines."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from metier.json_values import JsonObject
from metier.packs.office._counts import COUNT, read_count
from metier.packs.office._request_text import QUOTED, RequestText
from metier.packs.office.drafting._plan_texts import list_groups, list_tables

__all__ = ["find_count", "find_heading", "find_kind", "find_level"]

_ITEMS: Final = re.compile(
    rf"(?<![第前后\d一二三四五六七八九十A-Za-z])(?P<zh>{COUNT})\s*(?:个|大|小)?(?:条|点|项|步|要点|条目|步骤)(?:内容|要点)?\s*:|"
    rf"列(?:出|上|了|成)?(?P<col>{COUNT})(?:条|点|项|步)[^,，。;:]{{0,4}}:|"
    rf"\b(?P<en>{COUNT})\s+(?:short |key |main |bullet |numbered )*(?:points|bullets|items|steps|bullet points)\s*:",
    re.IGNORECASE,
)
_ROWS: Final = re.compile(
    rf"(?:填|写|录入?|填入|共|有)(?P<zh>{COUNT})(?:行|条)(?:数据|内容|记录)?\s*:|"
    rf"\b(?P<en>{COUNT}) (?:data )?(?:rows|entries)\s*:",
    re.IGNORECASE,
)
_LEVEL: Final = re.compile(
    r"(?P<zh>[一二三四五六1-6])级(?:小|大)?标题|\b(?:level|heading)[ -](?P<en>[1-6])(?: heading)?\b|"
    r"\bH(?P<tag>[1-6])\b",
    re.IGNORECASE,
)
_KINDS: Final = (
    (re.compile(r"(?<!个)表格\s*[:：]|\b(?:with|add|insert) an? table\b", re.IGNORECASE), "table"),
    (re.compile(r"[两2]栏(?!表)|分栏|左右两边|\b(?:two|2)[- ]columns?\b(?! table)", re.IGNORECASE), "columns"),
    (re.compile(r"(?:演讲者?|演示)?备注\s*[:：\"]|\b(?:speaker )?notes?\s*:", re.IGNORECASE), "note"),
)
_ADDED_HEADING: Final = re.compile(
    rf"\b(?:add|insert|put|write|create|start with|begin with) (?:an? |the )?"
    rf"(?:\w+ ){{0,2}}?(?:sub-?)?heading\s*(?:of|called|saying|:)?\s*(?P<it>{QUOTED})",
    re.IGNORECASE,
)
_HEADING: Final = re.compile(r"(#+) ")
_MIN_ITEMS: Final = 2


def find_count(text: RequestText, steps: Sequence[JsonObject]) -> str:
    """A count right before a colon that no list, or no table, of the plan has."""
    lists = {len(items) for one in steps if one.get("data") is None for items in list_groups(one)}
    for found in _ITEMS.finditer(text.mask):
        said = read_count(found["zh"] or found["col"] or found["en"])
        if lists and said is not None and said >= _MIN_ITEMS and said not in lists | set(_count_runs(steps)):
            return text.raw[found.start() : found.end()].strip(" :：")
    rows = {count for table in list_tables(steps) for count in (len(table) - 1, len(table) - 2)}
    for found in _ROWS.finditer(text.mask):
        said = read_count(found["zh"] or found["en"])
        if rows and said is not None and said not in rows:
            return text.raw[found.start() : found.end()].strip(" :：")
    return ""


def _count_runs(steps: Sequence[JsonObject]) -> Iterator[int]:
    """Texts of one line each that follow each other, and all headings."""
    singles = [one for one in steps if str(one["op"]).startswith("insert_") and one.get("text")]
    yield from range(len([one for one in singles if "\n" not in str(one["text"])]) + 1)
    yield from (count for one in list_tables(steps) for count in (len(one), len(one) - 1))


def find_level(text: RequestText, steps: Sequence[JsonObject]) -> str:
    """A level of a heading that no heading of the plan has."""
    levels = {str(one.get(name)) for one in steps for name in ("level", "heading") if one.get(name)}
    levels |= {str(len(found[1])) for one in steps if (found := _HEADING.match(str(one.get("text") or "")))}
    for found in _LEVEL.finditer(text.mask) if levels else ():
        said = found["zh"] or found["en"] or found["tag"]
        number = str("一二三四五六".index(said) + 1) if said in "一二三四五六" else said
        if number not in levels:
            return text.raw[found.start() : found.end()]
    return ""


def find_heading(text: RequestText, steps: Sequence[JsonObject]) -> str:
    """A quotation that is asked for as a heading of its own and that the plan writes as plain text."""
    plain = {str(one["text"]).strip() for one in steps if isinstance(one.get("text"), str) and not one.get("level")}
    for found in _ADDED_HEADING.finditer(text.mask):
        quote = text.text_of(*found.span("it"))
        if quote in plain:
            return text.raw[slice(*found.span())]
    return ""


def find_kind(text: RequestText, steps: Sequence[JsonObject]) -> str:
    """A table, columns or notes that a plan of new slides does not have."""
    if not any(one["op"] == "add_slide" for one in steps):
        return ""
    for form, kind in _KINDS:
        found = form.search(text.mask)
        is_there = any(kind in str(one["op"]) for one in steps) or (kind == "columns" and _stand_beside(steps))
        if found is not None and not is_there:
            return text.raw[found.start() : found.end()].strip(" ,，:：")
    return ""


def _stand_beside(steps: Sequence[JsonObject]) -> bool:
    """Whether texts stand side by side, or in a table."""
    places = {str(one.get("left")) for one in steps if one["op"] == "add_textbox"}
    return len(places) > 1 or any("table" in str(one["op"]) for one in steps)
