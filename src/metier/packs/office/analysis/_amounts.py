"""Numbers as documents write them: Chinese numerals, amounts of money in figures and in words, shares."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from types import MappingProxyType
from typing import Final

from metier.patterns import read_chinese_integer, write_chinese_integer

__all__ = [
    "MoneyAmount",
    "find_money",
    "find_percents",
    "find_word_amounts",
    "to_formal_amount",
]

_NUMERALS: Final = "零〇一二三四五六七八九十百千两壹贰貳叁參肆伍陆陸柒捌玖拾佰仟万萬亿億"
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


def to_formal_amount(yuan: Decimal) -> str:
    """`320000` as `叁拾贰万元整`."""
    if yuan < 0:
        return f"负{to_formal_amount(-yuan)}"
    cents = int((yuan * 100).to_integral_value())
    whole, jiao, fen = cents // 100, cents // 10 % 10, cents % 10
    text = f"{write_chinese_integer(whole, is_formal=True)}元"
    if not jiao and not fen:
        return f"{text}整"
    return (
        text
        + (f"{write_chinese_integer(jiao, is_formal=True)}角" if jiao else "零")
        + (f"{write_chinese_integer(fen, is_formal=True)}分" if fen else "整")
    )


def find_word_amounts(text: str) -> Iterator[MoneyAmount]:
    """Amounts in capital numerals, such as `叁拾贰万元整`."""
    for match in _WORD_AMOUNT.finditer(text):
        whole = read_chinese_integer(match["yuan"])
        if whole is not None:
            yuan = Decimal(whole) + Decimal(read_chinese_integer(match["jiao"] or "零") or 0) / 10
            yield MoneyAmount(
                yuan + Decimal(read_chinese_integer(match["fen"] or "零") or 0) / 100, match[0], match.start()
            )


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
        value = Decimal(figure) if figure[0].isdigit() else Decimal(read_chinese_integer(figure) or 0)
        yield MoneyAmount(value * _SHARES[sign], match[0], match.start())
