"""What a message says of a table that its plan does otherwise: lines of one that is there, a range of rows."""

import re
from collections.abc import Sequence
from typing import Final

from metier.json_values import JsonObject
from metier.packs.office._counts import COUNT
from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting._plan_texts import list_tables

__all__ = ["find_misread_table"]

# Lines for a table that is there: 给表格加三行, “add three rows to the register”.
_LINES: Final = re.compile(
    rf"(?:在|给|往)(?:这|那)?(?:个|张)?[^,，。;:一两个张份\d]{{0,4}}表格?(?:里面?|中|内|上|后面)?(?:再|也|都|多)*(?:加|添|插|补|增)(?:上|入|加)?\s*{COUNT}\s*个?(?:新|空)?[行列栏]|"
    rf"\b(?:add|insert|append|put)\b[^.;:]{{0,40}}\b(?:rows?|columns?|lines?|"
    rf"entries)\b[^.;:]{{0,40}}?\b(?:to|into) (?:the|this|that|my|our) (?:[\w-]+ ){{0,3}}?(?:table|register|"
    rf"check ?list|list|log)\b",
    re.IGNORECASE,
)
# Two numbers of rows: 3到5行, “three or four rows”.
_NUMBER: Final = r"(?:\d{1,3}|[一二两三四五六七八九十]{1,3})"
_NUMBER_EN: Final = r"(?:\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty)"
_RANGE: Final = re.compile(
    rf"{_NUMBER}\s*(?:到|至|[-~～—–]|或者?|、)\s*{_NUMBER}\s*个?(?:空白?|数据)?行|"
    rf"\b{_NUMBER_EN}\s*(?:or|to|[-–—~])\s*{_NUMBER_EN}\s+(?:(?:empty|blank|data|free)\s+)*(?:rows|lines|entries)\b",
    re.IGNORECASE,
)
_NO_HEADER: Final = re.compile(
    r"(?:不要|不用|不带|没有|无需|不需要|去掉|不含)(?:表头|标题行)(?=[,，。;]|的|$)|"
    r"\b(?:without|no|omit|skip|leave out) (?:a |an |any |the )?head(?:er|ing)s?(?: row)?\b(?! (?:and|or) )",
    re.IGNORECASE,
)
_ROWS_NAMED: Final = re.compile(r"每一?行(?:写|放|是|填|记|为)?一?[个项条种位名][^,，。;:、]{1,8}:")
# The price of all pieces of a position is no price of one: 椅子4把共340.
_SUM_OF_PIECES: Final = re.compile(r"\d\s*[\u4e00-\u9fff]?[,，]?\s*(?:一?共|总共|合计)\s*[¥￥]?\d")
_AND_SO_ON: Final = re.compile(r"(?<![高中同优初对相平上下头])等$")


def find_misread_table(text: RequestText, steps: Sequence[JsonObject]) -> str:
    """The words about a table that its plan does not follow; empty if there are none."""
    tables = [one for one in list_tables(steps) if one]
    if not tables:
        return ""
    forms = [_LINES, _RANGE, _ROWS_NAMED]
    counted = _SUM_OF_PIECES.search(text.mask)
    if counted is not None and any("单价" in table[0] for table in tables):
        return text.raw[counted.start() : counted.end()]
    if any(one.get("header") for one in steps if one.get("op") == "insert_table"):
        forms.append(_NO_HEADER)
    found = next((one for form in forms if (one := form.search(text.mask))), None)
    if found is not None:
        return text.raw[found.start() : found.end()]
    return next((name for table in tables for name in table[0][-1:] if len(name) > 2 and _AND_SO_ON.search(name)), "")
