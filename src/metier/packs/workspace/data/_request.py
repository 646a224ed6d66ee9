"""What a message asks of a table: which columns, which figures, which change of the file."""

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal

from metier.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metier.packs.workspace.data._columns import DataColumn

Task = Literal["overview", "groups", "trend", "pivot", "outliers"]
Change = Literal["convert", "clean", "merge"]

_PIVOT: Final = compile_later(r"(?i)透视|交叉表|\bpivot\b|cross.?tab")
_TREND: Final = compile_later(
    r"(?i)趋势|走势|变化|逐月|每月|按月|按日|按周|按季|按年|同比|环比|\btrend|over time"
    r"|by (?:day|week|month|quarter|year)|(?:dai|week|month|quarter|year)ly"
)
_GROUPS: Final = compile_later(
    r"(?i)分组|各个|每个|按.{1,12}(?:统计|汇总|分|看|比较)|各.{1,8}的|排名|排行|\bby\b|\bper\b|group|rank|compare|break.?down"
)
_OUTLIERS: Final = compile_later(r"(?i)离群|异常值|极端值|outlier|anomal")
_MERGE: Final = compile_later(r"(?i)合并|拼接|关联|\bmerge\b|\bjoin\b|combine")
_CLEAN: Final = compile_later(r"(?i)清洗|清理|去重|去掉重复|规范化|\bclean|dedup|remove duplicates|tidy")
_CONVERT: Final = compile_later(
    r"(?i)(?:转换?|另存|导出|保存|转)(?:成|为|到)\s*(csv|xlsx|excel|json)|(?:convert|export|save)[^.]{0,40}?(?:to|as|into)\s*(csv|xlsx|excel|json)"
)
_PERIODS: Final = (
    ("D", compile_later(r"(?i)按日|按天|每日|每天|daily|by day|per day")),
    ("W", compile_later(r"(?i)按周|每周|weekly|by week|per week")),
    ("M", compile_later(r"(?i)按月|每月|逐月|月度|monthly|by month|per month")),
    ("Q", compile_later(r"(?i)按季|季度|每季|quarter")),
    ("Y", compile_later(r"(?i)按年|每年|年度|yearly|annual|by year|per year")),
)
_CODE: Final = compile_later(
    r"(?i)相关性|回归|预测|聚类|直方图|箱线图|正态|检验|python|代码"
    r"|correlat|regress|forecast|cluster|histogram|box ?plot|t-test|predict"
)
_REPORT: Final = compile_later(r"(?i)报告|分析|report|analy[sz]e|analysis")
_MEAN: Final = compile_later(r"(?i)平均|均值|mean|average")
_SUM: Final = compile_later(r"(?i)合计|总[额量计和]|求和|\bsum\b|total")
_BY_WORDS: Final = compile_later(r"(?i)按照?|各|每个?|不同|分|\bby\b|\bper\b|\beach\b|across")
_CLAUSES: Final = compile_later(r"[，,；;。？?\n]")
_UNIT_TAIL: Final = compile_later(r"\s*[（(][^（()）]{1,8}[)）]$")
_MAX_LEVELS: Final = 60


@dataclass(frozen=True, slots=True)
class FigureRequest:
    """Columns and figures of an analysis; empty names were neither said nor found."""

    tasks: tuple[Task, ...]
    measure: str = ""
    aggregate: str = "sum"
    by: str = ""
    across: str = ""
    time: str = ""
    period: str = ""


def find_change(message: str) -> Change | None:
    """Change of a file that a message asks for; None for an analysis."""
    for change, pattern in (("merge", _MERGE), ("clean", _CLEAN), ("convert", _CONVERT)):
        if pattern.search(message):
            return change  # type: ignore[return-value]
    return None


def needs_code(message: str) -> bool:
    """Whether a message asks for what the fixed figures do not give: a model writes code for it."""
    return _CODE.search(message) is not None


def wants_report(message: str) -> bool:
    """Whether a message asks for a report, or for an analysis as a whole, which ends in one."""
    return _REPORT.search(message) is not None


def find_format(message: str, default: str) -> str:
    """Ending of the new file that a message names: csv, xlsx or json."""
    found = _CONVERT.search(message) or re.search(r"(?i)\b(csv|xlsx|excel|json)\b", message)
    word = next((one for one in found.groups() if one), "").lower() if found else ""
    return {"excel": "xlsx"}.get(word, word) or default


def read_request(message: str, columns: "Sequence[DataColumn]") -> FigureRequest:
    """Find columns by their names in the message; what is not said is chosen from the kinds of the columns."""
    said = _find_said(message, columns)
    numbers = [one for one in columns if one.kind == "number"]
    groups = [one for one in columns if _is_group(one)]
    times = [one for one in columns if one.kind in ("date", "year")]
    measure = next((one for one in said if one.kind == "number"), None) or _choose_measure(numbers)
    named = [one for one in said if one.kind in ("category", "boolean", "id", "text", "year") and one != measure]
    rest = [one for one in groups if one not in named]
    by, across = (*named, *rest, None, None)[:2]
    time = next((one for one in said if one in times), None) or (times[0] if times else None)
    aggregate = measure.aggregate if measure is not None else "sum"
    if _MEAN.search(message):
        aggregate = "mean"
    elif _SUM.search(message) and not (measure is not None and measure.unit == "%"):
        aggregate = "sum"
    return FigureRequest(
        tasks=_find_tasks(message, bool(named), time is not None),
        measure=measure.name if measure else "",
        aggregate=aggregate,
        by=by.name if by else "",
        across=across.name if across else "",
        time=time.name if time else "",
        period=next((period for period, pattern in _PERIODS if pattern.search(message)), ""),
    )


def read_requests(message: str, columns: "Sequence[DataColumn]") -> list[FigureRequest]:
    """One request for each clause that asks for figures of its own; a clause without a measure has that of the rest."""
    whole = read_request(message, columns)
    parts = [part for part in _CLAUSES.split(message) if part.strip()]
    asked = [(part, read_request(part, columns)) for part in parts]
    figures = [
        one if _names_measure(part, columns) else replace(one, measure=whole.measure, aggregate=whole.aggregate)
        for part, one in asked
        if one.tasks != ("overview",)
    ]
    return figures if len(figures) > 1 else [whole]


def _names_measure(message: str, columns: "Sequence[DataColumn]") -> bool:
    return any(one.kind == "number" for one in _find_said(message, columns))


def _find_tasks(message: str, has_group: bool, has_time: bool) -> tuple[Task, ...]:
    found: list[Task] = []
    if _PIVOT.search(message):
        found.append("pivot")
    if has_time and _TREND.search(message):
        found.append("trend")
    if _OUTLIERS.search(message):
        found.append("outliers")
    if not found and has_group and _GROUPS.search(message):
        found.append("groups")
    return tuple(found) or ("overview",)


def _find_said(message: str, columns: "Sequence[DataColumn]") -> "list[DataColumn]":
    """Columns whose names occur, in the order of the message; a longer name hides a shorter one inside it."""
    lower = message.lower()
    hits: list[tuple[int, DataColumn]] = []
    for column in sorted(columns, key=lambda one: -len(one.name)):
        name = column.name.lower()
        at = _find_name(lower, name)
        if at < 0 and (bare := _UNIT_TAIL.sub("", name)):
            name, at = bare, _find_name(lower, bare)
        if at >= 0:
            lower = lower[:at] + "\x00" * len(name) + lower[at + len(name) :]
            hits.append((at, column))
    return [column for _, column in sorted(hits, key=lambda hit: hit[0])]


def _find_name(text: str, name: str) -> int:
    if not name.isascii():
        return text.find(name)
    found = re.search(rf"(?<![a-z0-9]){re.escape(name)}s?(?![a-z0-9])", text)
    return found.start() if found else -1


def _is_group(column: "DataColumn") -> bool:
    return column.kind in ("category", "boolean") and 1 < column.distinct <= _MAX_LEVELS


def _choose_measure(numbers: "Sequence[DataColumn]") -> "DataColumn | None":
    """Last column that is summed, as amounts stand after quantities and prices; otherwise the first number."""
    summed = [one for one in numbers if one.aggregate == "sum" and one.distinct > 1]
    return summed[-1] if summed else next(iter(numbers), None)
