"""Days as a document writes them: in its form, with its year, and only days that there are."""

import re
from datetime import date
from typing import Final

from metier.packs.office._counts import MONTHS
from metier.packs.office.orders._unclear import OrderUnclear
from metier.patterns import MONTH_WORD_EN, read_month_en

__all__ = ["find_impossible_day", "fit_day", "write_day_like"]

_DAY: Final = re.compile(
    r"(?<!\d)(?:(?P<iso_year>\d{4})(?P<sep>[-/.])(?P<iso_month>\d{1,2})(?P=sep)(?P<iso_day>\d{1,2})(?![\d.])|"
    r"(?:(?P<han_year>\d{4})\s*年\s*)?(?P<han_month>\d{1,2})\s*月\s*(?P<han_day>\d{1,2})\s*[日号]|"
    rf"(?P<eu_day>\d{{1,2}})(?:st|nd|rd|th)? (?P<eu_month>{MONTH_WORD_EN})(?:,? (?P<eu_year>\d{{4}}))?(?![A-Za-z])|"
    rf"(?<![A-Za-z])(?P<us_month>{MONTH_WORD_EN}) (?P<us_day>\d{{1,2}})(?:,? (?P<us_year>\d{{4}}))?(?!\d|[A-Za-z]))",
    re.IGNORECASE,
)
_FORMS: Final = ("iso", "han", "eu", "us")
_LEAP: Final = 2024


def _read(found: re.Match[str]) -> tuple[str, int, int, int]:
    """Form, year (0 if none is said), month and day."""
    form = next(one for one in _FORMS if found[f"{one}_day"])
    month = found[f"{form}_month"]
    number = int(month) if month.isdigit() else read_month_en(month)
    return form, int(found[f"{form}_year"] or 0), number, int(found[f"{form}_day"])


def find_impossible_day(text: str) -> str:
    """The first day of a text that no calendar has: 31 June, 2026-02-30; empty if there is none."""
    for found in _DAY.finditer(text):
        form, year, month, day = _read(found)
        if form == "iso" and found["sep"] == "." and not 1 <= month <= 12:
            continue  # a version or a place in a list
        try:
            date(year or _LEAP, month, day)
        except ValueError:
            return found[0]
    return ""


def write_day_like(old: str, new: str, years: frozenset[int] = frozenset()) -> str:
    """A day in the form of an old one, with its year if none is said; as it is said if one of them is no day."""
    before, after = _DAY.fullmatch(old.strip()), _DAY.fullmatch(new.strip())
    if before is None or after is None:
        return new
    form, held, _, _ = _read(before)
    said, year, month, day = _read(after)
    year = year or (next(iter(years)) if len(years) == 1 else held)
    if form == said and form != "iso":
        return new
    if form == "iso":
        sep = before["sep"]
        return f"{year}{sep}{month:02}{sep}{day:02}"
    if form == "han":
        return f"{year}年{month}月{day}日" if held else f"{month}月{day}日"
    name = MONTHS[month - 1]
    name = name if len(before[f"{form}_month"]) > 3 or month == 5 else name[:3]
    text = f"{day} {name}" if form == "eu" else f"{name} {day}"
    return f"{text} {year}" if held else text


def fit_day(held: list[str], value: str) -> str:
    """A day as a column keeps its days, in the year of the others if none is said; asked if those are several."""
    days = [_DAY.fullmatch(one.strip()) for one in held if one]
    said = _DAY.fullmatch(value.strip())
    if said is None or not days or not all(days) or not days[0]:
        return value
    years = frozenset(_read(one)[1] for one in days if one) - {0}
    if not _read(said)[1] and len(years) > 1:
        raise OrderUnclear("which_year", known=tuple(sorted(map(str, years))))
    return write_day_like(days[0][0], value, years)
