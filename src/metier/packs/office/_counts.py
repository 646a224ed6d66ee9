"""Counts in words and digits, Chinese and English."""

import re
from decimal import Decimal
from typing import Final

from metier.patterns import ENGLISH_NUMBER, read_chinese_integer, read_english_number, write_chinese_integer

__all__ = ["COUNT", "MOMENTS", "MONTHS", "PERIODS", "expand_periods", "format_amount", "read_amount", "read_count"]

# A count as it stands in a sentence.
COUNT: Final = rf"(?:\d{{1,3}}|[一二两三四五六七八九十]{{1,3}}|\b{ENGLISH_NUMBER}|\b(?:an?|a single)\b)"
MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_SHORT: Final = tuple(name[:3] for name in MONTHS)
_ORDINAL: Final = r"(?:\d{1,2}|[一二三四五六七八九十]{1,2})"
# Labels of a time series that contain a number of their own.
PERIODS: Final = (
    rf"{_ORDINAL}月份?|第?[一二三四1-4]季度|第{_ORDINAL}[周季月年天期次轮]|Q[1-4]|H[12]|(?:19|20)\d\d年|"
    rf"week\s?\d{{1,2}}|\b(?:{'|'.join(MONTHS)})\b|\b(?:{'|'.join(_SHORT)})\b"
)
_YEAR: Final = r"(?:19|20)\d\d"
_MONTH: Final = rf"\b(?:{'|'.join(MONTHS)}|(?:{'|'.join(_SHORT)}|Sept)\.?(?![a-z]))"
_DAY_EN: Final = r"\d{1,2}(?:st|nd|rd|th)?(?!\d)"
# A point or stretch of time to its last word: Jan 2024, 3 March 2024, March 3, Q1 2024, 2024年3月3日, 2024-03, 2019.
MOMENTS: Final = (
    rf"(?:(?:{_YEAR}|[今明去后]|次)年的?\s*)?(?:{_ORDINAL}月份?(?:\d{{1,2}}[日号]|[上中下]旬|[初底末中])?|"
    rf"第?[一二三四1-4]季度|[上下]半年|年[初中底末])|{_YEAR}年[初中底末]?|(?:[今明去后]|次)年[初中底末]?|"
    rf"{_DAY_EN}\s+{_MONTH}(?:,?\s+{_YEAR}(?!\d))?|{_MONTH}(?:\s+{_DAY_EN}(?!\s*%))?(?:,?\s+{_YEAR}(?!\d))?|"
    rf"\bQ[1-4](?:[\s/'’-]*(?:{_YEAR}|\d\d(?=\s*[:：]))(?!\d))?|(?<!\d){_YEAR}\s*[-/]?\s*[QH][1-4]|\bH[12](?:\s+{_YEAR}(?!\d))?|"
    rf"(?<!\d){_YEAR}[-/.]\d{{1,2}}(?:[-/.]\d{{1,2}})?(?!\d)|(?<![\d,.£$€¥]){_YEAR}(?![\d,.]*\d|\s*[%％万亿元台套件个人次份])|"
    rf"{PERIODS}"
)


def read_count(text: str) -> int | None:
    """Number that a count says; None if it is none."""
    text = text.strip().lower()
    if text.isdecimal():
        return int(text)
    if text in ("a", "an", "a single"):
        return 1
    named = read_english_number(text)
    return read_chinese_integer(text) if named is None else named


def read_amount(text: str) -> Decimal:
    """Amount with or without thousands separators."""
    return Decimal(re.sub(r"[,，\s]", "", text))


def format_amount(amount: Decimal) -> str:
    """Amount with thousands separators, and decimals only where it has some."""
    return f"{amount:,.2f}".removesuffix(".00")


def expand_periods(first: str, last: str) -> tuple[str, ...]:
    """Labels from one period to another, written as these are; empty if they are no such periods."""
    for names in (MONTHS, _SHORT):
        lowered = [name.lower() for name in names]
        if first.lower() in lowered and last.lower() in lowered:
            return names[lowered.index(first.lower()) : lowered.index(last.lower()) + 1]
    ends = [re.fullmatch(rf"(第|Q|week\s?)?({_ORDINAL})(月|季度|周)?份?", one, re.IGNORECASE) for one in (first, last)]
    if ends[0] is None or ends[1] is None:
        return ()
    before, after = ends[1][1] or ends[0][1] or "", ends[1][3] or ends[0][3] or ""
    start, stop = read_count(ends[0][2]), read_count(ends[1][2])
    if start is None or stop is None or not (before or after) or stop <= start:
        return ()
    if ends[1][2].isdecimal():
        return tuple(f"{before}{number}{after}" for number in range(start, stop + 1))
    return tuple(f"{before}{write_chinese_integer(number)}{after}" for number in range(start, stop + 1))
