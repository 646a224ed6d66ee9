"""Positions of a quotation in a message: a name, how many and the price of one, whatever words stand beside them."""

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from metier.packs.office._request_text import RequestText

__all__ = ["QuotedPosition", "find_positions"]

_NUMBER: Final = r"\d+(?:,\d{3})*(?:\.\d+)?"
_UNIT: Final = (
    r"(?:平方米|平米|立方米|公斤|千克|人次|"
    r"[台套件个项次份人张把本箱块支只瓶盒包辆副双卷桶袋盆米扇樘幅根棵床串片颗粒捆匹栋艘盏枚罐筐吨斤条组顶樽打扎部架面间位名桌席株方㎡])"
)
_MONEY: Final = r"(?:元|块钱?|圆)"
_NAME: Final = r"[^\d,，、;；。:：()（）\n\"\ufffc\s][^\d,，、;；。:：()（）\n\"\ufffc]{0,18}?"
_COUNT: Final = rf"(?:数量(?:为|是|:)?|共|各|要|买|一共)?\s*(?P<count>{_NUMBER})\s*(?P<unit>{_UNIT})?"
_PRICE: Final = (
    rf"(?:(?P<said>单价(?:为|是|:)?|价格(?:为|是|:)?|每{_UNIT}|一{_UNIT}|均价|各|@|×|x|"
    rf"\*)\s*)?[¥￥]?(?P<price>{_NUMBER})\s*{_MONEY}?(?P<per>\s*(?:[/每]|一)\s*{_UNIT})?"
)
_POSITION: Final = re.compile(
    rf"(?P<name>{_NAME})\s*[,，]?\s*(?P<open>\()?\s*{_COUNT}\s*[,，、]?\s*{_PRICE}\s*(?P<close>\))?(?=\s*(?:[,，、;；。\n和及再]|$|最后|合计|总))"
)
_BETWEEN: Final = re.compile(r"\s*[,，、;；。和及\n]\s*(?:还有|另外|以及|外加)?\s*")
_ANNOUNCED: Final = re.compile(r"数量[、,，和及与/]?\s*(?:单价|价格)")
_LEAD: Final = re.compile(r"^.*(?:写|有|是|为|包括|包含|如下|把|将|列|明细|内容|东西|项目|报价[表单]|分别)(?=\S{2})")


@dataclass(frozen=True, slots=True)
class QuotedPosition:
    """One line of a quotation, and where it stands."""

    name: str
    count: str
    unit: str
    price: str
    start: int
    end: int


def find_positions(text: RequestText) -> list[QuotedPosition]:
    """All positions, one behind the other; none if it is not said which number is the price."""
    found = list(_POSITION.finditer(text.mask))
    if len(found) < 2 or any(_BETWEEN.fullmatch(text.mask, a.end(), b.start()) is None for a, b in pairwise(found)):
        return []
    is_said = _ANNOUNCED.search(text.mask, 0, found[0].start()) is not None
    if any(bool(one["open"]) != bool(one["close"]) for one in found):
        return []
    if not is_said and not all(one["said"] or one["per"] or one["unit"] for one in found):
        return []
    return [_read(text, one) for one in found]


def _read(text: RequestText, found: "re.Match[str]") -> QuotedPosition:
    start, end = found.span("name")
    if lead := _LEAD.match(text.mask[start:end]):
        start += lead.end()
    name = text.raw[start:end].strip()
    return QuotedPosition(name, found["count"], found["unit"] or "", found["price"], start, found.end())
