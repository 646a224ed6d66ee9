"""Numbers written in Chinese characters or as English words, read and written: 十二, 两万五, 叁拾贰, twelve.

Written here and not taken from a library: those that read Chinese numbers tell neither the value of the last digit nor
that 二三十 is no single number.
"""

import re
from collections.abc import Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import Final

__all__ = [
    "CHINESE_NUMERALS",
    "ENGLISH_NUMBER",
    "ENGLISH_NUMBERS",
    "ENGLISH_ORDINALS",
    "read_chinese_digits",
    "read_chinese_integer",
    "read_chinese_number",
    "read_english_number",
    "write_chinese_integer",
]

# The everyday characters, for use inside brackets of a pattern.
CHINESE_NUMERALS: Final = "零〇一二两三四五六七八九十百千万亿"
ENGLISH_NUMBERS: Final = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)
_TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
# Words for a number from one to ninety-nine, for use inside a pattern.
ENGLISH_NUMBER: Final = (
    rf"(?:(?:{'|'.join(_TENS)})(?:[ -](?:{'|'.join(ENGLISH_NUMBERS[1:10])}))?"
    rf"|{'|'.join(sorted(ENGLISH_NUMBERS[1:20], key=len, reverse=True))})\b"
)
ENGLISH_ORDINALS: Final = (
    *("zeroth", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
    *("eleventh", "twelfth"),
)
_EVERYDAY: Final = "零一二三四五六七八九"
_FORMAL: Final = "零壹贰叁肆伍陆柒捌玖"
_SAME: Final = str.maketrans(
    {
        **dict(zip(_FORMAL, _EVERYDAY, strict=True)),
        **dict(zip("〇○两俩貳參陸拾佰仟萬億", "零零二二二三六十百千万亿", strict=True)),
        "廿": "二十",
        "卅": "三十",
    }
)
_DIGITS: Final[Mapping[str, int]] = MappingProxyType({char: at for at, char in enumerate(_EVERYDAY)})
_PLACES: Final[Mapping[str, int]] = MappingProxyType({"十": 10, "百": 100, "千": 1_000})
_GROUPS: Final[Mapping[str, int]] = MappingProxyType({"万": 10**4, "亿": 10**8})
_ONE: Final = f"[{_EVERYDAY[1:]}]"
# One digit; digits alone, if they are three or one is a zero (二零二六, 七零; 三五 is an estimate); or at most one
# digit before each unit and one after the last.
_WHOLE: Final = re.compile(rf"[{_EVERYDAY}]|{_ONE}零|[{_EVERYDAY}]{{3,}}|(?:零*{_ONE}?[十百千万亿])+零*{_ONE}?")
_SMALL_GROUP: Final = 10**4
_LARGEST: Final = 10**16 - 1


def read_chinese_integer(text: str) -> int | None:
    """Value of 十二, 一百零五, 两万五, 叁拾万, 二〇二六; None if the text is no single number (二三十, 三五, 三个)."""
    plain = text.translate(_SAME)
    return _add_up(plain, is_formal=_is_formal(text))[0] if _WHOLE.fullmatch(plain) else None


def read_chinese_digits(text: str) -> int | None:
    """Value of digits that stand for themselves, as in a year: 八五, 二〇二六; None for other texts."""
    plain = text.translate(_SAME)
    return int("".join(str(_DIGITS[char]) for char in plain)) if plain and set(plain) <= set(_EVERYDAY) else None


def read_chinese_number(text: str) -> tuple[Decimal, Decimal]:
    """Value of a numeral, and how exact it is: 十二 is 12 by ones, 三点五 is 3.5 by tenths, 三十二万 is by 万.

    Characters that are no numeral are passed over; 二三十 is taken for its last number.
    """
    whole, _, fraction = text.translate(_SAME).partition("点")
    value, step = map(Decimal, _add_up(whole, is_formal=_is_formal(text)))
    if value < _SMALL_GROUP or "零" in whole or fraction:  # 一亿零二十 skips no place
        step = Decimal(1)
    for at, char in enumerate((one for one in fraction if one in _DIGITS), 1):
        step = Decimal(1).scaleb(-at)
        value += _DIGITS[char] * step
    group = next((_GROUPS[char] for char in reversed(fraction) if char in _GROUPS), 1)
    return value * group, step * group


def write_chinese_integer(value: int, *, is_formal: bool = False) -> str:
    """A number in Chinese: 12 is 十二, 105 一百零五, 320000 三十二万; in the formal characters of amounts 叁拾贰万."""
    if not 0 <= value <= _LARGEST:
        return str(value)
    digits, places = (_FORMAL, "拾佰仟") if is_formal else (_EVERYDAY, "十百千")
    text = _write_below(value, 10**8, "亿", digits, places) or digits[0]
    return text[1:] if text.startswith("一十") else text


def read_english_number(word: str) -> int | None:
    """Value of words for a number below a hundred, or for a place up to twelfth; None for other words."""
    said = word.strip().casefold()
    tens, _, ones = said.replace("-", " ").partition(" ")
    if tens in _TENS:
        return 10 * (_TENS.index(tens) + 2) + (ENGLISH_NUMBERS.index(ones) if ones in ENGLISH_NUMBERS[1:10] else 0)
    for words in (ENGLISH_NUMBERS, ENGLISH_ORDINALS):
        if said in words:
            return words.index(said)
    return None


def _is_formal(text: str) -> bool:
    return any(char in _FORMAL[1:] for char in text)


def _add_up(text: str, *, is_formal: bool) -> tuple[int, int]:
    """Value, and value of one in the last place that is named."""
    if not any(char in _PLACES or char in _GROUPS for char in text):
        return int(
            "".join(str(_DIGITS[char]) for char in text if char in _DIGITS) or "0"
        ), 1  # 二零二六: digit by digit
    total = section = digit = 0
    unit = 10  # of the character before; 十五 ends with five ones, 两万五 with five thousands
    for char in text:
        if char in _DIGITS:
            digit, unit = _DIGITS[char], unit if _DIGITS[char] else 10
        elif char in _PLACES:
            section, digit, unit = section + (digit or 1) * _PLACES[char], 0, _PLACES[char]
        elif char == "亿":
            total, section, digit, unit = (total + section + digit or 1) * _GROUPS[char], 0, 0, _GROUPS[char]
        elif char == "万":
            total, section, digit, unit = total + (section + digit or 1) * _GROUPS[char], 0, 0, _GROUPS[char]
    last = 1 if is_formal else unit // 10  # 壹佰伍 is written wrongly, and no 150
    return total + section + digit * last, last if digit else unit


def _write_below(value: int, size: int, name: str, digits: str, places: str) -> str:
    """A number by its groups of four digits: 亿 with what stands before it, then 万, then the rest."""
    if size == 1:
        return _write_group(value, digits, places)
    smaller, smaller_name = (10**4, "万") if size == 10**8 else (1, "")
    high, low = divmod(value, size)
    head = _write_below(high, smaller, smaller_name, digits, places) + name if high else ""
    gap = digits[0] if head and 0 < low < size // 10 else ""
    return head + gap + _write_below(low, smaller, smaller_name, digits, places)


def _write_group(number: int, digits: str, places: str) -> str:
    text, is_gap = "", False
    for size, name in ((1_000, places[2]), (100, places[1]), (10, places[0]), (1, "")):
        digit = number // size % 10
        if digit:
            text += (digits[0] if is_gap and text else "") + digits[digit] + name
        is_gap = not digit
    return text
