"""Reads numbers that are written in Chinese characters: 十二, 三百零五, 一点二万."""

from collections.abc import Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import Final

_DIGITS: Mapping[str, int] = MappingProxyType(
    {char: at for at, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "俩": 2}
)
_PLACES: Mapping[str, int] = MappingProxyType({"十": 10, "百": 100, "千": 1000})
_GROUPS: Mapping[str, int] = MappingProxyType({"万": 10**4, "亿": 10**8})
NUMERALS: Final = "零〇一二两三四五六七八九十百千万亿"


def read_numeral(text: str) -> tuple[Decimal, Decimal]:
    """Value of a numeral, and the value of its last digit: 十二 is 12 by ones, 三点五 is 3.5 by tenths."""
    whole, _, fraction = text.partition("点")
    value, step = Decimal(_read_whole(whole)), Decimal(1)
    for at, char in enumerate((one for one in fraction if one in _DIGITS), 1):
        step = Decimal(1).scaleb(-at)
        value += _DIGITS[char] * step
    group = next((_GROUPS[char] for char in reversed(fraction) if char in _GROUPS), 1)
    return value * group, step * group


def _read_whole(text: str) -> int:
    if not any(char in _PLACES or char in _GROUPS for char in text):
        return int("".join(str(_DIGITS[char]) for char in text) or "0")  # 二〇二六: digit by digit
    total, section, digit = 0, 0, 0
    for char in text:
        if char in _DIGITS:
            digit = _DIGITS[char]
        elif char in _PLACES:
            section += (digit or 1) * _PLACES[char]
            digit = 0
        else:
            total = (total + section + digit) * _GROUPS[char]
            section, digit = 0, 0
    return total + section + digit
