"""Quantities of a requirement and of an answer: values and ranges with their units, and which side is meant."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from itertools import product
from types import MappingProxyType
from typing import Final, Literal

from metier.packs.office.analysis.bids._units import UNITS, find_rate, find_unit
from metier.patterns import read_chinese_number

__all__ = [
    "BidQuantity",
    "Verdict",
    "compare_quantities",
    "cut_limits",
    "cut_quantities",
    "find_quantities",
    "is_comparable",
]

Verdict = Literal["meets", "fails", "unsure"]
Side = Literal["floor", "ceiling", "range", "exact", "after"]
_FLOOR: Final = (
    r"不低于|不少于|不小于|不短于|不得低于|不得少于|不得小于|至少|最少|最低|≥|>=|＞=|大于等于|"
    r"大于|高于|多于|(?<!不)(?<!不得)超过|优于|"
    r"at least|(?:no|not) (?:less|fewer|lower) than|minimum(?: of)?"
)
_CEILING: Final = (
    r"不超过|不高于|不大于|不多于|不长于|不晚于|不迟于|不得超过|不得高于|不得大于|不得多于|不得晚于|至多|最多|最高|≤|<=|＜=|"
    r"小于等于|(?<!不)(?<!不得)(?:小于|低于|少于|短于)|"
    r"at most|(?:no|not) (?:more|later|higher) than|not exceed(?:ing)?|maximum(?: of)?|within|up to"
)
_LIMIT_WORDS: Final = re.compile(
    rf"(?:(?P<ceiling>{_CEILING})|(?P<floor>{_FLOOR}))[^\d。；;，,]{{0,6}}$", re.IGNORECASE
)
_FLOOR_BEHIND: Final = re.compile(r"^\s*[（(]?(?:及|或|和|含)?(?:其)?以上|^\s*起(?!\w)|^\s*[（(]含[）)]以上")
_CEILING_BEHIND: Final = re.compile(r"^\s*[（(]?(?:及|或|和|含)?(?:其)?(?:以内|之内|以下|以前|之前)")
# Alone they limit a time, a distance or a share; behind a count they begin a noun (`3台前置`, `2个内胆`).
_WITHIN_BEHIND: Final = re.compile(r"^\s*(?:内(?!存|部|容|置|网)|前(?!述|款|端|置))")
_AFTER_BEHIND: Final = re.compile(r"^\s*(?:以后|之后|后(?!续|期|端|台|置))")
_AFTER_BEFORE: Final = re.compile(r"\bafter\s*$", re.IGNORECASE)
_TIMES: Final = frozenset({"time", "workdays", "months"})
_WITHIN: Final = _TIMES | {"length", "share"}
_UNIT: Final = "|".join(sorted(map(re.escape, UNITS), key=len, reverse=True))
_FIGURE: Final = r"(?:(?<![A-Za-z0-9])[-－+＋]|零下\s*)?\d+(?:,\d{3})*(?:\.\d+)?"
_CHINESE: Final = (
    r"[一二两三四五六七八九十百]{1,4}(?=个?(?:"
    r"工作日|日历天|自然日|月|星期|周|年|天|日(?!常)|小时|分钟|秒|人|名|台|套|辆|次|家))"
)
_NUMBER: Final = re.compile(
    rf"(?P<figure>{_FIGURE}|{_CHINESE})\s*(?P<scale>[万亿](?!元))?\s*(?P<unit>{_UNIT}|[A-Za-z]+(?:/[a-zA-Z]+)?|[\u4e00-\u9fff])?"
)
_RANGE: Final = re.compile(
    rf"(?P<low>{_FIGURE})\s*(?P<unit1>{_UNIT}|[A-Za-z]+)?\s*(?:~|～|〜|-|－|—+|–|至|到)\s*(?P<high>{_FIGURE})\s*"
    rf"(?P<scale>[万亿](?!元))?\s*(?P<unit>{_UNIT}|[A-Za-z]+(?:/[a-zA-Z]+)?|[\u4e00-\u9fff])?"
)
_DAY: Final = re.compile(
    r"(\d{4})\s*[年./-]\s*(\d{1,2})\s*[月./-]\s*(\d{1,2})\s*日?(?:\s*\d{1,2}\s*(?:[:：]\d{2}|[时点](?:\d{1,2}分)?))?"
)
# A day without a year, a year, and an ordinal are no quantities.
_NO_QUANTITY: Final = re.compile(r"\d{1,2}\s*月\s*\d{1,2}\s*[日号]|(?:19|20)\d{2}\s*年度?|第\s*\d+")
_SCALES: Final[Mapping[str | None, int]] = MappingProxyType({"万": 10_000, "亿": 100_000_000, None: 1, "": 1})
# Where nothing says which side is meant, the subject may: a longer warranty and a shorter delivery are better.
_MORE_IS_BETTER: Final = re.compile(
    r"有效期|质保|保修|维保|保修期|免费|培训|保证金|驻场|人数|容量|寿命|warranty|validity", re.IGNORECASE
)
# How far a measure may be off; the resolution of a camera is counted otherwise.
_ERRORS: Final = frozenset({"share", "length", "degree"})
_FINER_IS_BETTER: Final = re.compile(
    r"精度|精确度|准确度|分辨[率力]|误差|公差|偏差|不确定度|重复性|灵敏度|\b(?:accuracy|precision|resolution|tolerance)\b",
    re.IGNORECASE,
)
_LESS_IS_BETTER: Final = re.compile(
    r"工期|交货|交付|供货|到货|完工|竣工|响应时间|到场|到达|修复|限价|误差|故障率|能耗|噪声|噪音|"
    r"delivery|response time",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class BidQuantity:
    """One value or range in the base unit of its dimension; a side that is open is None."""

    dimension: str
    low: Decimal | None
    high: Decimal | None
    side: Side
    start: int
    end: int


def find_quantities(text: str) -> tuple[BidQuantity, ...]:
    """Days, ranges and numbers with a unit, in the order of the text."""
    found: list[BidQuantity] = []
    rest = text
    for form, read in ((_DAY, _read_day), (_RANGE, _read_range), (_NUMBER, _read_number)):
        for match in form.finditer(rest):
            if (one := read(match, rest)) is not None:
                found.append(one)
        rest = form.sub(_blank_out, rest)
        rest = _NO_QUANTITY.sub(_blank_out, rest) if form is _DAY else rest
    return tuple(sorted(found, key=lambda one: one.start))


def _blank_out(match: re.Match[str]) -> str:
    return "\0" * len(match[0])


def cut_quantities(text: str) -> str:
    """The text without its quantities and the words that say which side is meant."""
    rest = text
    for one in reversed(find_quantities(text)):
        rest = rest[: one.start] + " " + rest[one.end :]
    return cut_limits(rest)


def cut_limits(text: str) -> str:
    """The text without the words that say which side of a value is meant."""
    form = rf"{_CEILING}|{_FLOOR}|(?:及|或)?以[上下内]|之内"
    return re.sub(form, lambda match: " " * len(match[0]), text, flags=re.IGNORECASE)


def _read_day(match: re.Match[str], text: str) -> BidQuantity | None:
    try:
        day = Decimal(date(int(match[1]), int(match[2]), int(match[3])).toordinal())
    except ValueError:
        return None
    behind = text[match.end() :]
    if _AFTER_BEHIND.match(behind):
        return BidQuantity("day", day, None, "after", match.start(), match.end())
    is_limit = (
        _CEILING_BEHIND.match(behind) or _WITHIN_BEHIND.match(behind) or _LIMIT_WORDS.search(text[: match.start()])
    )
    return BidQuantity(
        "day", None if is_limit else day, day, "ceiling" if is_limit else "exact", match.start(), match.end()
    )


def _read_range(match: re.Match[str], text: str) -> BidQuantity | None:
    dimension, factor = find_unit(match["unit"] or match["unit1"] or "")
    low, high = (_to_decimal(match[name]) * factor * _SCALES[match["scale"]] for name in ("low", "high"))
    if not match["unit"] and not match["unit1"]:
        return None
    # `10-20kg`: the sign belongs to the range and not to the second number.
    return BidQuantity(dimension, min(low, high), max(low, high), "range", match.start(), match.end())


def _read_number(match: re.Match[str], text: str) -> BidQuantity | None:
    figure = match["figure"]
    if not match["unit"] and not match["scale"]:
        return None
    value = _to_decimal(figure)
    dimension, factor = find_unit(match["unit"] or "")
    value *= factor * _SCALES[match["scale"]]
    behind, before = text[match.end() :], text[: match.start()]
    limit = _LIMIT_WORDS.search(before)
    is_time = dimension in _TIMES
    if is_time and (_AFTER_BEHIND.match(behind) or _AFTER_BEFORE.search(before)):
        return BidQuantity(dimension, value, None, "after", match.start(), match.end())
    is_within = dimension in _WITHIN and _WITHIN_BEHIND.match(behind)
    if is_within or _CEILING_BEHIND.match(behind) or (limit and limit["ceiling"]):
        return BidQuantity(dimension, None, value, "ceiling", match.start(), match.end())
    if _FLOOR_BEHIND.match(behind) or (limit and limit["floor"]):
        return BidQuantity(dimension, value, None, "floor", match.start(), match.end())
    return BidQuantity(dimension, value, value, "exact", match.start(), match.end())


def _to_decimal(figure: str) -> Decimal:
    plain = re.sub(r"零下\s*", "-", figure).replace(",", "").replace("－", "-").replace("＋", "+")
    if plain[-1].isascii():
        return Decimal(plain)
    return read_chinese_number(plain)[0]


def is_comparable(one: BidQuantity, other: BidQuantity) -> bool:
    """Whether two quantities are of one dimension, or of two that turn into one another."""
    return find_rate(one.dimension).base == find_rate(other.dimension).base


def compare_quantities(asked: BidQuantity, offered: BidQuantity, subject: str) -> Verdict:
    """Whether an offered quantity meets the asked one; where no word says which side is better, the subject does.

    Months against days and the like: a verdict holds where it does for the least and the most that either may be.
    """
    if asked.dimension == offered.dimension:
        return _compare_alike(asked, offered, subject)
    verdicts = {_compare_alike(*pair, subject) for pair in product(_list_readings(asked), _list_readings(offered))}
    return verdicts.pop() if len(verdicts) == 1 else "unsure"


def _list_readings(one: BidQuantity) -> Iterator[BidQuantity]:
    rate = find_rate(one.dimension)
    low, high = (None if side is None else rate.convert(side) for side in (one.low, one.high))
    for at in (0, 1):
        yield replace(one, dimension=rate.base, low=low and low[at], high=high and high[at])


def _compare_alike(asked: BidQuantity, offered: BidQuantity, subject: str) -> Verdict:
    side = asked.side
    if "after" in (side, offered.side) and side != "ceiling":
        # What begins when a time is over, and not how long it lasts.
        return "meets" if (side, asked.low) == (offered.side, offered.low) else "unsure"
    if side == "range":
        return _compare_ranges(asked, offered, subject)
    if side == "exact":
        if (asked.low, asked.high) == (offered.low, offered.high):
            return "meets"
        side = "floor" if _MORE_IS_BETTER.search(subject) else "ceiling" if _LESS_IS_BETTER.search(subject) else "exact"
    if side == "floor" and asked.dimension in _ERRORS and _FINER_IS_BETTER.search(subject):
        # `精度不低于±0.5%` wants a smaller value in some mouths and a greater one in others.
        return "meets" if asked.low is not None and asked.low == offered.low else "unsure"
    if side == "floor":
        return _meets_floor(asked.low if asked.low is not None else asked.high, offered)
    if side == "ceiling":
        return _meets_ceiling(asked.high if asked.high is not None else asked.low, offered)
    return "unsure"


def _meets_floor(limit: Decimal | None, offered: BidQuantity) -> Verdict:
    if limit is None:
        return "unsure"
    if offered.low is not None and offered.low >= limit:
        return "meets"
    if (offered.low is None and offered.high is not None and offered.high >= limit) or offered.side == "floor":
        return "unsure"
    return "fails"


def _meets_ceiling(limit: Decimal | None, offered: BidQuantity) -> Verdict:
    if limit is None:
        return "unsure"
    if offered.high is not None:
        return "meets" if offered.high <= limit else "fails"
    return "fails" if offered.low is not None and offered.low > limit else "unsure"


def _compare_ranges(asked: BidQuantity, offered: BidQuantity, subject: str) -> Verdict:
    """A range that a product has to cover lies within the one that is offered."""
    if offered.low is None or offered.high is None or asked.low is None or asked.high is None:
        return "unsure"
    if (asked.low, asked.high) == (offered.low, offered.high):
        return "meets"
    is_disjoint = offered.high < asked.low or offered.low > asked.high
    is_covered = re.search(r"温度|湿度|范围|量程|电压|频率|适应|可调|测量|工作", subject) is not None
    if is_covered and offered.side == "range":
        return "meets" if offered.low <= asked.low and offered.high >= asked.high else "fails"
    return "fails" if is_disjoint else "unsure"
