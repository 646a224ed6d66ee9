"""Dates that people say: absolute, or counted from the day of the meeting."""

import calendar
import re
from collections.abc import Callable, Mapping
from datetime import date, timedelta
from types import MappingProxyType
from typing import Final

from metier.patterns import read_chinese_integer

__all__ = [
    "TIME_PHRASE",
    "find_date",
    "find_document_date",
    "find_full_date",
    "find_repeat_words",
    "find_time_words",
    "has_date_words",
]

_NUMBER: Final = r"(?:\d{1,3}|[一二两三四五六七八九十]{1,3})"
_WEEKDAYS: Mapping[str, int] = MappingProxyType(
    {**{char: index for index, char in enumerate("一二三四五六")}, "日": 6, "天": 6}
)
_ENGLISH_DAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS: Final = tuple(name.lower() for name in calendar.month_name[1:])
_DAY_NAMES: Final = "|".join(_ENGLISH_DAYS)
_MONTH_NAMES: Final = "|".join(f"{name[:3]}(?:{name[3:]})?" for name in _MONTHS)
_ENGLISH_DATE: Final = (
    rf"(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<month>{_MONTH_NAMES})\b|"
    rf"\b(?P<month2>{_MONTH_NAMES})\s+(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\b)(?:,?\s+(?P<year>\d{{4}}))?"
)
_SMALL: Mapping[str, int] = MappingProxyType(
    {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "ten": 10}
)


def _number(text: str) -> int:
    if text.isascii() and text.isdigit():
        return int(text)
    return _SMALL.get(text.lower()) or read_chinese_integer(text) or 0


def _safe(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _last_of_month(start: date, months: int = 0) -> date:
    year, month = divmod(start.year * 12 + start.month - 1 + months, 12)
    return date(year, month + 1, calendar.monthrange(year, month + 1)[1])


def _on_weekday(today: date, weekday: int, weeks: int) -> date:
    return today - timedelta(days=today.weekday()) + timedelta(days=weekday, weeks=weeks)


def _full(match: re.Match[str], today: date) -> date | None:
    return _safe(int(match[1]), int(match[2]), int(match[3]))


def _month_day(match: re.Match[str], today: date) -> date | None:
    found = _safe(today.year, _number(match[1]), _number(match[2]))
    return found if found is None or found >= today else _safe(today.year + 1, found.month, found.day)


def _next_month_day(match: re.Match[str], today: date) -> date | None:
    following = _last_of_month(today, 1)
    return _safe(following.year, following.month, _number(match[1]))


def _day_of_month(match: re.Match[str], today: date) -> date | None:
    day = _number(match[1])
    found = _safe(today.year, today.month, day)
    return found if found is not None and found >= today else _next_month_day(match, today)


def _week(weeks: int) -> Callable[[re.Match[str], date], date | None]:
    return lambda match, today: _on_weekday(today, _WEEKDAYS[match[1]], weeks)


def _bare_weekday(match: re.Match[str], today: date) -> date | None:
    found = _on_weekday(today, _WEEKDAYS[match[1]], 0)
    return found if found >= today else found + timedelta(weeks=1)


def _english_weekday(match: re.Match[str], today: date) -> date | None:
    weekday = next(at for at, name in enumerate(_ENGLISH_DAYS) if name.startswith(match[2].lower()))
    if match[1]:
        return _on_weekday(today, weekday, 1)
    found = _on_weekday(today, weekday, 0)
    return found if found >= today else found + timedelta(weeks=1)


def _month_index(name: str) -> int:
    return next(index for index, full in enumerate(_MONTHS, 1) if full.startswith(name.lower()[:3]))


def _english_date(match: re.Match[str], today: date) -> date | None:
    day, month = int(match["day"] or match["day2"]), _month_index(match["month"] or match["month2"])
    if match["year"]:
        return _safe(int(match["year"]), month, day)
    found = _safe(today.year, month, day)
    return found if found is None or found >= today else _safe(today.year + 1, month, day)


def _after_days(days: int) -> Callable[[re.Match[str], date], date | None]:
    return lambda match, today: today + timedelta(days=days)


def _count_days(days: int) -> Callable[[re.Match[str], date], date | None]:
    return lambda match, today: today + timedelta(days=days * _number(match[1])) if _number(match[1]) else None


def _month_end(months: int) -> Callable[[re.Match[str], date], date | None]:
    return lambda match, today: _last_of_month(today, months)


def _named_month_end(match: re.Match[str], today: date) -> date | None:
    month = _month_index(match[1]) if match[1].isascii() and match[1].isalpha() else _number(match[1])
    if not 1 <= month <= len(_MONTHS):
        return None
    return _last_of_month(date(today.year + (month < today.month), month, 1))


def _year_end(match: re.Match[str], today: date) -> date | None:
    return date(today.year, 12, 31)


def _holiday(month: int, day: int) -> Callable[[re.Match[str], date], date | None]:
    def resolve(match: re.Match[str], today: date) -> date | None:
        found = date(today.year, month, day)
        return found if found >= today else date(today.year + 1, month, day)

    return resolve


# `到货后一周内`, `within 5 days of receipt` count from what nobody knows the day of; `会后三天内` from the meeting.
_FROM_NOW: Final = r"(?<![^会议]后)(?<![起前])(?<!之后)(?<!以后)"
_OF_NOW: Final = r"(?!\s+(?:of|after|from|before|following)\b)"
# The first form that fits wins, so the longer ones stand first.
_FORMS: Final[tuple[tuple[re.Pattern[str], Callable[[re.Match[str], date], date | None]], ...]] = tuple(
    (re.compile(pattern, re.IGNORECASE), resolve)
    for pattern, resolve in (
        (r"(\d{4})\s*[年/.-]\s*(\d{1,2})\s*[月/.-]\s*(\d{1,2})\s*日?", _full),
        (rf"(?:下个月|下月)({_NUMBER})[日号]", _next_month_day),
        (rf"(?<![\d年])({_NUMBER})月({_NUMBER})[日号]", _month_day),
        (r"(?:下下周|下下个?(?:星期|礼拜))([一二三四五六日天])", _week(2)),
        (r"(?:下周|下个?(?:星期|礼拜))([一二三四五六日天])", _week(1)),
        (r"(?:本周|这周|这个?(?:星期|礼拜)|本星期)([一二三四五六日天])", _week(0)),
        (r"(?:周|星期|礼拜)([一二三四五六日天])", _bare_weekday),
        (rf"{_FROM_NOW}({_NUMBER})\s*(?:个)?(?:天|日)(?:之?内|以内|后|之后)", _count_days(1)),
        (rf"{_FROM_NOW}({_NUMBER})\s*个?(?:周|星期|礼拜)(?:之?内|以内|后|之后)", _count_days(7)),
        (r"(?:下个?月)(?:月?底|末)", _month_end(1)),
        (rf"(?<![\d年])({_NUMBER})月份?(?:底|末)", _named_month_end),
        (r"(?:本月|这个?月|(?<![\d一二两三四五六七八九十])月)(?:月?底|末)", _month_end(0)),
        (r"年底|年末", _year_end),
        (r"大后天", _after_days(3)),
        (r"后天", _after_days(2)),
        (r"明天|明早|明日|次日", _after_days(1)),
        (r"今天|今日|今晚|下班前", _after_days(0)),
        (r"下个?周末", lambda match, today: _on_weekday(today, 6, 1)),
        (r"(?<!每)(?<!每个)(?:本|这个?)?周末", lambda match, today: _on_weekday(today, 6, 0)),
        (r"下周内|下周(?:之?前|底)", lambda match, today: _on_weekday(today, 4, 1)),
        (r"本周内|这周内|本周底|这周底", lambda match, today: _on_weekday(today, 4, 0)),
        (r"元旦", _holiday(1, 1)),
        (r"劳动节|五一(?=前|后|之|节|假)", _holiday(5, 1)),
        (r"国庆", _holiday(10, 1)),
        (r"圣诞", _holiday(12, 25)),
        (rf"(?:本月)?(?<![\d月年第])({_NUMBER})号", _day_of_month),
        (_ENGLISH_DATE, _english_date),
        (r"\b(?:by|on|until|before) the (\d{1,2})(?:st|nd|rd|th)\b", _day_of_month),
        (rf"\b(next\s+)?(?:this\s+)?({_DAY_NAMES})\b", _english_weekday),
        (
            r"(?:(?<=by )|(?<=on )|(?<=until )|(?<=before )|(?<=, )|(?<=\()|(?=next ))(next\s+)?"
            r"(?-i:(Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:s|rs|nes)?)\b(?!\s+(?-i:[A-Z]))",
            _english_weekday,
        ),
        (rf"\b(?:in|within)\s+(\w+)\s+days?\b{_OF_NOW}", _count_days(1)),
        (rf"\b(?:in|within)\s+(\w+)\s+weeks?\b{_OF_NOW}", _count_days(7)),
        (r"\bday after tomorrow\b", _after_days(2)),
        (r"\btomorrow\b", _after_days(1)),
        (rf"\bend of ({_MONTH_NAMES})\b", _named_month_end),
        (r"\btoday\b|\bEOD\b|\btonight\b|\bend of (?:the )?day\b", _after_days(0)),
        (r"\bend of (?:the|this) week\b|\bEOW\b", lambda match, today: _on_weekday(today, 4, 0)),
        (r"\bend of next month\b", _month_end(1)),
        (r"\bend of (?:the|this) month\b|\bmonth[- ]end\b", _month_end(0)),
        (r"\bend of (?:the|this) year\b", _year_end),
    )
)


def find_date(text: str, today: date) -> tuple[date, str] | None:
    """The first kind of date in the text, counted from `today`, with the words that say it."""
    for form, resolve in _FORMS:
        match = form.search(text)
        if match is not None and (found := resolve(match, today)) is not None:
            return found, match[0]
    return None


_ANY_DAY: Final = date(2000, 1, 3)
_UNCOUNTED: Final = (
    r"(?:春节|除夕|清明|端午|中秋|元宵|假期|寒假|暑假|放假|开学|学期末|年后|节前|节后|季度末|[一二三四]季度|"
    r"(?:\d{1,2}月)?(?:上|中|下)旬|(?:下个?|本|这个?|\d{1,2})?月[中初])(?:之?前|以前|之?后|以后|之?内|以内)?"
    r"|每(?:天|日|晚|月底?|年|季度|个?(?:周|月|星期|礼拜)[一二三四五六日天末初底]?)"
    r"|(?:下个?|本|这)(?:周|星期|礼拜)|[下这]个月|[这过]两天|(?:今[天晚]|明[天早晚]?|后天)?(?:一早|早上|凌晨|上午|中午|下午|傍晚|晚上)"
    r"(?:[一二三四五六七八九十\d]+点半?)?|一会儿?|待会儿?|回头(?!看|想)|下班[前后]|开会前|饭后|\b(?:this|"
    r"next) (?:week|month|weekend|"
    r"morning|afternoon|evening)\b|\bafter (?:lunch|work|school|the meeting)\b|\bevery (?:morning|evening|day|"
    r"week|month|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b|\bby noon\b|\bright (?:now|away)\b"
)
# A time as a Chinese clause has it before the verb: `我周六上午去接客户`.
TIME_PHRASE: Final = (
    r"(?:\d{4}年\d{1,2}月\d{1,2}[日号]|(?:今|明|后|大后)天|[今明][早晚]|(?:下下个?|下个?|本|这个?|每个?)?(?:周|星期|礼拜)[一二三四五六日天末]|"
    r"[一二两三四五六七八九十\d]+(?:月[一二三四五六七八九十\d]+[日号]|[日号天点]|个?(?:周|月|小时)|分钟)|月底|年底|"
    rf"{_UNCOUNTED})"
)
# Days that count from an event, and working days: who knows the holidays?
_AFTER_EVENT: Final = (
    rf"(?:[^，,。；;：:\s]{{2,12}}(?:后|之日起|起))?{_NUMBER}\s*个?(?:工作日|天|日|周|星期|月)(?:之?内|以内)|"
    r"\bwithin \w+ (?:(?:working|business) )?(?:days|weeks|months) (?:of|after|from|following) [a-z ]+"
)
_TIME_WORDS: Final = re.compile(rf"{_UNCOUNTED}|{_AFTER_EVENT}", re.IGNORECASE)


_REPEAT: Final = re.compile(
    r"每(?:天|日|晚|年|季度|个?月(?:[底初末]|\d{1,2}[日号])?|个?(?:周|星期|礼拜)[一二三四五六日天末初底]?)|"
    rf"\b(?:every|each) (?:morning|evening|day|week|month|{_DAY_NAMES})\b",
    re.IGNORECASE,
)


def find_repeat_words(text: str) -> str:
    """Words that say how often something is due: `每周五`, `every Monday`; empty if there are none."""
    match = _REPEAT.search(text)
    return match[0] if match else ""


def find_time_words(text: str) -> str:
    """Words that say a time without a day that could be counted: `春节前`, `月中`; empty if there are none."""
    match = _TIME_WORDS.search(text)
    return match[0] if match else ""


def has_date_words(text: str) -> bool:
    """Whether a text says a day or a time, whatever day it counts from."""
    return find_date(text, _ANY_DAY) is not None or bool(find_time_words(text))


def find_full_date(text: str) -> date | None:
    """A date with its year, which is the same whatever the day it is said on."""
    if match := _FORMS[0][0].search(text):
        return _full(match, date.min)
    match = re.search(_ENGLISH_DATE, text, re.IGNORECASE)
    return _english_date(match, date.min) if match and match["year"] else None


def find_document_date(lines: list[str]) -> date | None:
    """The date of a meeting: a line that names it, else the first complete date among the opening lines."""
    opening = lines[:12]
    named = [line for line in opening if re.search(r"时间|日期|date|会议", line, re.IGNORECASE)]
    for line in (*named, *opening):
        if (found := find_full_date(line)) is not None:
            return found
    return None
