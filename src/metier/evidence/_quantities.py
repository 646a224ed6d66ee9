"""Quantities of a text: numbers with their unit and direction, in Chinese and English, with where they stand."""

import re
from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

from metier.patterns import CHINESE_NUMERALS, compile_later, read_chinese_number

Direction = Literal["up", "down", ""]

_TIMES: Final[Mapping[str, int]] = MappingProxyType(
    {"万亿": 10**12, "千万": 10**7, "百万": 10**6, "万": 10**4, "亿": 10**8}
    | {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
)
# Ways to write a unit; the first name of a group is the one it is compared by.
_UNIT_GROUPS: Final = (
    ("percentage points", "percentage point", "个百分点", "百分点"),
    ("%", "％", "per cent", "percent"),
    ("vehicles", "vehicle", "cars", "units", "辆", "台"),
    ("yuan per kWh", "元/千瓦时", "元/kWh", "元/度", "yuan/kWh"),
    ("yuan", "元", "RMB"),
    ("dollars", "dollar", "美元", "USD"),
    ("GWh", "吉瓦时"),
    ("MWh", "兆瓦时"),
    ("kWh", "千瓦时", "度"),
    ("GW", "吉瓦"),
    ("MW", "兆瓦"),
    ("kW", "千瓦"),
    ("tonnes", "tonne", "tons", "吨"),
    ("kilometres", "kilometre", "km", "公里", "千米"),
    ("minutes", "minute", "分钟"),
    ("hours", "hour", "小时"),
    ("days", "day", "天"),
    ("months", "month", "个月"),
    ("cycles", "cycle", "次循环"),
    ("companies", "company", "firms", "家"),
    ("people", "persons", "人"),
    ("times", "倍"),
    ("piles", "chargers", "个充电桩", "根", "座"),
    ("year", "年"),
    ("calendar month", "月"),
)
_UNITS: Final[Mapping[str, str]] = MappingProxyType(
    {name.casefold(): group[0] for group in _UNIT_GROUPS for name in group}
)
_UNIT_PATTERN: Final = "|".join(
    re.escape(name) + ("(?![A-Za-z])" if name[-1].isascii() and name[-1].isalpha() else "")
    for name in sorted((name for group in _UNIT_GROUPS for name in group), key=len, reverse=True)
)
_TIMES_PATTERN: Final = "|".join(
    name + ("(?![A-Za-z])" if name.isascii() else "") for name in sorted(_TIMES, key=len, reverse=True)
)
_NUMBER_PATTERN: Final = (
    r"(?<![A-Za-z0-9_.])(?P<sign>[-−+])?(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,30}(?:\.\d{1,20})?)"
    rf"(?:[ \u00a0]?(?P<times>{_TIMES_PATTERN}))?(?:[ \u00a0]?(?P<unit>{_UNIT_PATTERN}))?"
    rf"|百分之(?P<share>[{CHINESE_NUMERALS}]{{1,12}}(?:点[{CHINESE_NUMERALS}]{{1,8}})?)"
    rf"|(?P<tenths>[一二三四五六七八九])成(?P<half>半)?"
    rf"|(?P<numeral>[{CHINESE_NUMERALS}]{{2,14}}(?:点[{CHINESE_NUMERALS}]{{1,8}})?)(?P<of>{_UNIT_PATTERN})?"
    rf"|(?P<single>[二两三四五六七八九十])(?P<after>{_UNIT_PATTERN})"
)
# Number words that stand for themselves: a report may use one only if its passage does.
_NUMBER_WORD: Final = compile_later(
    r"[\u00bc-\u00be\u2150-\u2189\u2460-\u249b\u24ea-\u24ff\u2776-\u2793\u3220-\u3229\u3280-\u3289]|[壹贰叁肆伍陆柒捌玖][拾佰仟]"
    r"|翻番|翻倍|翻一番|一半|半数|过半|分之|数十|数百|数千|上百|上千|上万"
    r"|\b(?:half|third|thirds|quarter|quarters|dozen|dozens|double|doubled|triple|tripled|twice|hundreds?|thousands?"
    r"|millions?|billions?|trillions?|(?:thir|four|fif|six|seven|eigh|nine)teen"
    r"|(?:twen|thir|for|fif|six|seven|eigh|nine)ty"
    r"|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b",
    re.IGNORECASE,
)
_DIRECTION_CHARS: Final = 14
_UP: Final = compile_later(
    r"增长|上升|提高|增加|上涨|回升|扩大|\b(?:rose|rise[sn]?|grew|grow[sn]?|increased?|gained|up|higher|climbed)\b",
    re.I,
)
_DOWN: Final = compile_later(
    r"下降|下滑|减少|降低|下跌|回落|缩小|\b(?:fell|fall(?:s|en)?|declined?|dropped|drops?|decreased?|down|lower|cut)\b",
    re.I,
)
_CLAUSE_END: Final = compile_later("[，,。；;、]")
_WIDE: Final = str.maketrans("０１２３４５６７８９．，－％", "0123456789.,-%")


@cache
def _number() -> re.Pattern[str]:
    """Compiled on first use: it takes longer than all the rest of this package to load."""
    return re.compile(_NUMBER_PATTERN, re.IGNORECASE)


class Quantity(NamedTuple):
    """A number as written, its value without sign, its unit (empty if none is known), direction, and its place."""

    text: str
    value: Decimal
    unit: str
    direction: Direction
    start: int
    end: int

    def matches(self, other: "Quantity") -> bool:
        """Whether both say the same: value, unit, and no opposite direction."""
        is_opposite = bool(self.direction and other.direction and self.direction != other.direction)
        return self.value == other.value and self.unit == other.unit and not is_opposite


def read_quantities(text: str) -> tuple[Quantity, ...]:
    """Numbers of a text in order."""
    plain = text.translate(_WIDE)
    return tuple(_to_quantity(plain, found) for found in _number().finditer(plain))


def find_number_words(text: str) -> frozenset[str]:
    """Words that say a number without digits, such as half, dozen or 翻倍."""
    rest = _number().sub(" ", text.translate(_WIDE))
    return frozenset(found[0].casefold() for found in _NUMBER_WORD.finditer(rest))


def _to_quantity(text: str, found: re.Match[str]) -> Quantity:
    unit = _UNITS.get((found["unit"] or found["of"] or found["after"] or "").casefold(), "")
    if found["digits"]:
        value = Decimal(found["digits"].replace(",", "")) * _TIMES.get((found["times"] or "").casefold(), 1)
        if not unit and not found["times"] and _is_year(found["digits"]):
            unit = "year"
    elif found["share"]:
        value, unit = read_chinese_number(found["share"])[0], "%"
    elif found["tenths"]:
        value, unit = read_chinese_number(found["tenths"])[0] * 10 + (5 if found["half"] else 0), "%"
    else:
        value = read_chinese_number(found["numeral"] or found["single"])[0]
    return Quantity(found[0].strip(), value, unit, _find_direction(text, found), found.start(), found.end())


def _is_year(digits: str) -> bool:
    return len(digits) == 4 and digits[:2] in ("19", "20")


def _find_direction(text: str, found: re.Match[str]) -> Direction:
    if found["digits"] and found["sign"] in ("-", "−"):
        return "down"
    before = _CLAUSE_END.split(text[max(0, found.start() - _DIRECTION_CHARS) : found.start()])[-1]
    up = max((one.end() for one in _UP.finditer(before)), default=-1)
    down = max((one.end() for one in _DOWN.finditer(before)), default=-1)
    if up == down:
        return ""
    return "up" if up > down else "down"
