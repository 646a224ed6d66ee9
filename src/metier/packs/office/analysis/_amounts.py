"""Numbers as documents write them: Chinese numerals, amounts of money in figures and in words, shares."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from types import MappingProxyType
from typing import Final

__all__ = [
    "MoneyAmount",
    "chinese_number",
    "find_money",
    "find_percents",
    "find_word_amounts",
    "parse_chinese_integer",
    "to_formal_amount",
]

_DIGITS: Mapping[str, int] = MappingProxyType(
    {
        **{char: index for index, char in enumerate("零一二三四五六七八九")},
        **{char: index for index, char in enumerate("零壹贰叁肆伍陆柒捌玖")},
        "〇": 0, "两": 2, "貳": 2, "參": 3, "陸": 6,
    }
)  # fmt: skip
_UNITS: Mapping[str, int] = MappingProxyType({"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000})
_LARGE: Mapping[str, int] = MappingProxyType({"万": 10_000, "萬": 10_000, "亿": 100_000_000, "億": 100_000_000})
_NUMERALS: Final = "零〇一二三四五六七八九十百千两壹贰貳叁參肆伍陆陸柒捌玖拾佰仟万萬亿億"
_FORMAL: Final = "零壹贰叁肆伍陆柒捌玖"
_WORD_AMOUNT: Final = re.compile(
    r"(?P<yuan>[壹贰貳叁參肆伍陆陸柒捌玖拾佰仟万萬亿億零]{2,})[元圆](?:整|正)?"
    r"(?:(?P<jiao>[壹贰叁肆伍陆柒捌玖零])角)?(?:(?P<fen>[壹贰叁肆伍陆柒捌玖])分)?(?:整|正)?"
)
_MONEY: Final = re.compile(
    r"(?:(?P<sign>[¥￥]|人民币|RMB|CNY)\s*)?(?P<figure>\d{1,3}(?:[,，]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)\s*"
    r"(?P<unit>亿元|万元|元|圆|万|亿)?",
)
_PERCENT: Final = re.compile(
    r"(?P<figure>\d+(?:\.\d+)?)\s*(?P<sign>[%％‰])|(?P<kind>百分之|千分之|万分之)"
    rf"(?P<words>\d+(?:\.\d+)?|[{_NUMERALS}]+)"
)
_SHARES: Mapping[str, Decimal] = MappingProxyType(
    {
        "%": Decimal(1),
        "％": Decimal(1),
        "‰": Decimal("0.1"),
        "百分之": Decimal(1),
        "千分之": Decimal("0.1"),
        "万分之": Decimal("0.01"),
    }
)


@dataclass(frozen=True, slots=True)
class MoneyAmount:
    """An amount in yuan and the words that state it."""

    yuan: Decimal
    quote: str
    start: int


def parse_chinese_integer(text: str) -> int | None:
    """Value of `一百二十三` or `叁拾万`; None if the text is no number."""
    if not text or any(char not in _NUMERALS for char in text):
        return None
    total = section = digit = 0
    for char in text:
        if char in _DIGITS:
            digit = _DIGITS[char]
        elif char in _UNITS:
            section += (digit or 1) * _UNITS[char]
            digit = 0
        else:
            total = (
                (total + section + digit) * _LARGE[char]
                if _LARGE[char] > 10_000
                else total + ((section + digit) * _LARGE[char])
            )
            section = digit = 0
    return total + section + digit


def chinese_number(number: int) -> str:
    """`12` as `十二`; up to 9999."""
    digits, units = "零一二三四五六七八九", ("", "十", "百", "千")
    parts: list[str] = []
    for place, char in enumerate(reversed(str(number))):
        if char != "0":
            parts.append(digits[int(char)] + units[place])
        elif parts and not parts[-1].startswith("零"):
            parts.append("零")
    text = "".join(reversed(parts)).rstrip("零")
    return text.removeprefix("一") if text.startswith("一十") else text or "零"


def to_formal_amount(yuan: Decimal) -> str:
    """`320000` as `叁拾贰万元整`."""
    cents = int((yuan * 100).to_integral_value())
    whole, jiao, fen = cents // 100, cents // 10 % 10, cents % 10
    text = f"{_formal_integer(whole)}元"
    if not jiao and not fen:
        return f"{text}整"
    return text + (f"{_FORMAL[jiao]}角" if jiao else "零") + (f"{_FORMAL[fen]}分" if fen else "整")


def _formal_integer(number: int) -> str:
    if number == 0:
        return "零"
    groups: list[int] = []
    while number:
        number, rest = divmod(number, 10_000)
        groups.append(rest)
    text = ""
    for place in range(len(groups) - 1, -1, -1):
        if not groups[place]:
            continue
        if text and groups[place] < 1000:
            text += "零"
        text += _formal_group(groups[place]) + ("", "万", "亿", "万亿")[place]
    return text


def _formal_group(number: int) -> str:
    text, is_gap = "", False
    for unit, name in ((1000, "仟"), (100, "佰"), (10, "拾"), (1, "")):
        digit = number // unit % 10
        if digit:
            text += ("零" if is_gap and text else "") + _FORMAL[digit] + name
            is_gap = False
        else:
            is_gap = True
    return text


def find_word_amounts(text: str) -> Iterator[MoneyAmount]:
    """Amounts in capital numerals, such as `叁拾贰万元整`."""
    for match in _WORD_AMOUNT.finditer(text):
        whole = parse_chinese_integer(match["yuan"])
        if whole is not None:
            yuan = Decimal(whole) + Decimal(_DIGITS.get(match["jiao"] or "", 0)) / 10
            yield MoneyAmount(yuan + Decimal(_DIGITS.get(match["fen"] or "", 0)) / 100, match[0], match.start())


def find_money(text: str) -> Iterator[MoneyAmount]:
    """Amounts in figures with a sign of money or a unit, such as `¥320,000.00`, `40万元`."""
    for match in _MONEY.finditer(text):
        unit = match["unit"] or ""
        if not match["sign"] and "元" not in unit and "圆" not in unit:
            continue
        scale = 100_000_000 if "亿" in unit else 10_000 if "万" in unit else 1
        try:
            value = Decimal(re.sub(r"[,，]", "", match["figure"])) * scale
        except InvalidOperation:
            continue
        yield MoneyAmount(value, match[0].strip(), match.start())


def find_percents(text: str) -> Iterator[MoneyAmount]:
    """Shares as percent: `30%`, `千分之五` (0.5), `万分之三` (0.03)."""
    for match in _PERCENT.finditer(text):
        sign = match["sign"] or match["kind"]
        figure = match["figure"] or match["words"]
        value = Decimal(figure) if figure[0].isdigit() else Decimal(parse_chinese_integer(figure) or 0)
        yield MoneyAmount(value * _SHARES[sign], match[0], match.start())
