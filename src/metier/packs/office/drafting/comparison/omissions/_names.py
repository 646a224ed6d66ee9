"""Names without a number among names with numbers: 张三 90 李四 缺考."""

import re
from collections.abc import Sequence
from typing import Final

from metier.json_values import JsonObject
from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting._asides import begins_with_order
from metier.packs.office.drafting._plan_texts import list_tables

__all__ = ["find_numberless", "find_priceless"]

_NUMBER: Final = r"\d[\d,.]*\s?(?:[%％万亿元分台套件个人次吨]{1,2})?"
_BESIDE: Final = re.compile(
    rf"{_NUMBER}\s+(?P<part>(?P<name>[\u4e00-\u9fff]{{2,5}})\s+[\u4e00-\u9fff]{{1,4}})"
    rf"(?=\s*(?:[,，、;。\n]|$)|\s+[\u4e00-\u9fff]{{2,5}}\s*\d)|"
    rf"{_NUMBER}\s+(?P<english>(?P<who>[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)?)\s+"
    r"(?:absent|none|n/a|unknown|pending|missing|tbd|tbc|nil|excused|late|sick|nothing|no data)\b)"
)
_TWO_NAMES: Final = re.compile(r"[\u4e00-\u9fff]{2,5}(?:\s+[\u4e00-\u9fff]{1,5})+")
_BEHIND_PRICE: Final = re.compile(
    r"\bat \d[\d,.]* each,? and (?P<part>(?!(?:an?|the|then|please|with|add|put|show|give|make|work|sum|total)\b)"
    r"(?![^.]*\b(?:total|sum)\b)[a-z][a-z' -]{3,30})(?=\.|$)"
)
_FIGURE: Final = re.compile(r"[-−]?\d[\d,.]*\D{0,3}")


def find_numberless(text: RequestText, texts: Sequence[str], steps: Sequence[JsonObject]) -> str:
    """A name without a number that the plan does not have, or has as a part of the next name."""
    written = {one.strip() for one in texts}
    if not any(_FIGURE.fullmatch(one) for one in written):
        return ""
    for found in _BESIDE.finditer(text.mask):
        if (found["name"] or found["who"]) not in written:
            return text.raw[slice(*found.span("part" if found["part"] else "english"))]
    quotes = {one.text for one in text.quotes}
    fused = (name for name in _list_named(steps) if _TWO_NAMES.fullmatch(name) and name not in quotes)
    return next(fused, "")


def find_priceless(text: RequestText, texts: Sequence[str]) -> str:
    """What stands without a price behind priced pieces and not in the plan: 2 tables at 50 each and free delivery."""
    written = {one.strip().casefold() for one in texts}
    for found in _BEHIND_PRICE.finditer(text.mask):
        if found["part"].strip().casefold() not in written and not begins_with_order(found["part"]):
            return text.raw[slice(*found.span("part"))].strip()
    return ""


def _list_named(steps: Sequence[JsonObject]) -> list[str]:
    """First cells of rows whose other cells are numbers."""
    rows = [row for table in list_tables(steps) for row in table[1:]]
    return [row[0].strip() for row in rows if len(row) > 1 and all(_FIGURE.fullmatch(one.strip()) for one in row[1:])]
