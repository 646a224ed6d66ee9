"""Numbers in a question: rows, limits and how many rows, in digits or in words of either language."""

import re
from typing import Final, Literal

from metier.patterns import (
    ENGLISH_NUMBER,
    ENGLISH_NUMBERS,
    ENGLISH_ORDINALS,
    compile_later,
    read_chinese_integer,
    read_english_number,
)
from metier.questions._written_numbers import write_numbers

Side = Literal["below", "above", "at_most", "at_least", "worse", "better"]
Limit = tuple[Side, float]

_ORDINALS: Final = ENGLISH_ORDINALS[1:]
_CARDINALS: Final = ENGLISH_NUMBERS[1:]
_TENS: Final = ("ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ZH: Final = r"(?:\d{1,4}|[一二两三四五六七八九]?十[一二三四五六七八九]?|[一二两三四五六七八九])"
_EN: Final = rf"(?:{ENGLISH_NUMBER}|\d{{1,4}})"
_NTH: Final = "|".join(_ORDINALS)
# A figure with its unit, as a cell has it: 8 °, -95 dBm; a code like 460-00-100049 is none.
FIGURE: Final = compile_later(r"([-+−]?\d+(?:\.\d+)?)\s*([^\d\s][^\d]{0,12})?")
_VALUE: Final = r"-?\d+(?:\.\d+)?(?![\d_]|,\d{3})"  # no part of a code, nor of a longer number
_UNIT: Final = r"\s*(?:dBm|dB|%|度|°|元|块钱?)?\s*"
_CLASSIFIER: Final = "(?:个|名|行|条|位|项|座|格|台|张|家|份|辆|只)"

_SHARE_ZH: Final = compile_later(r"([一二两三四五六七八九])成([半一二三四五六七八九])?")
_PERCENT_ZH: Final = compile_later(r"百分之\s*(?!几)([一二两三四五六七八九]?十?[一二三四五六七八九]?|\d+(?:\.\d+)?)")
_PERCENT_EN: Final = compile_later(
    rf"\b(?:({'|'.join(_TENS)})(?:[ -]({'|'.join(_CARDINALS[:9])}))?|(\d+(?:\.\d+)?))\s*(?:percent|per cent)\b", re.I
)
_SIGN: Final = compile_later(r"[−－]|\b(?:minus|negative)\s+(?=\d)|负(?=\d)")
_PLACES: Final = compile_later(r"经纬度|坐标|地理位置|\b(?:coordinates|location|position)\b", re.IGNORECASE)
_WHERE: Final = compile_later(r"在哪(?:里|儿)?(?=[？?]?$)|^where (?:is|are)\b", re.IGNORECASE)
_COVERED: Final = compile_later(r"\b(?:weakly|poorly|badly) covered\b", re.IGNORECASE)
_BETWEEN: Final = compile_later(
    rf"(?:介于|在|\bbetween\b|\bfrom\b)\s*({_VALUE}){_UNIT}(?:到|至|和|与|~|～|—|\band\b|\bto\b|,)\s*({_VALUE})"
    rf"|({_VALUE}){_UNIT}(?:到|至|~|～|—)\s*({_VALUE}){_UNIT}(?:之间|的)",
    re.IGNORECASE,
)


def _limit(side: Side, before: str, after: str, than: str = "") -> tuple[Side, re.Pattern[str]]:
    """Words of a limit that stand before its value, after it, and after "比 … "."""
    parts = [rf"(?:{before})\s*({_VALUE})", rf"({_VALUE}){_UNIT}(?:{after})"]
    parts += [rf"比\s*({_VALUE}){_UNIT}(?:还|更|要)?(?:{than})"] if than else []
    return side, compile_later("|".join(parts), re.IGNORECASE)


# The first that fits is taken, so negated words stand before the plain ones.
_LIMITS: Final = (
    _limit("worse", r"差于|不如|\bworse than", "or worse", "差|糟"),
    _limit("better", r"好于|优于|\bbetter than", "or better", "好|优"),
    _limit(
        "at_most",
        r"小于等于|不高于|不大于|[不没未]超过|不多于|至多|最多|≤|[<＜]=|\bat most|\bno (?:more|higher) than|\bup to"
        r"|\bnot (?:above|over)|\bat or below",
        "及以下|or (?:less|lower|below)",
    ),
    _limit(
        "at_least",
        r"大于等于|不低于|不小于|不少于|至少|最少|达到?(?=\s*\d)|≥|[>＞]=|\breach(?:es|ed|ing)?"
        r"|\bat(?= \d+(?:\.\d+)?\s*%)|\bat least|\bno (?:less|lower) than|\bnot (?:below|under)"
        r"|\bat or above",
        "及以上|or (?:more|higher|above)|and (?:up|above)",
    ),
    _limit(
        "below",
        r"低于|小于|[不没未]到|没有到|达不到|[没未]达到?|不足|少于|弱于|低过|[<＜]|\bbelow|\bunder|\bbeneath"
        r"|\b(?:less|lower|weaker|smaller|fewer) than",
        "以下|之下|以内",
        "低|小|弱|少",
    ),
    _limit(
        "above",
        r"高于|大于|超过|超出|超|多于|强于|高过|[>＞]|\babove|\bover|\bbeyond|\bexceed(?:s|ing)?"
        r"|\b(?:more|higher|greater|stronger|larger) than",
        "以上|之上|开外",
        "高|大|强|多",
    ),
)
_EQUAL: Final = compile_later(
    rf"(?:等于|正好|刚好|是|=|\bequal to|\bexactly|\bequals|\bwith)\s*({_VALUE})\s*%", re.IGNORECASE
)
_FROM_END: Final = compile_later(
    rf"倒数第\s*({_ZH})|\b({_NTH})[ -](?:to[ -]last|last|from (?:the )?(?:end|bottom|last))\b|(\bpenultimate\b)", re.I
)
_ROW: Final = compile_later(
    rf"第\s*({_ZH})\s*{_CLASSIFIER}?|(?<!\ba )\b({_NTH})\b|\b(\d{{1,4}})(?:st|nd|rd|th)\b"
    rf"|(?:\b(?:row|line|cell|no\.?)\s+(?:number\s+)?|\bnumber\s+|#)({_EN})\b"
    rf"|(最后一?{_CLASSIFIER}|最后的|\blast\s+(?:one|row|cell)\b)",
    re.IGNORECASE,
)
_HEAD: Final = compile_later(
    rf"(?:前|头|开头的?)\s*({_ZH})\s*{_CLASSIFIER}?|\b(?:first|top|initial)\s+({_EN})\b", re.IGNORECASE
)
_TAIL: Final = compile_later(
    rf"(?:最后|末尾的?|结尾的?|末|倒数|(?<!前)后)\s*({_ZH})\s*{_CLASSIFIER}|\b(?:last|final)\s+({_EN})\b", re.IGNORECASE
)
_SEVERAL: Final = compile_later(r"哪几|哪些|(?i:\bwhich\s+(?:ones|(?:\w+\s+){0,2}\w{2,}s)\s+(?:are|have|were|had)\b)")
_A_FEW: Final = 5
_RANKED: Final = compile_later(
    rf"最(?:[差好低高弱强大小忙多少糟优佳]|严重)(?:的|的是|是|的?有)?\s*(?:哪|那|前)?({_ZH})\s*{_CLASSIFIER}"
    rf"|(?<!第)({_ZH})\s*[个台张家](?:.{{0,12}})最"
    r"|\b(?:worst|best|poorest|lowest|highest|largest|smallest|bottom|weakest|strongest|busiest)\s+"
    rf"({_EN})\b|\b({_EN})\s+(?:worst|best|poorest|lowest|highest|largest|smallest|weakest|strongest|busiest)\b"
    rf"|\b({_EN})\s+[a-z]+\s+(?:with the|(?:that|which)\s+[a-z]+|have|has|had|show|are|were"
    r"|improved?|gain(?:ed)?|benefit(?:ed)?)\b"
    rf"|\b(?:which|what)\s+({_EN})\b(?!-)",
    re.IGNORECASE,
)
_PLACE: Final = compile_later(
    rf"第\s*({_ZH})\s*(?:最)?[差好低高弱强忙](?!于|过|到)"
    rf"|\b({_NTH})[ -](?:worst|best|poorest|lowest|highest|largest|smallest|weakest|strongest|busiest|most)\b",
    re.IGNORECASE,
)
_SPAN: Final = compile_later(
    rf"第?\s*({_ZH})\s*{_CLASSIFIER}?\s*(?:到|至|~|-|—)\s*第?\s*({_ZH})\s*{_CLASSIFIER}"
    rf"|\b(?:rows?|lines?|cells?|numbers?)\s+({_EN})\s*(?:to|through|-|–)\s*({_EN})\b",
    re.IGNORECASE,
)
MAX_COUNT: Final = 50


def normalise(text: str) -> str:
    """The text with shares and percentages in digits: "七成", "百分之六十", "seventy percent", "minus 105"."""
    text = write_digits(text)
    text = _PLACES.sub(lambda one: "longitude and latitude" if one[0].isascii() else "经度和纬度", text)
    text = _WHERE.sub(lambda one: f"{one[0]} longitude latitude" if one[0].isascii() else f"{one[0]}，经度和纬度", text)
    return _COVERED.sub("in weak coverage", text)


def write_digits(text: str) -> str:
    """The text with signs, shares, numbers and percentages in digits."""
    text = _SIGN.sub("-", write_numbers(text))
    text = _SHARE_ZH.sub(_write_tenths, text)
    text = _PERCENT_ZH.sub(lambda one: f"{one[1] if one[1][:1].isdecimal() else read_number(one[1])}%", text)
    return _PERCENT_EN.sub(_write_percent, text.replace("一半", "50%"))


def find_limits(text: str) -> tuple[Limit, ...]:
    """Limits of a range, or the one limit that the text names; empty without one."""
    if found := _BETWEEN.search(text):
        low, high = sorted(float(one) for one in found.groups() if one)
        return ("at_least", low), ("at_most", high)
    for side, pattern in _LIMITS:
        if found := pattern.search(text):
            return ((side, float(next(one for one in found.groups() if one))),)
    if found := _EQUAL.search(text):
        value = float(found[1])
        return ("at_least", value), ("at_most", value)
    return ()


def find_rows(text: str) -> tuple[int, ...]:
    """Numbers of the rows that the text names, those from the end negative."""
    found: list[int] = []
    if span := _SPAN.search(text):
        low, high = sorted(read_number(one) for one in span.groups() if one)
        return tuple(range(max(1, low), min(high, low + MAX_COUNT - 1) + 1))
    for one in _FROM_END.finditer(text):
        found.append(-read_number(one[1] or one[2] or "second"))
    rest = _HEAD.sub(" ", _FROM_END.sub(" ", text))
    for one in _ROW.finditer(_TAIL.sub(lambda tail: tail[0] if "一" in tail[0] else " ", rest)):
        word = one[1] or one[2] or one[3] or one[4]
        found.append(-1 if word is None else read_number(word))
    return tuple(number for number in dict.fromkeys(found) if number)


def count_limits(text: str) -> int:
    """How many limits the text names, a range counting as one."""
    rest, count = _BETWEEN.subn(" ", text)
    for _, pattern in _LIMITS:
        rest, found = pattern.subn(" ", rest)
        count += found
    return count


def find_place(text: str) -> int:
    """Which of an order the text means: 2 for "the second worst"; 0 if it names none."""
    found = _PLACE.search(text)
    return read_number(next(one for one in found.groups() if one)) if found else 0


def find_slice(text: str) -> int:
    """How many rows from the start the text names, negative from the end; 0 without such words."""
    for pattern, sign in ((_HEAD, 1), (_TAIL, -1)):
        if found := pattern.search(text):
            return sign * _clamp_count(read_number(next(one for one in found.groups() if one)))
    return 0


def find_count(text: str) -> int:
    """How many rows of an order the text names; if it names none, one, or a few where it asks for several."""
    found = _RANKED.search(text)
    word = next((one for one in found.groups() if one), "1") if found else "1"
    return _clamp_count(read_number(word)) if found else max(find_slice(text), count_unsaid(text))


def count_unsaid(text: str) -> int:
    """How many rows an order without a number is about: 哪几个小区最差 asks for several, 哪个小区最差 for one."""
    return _A_FEW if _SEVERAL.search(text) else 1


def read_number(word: str) -> int:
    """The number that a word means; 0 if it is none."""
    if word.isdecimal():
        return int(word)
    return read_english_number(word) or read_chinese_integer(word) or 0


def _write_tenths(found: re.Match[str]) -> str:
    return f"{read_number(found[1]) * 10 + (5 if found[2] == '半' else read_number(found[2] or '零'))}%"


def _write_percent(found: re.Match[str]) -> str:
    if found[3]:
        return f"{found[3]}%"
    return f"{(_TENS.index(found[1].lower()) + 1) * 10 + (read_number(found[2]) if found[2] else 0)}%"


def _clamp_count(number: int) -> int:
    return max(1, min(MAX_COUNT, number))
