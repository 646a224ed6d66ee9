"""Words of a message about its figures: keys, measures, statistics, the first n, shares, comparisons in time."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from metier.packs.workspace.data._conditions import ChosenRows, Condition, Question
from metier.packs.workspace.data._names import NameHit
from metier.patterns import ENGLISH_NUMBER, compile_later, read_chinese_integer, read_english_number

if TYPE_CHECKING:
    from metier.packs.workspace.data._columns import DataColumn

Versus = Literal["", "previous", "year"]
_PERIODS: Final = (
    ("D", compile_later(r"(?i)[按每逐]日(?!期)|[按每逐]天|daily|\b(?:by|per|each) day\b")),
    ("W", compile_later(r"(?i)[按每逐]周(?!几)|weekly|\b(?:by|per|each) week\b")),
    (
        "M",
        compile_later(
            r"(?i)[按每逐各分]个?月|[和及、×]月|月份|月度|monthly|(?:\b(?:by|per|each|every|and)|[,×]) months?\b"
        ),
    ),
    ("Q", compile_later(r"(?i)[按每逐各分]个?季|季度|quarterly|(?:\b(?:by|per|each|every|and)|[,×]) quarters?\b")),
    (
        "Y",
        compile_later(
            r"(?i)[按每逐各分]个?年|[和及、×]年|年度|年份|yearly|annual|(?:\b(?:by|per|each|every|and)|[,×]) years?\b"
        ),
    ),
)
_ODD_PERIOD: Final = compile_later(
    r"(?i)星期几|[周週]几|工作日|周末|weekdays?|weekends?|day of (?:the )?week|\b(?:by|per|each) hour"
    r"|[按每]个?小时|时段"
)
_STATS: Final = (
    ("sum", compile_later(r"(?i)合计|总[额量计和]|求和|之和|\bsums?\b|\btotals?\b")),
    ("mean", compile_later(r"(?i)平均|均值|均价|\bmeans?\b|\baverages?\b|\bavg\b")),
    ("median", compile_later(r"(?i)中位数?|\bmedians?\b")),
    ("min", compile_later(r"(?i)最小值|最低[价分值额]|最小和最大|最大和最小|\bmin(?:imum)?\b")),
    ("max", compile_later(r"(?i)最大值|最高[价分值额]|最小和最大|最大和最小|\bmax(?:imum)?\b")),
    ("std", compile_later(r"(?i)标准差|\bstandard deviations?\b|\bstd(?:ev)?\b")),
    (
        "count",
        compile_later(
            r"(?i)多少[笔单条行个人次]|几[笔单条行]|[笔单条行次人]数|订单量|\bcounts?\b"
            r"|\b(?:number of|how many) (?:orders|rows|records|sales|entries|lines)\b"
        ),
    ),
)
_OF_TOTAL: Final = compile_later(r"(?i)(?:占|of|in)\s*(?:the )?(?:grand )?(?:总[额量计和]|total)")
_DISTINCT: Final = compile_later(
    r"(?i)(?:多少|几)[种类款个]不?同?的?\s*$|不同的?\s*$|\b(?:distinct|unique)\s*$"
    r"|\b(?:how many|number of)\s+(?:different )?$"
)
_COUNT: Final = rf"(?P<n>\d{{1,3}}|{ENGLISH_NUMBER}|[一二两三四五六七八九十]{{1,3}})"
_TOP: Final = (
    compile_later(
        rf"(?i)(?P<low>倒数|最后|最[低少差小]的?|\b(?:bottom|worst|lowest|smallest|last))\s*前?{_COUNT}(?![\d年月日])"
    ),
    compile_later(rf"(?i)(?:排?名?前|最[高大多好]的?|\b(?:top|best|highest|largest|first))\s*{_COUNT}(?![\d年月日])"),
    compile_later(rf"(?i)\b{_COUNT} (?:(?P<low>worst|lowest|smallest)|best|highest|largest|biggest|top)\b"),
)
_SHARE: Final = compile_later(
    r"(?i)占比|占.{0,6}(?:百分|比例|几成|多少|比)|份额|比重|\bshares?\b|\bproportions?\b|\bpercent(?:age)? of\b|% of"
)
_YEAR_BEFORE: Final = compile_later(
    r"(?i)同比|去年同期|上年同期|year.(?:over|on).year|\byoy\b"
    r"|same (?:month|quarter|period) (?:last|of the previous) year"
)
_PERIOD_BEFORE: Final = compile_later(
    r"(?i)环比|较上[月季期]|比上[月季期]|(?:month|quarter|week).(?:over|on).(?:month|quarter|week)|\bmom\b|\bqoq\b"
    r"|period.over.period|previous (?:month|quarter|period)"
)
_OUTER: Final = compile_later(r"(?i)(?:每个?|各个?|按照?|分|\b(?:per|each|every|by|within|for each|in each))\s*$")
_KEY_NAME: Final = compile_later(r"(?i)month|week|quarter|grade|class|level|月|周|季|年级|班|级")
_MAX_KEY_VALUES: Final = 60
_NEAR: Final = 4
# Things that tables have; one that this table has no column for must not be answered with another column.
_THINGS: Final = compile_later(
    r"(?i)毛?利润|毛利|成本|工资|薪资|库存|城市|省份|部门|客户|顾客|门店|店铺|品类|单价|价格|折扣|成绩|分数|数量|销量|销售额"
    r"|营收|收入|支出|金额|年龄|性别|班级|渠道|品牌|供应商|地区|区域|产品|商品"
    r"|\b(?:profits?|margins?|costs?|salar(?:y|ies)|wages?|stock|inventory|cit(?:y|ies)|departments?|customers?|clients?"
    r"|stores?|prices?|discounts?|scores?|quantit(?:y|ies)|units|revenues?|turnover|expenses?|amounts?|ages?|gender|brands?"
    r"|suppliers?|channels?|regions?|products?|categor(?:y|ies)|countr(?:y|ies)|states?)\b"
)
_BY: Final = compile_later(
    r"(?i)\b(?:by|per)\s+(?:the )?(?P<en>[a-z]{3,})\b"
    r"|按照?(?P<zh>[^\x00，,。；;\s]{1,6}?)(?:统计|汇总|分组|分类|分|看|排|来)"
    r"|[各每]个?(?P<each>[^\x00，,。；;的\s]{1,4})的"
)
_NO_KEY: Final = compile_later(
    r"(?i)[日天周月季年]|从[高大低小]|[升降]序|大小|高低|要求|时间|日期|总|合计|平均|个$|^(?:day|week|month|quarter|year|date|time)s?$"
    r"|^(?:ascending|descending|hand|far|default|value|size|total|sum|mean|average|count|share|percent|order|name|it|them"
    r"|using|comparing|doing|making|the|and|its|row|line|unit|cent|median|amount|rank)$"
)


@dataclass(frozen=True, slots=True)
class Top:
    """The first `count` of the last key within each value of the others; the lowest if `lowest`."""

    count: int
    lowest: bool = False


@dataclass(frozen=True, slots=True)
class FigureWords:
    """What a message says about its figures."""

    keys: tuple["DataColumn", ...]
    measures: tuple["DataColumn", ...]
    stats: tuple[str, ...]
    where: tuple[Condition, ...]
    period: str
    top: Top | None
    with_share: bool
    versus: Versus
    question: Question | None


def read_words(message: str, hits: Sequence[NameHit], rows: ChosenRows, columns: "Sequence[DataColumn]") -> FigureWords:
    """Read the words about figures; `rows.rest` is the message without names, values and conditions."""
    text = rows.rest
    with_share = _SHARE.search(text) is not None
    where = rows.where
    compared = [name for name, sign, found in where if sign == "in" and (with_share or _is_several(found))]
    if with_share:
        where = tuple(one for one in where if not (one[1] == "in" and not _is_several(one[2])))
    distinct = next((hit.column for hit in hits if _is_counted(message, hit)), None)
    added = [one for one in columns if one.name in compared]
    keys = list(dict.fromkeys([*_find_keys(message, hits, where, distinct), *added]))
    bounded = {name for name, sign, _ in where if sign not in ("in", "not in")}
    said = list(dict.fromkeys(hit.column for hit in hits if hit.column.kind == "number" and hit.column not in keys))
    measures = [one for one in said if one.name not in bounded] or said
    stats = _find_stats(text, with_share=with_share)
    if distinct is not None:
        measures, stats = [distinct], ("nunique",)
    period = next((one for one, pattern in _PERIODS if pattern.search(text)), "") or rows.period
    months = next((one for one in columns if period == "M" and re.fullmatch(r"(?i)月份?|months?", one.name)), None)
    has_time = any(one.kind in ("date", "year") for one in columns)
    if months is not None and not has_time and months not in keys:
        keys, period = [*keys, months], ""
    top = _find_top(text)
    question = rows.question or _find_unknown(text, columns, has_measure=bool(measures))
    if question is None and (unread := _find_unread(message, hits)) is not None:
        question = ("ask_unread_column", {"name": unread.name, "value": unread.unread})
    if question is None and period and not has_time:
        question = ("ask_no_time", {"words": period_words(text)})
    if top is not None and len(keys) > 1:
        ordered = _order_for_top(message, hits, keys)
        question = question or (None if ordered else ("ask_top", {"columns": [one.name for one in keys]}))
        keys = ordered or keys
    return FigureWords(
        tuple(keys), tuple(measures), stats, where, period, top, with_share, _find_versus(text), question
    )


def period_words(text: str) -> str:
    """Words by which a message asks for a period."""
    found = next((match[0] for _, pattern in _PERIODS if (match := pattern.search(text))), "")
    return found.strip()


def _is_several(found: object) -> bool:
    return isinstance(found, tuple) and len(found) > 1


def _is_counted(message: str, hit: NameHit) -> bool:
    is_name = not hit.level and hit.column.kind in ("category", "id", "text")
    return is_name and _DISTINCT.search(message[: hit.start]) is not None


def _find_keys(
    message: str, hits: Sequence[NameHit], where: Sequence[Condition], distinct: "DataColumn | None"
) -> "list[DataColumn]":
    """Columns that figures are grouped by, in the order of the message."""
    alone = {name for name, sign, found in where if sign == "in" and not _is_several(found)}
    keys = []
    for hit in (one for one in hits if not one.level):
        column = hit.column
        is_key = column.kind in ("category", "boolean", "id", "text", "year") or (
            column.kind == "number"
            and column.distinct <= _MAX_KEY_VALUES
            and _KEY_NAME.search(column.name) is not None
            and _OUTER.search(message[: hit.start]) is not None
        )
        beside = any(
            one.level and one.column == column and min(abs(hit.start - one.end), abs(one.start - hit.end)) <= _NEAR
            for one in hits
        )
        is_said = not beside or _OUTER.search(message[: hit.start]) is not None
        if is_key and is_said and column.name not in alone and column != distinct:
            keys.append(column)
    return list(dict.fromkeys(keys))


def _find_unread(message: str, hits: Sequence[NameHit]) -> "DataColumn | None":
    """A column of amounts that is to be measured and cannot be read as numbers; as a group (按金额) it may be used."""
    named = (one for one in hits if not one.level and one.column.unread)
    return next((one.column for one in named if _OUTER.search(message[: one.start]) is None), None)


def _find_stats(text: str, *, with_share: bool) -> tuple[str, ...]:
    kept = _OF_TOTAL.sub(" ", text) if with_share else text
    return tuple(name for name, pattern in _STATS if pattern.search(kept))


def _find_top(text: str) -> Top | None:
    for pattern in _TOP:
        if match := pattern.search(text):
            number = match["n"].lower()
            count = int(number) if number.isdigit() else read_english_number(number) or read_chinese_integer(number)
            return Top(count, bool(match.groupdict().get("low"))) if count else None
    return None


def _order_for_top(message: str, hits: Sequence[NameHit], keys: "Sequence[DataColumn]") -> "list[DataColumn]":
    """Keys with the ranked one last; empty if it is not clear which one is ranked."""
    outer = {hit.column for hit in hits if not hit.level and _OUTER.search(message[: hit.start])}
    ranked = [one for one in keys if one not in outer]
    return [*(one for one in keys if one in outer), *ranked] if len(ranked) == 1 else []


def _find_versus(text: str) -> Versus:
    if _YEAR_BEFORE.search(text):
        return "year"
    return "previous" if _PERIOD_BEFORE.search(text) else ""


def _find_unknown(text: str, columns: "Sequence[DataColumn]", *, has_measure: bool) -> Question | None:
    """A thing that the message names and the table has no column for, or a period that is not computed here."""
    names = [one.name for one in columns]
    if odd := _ODD_PERIOD.search(text):
        return "ask_unknown_column", {"name": odd[0].strip(), "columns": names}
    numbers = [one for one in columns if one.kind == "number"]
    for match in _THINGS.finditer(text):
        is_key = _OUTER.search(text[: match.start()]) is not None
        if is_key or not (has_measure or len(numbers) == 1):
            return "ask_unknown_column", {"name": match[0], "columns": names}
    for match in _BY.finditer(text):
        name = next(one for one in match.groups() if one)
        if not _NO_KEY.search(name):
            return "ask_unknown_column", {"name": name, "columns": names}
    return None
