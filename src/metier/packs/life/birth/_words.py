"""Reads birth data that somebody wrote as a sentence: 1990年6月15日下午两点半，成都，男; born 20 Jan 1977 in Sydney.

What could mean two things (05/06/1990, 晚上12点) is left out: the form asks for it.
"""

import re
import unicodedata
from calendar import monthrange
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from metier.json_values import JsonValue
from metier.packs.life.birth._find_place import find_place
from metier.packs.life.birth._info import HOURS, UNKNOWN
from metier.packs.life.birth._spoken_times import write_clock_times
from metier.patterns import MONTH_NAME_EN, MONTH_WORD_EN, read_chinese_digits, read_chinese_integer, read_month_en

_MONTH_NAME: Final = rf"{MONTH_NAME_EN}\.?"
_YEAR: Final = r"(?:19|20)\d{2}"
_NUMERAL: Final = "〇零○一二两三四五六七八九十"
_ERAS: Final[Mapping[str, int]] = MappingProxyType(
    {"民国": 1911, "民國": 1911, "昭和": 1925, "平成": 1988, "令和": 2018, "大正": 1911, "光绪": 1874, "宣统": 1908}
)
_ERA: Final = rf"(?:{'|'.join(_ERAS)})\s*(?:\d{{1,3}}|[元{_NUMERAL}]{{1,4}})"
# What a sentence with birth data has at least: a year, and a month beside it.
_DATED: Final = (
    rf"{_YEAR}\s*[-/.年]\s*\d{{1,2}}|\d{{2}}年\s*\d{{1,2}}月|[一二][〇零○一二三四五六七八九]{{3}}年"
    rf"|{_ERA}\s*年|\b{MONTH_WORD_EN}\b.{{0,12}}{_YEAR}|\d{{1,2}}/\d{{1,2}}/{_YEAR}"
)
WORDS_PATTERN: Final = rf"(?i:{_DATED}|{_YEAR}年)"
# As an answer to the form a year alone is none: 2026年运势怎么样 asks for something else.
ANSWER_PATTERN: Final = rf"(?i:{_DATED}|{_YEAR}年(?:[农阴]历|闰|[正冬腊一二三四五六七八九十]+月))"
_DATE: Final = re.compile(
    rf"({_ERA}(?=\s*年)|{_YEAR}|(?<!\d)\d{{2}}(?=年)|[{_NUMERAL}]{{2,4}}(?=年))\s*[-/.年]\s*[农阴]?历?\s*(闰?)(\d{{1,2}}|[正冬腊{_NUMERAL}]{{1,2}})"
    rf"\s*[-/.月]\s*(\d{{1,2}}|[初廿卅{_NUMERAL}]{{1,3}})\s*[日号]?"
)
_DAY_FIRST: Final = re.compile(
    rf"\b(\d{{1,2}})(?:st|nd|rd|th)?\s*(?:of\s+)?({_MONTH_NAME})\s*,?\s*({_YEAR})", re.IGNORECASE
)
_MONTH_FIRST: Final = re.compile(rf"({_MONTH_NAME})\s*(\d{{1,2}})(?:st|nd|rd|th)?\s*,?\s*({_YEAR})", re.IGNORECASE)
_NO_YEAR: Final = re.compile(
    rf"(?<![\d年])(?:[农阴]历)?\s*闰?(\d{{1,2}}|[正冬腊{_NUMERAL}]{{1,2}})月\s*(\d{{1,2}}|[初廿卅{_NUMERAL}]{{1,3}})\s*[日号]?"
)
_DAY_NO_YEAR: Final = re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?({_MONTH_NAME})(?!\w)", re.IGNORECASE)
_MONTH_NO_YEAR: Final = re.compile(rf"\b({_MONTH_NAME})\s*(\d{{1,2}})(?!\d)", re.IGNORECASE)
_SLASHED: Final = re.compile(rf"\b(\d{{1,2}})/(\d{{1,2}})/({_YEAR})\b")
_PART: Final = r"(凌晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|半夜)?\s*"
_CLOCK: Final = re.compile(
    _PART
    + r"(?<!\d)(\d{1,2})(?:\s*[:：.]\s*(\d{2})(?!\d))?\s*([ap])\.?m\b\.?|"
    + _PART
    + r"(\d{1,2})\s*[:：]\s*(\d{2})",
    re.IGNORECASE,
)
_SPOKEN: Final = re.compile(
    _PART + rf"(\d{{1,2}}|[{_NUMERAL}]{{1,3}})\s*[点时]\s*(多|半|[一三]刻|\d{{1,2}}\s*分?|[{_NUMERAL}]{{1,3}}分?)?"
)
_BRANCH: Final = re.compile(r"(早|晚)?([子丑寅卯辰巳午未申酉戌亥])时")
_NOON_WORD: Final = re.compile(r"\b(?:at\s+)?noon\b|正午", re.IGNORECASE)
_UNKNOWN: Final = re.compile(
    r"时[间辰](?:不知道|不详|未知|不清楚|忘了)|不知道(?:时间|时辰|几点)|(?:time|hour)\s+(?:is\s+)?(?:un|not\s+)known|unknown\s+time",
    re.IGNORECASE,
)
_SEX: Final = r"(男|女|\b(?:female|male|woman|man|girl|boy)\b)"
_ANY_SEX: Final = re.compile(_SEX, re.IGNORECASE)
_OWN_SEX: Final = re.compile(
    rf"(?:我(?!妈|爸|们|家|孩|老|朋|同)|\bI(?:'m|\s+am)\b)[^,.。;；!?！？]{{0,20}}?{_SEX}", re.IGNORECASE
)
_SEX_ALONE: Final = re.compile(rf"\s*(?:性别|sex|an?\s)?\s*{_SEX}[性生孩士的命]*\s*[.!]?", re.IGNORECASE)
_OTHERS: Final = re.compile(
    r"[男女](?:朋友|友|儿|婿|票|老师|同学|同事|上司|老板|领导)|\b(?:girl|boy)friends?\b", re.IGNORECASE
)
_WOMEN: Final = frozenset(("女", "female", "woman", "girl"))
_LUNAR: Final = re.compile(r"农历|阴历|旧历|lunar", re.IGNORECASE)
_LUNAR_DAY: Final = re.compile(r"[正冬腊]月|月\s*(?:初|廿|卅)")
_PLACED: Final = re.compile(r"\b(?:in|from)\s+((?!I\b)[A-Z][\w.'-]*(?:[ ,]+(?!I\b)[A-Z][\w.'-]*)*)")
_NOISE: Final = re.compile(
    r"生于|出生于|出生在|出生地|出生|生在|地点|我是|公历|阳历|农历|阴历|性别|生的|[男女]生?"
    r"|\b(?:born|in|at|on|i|was|am|is|my|male|female|man|woman|boy|girl)\b",
    re.IGNORECASE,
)
_LEADING: Final = re.compile(r"^[在于我是的，\s]+")
_SPLIT: Final = re.compile(r"[，,。；;、:：\n]|\s{2,}")
_BRANCHES: Final = "丑寅卯辰巳午未申酉戌亥"
_SPECIAL_MONTHS: Final[Mapping[str, int]] = MappingProxyType({"正": 1, "冬": 11, "腊": 12})
_QUARTERS: Final[Mapping[str, int]] = MappingProxyType({"半": 30, "一刻": 15, "三刻": 45})
_NOON: Final = 12
_MONTHS: Final = 12
_LUNAR_DAYS: Final = 30
_ODD_YEAR: Final = 3  # 九八五年 is no year
_BIRTH_YEARS: Final = range(1900, 2100)
_MAX_CHARS: Final = 1_000
_MAX_PLACE_CHARS: Final = 60
_LAST_NIGHT_HOUR: Final = 5  # 夜里两点 is two in the morning, 晚上八点 is twenty o'clock
_FIRST_YEAR_OF_LAST_CENTURY: Final = 30  # 85年 is 1985, 05年 is 2005


def read_birth_words(text: str) -> dict[str, JsonValue]:
    """Fields of the birth form that a sentence names; what it does not name is left out."""
    found: dict[str, JsonValue] = {}
    text = unicodedata.normalize("NFKC", text[:_MAX_CHARS])[:_MAX_CHARS]
    rest = _read_time(write_clock_times(_read_date(text, found)), found)
    if sex := _find_sex(rest):
        found["sex"] = sex
    if place := next((name for name in _list_place_words(rest) if _is_place(name)), ""):
        found["place"] = place
    return found


def read_birth_day(text: str) -> tuple[int, int] | None:
    """Month and day that a sentence names, with or without a year, also where there is no such day."""
    text = unicodedata.normalize("NFKC", text[:_MAX_CHARS])[:_MAX_CHARS]
    if match := _DATE.search(text):
        return _read_month(match[3]), _read_number(match[4])
    if match := _DAY_FIRST.search(text) or _DAY_NO_YEAR.search(text):
        return read_month_en(match[2]), int(match[1])
    if match := _MONTH_FIRST.search(text) or _MONTH_NO_YEAR.search(text):
        return read_month_en(match[1]), int(match[2])
    match = _NO_YEAR.search(text)
    return (_read_month(match[1]), _read_number(match[2])) if match else None


def _read_month(text: str) -> int:
    return _SPECIAL_MONTHS.get(text) or _read_number(text)


def _read_date(text: str, found: dict[str, JsonValue]) -> str:
    """Read the date into the fields; returns the text without it."""
    leap = ""
    if match := _DATE.search(text):
        year, leap, month, day = match.groups()
        numbers = _read_year(year), _read_month(month), _read_number(day)
    elif match := _DAY_FIRST.search(text):
        numbers = int(match[3]), read_month_en(match[2]), int(match[1])
    elif match := _MONTH_FIRST.search(text):
        numbers = int(match[3]), read_month_en(match[1]), int(match[2])
    elif match := _SLASHED.search(text):
        first, second = int(match[1]), int(match[2])
        numbers = int(match[3]), *((second, first) if first > _NOON else (first, second))
        if first != second and max(first, second) <= _NOON:
            return text.replace(match.group(), ",")  # the day or the month may come first
    else:
        return text
    is_lunar = leap or _LUNAR.search(text) or _LUNAR_DAY.search(match.group())
    if not _is_date(*numbers, is_lunar=bool(is_lunar)):
        return text.replace(match.group(), ",")
    found["date"] = f"{numbers[0]:04d}-{numbers[1]:02d}-{numbers[2]:02d}"
    found["calendar"] = "lunar" if is_lunar else "solar"
    found |= {"leap_month": "yes"} if leap else {}
    return text.replace(match.group(), ",")


def _read_time(text: str, found: dict[str, JsonValue]) -> str:
    """Read the time into the fields; returns the text without it."""
    if match := _CLOCK.search(text):
        part, hour, minute = match[1] or match[5] or "", int(match[2] or match[6]), int(match[3] or match[7] or 0)
        half = (match[4] or "").lower()
        at = hour % _NOON + (_NOON if half == "p" else 0) if half else _find_hour(part, hour)
        _put_time(found, at, minute)
    elif match := _BRANCH.search(text):
        letter, part = match[2], match[1]
        found["hour"] = HOURS[_BRANCHES.index(letter) + 1] if letter != "子" else HOURS[-1 if part == "晚" else 0]
    elif match := _SPOKEN.search(text):
        minutes = (match[3] or "").removesuffix("分").strip()
        at_hour = _find_hour(match[1] or "", _read_number(match[2]))
        if minutes != "多":
            _put_time(found, at_hour, _QUARTERS.get(minutes) or _read_number(minutes))
        elif at_hour is not None and at_hour < 2 * _NOON:
            found["hour"] = HOURS[(at_hour + 1) // 2]  # some time after eight lies in one double hour
    elif match := _NOON_WORD.search(text):
        _put_time(found, _NOON, 0)
    elif match := _UNKNOWN.search(text):
        found["hour"] = UNKNOWN
    return text.replace(match.group(), ",") if match else text


def _put_time(found: dict[str, JsonValue], hour: int | None, minute: int) -> None:
    if hour is not None:
        found["time"] = f"{hour:02d}:{minute:02d}"


def _find_hour(part: str, hour: int) -> int | None:
    """The hour of the day; None if the part of the day leaves the day open, as midnight does."""
    if part in ("晚上", "夜里", "半夜") and hour == _NOON:
        return None
    if part == "凌晨":
        return hour % _NOON
    if part in ("下午", "傍晚") or (part == "中午" and hour <= _LAST_NIGHT_HOUR):
        return hour + _NOON if hour < _NOON else hour
    if part in ("晚上", "夜里", "半夜"):
        return hour + _NOON if _LAST_NIGHT_HOUR < hour < _NOON else hour
    return hour


def _is_date(year: int, month: int, day: int, *, is_lunar: bool) -> bool:
    """Whether there is such a day; in the lunar calendar, whether there may be."""
    if year not in _BIRTH_YEARS or not 1 <= month <= _MONTHS:
        return False
    return 1 <= day <= (_LUNAR_DAYS if is_lunar else monthrange(year, month)[1])


def _find_sex(text: str) -> str:
    """The sex of who is meant: beside "I", else standing alone, else the only one that is named."""
    plain = _OTHERS.sub("", text)
    alone = (_SEX_ALONE.fullmatch(part) for part in _SPLIT.split(plain))
    match = _OWN_SEX.search(plain) or next((one for one in alone if one), None)
    named = {match[1].lower()} if match else {one.lower() for one in _ANY_SEX.findall(plain)}
    sexes = {"female" if one in _WOMEN else "male" for one in named}
    return sexes.pop() if len(sexes) == 1 else ""


def _read_year(text: str) -> int:
    """The year that is meant; 0 if it is not clear, as 八十五年 may count from 1911."""
    if era := next((one for one in _ERAS if text.startswith(one)), ""):
        count = text.removeprefix(era).strip()
        return _ERAS[era] + (1 if count == "元" else _read_number(count))
    if not text.isascii() and ("十" in text or len(text) == _ODD_YEAR):
        return 0
    number = int(text) if text.isascii() else read_chinese_digits(text) or 0
    if number >= 100:
        return number
    return number + (1900 if number >= _FIRST_YEAR_OF_LAST_CENTURY else 2000)


def _read_number(text: str) -> int:
    """A number in digits or Chinese: 15, 十五, 七〇, 初三, 廿八."""
    text = text.strip().removeprefix("初")
    return int(text or 0) if text.isascii() else read_chinese_integer(text) or read_chinese_digits(text) or 0


def _list_place_words(text: str) -> Iterator[str]:
    """Parts of a sentence that may be a place: after "in", then between punctuation marks."""
    yield from (match[1].rstrip(" ,.") for match in _PLACED.finditer(text))
    for part in _SPLIT.split(text):
        yield _LEADING.sub("", _NOISE.sub("", part).strip()).strip(" .!?！？")


def _is_place(name: str) -> bool:
    if not 2 <= len(name) <= _MAX_PLACE_CHARS:
        return False
    match = find_place(name)
    return bool(match.place or match.options)
