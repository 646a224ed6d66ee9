"""Totals from a message that is read whole: names that come back with a number each, summed by formulas."""

import re
from typing import TYPE_CHECKING, Final

from metier.language import choose
from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting._blocks import DraftBlock
from metier.packs.office.drafting._titles import take_title
from metier.packs.office.drafting.content._sheet_blocks import write_grouped
from metier.packs.office.drafting.statements._points import take_points
from metier.packs.office.drafting.statements._rest import is_subject
from metier.packs.office.drafting.statements._sheet_words import is_sheet_read, take_halves, take_sheet

if TYPE_CHECKING:
    from metier.language import Language

__all__ = ["state_totals"]

_SUMS: Final = (
    r"汇总|合计|总计|总数|总额|总和|求和|加总|相加|加起来|加在一起|统计|归类|一共|多少|\b(?:totals?|sums?|"
    r"sum up|summari[sz]e|add(?:ed)? up|"
    r"altogether|in total|how much|how many)\b"
)
_NOT_SUM: Final = (
    r"平均|均值|最[高低大小多少]|占比|比例|排名|几次|次数|个数|\b(?:average|mean|highest|lowest|share|count|"
    r"how often|rank)\b"
)
_BY: Final = (
    re.compile(
        r"(?:按照?|分(?![组类别给成])|每一?[个家位名]?|各个?(?![自花算放占给加])|"
        r"同一?个?)(?P<name>(?:(?![和与及])[\u4e00-\u9fff]){1,5}?)(?=用公式|(?:种类)?(?:把|给|来|汇总|"
        r"合计|统计|求和|分组|归类|加|算|的|各|"
        r"一共|总|只?占|报|捐|领|[,，。:\ufffc]|$))"
    ),
    re.compile(r"\b(?:per|by|for each|did each|one (?:line|row) per|each|every)\s+(?P<name>[a-z]+)\b", re.IGNORECASE),
)
_AMOUNT: Final = re.compile(
    r"(?:各|每)[\u4e00-\u9fff]{1,4}?的(?P<a>[\u4e00-\u9fff]{2,6}?)(?=按|用|汇总|合计|[,，。:\ufffc]|$)|(?:这是|汇总|"
    r"[把将])(?:这些|几天的)?(?P<b>[\u4e00-\u9fff]{2,6}?)(?=按|[,，。:\ufffc]|加总|$)"
)


def state_totals(text: RequestText, language: "Language") -> DraftBlock | None:
    """Names that come back, with a number each, and their totals by formulas."""
    title = take_title(text)
    points = take_points(text)
    names = [one.name for one in points]
    is_grouped = 1 < len(set(names)) < len(names) and len({one.units for one in points}) == 1
    if not is_grouped or not text.has(_SUMS) or text.has(_NOT_SUM):
        return None
    halves = take_halves(text)
    groups = [found for form in _BY for found in form.finditer(text.mask)]
    group = groups[0] if groups else None
    if len({one["name"] for one in groups}) > 1:
        return None
    amount = next((one for one in _AMOUNT.finditer(text.mask) if is_subject(one["a"] or one["b"])), None)
    sheet = take_sheet(text)
    said = (amount["a"] or amount["b"]) if amount else ""
    columns = (
        group["name"] if group else choose(language, zh="名称", en="Name"),
        said if said and not re.search(rf"{_SUMS}|数据|明细", said) else choose(language, zh="金额", en="Amount"),
    )
    if halves:
        columns = (halves[0], re.sub(rf"(?:{_SUMS})$", "", halves[1]) or halves[1])
    if amount:
        text.consume(*amount.span("a" if amount["a"] else "b"))
    for one in groups:
        text.consume(*one.span())
    if text.has(r"按"):
        return None
    if not is_sheet_read(text, "grouped", points[0].start):
        return None
    rows = [(one.name, one.numbers[0]) for one in points]
    heads = [one[:1].upper() + one[1:] for one in columns]
    return write_grouped((heads[0], heads[1]), rows, title, language, sheet)
