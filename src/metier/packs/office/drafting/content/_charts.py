"""Data of a chart in a request: names with one number each, or a range of periods with as many numbers."""

import re
from dataclasses import dataclass
from typing import Final

from metier.language import Language, choose
from metier.packs.office._counts import PERIODS
from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting._unclear import Unclear
from metier.packs.office.drafting.content._records import find_period_labels, find_records, find_values, read_unit
from metier.packs.office.drafting.lists import find_columns_lists

__all__ = ["ChartData", "find_chart_data", "name_labels", "name_measure"]

_MEASURE: Final = re.compile(
    (
        r"(销售额|销售收入|营业额|营收|收入|利润|产量|销量|用电量|用水量|"
        r"能耗|订单[量数]?|访问量|人数|费用|成本|金额|数量|占比|增长率|报销金额|"
        r"工时)|"
        r"\b(revenue|sales|visitors|orders|costs?|hours|output|production|"
        r"profit|tickets|market share|share|users|expenses)\b"
    ),
    re.IGNORECASE,
)


_UNIT: Final = (
    r"(?:数据|数值|金额|数字)?的?[(]?\s*单位(?:都|统一|就)?(?:用|是|为|写|按|标|:)*\s*"
    r"(万元|千元|亿元|百万元|元|万吨|吨|公斤|千克|千瓦时|万人|人次?|台|件|套|个|小时|天|美元|欧元)\s*(?:[)]|(?=$|[,，。;]))|"
    r"(?<=[额入润量费数本])[(](万元|千元|亿元|百万元|元|万吨|吨|公斤|千克|千瓦时|万人|人次?|台|件|套|个|小时|天)[)]"
)


# A noun before the numbers, and words that are none.
_MEASURED: Final = (
    re.compile(r"的([\u4e00-\u9fff]{2,8}?)(?:数据)?(?:分别|依次)?(?:是|为)?\s*:?\s*(?=\d)"),
    re.compile(
        r"(?:^|[,，。;\n])\s*([\u4e00-\u9fff]{2,10})(?:数据)?\s*(?:[(][^()\d]{1,8}[)])?:\s*(?=[^:;。]{1,14}?\d)"
    ),
)
_NO_MEASURE: Final = re.compile(
    r"[画做插填写录按把将请给加建出要帮]|生成|用(?![水电气户量工料纸油药])|图|表|[比多少我你们]|标题|数据|如下|下面|以下|这|分别|各[周月季]|备注|说明|注|单位|情况|要求"
)


@dataclass(frozen=True, slots=True)
class ChartData:
    """Points of one series, and the headings of their two columns."""

    label: str
    measure: str
    points: tuple[tuple[str, str], ...]
    unit: str = ""
    is_named: bool = False  # the request has names for both columns

    def head(self, title: str, note: str) -> str:
        """Heading of the column of values; under a title it still tells the unit, unless the note does."""
        if self.is_named:
            return self.measure
        is_told = not self.unit or self.unit in title or self.unit in note
        return (title if is_told else f"{title}（{self.unit}）") if title else self.measure


def find_chart_data(text: RequestText, language: Language) -> ChartData | None:
    """Points of the chart; None if the request has no numbers."""
    said = text.take(_UNIT)
    unit_said = (said[1] or said[2]) if said else ""
    named = _take_columns(text)
    measure = _MEASURE.search(text.mask)
    name = text.raw[measure.start() : measure.end()] if measure else ""
    if measure and re.match(r"[(][^()\d]{0,3}[万亿千元件吨台个次人米斤升%％][)]", text.mask[measure.end() :]):
        raise Unclear("unit")  # of another kind than those that are known
    said_name = name_measure(text)
    name = said_name if said_name.endswith(name) else name  # 平均销量, and not 销量
    name = name or choose(language, zh="数值", en="Value")
    name = name[:1].upper() + name[1:]
    records = find_records(text)
    if len(records) >= 2 and all(len(one.numbers) == 1 for one in records):
        for one in records:
            text.consume(one.start, one.end)
        unit = read_unit(records)
        if unit is None or (said and unit not in ("", unit_said)):
            raise Unclear("unit")
        unit = unit_said if said else unit
        name = f"{name}（{unit}）" if unit else name
        if measure is not None:
            text.consume(*measure.span())
        labels = _strip_periods([one.name for one in records])
        points = tuple((label, one.numbers[0]) for label, one in zip(labels, records, strict=True))
        label, name = named if named is not None else (name_labels(labels, language), name)
        return ChartData(label, name, points, unit, named is not None)
    labels = list(find_period_labels(text))
    if not labels:
        return None
    values, start, end = find_values(text, len(labels))
    if not values:
        bare = re.findall(r"\d+(?:\.\d+)?", text.mask)
        raise Unclear("value_count", labels=len(labels), values=len(bare)) if bare else Unclear("no_chart_data")
    text.consume(start, end)
    name = f"{name}（{unit_said}）" if said else name
    label, name = named if named is not None else (name_labels(labels, language), name)
    points = tuple(zip(labels, values, strict=True))
    return ChartData(label, name, points, unit_said if said else "", named is not None)


def name_measure(text: RequestText) -> str:
    """What the numbers are, where the words right before them say it: 各仓库存量：…, 五月到八月的降雨量分别是…."""
    for form in _MEASURED:
        found = form.search(RequestText(text.raw).mask)
        said = text.raw[found.start(1) : found.end(1)].rpartition("的")[2] if found else ""
        if len(said) > 1 and not _NO_MEASURE.search(said):
            return said
    return ""


def _take_columns(text: RequestText) -> tuple[str, str] | None:
    """Names of the two columns, where the request gives them: 列为月份、用水量."""
    found = next((one for one in find_columns_lists(text) if len(one.items) == 2), None)
    if found is None:
        return None
    text.consume(found.start, found.end)
    return found.items[0], found.items[1]


def _strip_periods(labels: list[str]) -> list[str]:
    """The names, the first without what was said of its period where the others are bare: 一月份进货120，二月份135."""
    first = re.match(rf"{PERIODS}", labels[0], re.IGNORECASE)
    is_bare = all(re.fullmatch(PERIODS, one, re.IGNORECASE) for one in labels[1:])
    return [first[0], *labels[1:]] if first and is_bare else labels


def name_labels(labels: list[str], language: Language) -> str:
    """Heading of the column of labels."""
    for pattern, zh, en in (
        (
            r"\d{1,2}月.*|[一二三四五六七八九十]+月.*|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*",
            "月份",
            "Month",
        ),
        (r"第?[一二三四1-4]季度|Q[1-4]", "季度", "Quarter"),
        (r"第.+周|week.*", "周", "Week"),
        (r".*(?:部|部门|处|科)", "部门", "Department"),
    ):
        if all(re.fullmatch(pattern, label, re.IGNORECASE) for label in labels):
            return choose(language, zh=zh, en=en)
    return choose(language, zh="项目", en="Item")
