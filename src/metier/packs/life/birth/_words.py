"""Reads birth data that somebody wrote as a sentence: 1990年6月15日下午两点半，成都，男."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from metier.json_values import JsonValue
from metier.packs.life.birth._find_place import find_place
from metier.packs.life.birth._info import HOURS, UNKNOWN

WORDS_PATTERN: Final = r"(?:19|20)\d{2}\s*[-/.年]\s*\d{1,2}"  # what a sentence with birth data has at least
_DATE: Final = re.compile(r"((?:19|20)\d{2})\s*[-/.年]\s*(闰?)(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*[日号]?")
_CLOCK: Final = re.compile(r"(\d{1,2})\s*[:：]\s*(\d{2})\s*(am|pm)?", re.IGNORECASE)
_SPOKEN: Final = re.compile(
    r"(凌晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|半夜)?\s*(\d{1,2}|[一二两三四五六七八九十]{1,3})\s*[点时]\s*(半|\d{1,2}\s*分?)?"
)
_BRANCH: Final = re.compile(r"(早|晚)?([子丑寅卯辰巳午未申酉戌亥])时")
_UNKNOWN: Final = re.compile(r"时间(?:不知道|不详|未知)|不知道(?:时间|几点)|time unknown|unknown time", re.IGNORECASE)
_MALE: Final = re.compile(r"男|\bmale\b|\bman\b", re.IGNORECASE)
_FEMALE: Final = re.compile(r"女|\bfemale\b|\bwoman\b", re.IGNORECASE)
_LUNAR: Final = re.compile(r"农历|阴历|旧历|lunar", re.IGNORECASE)
_NOISE: Final = re.compile(
    r"生于|出生于|出生在|出生地|出生|生在|地点|我是|公历|阳历|农历|阴历|性别|born|in\b|at\b|on\b|male|female|[男女]生?",
    re.IGNORECASE,
)
_SPLIT: Final = re.compile(r"[，,。；;、\n]|\s{2,}")
_DIGITS: Final[Mapping[str, int]] = MappingProxyType(
    {
        "一": 1,
        "二": 2,
        "两": 2,
        "三": 3,
        "四": 4,
        "五": 5,
        "六": 6,
        "七": 7,
        "八": 8,
        "九": 9,
        "十": 10,
        "十一": 11,
        "十二": 12,
    }
)
_BRANCHES: Final = "丑寅卯辰巳午未申酉戌亥"
_AFTERNOON: Final = ("下午", "傍晚", "晚上", "夜里")
_NOON: Final = 12


def read_birth_words(text: str) -> dict[str, JsonValue]:
    """Fields of the birth form that a sentence names; what it does not name is left out."""
    found: dict[str, JsonValue] = {}
    rest = text
    if date := _DATE.search(text):
        year, leap, month, day = date.groups()
        found["date"] = f"{year}-{int(month):02d}-{int(day):02d}"
        found["calendar"] = "lunar" if leap or _LUNAR.search(text) else "solar"
        found |= {"leap_month": "yes"} if leap else {}
        rest = text.replace(date.group(), ",")
    rest = _read_time(rest, found)
    if _FEMALE.search(rest):
        found["sex"] = "female"
    elif _MALE.search(rest):
        found["sex"] = "male"
    if place := _find_place_words(rest):
        found["place"] = place
    return found


def _read_time(text: str, found: dict[str, JsonValue]) -> str:
    """Read the time into the fields; returns the text without it."""
    if match := _CLOCK.search(text):
        hour, minute = int(match.group(1)), int(match.group(2))
        late = (match.group(3) or "").lower() == "pm" or any(one in text for one in _AFTERNOON)
        found["time"] = f"{hour + _NOON if late and hour < _NOON else hour:02d}:{minute:02d}"
    elif match := _BRANCH.search(text):
        letter, part = match.group(2), match.group(1)
        found["hour"] = HOURS[_BRANCHES.index(letter) + 1] if letter != "子" else HOURS[-1 if part == "晚" else 0]
    elif match := _SPOKEN.search(text):
        part, spoken, rest = match.groups()
        hour = int(spoken) if spoken.isdigit() else _DIGITS.get(spoken, 0)
        hour += _NOON if part in _AFTERNOON and hour < _NOON else 0
        minute = 30 if rest == "半" else int(re.sub(r"\D", "", rest or "") or 0)
        found["time"] = f"{hour:02d}:{minute:02d}"
    elif match := _UNKNOWN.search(text):
        found["hour"] = UNKNOWN
    return text.replace(match.group(), ",") if match else text


def _find_place_words(text: str) -> str:
    """The first part of a sentence that is a place."""
    for part in _SPLIT.split(re.sub("|".join(_AFTERNOON), ",", text)):
        name = _NOISE.sub("", part).strip()
        match = find_place(name)
        if len(name) > 1 and (match.place or match.options):
            return name
    return ""
