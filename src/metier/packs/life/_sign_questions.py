"""Questions for the Sun sign of a day, as they are recognised; nothing is computed or loaded for it."""

import re
from typing import Final

from metier.patterns import MONTH_NAME_EN, compile_later, read_month_en
from metier.textsearch import to_simplified

_MAX_CHARS: Final = 60
_SIGNS: Final = "aries|taurus|gemini|cancer|leo|virgo|libra|scorpio|sagittarius|capricorn|aquarius|pisces"
_DAY_ZH: Final = compile_later(r"(?:(\d{4})\s*年)?\s*(\d{1,2})\s*月\s*(\d{1,2})\s*[日号]?")
_DAY_EN: Final = compile_later(
    rf"(?:{MONTH_NAME_EN}\.?\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?|(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{MONTH_NAME_EN})"
    r"(?:,?\s+(?P<year>\d{4}))?",
    re.IGNORECASE,
)
_MONTH_EN: Final = compile_later(MONTH_NAME_EN, re.IGNORECASE)
_ASKS: Final = compile_later(
    r"(?:是|属|算|什么|哪个|啥).*(?:座|星座)|座.*(?:吗|么|吧|对不对|是不是)|星座"
    r"|\b(?:is|are|was|what|which|would)\b.*\b(?:sign|zodiac|{signs})\b|\b(?:sign|zodiac|{signs})\b.*\?".replace(
        "{signs}", _SIGNS
    ),
    re.IGNORECASE,
)
# A chart, a reading or a person is another question.
_OTHER: Final = compile_later(
    r"运势|星盘|排盘|上升|月亮|配对|性格|分析|解读|出生在"
    r"|\b(?:chart|rising|moon|horoscope|match|compatible|reading)\b",
    re.IGNORECASE,
)


def asks_for_sign(message: str) -> bool:
    """Whether a message asks for the Sun sign of a day of the year, and for nothing else."""
    said = to_simplified(message.strip())
    if len(said) > _MAX_CHARS or _OTHER.search(said) or not _ASKS.search(said):
        return False
    return read_day(said) is not None


def read_day(said: str) -> tuple[int, int, int] | None:
    """Year (0 if unsaid), month and day that a text names."""
    if (found := _DAY_ZH.search(said)) is not None:
        return int(found[1] or 0), int(found[2]), int(found[3])
    if (found := _DAY_EN.search(said)) is None or (month := _MONTH_EN.search(found[0])) is None:
        return None
    return int(found["year"] or 0), read_month_en(month[0]), int(found["day"] or found["day2"])
