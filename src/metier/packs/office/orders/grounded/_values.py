"""Values in a text by their kind: dates, times, amounts, percentages, numbers with their unit, names of people."""

import re
from dataclasses import dataclass
from typing import Final

from metier.packs.office.orders._days import write_day_like
from metier.patterns import MONTH_WORD_EN, read_chinese_integer

__all__ = ["TextValue", "find_values", "fit_value", "is_same"]

_NUMBER: Final = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_HAN: Final = r"[一二两三四五六七八九十百]+"
# Words before a name that are no part of it.
_BEFORE_NAME: Final = (
    r"(?!(?:And|The|So|But|Please|Our|My|Can|Could|Would|Also|We|It|On|In|For|From|This|That|They|He|She|I)\b)"
)
_FORMS_OF_FIRMS: Final = frozenset(("&", "Ltd", "LLP", "Co", "Inc", "PLC", "Group", "Company", "Solicitors"))
_HOURS: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_VERB: Final = r"(?-i:may|march|mar)"  # in small letters they are verbs before other words
_FORMS: Final = (
    ("email", r"[\w.+-]+@[\w-]+\.[\w.]+\w"),
    ("phone", r"(?<![A-Za-z0-9-])(?:\+?\d{2,5}[- ])?\d{3,4}[- ]\d{3,4}(?![\d-])|(?<![\d.])\+?\d{7,13}(?![\d.])"),
    ("code", r"(?<![A-Za-z0-9])[A-Z]{1,5}[-_]?\d{2,}[A-Z]?(?![A-Za-z0-9])"),
    (
        "date",
        r"(?P<year>\d{4}\s*年\s*)?(?P<day>\d{1,2}\s*月\s*\d{1,2}\s*[日号])|\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|"
        rf"(?P<en>\d{{1,2}}(?:st|nd|rd|th)? (?!{_VERB} [a-z]){MONTH_WORD_EN})(?P<en_year>,? \d{{4}})?(?![A-Za-z])|"
        rf"(?P<us>(?<![A-Za-z])(?!{_VERB}\b){MONTH_WORD_EN} \d{{1,2}})(?P<us_year>,? \d{{4}})?(?!\d|[A-Za-z])",
    ),
    (
        "month",
        rf"(?:\d{{4}}\s*年\s*)?\d{{1,2}}\s*月(?:份)?(?![\d\u4e00-\u9fff]*[日号天])|"
        rf"(?<![A-Za-z]){MONTH_WORD_EN} \d{{4}}(?!\d)|"
        rf"(?<=\b(?-i:in|of|by) )(?<![A-Za-z]){MONTH_WORD_EN}(?![A-Za-z])|"
        r"(?-i:(?<![A-Za-z])(?:January|February|April|June|July|August|September|October|November|December)(?![A-Za-z]))",
    ),
    (
        "weekday",
        r"星期[一二三四五六日天]|周[一二三四五六日](?![期年度])|\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b",
    ),
    (
        "time",
        rf"\bhalf(?: past)? (?:{'|'.join(_HOURS)})\b|"
        r"(?:上午|下午|早上|晚上|中午)?\s*\d{1,2}[:：]\d{2}(?:\s*[ap]\.?m\b)?|\b\d{1,2}\s*[ap]\.?m\b|"
        r"(?:上午|下午|早上|晚上|中午)?(?:\d{1,2}|[一二两三四五六七八九十]{1,3})[点时](?:半|整|\d{1,2}分?|"
        r"[一二三四五]?十[一二三四五六七八九]?分?)?",
    ),
    ("percent", rf"(?:{_NUMBER})\s*[%％]|百分之{_HAN}"),
    ("money", rf"[£$€¥￥]\s*(?:{_NUMBER})|(?:{_NUMBER})\s*(?:万|亿|千)?(?:元|块钱?)|(?<![\w.])\d+p\b"),
    ("name", rf"(?<![A-Za-z]){_BEFORE_NAME}[A-Z][\w'’-]*\.?(?:\s+(?:& )?[A-Z][\w'’-]*)+"),
    ("number", rf"(?<![A-Za-z0-9.-])(?:{_NUMBER})(?![\d.]*[-–~]\d)|{_HAN}(?=[个人天年名台套件次项周家组组位瓶箱])"),
)
_COMPILED: Final = tuple(
    (kind, re.compile(form, re.IGNORECASE if kind in ("weekday", "date", "month", "time") else 0))
    for kind, form in _FORMS
)
_UNIT: Final = re.compile(r"\s*个?(?P<zh>[\u4e00-\u9fff])|\s+(?P<en>[A-Za-z]{3,})|(?P<short>mm|cm|km|kg|g|m|L)\b")
_PERIOD: Final = re.compile(
    r"\s*(?:a|per|each|every|/)\s*(day|week|month|quarter|year)|\s*[/每]\s*([天周月季年])", re.IGNORECASE
)
_UNITS_ZH: Final = "个人天年月名台套件次条项周家组位瓶箱张份页米克吨度层楼室号分岁本批户"
_EMPTY_EN: Final = frozenset(
    ("and", "the", "for", "with", "not", "now", "please", "from", "instead", "rather", "but", "per")
)


@dataclass(frozen=True, slots=True)
class TextValue:
    """A value and where it stands; `unit` is what a number counts, `year` whether a date has its year."""

    start: int
    end: int
    text: str
    kind: str
    unit: str = ""
    year: bool = False
    short_end: int = 0
    short_start: int = 0


def find_values(text: str) -> list[TextValue]:
    """Values of a text, each character in at most one, the more special kinds first."""
    taken = [False] * len(text)
    found: list[TextValue] = []
    for kind, form in _COMPILED:
        for match in form.finditer(text):
            start, end = match.span()
            start += len(match[0]) - len(match[0].lstrip())
            if start >= end or any(taken[start:end]):
                continue
            taken[start:end] = [True] * (end - start)
            found.append(_describe(text, match, kind, (start, end)))
    return sorted(found, key=lambda one: one.start)


def _describe(text: str, match: re.Match[str], kind: str, span: tuple[int, int]) -> TextValue:
    start, end = span
    unit, year, short = "", False, (start, end)
    if kind == "date":
        groups = match.groupdict()
        name = next((one for one in ("day", "en", "us") if groups[one]), "")
        year = not name or any(groups[one] for one in ("year", "en_year", "us_year"))
        short = match.span(name) if name else short
    elif kind == "money" and (period := _PERIOD.match(text, end)):
        unit = period[1] or period[2]
    elif kind == "number":
        after = _UNIT.match(text, end) if text[end : end + 1] != "个" or text[end + 1 : end + 2] == "人" else None
        if after is None and text[end : end + 1] == "个":
            unit = "个"
        elif after and after["zh"] and after["zh"] in _UNITS_ZH:
            unit = after["zh"]
        elif after and after["en"] and after["en"].lower() not in _EMPTY_EN:
            unit = after["en"].lower().rstrip("s")
        elif after and after["short"]:
            unit = after["short"]
    return TextValue(start, end, text[start:end], kind, unit, year, short[1], short[0])


def fit_value(old: TextValue, new: TextValue) -> tuple[int, int, str] | None:
    """Stretch of the old text that is replaced, and by what; None if the new value is of another kind."""
    if old.kind != new.kind:
        return None
    if old.kind == "number":
        if old.unit and new.unit and old.unit != new.unit:
            return None
        is_word = [bool(re.fullmatch(_HAN, one.text)) for one in (old, new)]
        return (old.start, old.end, new.text) if is_word[0] == is_word[1] else None
    if old.kind == "date" and (like := write_day_like(old.text, new.text)) != new.text:
        return old.start, old.end, like
    if old.kind == "date" and old.year and not new.year:
        return old.short_start, old.short_end, _write_day(old, new)
    if old.kind == "name":
        shared = (set(old.text.split()) & set(new.text.split())) - _FORMS_OF_FIRMS
        return (old.start, old.end, new.text) if shared else None
    if old.kind == "month" and not re.search(r"\d{4}", new.text):
        return _fit_month(old, new)
    if old.kind == "time":
        return _fit_time(old, new)
    if old.kind == "phone":
        return _fit_phone(old, new)
    return old.start, old.end, _write_day(old, new) if old.kind in ("date", "weekday") else new.text


def _fit_month(old: TextValue, new: TextValue) -> tuple[int, int, str]:
    """A month without a year leaves the year of the old one: 2026年6月, September 2026."""
    before, after = re.match(r"\d{4}\s*年\s*", old.text), re.search(r"\s\d{4}$", old.text)
    return old.start + (before.end() if before else 0), old.end - (len(after[0]) if after else 0), new.text


def _write_day(old: TextValue, new: TextValue) -> str:
    """A day as the text writes its own: 日 for 号, 星期 for 周."""
    text = new.text.replace("号", "日") if "日" in old.text else new.text
    if re.search(r"\d [月日]", old.text):
        text = re.sub(r"\s*([年月日])\s*", r" \1 ", text).strip()
    if old.kind == "weekday" and old.text[:1] == "星" and text[:1] == "周":
        return f"星期{text[1:]}"
    return f"周{text[2:]}" if old.text[:1] == "周" and text[:2] == "星期" else text


_HALF: Final = re.compile(r"上午|下午|早上|晚上|中午|[ap]\.?m\b", re.IGNORECASE)
_LATE: Final = re.compile(r"下午|晚上|p\.?m\b", re.IGNORECASE)
_NOON: Final = 12 * 60
_NEAR: Final = 6 * 60


def _fit_time(old: TextValue, new: TextValue) -> tuple[int, int, str] | None:
    """A time in the form of the old one, in its half of the day if none is said; None if that is not clear."""
    before, after = _minutes(old.text), _minutes(new.text)
    if before is None or after is None:
        return None
    digits, half = re.search(r"\d{1,2}[:：]\d{2}", old.text), _HALF.search(old.text)
    is_said = _HALF.search(new.text) is not None or after >= 13 * 60 or re.match(r"0\d", new.text) is not None
    if not is_said and before >= _NOON and after < _NOON:
        after += _NOON
    if not is_said and abs(after - before) > _NEAR:
        return None
    if digits and digits[0] == old.text:
        return old.start, old.end, f"{after // 60:0{len(old.text) - 3}}:{after % 60:02}"
    if is_said and _HALF.search(new.text):
        return old.start, old.end, new.text
    if half is None:
        return None if is_said else (old.start, old.end, new.text)
    is_half_kept = (after >= _NOON) == (_LATE.search(half[0]) is not None) and half[0] != "中午"
    if not digits:
        return _replace_beside_half(old, half, new.text) if is_half_kept and not is_said else None
    plain = f"{(after - 1 * 60) // 60 % 12 + 1}:{after % 60:02}"
    if is_half_kept:
        return old.start + digits.start(), old.start + digits.end(), plain
    if half[0].lower()[0] in "ap":
        mark = half[0].replace(half[0][0], {"a": "p", "p": "a", "A": "P", "P": "A"}[half[0][0]], 1)
        return old.start, old.end, old.text.replace(digits[0], plain).replace(half[0], mark)
    return None


def _replace_beside_half(old: TextValue, half: re.Match[str], text: str) -> tuple[int, int, str]:
    """The hour changes and the half of the day stays: 上午8点 becomes 上午9点, “8 am” becomes “9:30 am”."""
    if half.start() == 0:
        return old.start + half.end(), old.end, text
    return old.start, old.start + len(old.text[: half.start()].rstrip()), text


def _fit_phone(old: TextValue, new: TextValue) -> tuple[int, int, str] | None:
    """A number with or without its area code: the last digits of 0571-5550 2186 become those of 5550 2189."""
    size = len(re.sub(r"\D", "", new.text))
    if size > len(re.sub(r"\D", "", old.text)):
        return old.start, old.end, new.text
    at, seen = old.end, 0
    text = old.text
    while seen < size and at > old.start:
        at -= 1
        seen += text[at - old.start].isdigit()
    return at, old.end, new.text


def _minutes(text: str) -> int | None:
    """Minutes since midnight of a time; None if it cannot be read."""
    if half := re.search(rf"\bhalf(?: past)? ({'|'.join(_HOURS)})\b", text, re.IGNORECASE):
        return (_HOURS.index(half[1].lower()) + 1) * 60 + 30
    found = re.search(r"(\d{1,2}|[一二两三四五六七八九十]{1,3})\s*(?:[:：]\s*(\d{2})|[点时](半)?(\d{1,2})?)?", text)
    if found is None:
        return None
    hour = int(found[1]) if found[1].isdigit() else read_chinese_integer(found[1]) or 0
    minute = int(found[2] or found[4] or (30 if found[3] else 0))
    if (hour < 12 and re.search(r"下午|晚上|\bp\.?m|\dp\.?m", text, re.IGNORECASE)) or (hour < 4 and "中午" in text):
        hour += 12
    elif hour == 12 and re.search(r"a\.?m\b", text, re.IGNORECASE):
        hour = 0
    return hour * 60 + minute


def is_same(one: TextValue, other: TextValue) -> bool:
    """Whether two values say the same: 下午三点 and 下午3:00, 4月9日 and 2026年4月9日."""
    if one.kind != other.kind:
        return False
    if one.kind == "time":
        return _minutes(one.text) is not None and _minutes(one.text) == _minutes(other.text)
    if one.kind == "weekday":
        return one.text[-1] == other.text[-1] if one.text[-1] != "y" else one.text.lower() == other.text.lower()
    plain = [re.sub(r"[\s,£$€¥￥元号日%％-]", "", part.text) for part in (one, other)]
    return plain[0] == plain[1] or (
        one.kind in ("date", "phone") and (plain[0].endswith(plain[1]) or plain[1].endswith(plain[0]))
    )
