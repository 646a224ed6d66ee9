"""A column for each period that the finished plan does not have: 每周一列, “one column per month”."""

import re
from collections.abc import Sequence
from types import MappingProxyType
from typing import Final

from metier.json_values import JsonObject
from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting._plan_texts import list_rows

__all__ = ["find_lost_period"]

_PER: Final = re.compile(
    r"每(?:个|一)?(?P<zh>周|星期|月|天|日)(?:各|都|单独)?(?:占|用|写|为|对应)?[一1]个?列|"
    r"(?:one|a|1) column (?:per|for each|for every) (?P<en>week|month|day)\b",
    re.IGNORECASE,
)
_DAY: Final = (
    r"^(?:周|星期|礼拜)[一二三四五六日天]|[日天号]|\b(?:day|mon|tues?|wed(?:nes)?|thur?s?|fri|sat(?:ur)?|sun)(?:day)?\b"
)
_NAMES: Final = MappingProxyType(
    {
        "week": r"周|星期|\b(?:week|wk)|^w\s*\d",
        "month": r"月|\b(?:month|jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)",
        "day": _DAY,
    }
)
_PERIODS: Final = MappingProxyType({"周": "week", "星期": "week", "月": "month", "天": "day", "日": "day"})


def find_lost_period(text: RequestText, steps: Sequence[JsonObject]) -> str:
    """A clause that asks for a column for each period, beside a plan of tables of which none has two such columns."""
    found = _PER.search(text.mask)
    headers = [next(iter(list_rows(one)), []) for one in steps if one.get("op") in ("insert_table", "add_table")]
    if found is None or not headers:
        return ""
    name = _NAMES[_PERIODS[found["zh"]] if found["zh"] else found["en"].lower()]
    is_there = any(sum(re.search(name, cell, re.IGNORECASE) is not None for cell in row) > 1 for row in headers)
    return "" if is_there else text.raw[slice(*found.span())]
