"""What a message asks of a table: which columns, which figures, which change of the file."""

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from metier.packs.workspace.data._conditions import Condition, Question, choose_rows
from metier.packs.workspace.data._files import show_name
from metier.packs.workspace.data._names import find_hits
from metier.packs.workspace.data._words import Top, Versus, read_words
from metier.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metier.packs.workspace.data._columns import DataColumn

Task = Literal["overview", "groups", "trend", "pivot", "outliers", "table", "compare"]
Change = Literal["convert", "clean", "merge"]

_PIVOT: Final = compile_later(r"(?i)透视|交叉表|\bpivot\b|cross.?tab")
_TREND: Final = compile_later(
    r"(?i)趋势|走势|变化|逐月|每月|按月|按日|按周|按季|按年|同比|环比|\btrend|over time"
    r"|by (?:day|week|month|quarter|year)|(?:dai|week|month|quarter|year)ly"
)
_GROUPS: Final = compile_later(
    r"(?i)分组|各个|每个|[按分各每]\x00|按.{1,12}(?:统计|汇总|分|看|比较|算)|各.{1,8}的|排名|排行|占比|份额|哪个|哪些"
    r"|\bby\b|\bper\b|group|rank|compare|break.?down|\beach\b|\bwhich\b|\bshares?\b|对比|比较"
)
_OUTLIERS: Final = compile_later(r"(?i)离群|异常值|极端值|outlier|anomal")
_OVER_TIME: Final = compile_later(r"(?i)趋势|走势|变化|\btrend|over time")
_NAMED: Final[tuple[tuple[Task, re.Pattern[str]], ...]] = (
    ("pivot", _PIVOT),
    ("trend", _OVER_TIME),
    ("outliers", _OUTLIERS),
)
_MERGE: Final = compile_later(r"(?i)合并|拼接|关联|\bmerge\b|\bjoin\b|combine")
_CLEAN: Final = compile_later(r"(?i)清洗|清理|去重|去掉重复|规范化|\bclean|dedup|remove duplicates|tidy")
# One wording of a conversion for all who ask: the format is the word after 成 or "to", not the ending of a file's name.
_FORMAT: Final = r"(?:csv|xlsx|excel|json|markdown|md)(?![a-z0-9])"
_NAME: Final = "\x00"  # stands for the name of a file
_END: Final = (
    r"(?:\s+(?:file|format|table|workbook|sheet|spreadsheet|please|for me|too|as well|instead|now))*[,\s]*"
    r"(?:please|thanks|thank you)?[.!?\s]*"
)
_INTO_ZH: Final = (
    r"(?:转换?|变换?|另?存|导出?|保存|输出|改|弄)(?:一[份下])?"
    r"(?:成|为|到|一[份个张]|个)\s*(?:一[个份张])?\s*(?:[\w-]+\.)?"
)
_VERBS: Final = r"(?:convert|export|save|turn|change|transform)"
_TO: Final = rf"\s+(?:to|as|into|in(?=\s+(?:an?\s+)?{_FORMAT}{_END}$))\s+(?:an?\s+)?(?:[\w-]+\.)?"
_AND_TO: Final = r"(?:(?:and|now|then|also|next|please)[,\s]+)*(?:in)?(?:to|as)\s+(?:an?\s+)?"
_CONVERT: Final = compile_later(
    rf"(?i){_INTO_ZH}({_FORMAT})|\b{_VERBS}\b(?:[^.\n]|\.(?=\w)){{0,60}}?{_TO}({_FORMAT})|^\s*{_AND_TO}({_FORMAT})"
)
# The whole message, to its last word: what else it says is no plain conversion.
_ONLY_CONVERT: Final = compile_later(
    rf"(?i)(?:好的?|那就?|再|然后|接着|接下来|最后|顺便|麻烦|请|帮我|帮忙|给我|也|你|我想|我要|能不能|可以|想|[，,\s])*"
    rf"(?:[把将](?:[这那它]|上面|刚才|我|上传|附|附件|里|的|[个份张些]|数据|表格?|文件|资料|内容|csv|json|excel|xlsx|{_NAME}|\s)*)?"
    rf"(?:[这那][个份张些]?(?:数据|表格?|文件)?)?(?:全部|全|都|也|再|直接|给我|帮我|一起|{_NAME}|\s)*"
    rf"{_INTO_ZH}{_FORMAT}\s*(?:格式|文件|表格?|版本?|工作簿|的|吧|呗|吗|可以|一下|给我|谢谢|看看|[，,。.！!？?\s])*"
    rf"|(?:(?:ok|okay|please|can you|could you|would you|now|then|and|also|next|i want to|i'd like to)[,\s]+)*{_VERBS}"
    rf"(?:\s+(?:this|that|the|my|it|these|them|all|attached|uploaded|whole|data|tables?|files?|csv|json|excel|xlsx|sheet"
    rf"|spreadsheet|attachment|one|{_NAME}))*{_TO}{_FORMAT}{_END}"
    rf"|(?=[a-z]+[,\s]){_AND_TO}{_FORMAT}{_END}"
)
_INTO: Final = compile_later(rf"(?i)(?:\b(?:to|as|into|in)\s+(?:an?\s+)?|[成为]\s*(?:一[个份张])?\s*)({_FORMAT})")
_ANY_FORMAT: Final = compile_later(rf"(?i)(?<![a-z0-9.])({_FORMAT})")
_CODE: Final = compile_later(
    r"(?i)相关性|回归|预测|聚类|直方图|箱线图|正态|检验|python|代码"
    r"|correlat|regress|forecast|cluster|histogram|box ?plot|t-test|predict"
)
_REPORT: Final = compile_later(r"(?i)报告|分析|report|analy[sz]e|analysis")
_CLAUSES: Final = compile_later(r"[，,；;。？?\n]")
_ONLY_KEYS: Final = compile_later(
    r"(?i)^(?:[\s\x00按分各每逐和及、与]|[日天周月季年]度?份?)+$|^(?:by|per|each|and|day|week|month|quarter|year|[\s\x00])+$"
)
_FILE_NAME: Final = compile_later(r"(?i)[\w.-]+\.(?:csv|tsv|txt|xlsx|xlsm|jsonl?)\b")
_COST: Final = compile_later(r"(?i)成本|进价|费用|\bcosts?\b|expenses?")
_MONEY: Final = compile_later(r"(?i)销售额|营业额|营收|收入|业绩|金额|revenue|sales|turnover|takings|income|amount")
_MAX_LEVELS: Final = 60


@dataclass(frozen=True, slots=True)
class FigureRequest:
    """Columns and figures of an analysis; empty names were neither said nor found.

    `keys` are the columns that were said for grouping, the time among them if a period was said. `question` is set
    where a figure could be another than the one that is meant: then none is computed.
    """

    tasks: tuple[Task, ...]
    measure: str = ""
    aggregate: str = "sum"
    by: str = ""
    across: str = ""
    time: str = ""
    period: str = ""
    keys: tuple[str, ...] = ()
    measures: tuple[str, ...] = ()
    stats: tuple[str, ...] = ()
    where: tuple[Condition, ...] = ()
    top: Top | None = None
    with_share: bool = False
    versus: Versus = ""
    question: Question | None = None


def find_change(message: str, files: "Sequence[Path]" = ()) -> Change | None:
    """Change of a file that a message asks for; None for an analysis. The names of the files ask for nothing."""
    message, _ = mask_names(message, files)
    unnamed = _FILE_NAME.sub(" ", message)
    if _MERGE.search(unnamed):
        return "merge"
    if _CLEAN.search(unnamed):
        return "clean"
    return "convert" if _CONVERT.search(message) else None


def is_only_conversion(message: str) -> bool:
    """Whether a message asks, to its last word, for a conversion and nothing else."""
    return find_change(message) == "convert" and _ONLY_CONVERT.fullmatch(message) is not None


def mask_names(message: str, files: "Sequence[Path]") -> tuple[str, Path | None]:
    """The message with the name of a file taken out, and the file: the longest name in it, of these the newest."""
    folded = message.lower()
    shown = [(show_name(path.name).lower(), path) for path in reversed(files)]
    words = [(word, path) for name, path in shown for word in (name, Path(name).stem)]
    said = [one for one in words if len(one[0]) > 1 and one[0] in folded]
    if not said or len(folded) != len(message):
        return message, None
    word, path = max(said, key=lambda one: len(one[0]))
    at = folded.find(word)
    return message[:at] + _NAME + message[at + len(word) :], path


def needs_code(message: str) -> bool:
    """Whether a message asks for what the fixed figures do not give: a model writes code for it."""
    return _CODE.search(message) is not None


def wants_report(message: str) -> bool:
    """Whether a message asks for a report, or for an analysis as a whole, which ends in one."""
    return _REPORT.search(message) is not None


def find_format(message: str, default: str, files: "Sequence[Path]" = ()) -> str:
    """Ending of the new file that a message names: csv, xlsx, json or md; the names of the files say nothing of it."""
    message, _ = mask_names(message, files)
    found = _CONVERT.search(message) or _INTO.search(message) or _ANY_FORMAT.search(message)
    word = next((one for one in found.groups() if one), "").lower() if found else ""
    return {"excel": "xlsx", "markdown": "md"}.get(word, word) or default


def read_request(message: str, columns: "Sequence[DataColumn]") -> FigureRequest:
    """Find columns and values by their names in the message; what is not said is chosen from the kinds of columns."""
    message = _FILE_NAME.sub(lambda match: " " * len(match[0]), message)
    hits, masked = find_hits(message, columns)
    rows = choose_rows(message, hits, masked, columns)
    words = read_words(message, hits, rows, columns)
    numbers = [one for one in columns if one.kind == "number"]
    times = [one for one in columns if one.kind in ("date", "year")]
    measure = next(iter(words.measures), None) or _choose_measure(numbers)
    rest = [one for one in columns if _is_group(one) and one not in words.keys]
    by, across = (*words.keys, *rest, None, None)[:2]
    time = next((hit.column for hit in hits if hit.column in times), None) or next(iter(times), None)
    aggregate = measure.aggregate if measure is not None else "sum"
    simple = [one for one in words.stats if one in ("sum", "mean")]
    if simple and not (simple[0] == "sum" and measure is not None and measure.unit == "%"):
        aggregate = simple[0]
    keys = tuple(one.name for one in words.keys)
    has_period = bool(words.period) or (bool(keys) and _OVER_TIME.search(message) is not None)
    if has_period and time is not None and time not in words.keys:
        keys = (*keys, time.name)
    asked = FigureRequest(
        tasks=("overview",),
        measure=measure.name if measure else "",
        aggregate=aggregate,
        by=by.name if by else "",
        across=across.name if across else "",
        time=time.name if time else "",
        period=words.period,
        keys=keys,
        measures=tuple(one.name for one in words.measures),
        stats=words.stats,
        where=words.where,
        top=words.top,
        with_share=words.with_share,
        versus=words.versus,
        question=words.question,
    )
    return replace(asked, tasks=_find_tasks(message, masked, asked))


def read_requests(message: str, columns: "Sequence[DataColumn]") -> list[FigureRequest]:
    """One request for each clause that asks for figures of its own; a clause without a measure has that of the rest.

    Conditions of a clause that asks for no figures hold for all.
    """
    whole = read_request(message, columns)
    parts = [part for part in _CLAUSES.split(message) if part.strip()]
    asked = [read_request(part, columns) for part in parts]
    figures = [one for one in asked if one.tasks != ("overview",)]
    # Keys in one clause and measures in another belong together, and a clause of keys alone belongs to the one before.
    apart = any(one.keys and not one.measures for one in figures) and any(not one.keys for one in figures)
    apart = apart or any(_ONLY_KEYS.match(find_hits(part, columns)[1]) for part in parts)
    if len(figures) < 2 or apart or (whole.question is not None and not any(one.question for one in asked)):
        return [whole]
    shared = tuple(one for each in asked if each.tasks == ("overview",) for one in each.where)
    question = next((one.question for one in asked if one.question), None)
    told = [one if one.measures else _take_measure(one, whole) for one in figures]
    return [replace(one, where=(*shared, *one.where), question=question) for one in told]


def _take_measure(one: FigureRequest, whole: FigureRequest) -> FigureRequest:
    return replace(one, measure=whole.measure, measures=whole.measures, aggregate=whole.aggregate)


def _find_tasks(message: str, masked: str, asked: FigureRequest) -> tuple[Task, ...]:
    named: tuple[Task, ...] = tuple(name for name, pattern in _NAMED if pattern.search(message))
    if len(named) > 1 or "outliers" in named:
        return named
    plain = [one for one in asked.keys if one != asked.time]
    is_grouped = bool(asked.keys) and (_GROUPS.search(masked) is not None or asked.time in asked.keys)
    if asked.versus and asked.time and (asked.versus == "year" or plain):
        return ("compare",)
    if (asked.top is not None and plain) or _has_several(asked, is_grouped=is_grouped):
        return ("table",)
    if "pivot" in named:
        return ("pivot",)
    if is_grouped and len(asked.keys) > 1:
        return ("table",) if len(asked.keys) > 2 or asked.with_share else ("pivot",)
    if asked.time and not plain and (asked.keys or _TREND.search(message)):
        return ("trend",)
    return ("groups",) if plain and is_grouped else ("overview",)


def _has_several(asked: FigureRequest, *, is_grouped: bool) -> bool:
    """Whether several measures or statistics are asked for, or one beside sum and mean."""
    odd = any(one not in ("sum", "mean") for one in asked.stats)
    return (len(asked.measures) > 1 or len(asked.stats) > 1 or odd) and (is_grouped or bool(asked.stats))


def _is_group(column: "DataColumn") -> bool:
    return column.kind in ("category", "boolean") and 1 < column.distinct <= _MAX_LEVELS


def _choose_measure(numbers: "Sequence[DataColumn]") -> "DataColumn | None":
    """Last column of money that is summed, else the last one that is, else the first number.

    Costs are measured only where there is nothing else.
    """
    summed = [one for one in numbers if one.aggregate == "sum" and one.distinct > 1]
    summed = [one for one in summed if _MONEY.search(one.name)] or summed
    summed = [one for one in summed if not _COST.search(one.name)] or summed
    return summed[-1] if summed else next(iter(numbers), None)
