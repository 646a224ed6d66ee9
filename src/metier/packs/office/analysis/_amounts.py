"""Numbers as documents write them: Chinese numerals, amounts of money in figures and in words, shares."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from types import MappingProxyType
from typing import Final

from metier.patterns import read_chinese_integer, read_chinese_number, write_chinese_integer

__all__ = [
    "MoneyAmount",
    "find_money",
    "find_percents",
    "find_word_amounts",
    "to_formal_amount",
]

_NUMERALS: Final = "零〇一二三四五六七八九十百千两壹贰貳叁參肆伍陆陸柒捌玖拾佰仟万萬亿億"
_CAPITAL: Final = "壹贰貳叁參肆伍陆陸柒捌玖"
_DIGIT: Final = f"[{_CAPITAL}一二两三四五六七八九零〇]"
# 元角分, each with a zero before it where a place is skipped: 柒元零捌分, 伍角, 叁佰元零伍分, 壹元贰角整.
_WORD_AMOUNT: Final = re.compile(
    rf"(?P<yuan>(?=[{_CAPITAL}拾零])[{_CAPITAL}拾佰仟万萬亿億零]+(?:点[{_CAPITAL}零]+[万萬亿億]?)?|"
    r"(?=[一二两三四五六七八九十])[一二两三四五六七八九十百千万亿零〇]+[十百千万亿][一二三四五六七八九十百千万亿零〇]*)"
    r"(?:[元圆圓](?![化素结方宵])|块钱)[整正]?"
    rf"(?:[零〇]?(?P<jiao>{_DIGIT})角)?(?:[零〇]?(?P<fen>{_DIGIT})分)?[整正]?"
    rf"|(?P<only_jiao>[{_CAPITAL}])角(?:[零〇]?(?P<rest_fen>{_DIGIT})分)?[整正]?|(?P<only_fen>[{_CAPITAL}])分[整正]?"
)
# What before a numeral makes it a part of another, or of a form that is not filled in (壹佰X拾元).
_BEFORE: Final = f"{_NUMERALS}点.第Xx×_＿"
# What still belongs to the amount, so that it was not read to its end: a second figure, mills, thousands behind 元.
_UNREAD: Final = re.compile(rf"\s*[{_NUMERALS}]+\s*[角分厘毫元圆圓]")
_MONEY: Final = re.compile(
    r"(?:(?P<sign>[¥￥]|人民币|小写(?:金额)?[）)]?[：:]?|RMB|CNY)\s*)?"
    r"(?P<figure>\d{1,3}(?:[,，]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)\s*"
    r"(?P<unit>亿元|万元|元|圆|万|亿)?",
)
# A share of ten: 四成, 一成半, but no 成员 and no 一成不变.
_TENTHS: Final = r"(?:[一二两三四五六七八九十]|(?<!\d)\d(?:\.\d)?)"
_PERCENT: Final = re.compile(
    r"(?P<figure>\d+(?:\.\d+)?)\s*(?P<sign>[%％‰])|(?P<kind>百分之|千分之|万分之)"
    rf"(?P<words>\d+(?:\.\d+)?|[{_NUMERALS}]+(?:点[{_NUMERALS}]+)?)"
    rf"|(?P<tenths>{_TENTHS})成(?P<half>半|[一二三四五六七八九])?(?![员为本立功就果交品熟长套都效绩语不])"
    rf"|(?P<below>[{_NUMERALS}]{{1,3}}|\d{{1,2}})分之(?P<above>[{_NUMERALS}]{{1,3}}|\d{{1,2}})"
    r"|(?<=[的价款额为付占即])(?P<over>[1-9])/(?P<under>[2-9]|10)(?![\d/年月日号])"
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
    """Amounts in numerals: `叁拾贰万元整`, `柒元零捌分`, `三十二万元`; one that is not read to its end is none."""
    for match in _WORD_AMOUNT.finditer(text):
        if _UNREAD.match(text, match.end()) or (match.start() and text[match.start() - 1] in _BEFORE):
            continue
        whole = _read_yuan(match["yuan"])
        if whole is not None:
            jiao, fen = match["jiao"] or match["only_jiao"], match["fen"] or match["rest_fen"] or match["only_fen"]
            cents = (read_chinese_integer(jiao or "零") or 0) * 10 + (read_chinese_integer(fen or "零") or 0)
            yield MoneyAmount(whole + Decimal(cents) / 100, match[0], match.start())


def _read_yuan(words: str | None) -> Decimal | None:
    if words is None:
        return Decimal(0)
    if "点" in words:
        return read_chinese_number(words)[0]
    whole = read_chinese_integer(words)
    return None if whole is None else Decimal(whole)


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
    """Shares as percent: `30%`, `千分之五` (0.5), `万分之三` (0.03), `四成` (40), `一成半` (15), `三分之一`, `1/3`."""
    for match in _PERCENT.finditer(text):
        share = _read_share(match)
        if share is not None:
            yield MoneyAmount(share, match[0], match.start())


def _read_share(match: re.Match[str]) -> Decimal | None:
    if match["sign"] or match["kind"]:
        return _to_number(match["figure"] or match["words"]) * _SHARES[match["sign"] or match["kind"]]
    if match["tenths"]:
        half = match["half"]
        rest = Decimal(5) if half == "半" else _to_number(half or "零")
        return _to_number(match["tenths"]) * 10 + rest
    above, below = (_to_number(one) for one in (match["above"] or match["over"], match["below"] or match["under"]))
    return None if not below or above > below else round(above * 100 / below, 2)


def _to_number(text: str) -> Decimal:
    return Decimal(text) if text[0].isdigit() else read_chinese_number(text)[0]
