"""Reads the figures in a text, in Chinese and English: numbers with units, percentages, dates, identifiers.

Pure functions. What is no figure is left out on request: list numbering, ordinals, the number of steps or reasons.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

from metier.patterns import CHINESE_NUMERALS, compile_later, read_chinese_number

# What makes a number large, and how many: 1.2万 shows its last digit in thousands.
_MULTIPLIERS: Mapping[str, int] = MappingProxyType(
    {"万亿": 10**12, "百万": 10**6, "千万": 10**7, "万": 10**4, "亿": 10**8}
    | {"thousand": 10**3, "million": 10**6, "billion": 10**9, "k": 10**3, "K": 10**3}
)
Family = Literal["percent", "level", "length", "time", "frequency", "rate", "data", "power", "angle", "count"]


class Unit(NamedTuple):
    """What a unit measures, and how many of the smallest unit of its family it is."""

    family: Family
    factor: Decimal


def _units(family: Family, **factors: str) -> dict[str, Unit]:
    return {name: Unit(family, Decimal(factor)) for name, factor in factors.items()}


_MEASURES: Final = "个|条|项|处|座|站|台|次|人|户|种|类|组|份|张|家|段|轮|栅格|小区"
_QUANTITIES: Mapping[str, Unit] = MappingProxyType(
    {
        "%": Unit("percent", Decimal(1)),
        "‰": Unit("percent", Decimal("0.1")),
        "个百分点": Unit("percent", Decimal(1)),
        "percentage points": Unit("percent", Decimal(1)),
        **_units("percent", percent="1", pp="1", 百分点="1"),
        **_units("level", dB="1", dBm="1", dBi="1", dBc="1", 分贝="1"),
        **_units("length", mm="0.001", cm="0.01", m="1", 米="1", km="1000", 公里="1000", 千米="1000"),
        **_units("time", ms="0.001", 毫秒="0.001", s="1", sec="1", seconds="1", 秒="1", min="60", minutes="60"),
        **_units("time", 分钟="60", h="3600", hours="3600", 小时="3600", days="86400", 天="86400"),
        **_units("frequency", Hz="1", kHz="1000", MHz="1000000", GHz="1000000000"),
        **_units("rate", bps="1", kbps="1000", Mbps="1000000", Gbps="1000000000"),
        **_units("data", B="1", KB="1000", MB="1000000", GB="1000000000", TB="1000000000000"),
        **_units("power", mW="0.001", W="1", kW="1000"),
        "°": Unit("angle", Decimal(1)),
        "℃": Unit("angle", Decimal(1)),
        **_units("angle", deg="1", degrees="1", 度="1"),
    }
)
# How many there are is no level and no angle: a power that was changed at 7 places is not one of 7 dBm.
_COUNTED: Final = (*_MEASURES.split("|"), "cells", "sites", "places", "changes", "users", "rows")
COUNT: Final = Unit("count", Decimal(1))
UNITS: Mapping[str, Unit] = MappingProxyType({**_units("count", **dict.fromkeys(_COUNTED, "1")), **_QUANTITIES})
_UNIT_PATTERN: Final = "|".join(sorted(map(re.escape, UNITS), key=len, reverse=True))
_MULTIPLIER_PATTERN: Final = "|".join(sorted(map(re.escape, _MULTIPLIERS), key=len, reverse=True))
# Repetitions are bounded: on long runs of one character, unbounded ones would take quadratic time.
_NUMERAL: Final = rf"[{CHINESE_NUMERALS}]{{1,12}}(?:点[{CHINESE_NUMERALS}]{{1,8}})?"
_QUANTITY_PATTERN: Final = "|".join(sorted(map(re.escape, _QUANTITIES), key=len, reverse=True))
_ENGLISH_WORDS: Final = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_ENGLISH: Mapping[str, int] = MappingProxyType({word: at for at, word in enumerate(_ENGLISH_WORDS, 2)})
_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_DATE: Final = (
    r"(?P<y1>\d{4})(?:年|[-/.](?=\d{1,2}[-/.]\d))(?P<m1>\d{1,2})(?:月|[-/.])(?P<d1>\d{1,2})(?:日|号)?(?!\d)"
    r"|(?P<y2>\d{4})年(?:(?P<m2>\d{1,2})月)?"
    r"|(?P<m3>\d{1,2})月(?P<d3>\d{1,2})(?:日|号)?"
    rf"|(?P<n4>{'|'.join(_MONTHS)})[a-z]*\.? (?P<d4>\d{{1,2}})(?!\d)(?:st|nd|rd|th)?(?:,? (?P<y4>\d{{4}}))?"
)
_LITERAL: Final = r"\d+(?:\.\d+){2,}|\d{1,2}:\d{2}(?::\d{2})?(?!\d)|\d+(?:-\d+){2,}"
_ID_CHAR: Final = r"(?:[A-Za-z0-9_]|[-#](?=[A-Za-z0-9])|(?<=\d)\.(?=\d))"
_ID: Final = rf"(?<![A-Za-z0-9_])[A-Za-z]{_ID_CHAR}{{0,40}}\d{_ID_CHAR}{{0,40}}"
_DIGITS: Final = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?(?:[eE][-+]?\d{1,3})?"
_NUMBER: Final = (
    rf"(?P<sign>(?<![A-Za-z0-9)）%])[-+])?(?P<digits>{_DIGITS})"
    rf"(?:[ \u00a0]?(?P<times>{_MULTIPLIER_PATTERN})(?![A-Za-z]))?"
    rf"(?:[ \u00a0]?(?P<unit>{_UNIT_PATTERN})(?![A-Za-z]))?(?P<tail>[A-Za-z][A-Za-z0-9]*)?"
)
# The order matters: what is found first is not read again as something else.
_FIGURE: Final = compile_later(
    rf"(?P<date>{_DATE})|(?P<literal>{_LITERAL})|(?P<id>{_ID})|(?P<number>{_NUMBER})"
    rf"|百分之(?P<share>{_NUMERAL})"
    rf"|(?P<tenths>[{CHINESE_NUMERALS}]{{1,4}})成(?P<more>[一二三四五六七八九半])?(?![为立功员分本都不])"
    rf"|(?P<numeral>{_NUMERAL})(?P<measure>{_UNIT_PATTERN}|倍)"
    rf"|\b(?P<word>(?i:{'|'.join(_ENGLISH)}))\b(?=[ -][A-Za-z])"
)
_TRANSLATED: Final = str.maketrans("０１２３４５６７８９％．－−＋～", "0123456789%.--+~")
_LINK: Final = compile_later(r"https?://\S+")
# Names of technology that hold a digit and state nothing.
_WORDS: Final = frozenset({"2g", "3g", "4g", "5g", "6g", "3gpp", "2d", "3d"})


@dataclass(frozen=True, slots=True)
class Number:
    """A number as written: its value, the value of its last digit, its unit, and whether a sign stands before it."""

    text: str
    value: Decimal
    step: Decimal = Decimal(0)
    unit: Unit | None = None


@dataclass(frozen=True, slots=True)
class Date:
    """A date or a part of one; what is not written is None."""

    text: str
    year: int | None
    month: int | None
    day: int | None


@dataclass(frozen=True, slots=True)
class Identifier:
    """A name that holds digits, such as DT20260105, or a version, an address or a time."""

    text: str

    @property
    def skeleton(self) -> str:
        """The name with its digits replaced: what names of the same kind have in common."""
        return re.sub(r"\d+", "0", self.text.casefold())


Figure = Number | Date | Identifier


_COUNT: Final = rf"(?:\d{{1,2}}|[{CHINESE_NUMERALS}]{{1,2}}|(?i:{'|'.join(_ENGLISH)}))"
_PARTS: Final = (
    "原因|建议|方面|步骤|步|要点|结论|发现|措施|阶段|部分|环节|点(?![\\d零一二三四五六七八九])"
    "|reasons?|steps?|findings?|suggestions?|points?|measures?|aspects?|parts?|recommendations?|causes?|actions?"
)
_COUNTS: Final = (
    # List numbering at the start of a line: 1. 2、 (3) **4.** ### 5:
    compile_later(r"(?m)^[ \t>#*+-]{0,20}(?:\*\*)?[(（]?\d{1,2}(?:[)）、]|[.:：](?!\d))"),
    # Ordinals: 第3步, step 3, 2nd
    compile_later(rf"第 ?(?:\d+|[{CHINESE_NUMERALS}]{{1,12}})|\b\d+(?:st|nd|rd|th)\b"),
    compile_later(r"(?i:\b(?:steps?|phase|no\.|top|section)|步骤|阶段)[ #-]?\d{1,2}(?: ?(?:of|/) ?\d{1,2})?(?![\d.])"),
    # Parts of the text: 三个原因, 2 findings
    compile_later(rf"{_COUNT} ?(?:个|条|点|项|种|大|类)? ?(?:(?:主要|关键|核心|重要|key|main|major) ?)?(?:{_PARTS})"),
    # A selection that the text itself makes: 最差的3个小区, these two cells
    compile_later(
        rf"(?:前|这|那|以下|如下|上述|下列|最[\u4e00-\u9fff]{{1,4}}的"
        rf"|\b(?i:top|worst|best|following|these|those|first|last)\b) ?{_COUNT}(?![.,]?\d)"
        rf"(?! ?(?:{_QUANTITY_PATTERN})(?![A-Za-z]))"
    ),
)
_IN_BRACKETS: Final = compile_later(r"[(（](\d{1,2})[)）]")
_TABLE_INDEX: Final = compile_later(r"(?m)^ {0,3}\| {0,9}(\d{1,3}) {0,9}\|")


def _find_counts(text: str) -> Iterator[tuple[int, int]]:
    """Places of numbers that only number or count the parts of the text."""
    for pattern in _COUNTS:
        for found in pattern.finditer(text):
            yield found.span()
    for pattern in (_IN_BRACKETS, _TABLE_INDEX):
        places = list(pattern.finditer(text))
        if len(places) > 1 and [int(one[1]) for one in places] == list(range(1, len(places) + 1)):
            yield from (one.span(1) for one in places)


def read_figures(text: str, *, skip_counts: bool = False) -> Iterator[Figure]:
    """Figures of a text in order. With `skip_counts`, without what only numbers or counts the text's own parts."""
    plain = _LINK.sub(" ", text.translate(_TRANSLATED))
    counts = bytearray(len(plain) + 1)
    for start, end in _find_counts(plain) if skip_counts else ():
        counts[start:end] = b"\x01" * (end - start)
    for found in _FIGURE.finditer(plain):
        if not counts[found.start()]:
            yield from _to_figures(found)


def _to_figures(found: re.Match[str]) -> Iterator[Figure]:
    text = found[0].strip()
    if found["date"]:
        yield _to_date(found)
    elif found["literal"] or found["id"]:
        yield Identifier(text)
    elif found["number"]:
        yield from _to_number(found)
    elif found["share"]:
        yield _numeral_number(text, found["share"], UNITS["%"])
    elif found["tenths"]:
        yield _tenths_number(text, found["tenths"], found["more"] or "")
    elif found["word"]:
        yield Number(text, Decimal(_ENGLISH[found["word"].lower()]), Decimal(1))
    elif found["numeral"] != "一":  # 一个, 一次: an article
        yield _numeral_number(text, found["numeral"], UNITS.get(found["measure"]))


def _to_date(found: re.Match[str]) -> Date:
    month = _MONTHS.index(found["n4"]) + 1 if found["n4"] else found["m1"] or found["m2"] or found["m3"]
    parts = (found["y1"] or found["y2"] or found["y4"], month, found["d1"] or found["d3"] or found["d4"])
    year, month, day = (int(part) if part else None for part in parts)
    return Date(found[0].strip(), year, month, day)


def _to_number(found: re.Match[str]) -> Iterator[Figure]:
    tail = found["tail"] or ""
    if f"{found['digits']}{tail}".casefold() in _WORDS:
        return
    if tail:  # 12a: a name that begins with a digit
        yield Identifier(found[0].strip())
        return
    digits = found["digits"].replace(",", "")
    times = _MULTIPLIERS.get(found["times"] or "", 1)
    value = Decimal(digits) * times
    last = Decimal(1).scaleb(int(Decimal(digits).as_tuple().exponent)) * times
    signed = -value if found["sign"] == "-" else value
    unit = UNITS.get(found["unit"] or "")
    is_count = unit is not None and unit.family == "count"
    text = found[0][: found.start("unit") - found.start()] if is_count else found[0]
    yield Number(text.strip(), signed, last, unit)


def _numeral_number(text: str, numeral: str, unit: Unit | None) -> Number:
    value, step = read_chinese_number(numeral)
    return Number(text, value, step, unit)


def _tenths_number(text: str, tenths: str, more: str) -> Number:
    value = read_chinese_number(tenths)[0] * 10
    if not more:
        return Number(text, value, Decimal(10), UNITS["%"])
    return Number(text, value + (5 if more == "半" else read_chinese_number(more)[0]), Decimal(1), UNITS["%"])
