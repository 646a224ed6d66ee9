"""Which rows a message means: values of a column, spans of time, bounds of a number. What is unclear is a question."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from metier.packs.workspace.data._names import MASK, NameHit, list_columns_with
from metier.patterns import MONTH_NAME_EN, compile_later, read_month_en

if TYPE_CHECKING:
    from collections.abc import Mapping

    from metier.packs.workspace.data._columns import DataColumn

# Column, sign (in, not in, >=, >, <=, <) and value: texts for `in`, a number, or a day as YYYY-MM-DD. Without a name
# of a column the texts are numbers of lines of the file.
Condition = tuple[str, str, str | float | tuple[str, ...]]
Question = tuple[str, "Mapping[str, object]"]
_NOT: Final = compile_later(
    r"(?i)(?:除了?|除去|不含|不包括|不算|不要|去掉|排除|剔除|\bexcept(?: for)?|\bexcluding|\bexclude|\bwithout"
    r"|\bother than|\bnot|\bignore|\bignoring|\bleave out|\bleaving out)\s*(?:the |in )?[\s“「\"']*$"
)
_AND: Final = compile_later(
    r"(?i)^[\s”」\"']*(?:和|与|及|、|,|，|/|or|and|&|vs\.?|versus|跟|或)\s*(?:the )?[\s“「\"']*$"
)
_BOUNDS: Final = (
    (">=", r"大于等于|不低于|不少于|不小于|至少|>=|≥|at least|no less than"),
    ("<=", r"小于等于|不超过|不高于|不大于|不多于|至多|<=|≤|at most|up to|no more than"),
    (">", r"大于|超过|高于|多于|>|over|above|more than|greater than|higher than|exceeding|exceeds?|larger than"),
    ("<", r"小于|低于|少于|不到|不足|<|under|below|less than|lower than|smaller than"),
)
_BOUND: Final = compile_later(
    r"(?i)(?:"
    + "|".join(f"(?P<b{at}>{words})" for at, (_, words) in enumerate(_BOUNDS))
    + r")\s*[¥￥$€£]?\s*(?P<number>\d[\d,]*(?:\.\d+)?)(?![\d年月日/-])\s*(?P<scale>[万亿千]|[km]\b|million\b)?"
)
_SCALES: Final = MappingProxyType({"万": 1e4, "亿": 1e8, "千": 1e3, "k": 1e3, "m": 1e6, "million": 1e6})
_YEAR: Final = r"(?:19|20)\d\d"
_POINT: Final = compile_later(
    rf"(?i)(?P<y1>{_YEAR})\s*(?:年|[-/.])\s*(?P<m1>1[0-2]|0?[1-9])(?:\s*(?:月|[-/.])\s*(?P<d1>[12]\d|3[01]|0?[1-9])(?!\d)\s*[日号]?|月份?|(?!\d))"
    rf"|(?P<y2>{_YEAR})\s*年?\s*(?:的?第?(?P<q2>[一二三四1-4])季度?|-?\s*q(?P<q3>[1-4])|(?P<h2>[上下])半年)"
    rf"|q(?P<q4>[1-4])\s*(?:of |in )?(?P<y4>{_YEAR})"
    rf"|(?P<m5>{MONTH_NAME_EN})\.?\s+(?:of )?(?P<y5>{_YEAR})"
    rf"|(?<!\d)(?P<y6>{_YEAR})(?!\d|,\d)\s*(?:年度?|财年)?"
)
_SINCE_AFTER: Final = compile_later(
    r"(?i)^\s*(?:及|和|或)?(?:以后|之后|以来|起(?![重诉草步源动价点码伏飞拍降因初名运止薪征租售订])"
    r"|开始(?!日|时)|后(?![台端续勤期半备卫者置排门厨市援盾方世果代缀视轮记])|onwards?\b|and later\b|or later\b)"
)
_BEFORE_AFTER: Final = compile_later(
    r"^\s*(?:以前|之前|前(?!\d|[一二三四五六七八九十几百两台端列任期景言沿线后置缀排门锋]))"
)
_SINCE: Final = compile_later(r"(?i)(?:自|从|\bsince|\bfrom|\bstarting(?: in)?)\s*$")
_LATER: Final = compile_later(r"(?i)\bafter\s*$")
_UNTIL: Final = compile_later(r"(?i)(?:\bbefore|\bprior to)\s*$")
_THROUGH: Final = compile_later(r"(?i)(?:截至|截止|直到|\bup to|\bthrough|\buntil)\s*$")
_TO: Final = compile_later(r"(?i)^\s*(?:到|至|-|–|~|—|to|through|until)\s*$")
_BETWEEN: Final = compile_later(r"(?i)(?:\bbetween|介于|在)\s*$")
_AGO: Final = compile_later(
    r"(?i)最近|近[一二三四五六七八九十\d]+|过去|今年|去年|前年|上个?[月周]|本[月周季年]|这个月|上[季年]度?"
    r"|\b(?:last|past|this|previous) (?:\d+ |two |three |six )?(?:day|week|month|quarter|year)s?\b"
    r"|year to date|\bytd\b"
)
_ONLY: Final = compile_later(
    r"只(?:看|要|算|统计|分析|含|取|保留)\s*(?P<zh>[^，,。；;！？?!\s]{1,12})"
    r"|\b[Oo]nly (?:for |in |from |the )?(?P<en>[A-Z][\w-]*)|\bwhere \w+ (?:is|=|==|equals) (?P<is>[\w-]+)"
)
LINE: Final = ""  # name of the column that a condition on lines of the file has
_NUMBERS_ZH: Final = r"第? ?(\d{1,7}(?: ?[、,，和及与] ?第?\d{1,7}){0,19}) ?[行条]"
_NUMBERS_EN: Final = r"(?:the )?(?:row|line)s? (?:no\.? ?|#)?(\d{1,7}(?: ?(?:,|and|&) ?\d{1,7}){0,19})"
_NO_LINE_ZH: Final = r"去掉|除去|去除|排除|剔除|不算|不要|不含|不包括|不计|扣除|扣掉|忽略|跳过|除了|除开|删掉|删除|删去"
_NO_LINE_EN: Final = (
    r"leave\s+out|leaving\s+out|exclude|excluding|ignore|ignoring|without|except(?:\s+for)?|skip|skipping|drop|remove|"
    r"delete|not\s+counting|minus"
)
_LEFT_OUT: Final = compile_later(
    rf"(?i)(?:{_NO_LINE_ZH})[掉了]?{_NUMBERS_ZH}|{_NUMBERS_ZH}(?:数据|记录|那笔|的)?[先都给]?(?:{_NO_LINE_ZH})"
    rf"|\b(?:{_NO_LINE_EN}) {_NUMBERS_EN}"
)
# A row that is to be deleted and nothing else is an order for the file, not for a figure.
_DELETES: Final = compile_later(r"(?i)删|\b(?:delete|remove|drop)\b")
_COMPUTES: Final = compile_later(
    r"(?i)算|统计|汇总|分析|重新|再看|再来|\b(?:comput|calculat|count|analy[sz]|again|redo|recalculat|summari[sz]|total)"
)
_DIGITS: Final = compile_later(r"\d+")
_QUARTERS: Final = "一二三四"
_LENGTHS: Final = MappingProxyType({1: "M", 3: "Q", 12: "Y"})
_MAX_GAP: Final = 6


@dataclass(frozen=True, slots=True)
class ChosenRows:
    """Conditions of a message, what is left of it, and a question if a condition cannot be understood.

    `period`: two years, quarters or months are compared with each other.
    """

    where: tuple[Condition, ...]
    rest: str
    question: Question | None = None
    period: str = ""


@dataclass(frozen=True, slots=True)
class _Span:
    """A year, half, quarter, month or day: its first day, and the first day after it."""

    start: int
    end: int
    first: date
    after: date
    period: str


def choose_rows(message: str, hits: Sequence[NameHit], masked: str, columns: "Sequence[DataColumn]") -> ChosenRows:
    """Find the conditions; `masked` is the message without the names that were found in it."""
    values, question = _match_values(message, hits, columns)
    bounds, rest, unclear = _match_bounds(message, masked, hits, columns)
    times = [one for one in columns if one.kind in ("date", "year")]
    named = next((hit.column for hit in hits if hit.column in times), None)
    time = named or (times[0] if times else None)
    when = _match_times(rest, time)
    unknown = _find_unknown(message, hits, has_other=bool(bounds or when.where), columns=columns)
    lines: tuple[Condition, ...] = ((LINE, "not in", left_out),) if (left_out := _match_lines(message)) else ()
    where = (*lines, *values, *bounds, *when.where)
    return ChosenRows(where, when.rest, question or unclear or when.question or unknown, when.period)


def _match_lines(message: str) -> tuple[str, ...]:
    """Numbers of the lines that a message leaves out of the figures."""
    found = _LEFT_OUT.search(message)
    if found is None or (_DELETES.search(found[0]) and not _COMPUTES.search(message)):
        return ()
    numbers = next(one for one in found.groups() if one)
    return tuple(dict.fromkeys(str(int(one)) for one in _DIGITS.findall(numbers)))


def leaves_lines_out(message: str) -> bool:
    """Whether a message orders figures without some lines of the file."""
    return bool(_match_lines(message))


def _match_values(
    message: str, hits: Sequence[NameHit], columns: "Sequence[DataColumn]"
) -> tuple[list[Condition], Question | None]:
    wanted: dict[tuple[str, str], list[str]] = {}
    sign, before = "in", 0
    for hit in hits:
        between = message[before : hit.start]
        if hit.level:
            owners = list_columns_with(hit.level, columns)
            said = [one.column.name for one in hits if not one.level and one.column.name in owners]
            if len(owners) > 1 and len(set(said)) != 1:
                return [], ("ask_which_column", {"value": hit.level, "columns": owners})
            sign = "not in" if _NOT.search(message[: hit.start]) else sign if _AND.match(between) and before else "in"
            wanted.setdefault((said[0] if len(owners) > 1 else hit.column.name, sign), []).append(hit.level)
        else:
            sign = "not in" if _NOT.search(message[: hit.start]) else "in"
        before = hit.end
    return [(name, sign, tuple(dict.fromkeys(found))) for (name, sign), found in wanted.items()], None


def _match_bounds(
    message: str, masked: str, hits: Sequence[NameHit], columns: "Sequence[DataColumn]"
) -> tuple[list[Condition], str, Question | None]:
    numbers = [one for one in columns if one.kind == "number"]
    found: list[Condition] = []
    for match in _BOUND.finditer(masked):
        sign = next(_BOUNDS[at][0] for at in range(len(_BOUNDS)) if match[f"b{at}"])
        value = float(match["number"].replace(",", "")) * _SCALES.get((match["scale"] or "").lower(), 1.0)
        near = [
            hit.column for hit in hits if not hit.level and hit.column.kind == "number" and hit.end <= match.start()
        ]
        close = [hit for hit in hits if hit.end <= match.start() and match.start() - hit.end <= _MAX_GAP]
        column = next((hit.column for hit in reversed(close) if hit.column.kind == "number"), None)
        if column is None and len(numbers) == 1:
            column = numbers[0]
        if column is None:
            names = [one.name for one in dict.fromkeys((*near, *numbers))]
            return [], masked, ("ask_which_number", {"words": message[match.start() : match.end()], "columns": names})
        found.append((column.name, sign, value))
    return found, _BOUND.sub(lambda match: MASK * len(match[0]), masked), None


def _match_times(text: str, time: "DataColumn | None") -> ChosenRows:
    ago = _AGO.search(text)
    if ago is not None:
        return ChosenRows((), text, ("ask_when", {"words": ago[0]}))
    spans = list(_list_spans(text))
    if not spans:
        return ChosenRows((), text)
    words = [text[one.start : one.end].strip() for one in spans]
    if time is None or (time.kind == "year" and any(one.period != "Y" for one in spans)):
        return ChosenRows((), text, ("ask_no_time", {"words": words}))
    masked = text
    for one in spans:
        masked = masked[: one.start] + MASK * (one.end - one.start) + masked[one.end :]
    if len(spans) == 1:
        return ChosenRows(_limit_time(time, *_read_open_span(text, spans[0])), masked)
    if len(spans) == 2:
        ends, period = _join_spans(text, *spans)
        if ends is not None:
            return ChosenRows(_limit_time(time, *ends), masked, None, period)
    return ChosenRows((), text, ("ask_when", {"words": words}))


def _join_spans(text: str, first: _Span, second: _Span) -> tuple[tuple[date | None, date | None] | None, str]:
    """The time that two spans give together, and their period if they are compared; None if that is not clear."""
    between = text[first.end : second.start]
    whole = first.first, second.after
    if _TO.match(between):
        return whole, ""
    if _AND.match(between):
        if _BETWEEN.search(text[: first.start]):
            return whole, ""
        if first.period == second.period and second.first == first.after:
            return whole, first.period
    opened, closed = _read_open_span(text, first), _read_open_span(text, second)
    return ((opened[0], closed[1]), "") if opened[1] is None and closed[0] is None else (None, "")


def _read_open_span(text: str, span: _Span) -> tuple[date | None, date | None]:
    """First day and the day after the last; None where it is open."""
    before, after = text[: span.start], text[span.end :]
    if _LATER.search(before):
        return span.after, None
    if _UNTIL.search(before) or _BEFORE_AFTER.match(after):
        return None, span.first
    if _THROUGH.search(before):
        return None, span.after
    if _SINCE.search(before) or _SINCE_AFTER.match(after):
        return span.first, None
    return span.first, span.after


def _limit_time(time: "DataColumn", first: date | None, after: date | None) -> tuple[Condition, ...]:
    is_year = time.kind == "year"
    ends = (first, ">="), (after, "<")
    told = [(sign, float(day.year) if is_year else day.isoformat()) for day, sign in ends if day is not None]
    return tuple((time.name, sign, value) for sign, value in told)


def _list_spans(text: str) -> Iterator[_Span]:
    for match in _POINT.finditer(text):
        year = int(next(match[name] for name in ("y1", "y2", "y4", "y5", "y6") if match[name]))
        quarter = match["q2"] or match["q3"] or match["q4"]
        first, months = (year, 1), 12
        if match["d1"]:
            try:
                day = date(year, int(match["m1"]), int(match["d1"]))
            except ValueError:
                continue
            yield _Span(match.start(), match.end(), day, date.fromordinal(day.toordinal() + 1), "D")
            continue
        if match["m1"]:
            first, months = (year, int(match["m1"])), 1
        elif match["m5"]:
            first, months = (year, read_month_en(match["m5"])), 1
        elif quarter:
            at = _QUARTERS.index(quarter) if quarter in _QUARTERS else int(quarter) - 1
            first, months = (year, 3 * at + 1), 3
        elif match["h2"]:
            first, months = (year, 1 if match["h2"] == "上" else 7), 6
        ahead = first[0] * 12 + first[1] - 1 + months
        days = date(*first, 1), date(ahead // 12, ahead % 12 + 1, 1)
        yield _Span(match.start(), match.end(), *days, _LENGTHS.get(months, ""))


def _find_unknown(
    message: str, hits: Sequence[NameHit], *, has_other: bool, columns: "Sequence[DataColumn]"
) -> Question | None:
    """A value that is asked for alone and that no column has."""
    for match in _ONLY.finditer(message):
        group = next(name for name in ("zh", "en", "is") if match[name])
        start, end = match.span(group)
        if has_other or any(hit.start < end and hit.end > start for hit in hits):
            continue
        known = [f"{one.name}: {', '.join(one.levels[:8])}" for one in columns if one.levels]
        return "ask_unknown_value", {"value": match[group], "known": known}
    return None
