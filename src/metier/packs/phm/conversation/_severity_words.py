"""Machine class and unit that words give for a severity: literally and without a doubt, or none."""

import re
import unicodedata
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from metier.packs.phm.signals._severity import MACHINE_CLASSES, UNITS

_NUMERALS: Final[Mapping[str, str]] = MappingProxyType(
    {"1": "I", "2": "II", "3": "III", "4": "IV", "一": "I", "二": "II", "三": "III", "四": "IV"}
)
_CLASS: Final = re.compile(
    # 哪一类 and 这一类 name none; 2类 may stand anywhere, 一类 only where it cannot be "a kind of".
    r"(?<![a-z0-9.])(iv|i{1,3}|[1-4])\s*类|(?:^|[按属于为第,，;；、\s])([一二三四])类"
    # "which class I should take" names none either.
    r"|(?:\bclass|机器类别|类别)\s*(?:is|of|to|[:：=为是])?\s*(iv|i{2,3}|[1-4]|i(?!\s+[a-z]))(?![a-z0-9])(?!\.\d)",
    re.IGNORECASE,
)
_GROUP: Final = re.compile(r"\bgroup\s*([12])(?![\d.])|(?<![\d.号])第?([12一二])\s*组(?![织成合装件])", re.IGNORECASE)
_SUPPORTS: Final = re.compile(r"刚性|柔性|\brigid\b|\bflexible\b", re.IGNORECASE)
_RIGID: Final = ("刚性", "rigid")
_CLASS_NAMED: Final = re.compile(
    r"(?<!种)类(?![型似])|(?<!机)组(?![织成合装件])|\b(?:class|group|rigid|flexible)\b|刚性|柔性", re.IGNORECASE
)
_UNIT_NAMED: Final = re.compile(r"单位|\bunits?\b(?!\s*\d)", re.IGNORECASE)
_WORDS_FOR_UNITS: Final[tuple[tuple[re.Pattern[str], str], ...]] = (
    (re.compile(r"毫米(?:每|/)(?:二次方秒|平方秒|秒的?平方|秒\^?2)"), " mm/s2 "),
    (re.compile(r"米(?:每|/)(?:二次方秒|平方秒|秒的?平方|秒\^?2)"), " m/s2 "),
    (re.compile(r"毫米(?:每|/)秒"), " mm/s "),
    (re.compile(r"米(?:每|/)秒"), " m/s "),
    (re.compile(r"微米"), " um "),
    (re.compile(r"毫米"), " mm "),
    (re.compile(r"(m+/s)\s*(?:的平方|\^\s*2|\s2(?!\d)|squared)", re.IGNORECASE), r" \g<1>2 "),
    (re.compile(r"\bm[·.* ]?s\s*\^?-2", re.IGNORECASE), " m/s2 "),
)
_UNIT: Final = re.compile(
    r"(?<![a-z0-9/])(mm/s2|m/s2|mm/s|m/s|in/s2?|inch(?:es)?/s|ips|mils?|mv|v|ge|db|pa|hz|mm|um|nm|cm/s2?|gal"
    r"|g)(?![a-z0-9/^\u2212-])",
    re.IGNORECASE,
)
_UNSURE: Final = re.compile(
    r"还是|不清楚|不知道|不确定|不晓得|拿不准|可能|大概|也许|哪一?(?:[类组种]|个(?!区))|忘了|\b(?:or|maybe|perhaps"
    r"|probably|unknown|unsure|which|"
    r"don'?t know|not sure|no idea|either)\b",
    re.IGNORECASE,
)
_CORRECTED: Final = re.compile(
    r"不是[^,，。;；]{1,12}[,，]?\s*(?:而)?是(?P<zh>[^,，。;；]{1,20})"
    r"|\bnot\s+(?:an?\s+)?[^,.;]{1,24}?[,]?\s*but\s+(?P<en>[^,.;]{1,30})",
    re.IGNORECASE,
)
_DENIED: Final = re.compile(r"不是|并非|不对|更正|\b(?:not|no|isn'?t|sorry|wrong|rather)\b", re.IGNORECASE)


_Find: TypeAlias = Callable[[str], set[str]]


class SaidValue(NamedTuple):
    """What words give: a value if there is no doubt; `is_named` if they speak of it at all."""

    value: str | None
    is_named: bool


def read_class(message: str) -> SaidValue:
    """Machine class that words give; a group needs its support."""
    text = unicodedata.normalize("NFKC", message)
    return _read_sure(text, bool(_CLASS_NAMED.search(text)), _find_classes)


def read_unit(message: str) -> SaidValue:
    """Unit that words give behind 单位 or "unit"."""
    text = _write_units(message)
    named = _UNIT_NAMED.search(text)
    return _read_sure(text[named.start() :] if named else "", named is not None, _find_units)


def normalise_unit(text: str) -> str:
    """Unit as the severity knows it: m/s², m/s^2 and m/s2 are one."""
    plain = _write_units(text).strip()
    return plain.lower() if plain.lower() in UNITS else text


def _write_units(text: str) -> str:
    text = unicodedata.normalize("NFKC", text).replace("μ", "u").replace("µ", "u")
    for pattern, unit in _WORDS_FOR_UNITS:
        text = pattern.sub(unit, text)
    return text


def _read_sure(text: str, is_named: bool, find: _Find) -> SaidValue:
    """The only value in a text, or the corrected one; none where the words doubt, deny or give several."""
    corrected = _CORRECTED.search(text)
    if corrected is not None:
        rest = f"{corrected['zh'] or corrected['en']}{text[corrected.end() :]}"
        text = text[: corrected.start()] + rest if not find(text[: corrected.start()]) else rest
    elif _DENIED.search(text):
        return SaidValue(None, is_named)
    found = find(text)
    is_sure = len(found) == 1 and not _UNSURE.search(text)
    return SaidValue(next(iter(found)) if is_sure else None, is_named)


def _find_classes(text: str) -> set[str]:
    supports = {"rigid" if one.lower() in _RIGID else "flexible" for one in _SUPPORTS.findall(text)}
    groups = {"1" if (one[1] or one[2]) in "1一" else "2" for one in _GROUP.finditer(text)}
    words = [next(part for part in one.groups() if part).upper() for one in _CLASS.finditer(text)]
    classes = {_NUMERALS.get(word, word) for word in words}
    return (classes | {f"group{group}-{support}" for group in groups for support in supports}) & set(MACHINE_CLASSES)


def _find_units(text: str) -> set[str]:
    found = {one.lower() for one in _UNIT.findall(text)}
    return found if found <= set(UNITS) else {*found, ""}
