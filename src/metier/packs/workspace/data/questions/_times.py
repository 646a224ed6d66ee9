"""Times that a question names: a month with or without its year, a quarter, a half, a day."""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import TYPE_CHECKING, Final

from metier.packs.workspace.data.questions._tokens import DataToken
from metier.patterns import MONTH_NAME_EN, compile_later, read_chinese_integer, read_month_en

if TYPE_CHECKING:
    import pandas as pd

_SPAN: Final = compile_later(
    r"(?i)(?:(?P<y1>(?:19|20)\d\d)\s*(?:年|[-/.])\s*)?(?P<m1>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])月份?(?:(?P<d1>[12]\d|3[01]|0?[1-9])[日号])?"
    r"|(?P<y2>(?:19|20)\d\d)[-/.](?P<m2>1[0-2]|0?[1-9])(?:[-/.](?P<d2>[12]\d|3[01]|0?[1-9]))?(?!\d)"
    rf"|(?:(?P<d3>[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)? )?(?P<m3>{MONTH_NAME_EN})(?: (?P<y3>(?:19|20)\d\d))?"
    r"|(?:(?P<y4>(?:19|20)\d\d)\s*年?)?(?:的?第(?P<q4>[一二三四1-4])季度?"
    r"|(?<![哪上下每这])(?P<q11>[一二三四1-4])季度|\s*\bq(?P<q5>[1-4])\b)(?: (?P<y5>(?:19|20)\d\d))?"
    r"|(?:(?P<y6>(?:19|20)\d\d)\s*年?)?(?P<h6>上半年|下半年|\b(?:first|second) half(?: of the year)?\b)"
    r"|\b(?P<q8>first|second|third|fourth) quarter(?: of (?P<y8>(?:19|20)\d\d))?"
    r"|\b(?:the )?(?P<l9>last (?:quarter|month))\b|(?P<l10>最后一?个(?:季度|月))"
    r"|(?P<y7>(?:19|20)\d\d)年?(?![\d-])"
)
_ORDINALS: Final = ("first", "second", "third", "fourth")
_VERBS: Final = ("may", "march", "mar")


def find_spans(text: str) -> Iterator[DataToken]:
    """Times as tokens; `value` is year-month-day with 0 for what is not said, and months that it lasts."""
    for found in _SPAN.finditer(text):
        named = found.groupdict()
        if found[0].lower() in _VERBS and not text[: found.start()].lower().endswith(("in ", "of ", "for ")):
            continue
        year = next((int(named[one]) for one in ("y1", "y2", "y3", "y4", "y5", "y6", "y7", "y8") if named[one]), 0)
        day = next((int(named[one]) for one in ("d1", "d2", "d3") if named[one]), 0)
        month, months = 1, 12
        if named["m1"] or named["m2"]:
            word = named["m1"] or named["m2"]
            month, months = int(word) if word.isdecimal() else read_chinese_integer(word) or 0, 1
        elif named["m3"]:
            month, months = read_month_en(named["m3"]), 1
        elif quarter := named["q4"] or named["q5"] or named["q11"]:
            number = int(quarter) if quarter.isdecimal() else read_chinese_integer(quarter) or 1
            month, months = 3 * number - 2, 3
        elif named["q8"]:
            month, months = 3 * _ORDINALS.index(named["q8"].lower()) + 1, 3
        elif half := named["h6"]:
            month, months = (1 if half[0] == "上" or half.lower().startswith("first") else 7), 6
        if last := named["l9"] or named["l10"]:
            months = 3 if "季" in last or "quarter" in last.lower() else 1
            yield DataToken("span", found[0].strip(), found.start(), found.end(), f"0-0-0-{months}")
            continue
        yield DataToken("span", found[0].strip(), found.start(), found.end(), f"{year}-{month}-{day}-{months}")


def resolve_span(value: str, years: Sequence[int], last: date) -> tuple[date, date] | None:
    """First day and the day after the last; None if the year is not said and the data have several or none.

    Without a month it is the last of the data, whose last day is `last`.
    """
    year, month, day, months = (int(one) for one in value.split("-"))
    if not month:
        year, month = last.year, last.month - (last.month - 1) % months
    if not year:
        if len(years) != 1:
            return None
        year = years[0]
    try:
        first = date(year, month, day or 1)
    except ValueError:
        return None
    if day:
        return first, date.fromordinal(first.toordinal() + 1)
    ahead = year * 12 + month - 1 + months
    return first, date(ahead // 12, ahead % 12 + 1, 1)


def list_years(dates: "pd.Series") -> list[int]:
    """Years that the dates have."""
    return sorted({int(one) for one in dates.dropna().dt.year.unique()})
