"""Numbers as people write them, in digits: 2,000,000, ２００万, 二百万, 1.5 million and 1500k are one number each."""

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import Final

from metier.patterns import (
    ENGLISH_NUMBER,
    compile_later,
    read_chinese_integer,
    read_chinese_number,
    read_english_number,
)
from metier.questions._results import ResultTable

_FULL_WIDTH: Final = str.maketrans("０１２３４５６７８９％", "0123456789%")
_FULL_SIGN: Final = compile_later(r"(?<=\d)[，．](?=\d)")
_CURRENCY: Final = compile_later(r"(?:[¥￥$€£]|\b(?:RMB|CNY|USD|EUR|GBP)\b)\s*(?=\d)", re.IGNORECASE)
# Groups of three, or of two before the last as in India; spaces and points only where there are two groups.
_GROUPED: Final = compile_later(
    r"(?<![A-Za-z0-9_.,])(?<!\d-)"
    r"(?:\d{1,3}(?:,\d{2,3})*,\d{3}|\d{1,3}(?:[\u00a0\u202f']\d{3})+|\d{1,3}(?: \d{3}){2,}|\d{1,3}(?:\.\d{3}){2,})"
    r"(?![\d_]|,\d)"
)
_UNITS_ZH: Final[Mapping[str, int]] = MappingProxyType(
    {"百": 10**2, "千": 10**3, "万": 10**4, "百万": 10**6, "千万": 10**7, "亿": 10**8, "万亿": 10**12}
)
_UNIT_ZH: Final = r"(?:万亿|千万|百万|亿|万|千(?![米瓦克兆卡])|百(?!分))"
_MIXED_ZH: Final = compile_later(
    rf"(?<![A-Za-z0-9_.,-])(-?)((?:\d+(?:\.\d+)?\s*[多余来]?{_UNIT_ZH}零?)+(?:\d(?![\d.]))?)"
    rf"|(?<=[A-Za-z\u4e00-\u9fff<>≤≥=]-)()((?:\d+(?:\.\d+)?\s*[多余来]?{_UNIT_ZH}零?)+)"
)
_PART_ZH: Final = compile_later(rf"(\d+(?:\.\d+)?)\s*[多余来]?({_UNIT_ZH})?")
_SPELLED_ZH: Final = compile_later(
    r"(?<![几数多好来一二两三四五六七八九十百千万亿点\d])(负?)"
    r"([一二两三四五六七八九十](?=[零〇一二两三四五六七八九十点]*[百千万亿](?!分))[零〇一二两三四五六七八九十百千万亿点]*"
    r"|(?<=[过于到足达超])(?:[百千]万|[百千万]?亿|[百千万](?!分)))(?!分之|成)"
)
_SCALES_EN: Final[Mapping[str, int]] = MappingProxyType(
    {"hundred": 10**2, "thousand": 10**3, "lakh": 10**5, "million": 10**6, "mn": 10**6, "crore": 10**7}
    | {"billion": 10**9, "bn": 10**9}
)
_SPELLED_EN: Final = compile_later(
    rf"(?<![A-Za-z0-9_.,])(?:(-?\d+(?:\.\d+)?)|(half an?|an?|{ENGLISH_NUMBER}))"
    rf"\s*({'|'.join(_SCALES_EN)})s?(?:\s+({'|'.join(_SCALES_EN)})s?)?(?![A-Za-z])",
    re.IGNORECASE,
)
_LETTER: Final = compile_later(r"(?<![\w.,])(-?\d+(?:\.\d+)?) ?([km])(?![A-Za-z0-9])", re.IGNORECASE | re.ASCII)
_LETTERS: Final[Mapping[str, int]] = MappingProxyType({"k": 10**3, "m": 10**6})
# A heading whose values are counted in such a unit of their own: Mbps, km, 米.
_OWN_LETTER: Final[Mapping[str, re.Pattern[str]]] = MappingProxyType(
    {
        "k": compile_later(r"(?<![A-Za-z])[Kk](?:bps|bit|[Bb]|Hz|m|g|W|V)?(?![A-Za-z])|千[米瓦克]|公里"),
        "m": compile_later(r"(?<![A-Za-z])[Mm](?:bps|bit|[Bb]|Hz|W)?(?![A-Za-z])|米|兆|速率|距离|distance|throughput"),
    }
)
_OWN_SCALE: Final = compile_later(r"[（(/]\s*(百万|千万|[千万亿])|^(百万|千万|[千万亿])[元人户个美]")
_BRACKETS: Final = compile_later(r"\s*[（(/].*$")


_TARGET: Final = compile_later(
    r"(?:达到|达)了?\s*(?P<zh>-?\d+(?:\.\d+)?\s*(?:%|dBm|dB)?)\s*的?(?:目标|要求|标准|门限)"
    r"|\b(?:meet|reach|hit)(?:e?s|ing)?\s+(?:the |a |our )?(?:(?:target|goal) of )?"
    r"(?P<en>-?\d+(?:\.\d+)?\s*(?:%|dBm|dB)?)(?:\s+(?P<what>(?:[A-Za-z]+ ){0,3})(?:target|goal)\b)?",
    re.IGNORECASE,
)


def write_targets(text: str) -> str:
    """The text with a target as the limit that it is: 达到95%的目标 is 不低于95%."""
    return _TARGET.sub(
        lambda one: f"不低于{one['zh']}" if one["zh"] else f"have {one['what'] or ''}at least {one['en']}", text
    )


def write_numbers(text: str) -> str:
    """The text with every number in plain digits; letters after a number (k, m) need a table to be understood."""
    text = _FULL_SIGN.sub(lambda one: "," if one[0] == "，" else ".", text.translate(_FULL_WIDTH))
    text = _GROUPED.sub(_drop_marks, _CURRENCY.sub("", text))
    text = _SPELLED_ZH.sub(_write_spelled_zh, _MIXED_ZH.sub(_write_mixed_zh, text))
    return _SPELLED_EN.sub(_write_spelled_en, text)


def write_numbers_for(text: str, tables: Iterable[ResultTable]) -> str:
    """The text with numbers as the columns on screen count them.

    500k is 500000 unless a column is in kbps; where the column that is named is in 万元, 40万 is 40.
    """
    columns = [(column.title, column.unit) for table in tables for column in table.columns]
    headings = [f"{title} {unit}" for title, unit in columns]

    def write_letter(found: re.Match[str]) -> str:
        letter = found[2].lower()
        is_own = any(_OWN_LETTER[letter].search(one) for one in headings)
        return found[0] if is_own else _write_plain(Decimal(found[1]) * _LETTERS[letter])

    text = _LETTER.sub(write_letter, _CURRENCY.sub("", text))
    scale = max((_scale_of(title, unit) for title, unit in columns if _BRACKETS.sub("", title) in text), default=1)
    if scale == 1:
        return text

    def write_scaled(found: re.Match[str]) -> str:
        whole = _MIXED_ZH.sub(_write_mixed_zh, found[0])
        return _write_plain(Decimal(whole) / scale)

    text = _SPELLED_ZH.sub(_write_spelled_zh_mixed, text)
    return _MIXED_ZH.sub(write_scaled, text)


def _scale_of(title: str, unit: str) -> int:
    found = _OWN_SCALE.search(unit) or _OWN_SCALE.search(title)
    return _UNITS_ZH[found[1] or found[2]] if found else 1


def _drop_marks(found: re.Match[str]) -> str:
    return re.sub(r"\D", "", found[0])


def _write_mixed_zh(found: re.Match[str]) -> str:
    """2万5千, 1亿2000万, 40多万; a single digit at the end counts tenths of the unit before it: 2万5 is 25000."""
    total, last = Decimal(0), 10
    for part in _PART_ZH.finditer(found[2] or found[4]):
        last = _UNITS_ZH[part[2]] if part[2] else last // 10
        total += Decimal(part[1]) * last
    return f"{found[1] or ''}{_write_plain(total)}"


def _write_spelled_zh(found: re.Match[str]) -> str:
    value = _read_spelled_zh(found[2])
    return found[0] if value is None else f"{'-' if found[1] else ''}{_write_plain(value)}"


def _write_spelled_zh_mixed(found: re.Match[str]) -> str:
    """二百万 as 200万, which is then read as the column counts."""
    value = _read_spelled_zh(found[2])
    is_large = value is not None and value >= _UNITS_ZH["万"]
    return f"{'-' if found[1] else ''}{_write_plain(value / _UNITS_ZH['万'])}万" if value and is_large else found[0]


def _read_spelled_zh(text: str) -> Decimal | None:
    """The value; None if it is no single number, as 二三百."""
    if "点" not in text and read_chinese_integer(text) is None:
        return None
    return read_chinese_number(text)[0]


def _write_spelled_en(found: re.Match[str]) -> str:
    value = Decimal(found[1]) if found[1] else _read_words(found[2].lower())
    for scale in (found[3], found[4]):
        value *= _SCALES_EN[scale.lower()] if scale else 1
    return _write_plain(value)


def _read_words(words: str) -> Decimal:
    if words.startswith("half"):
        return Decimal("0.5")
    if words in ("a", "an"):
        return Decimal(1)
    return Decimal(read_english_number(words) or 0)


def _write_plain(value: Decimal) -> str:
    return f"{value.normalize():f}"
