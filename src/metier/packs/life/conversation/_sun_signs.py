"""Sun sign of a day: 11月23日是天蝎座吗, "which sign is 23 November?". Computed, with the days on which it changes."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Final

from metier.clock import utc_now
from metier.language import BilingualText, Language, Sentences, choose
from metier.packs.life._sign_questions import asks_for_sign, read_day
from metier.packs.life.readings import name_of
from metier.packs.life.zodiac import SIGNS, find_longitudes, sign_of
from metier.textsearch import to_simplified

_ALSO: Final = MappingProxyType(
    {
        "牡羊": "aries",
        "人马": "sagittarius",
        "山羊": "capricorn",
        "魔羯": "capricorn",
        "宝瓶": "aquarius",
        "天平": "libra",
    }
)
_ZONE: Final = timedelta(hours=8)
_TEXTS: Final = Sentences(
    {
        "yes": ("Yes: on {day} the Sun is in {sign}.", "是的，{day}太阳在{sign}座。"),
        "no": ("No: on {day} the Sun is in {sign}, not in {other}.", "不是。{day}太阳在{sign}座，不是{other}座。"),
        "is": ("On {day} the Sun is in {sign}.", "{day}太阳在{sign}座。"),
        "turns": (
            "It depends on the hour: on {day} {year} the Sun goes from {sign} to {other}. The natal chart of a birth "
            "date, time and place says which.",
            "要看时辰：{year}年{day}太阳由{sign}座进入{other}座，按出生日期、时间和地点排星盘才能确定。",
        ),
        "span": (
            "In {year} the Sun is in {sign} from {first} to {last} (China time); it shifts by a day from year to year.",
            "{year}年太阳在{sign}座是{first}到{last}（北京时间），各年会差一天。",
        ),
        "day": ("{month} {number}", "{month}月{number}日"),
        "no_day": ("There is no such day.", "没有这一天。"),
    }
)
_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


def explain_sign(message: str, language: Language) -> str:
    """Answer such a question; empty if the message is none."""
    said = to_simplified(message.strip())
    read = read_day(said) if asks_for_sign(message) else None
    if read is None:
        return ""
    year, month, number = read[0] or utc_now().year, read[1], read[2]
    try:
        begins = datetime(year, month, number, tzinfo=UTC) - _ZONE
    except ValueError:
        return _TEXTS.render("no_day", language)
    first, last = _find_sign(begins), _find_sign(begins + timedelta(hours=23, minutes=59))
    told = {"day": _write_day(begins + _ZONE, language), "sign": name_of(first, language), "year": year}
    if first != last:
        return _TEXTS.render("turns", language, **{**told, "other": name_of(last, language)})
    asked = _read_signs(said)
    code = "is" if not asked else "yes" if first in asked else "no"
    head = _TEXTS.render(code, language, **told, other=name_of(asked[0], language) if asked else "")
    return choose(language, en=" ", zh="").join((head, _tell_span(begins, first, year, language)))


def _tell_span(begins: datetime, sign: str, year: int, language: Language) -> str:
    first = last = begins
    while _find_sign(first + timedelta(hours=12) - timedelta(days=1)) == sign:
        first -= timedelta(days=1)
    while _find_sign(last + timedelta(hours=12) + timedelta(days=1)) == sign:
        last += timedelta(days=1)
    days = {"first": _write_day(first + _ZONE, language), "last": _write_day(last + _ZONE, language)}
    return _TEXTS.render("span", language, year=year, sign=name_of(sign, language), **days)


def _find_sign(instant: datetime) -> str:
    return sign_of(find_longitudes(instant)["sun"][0])


def _write_day(day: datetime, language: Language) -> str:
    month = BilingualText(str(day.month), _MONTHS[day.month - 1]).text(language)
    return _TEXTS.render("day", language, month=month, number=day.day)


def _read_signs(said: str) -> Sequence[str]:
    names = {name_of(one, language).lower(): one for one in SIGNS for language in ("zh", "en")} | {**_ALSO}
    lower = said.lower()
    return list(dict.fromkeys(one for name, one in names.items() if name in lower))
