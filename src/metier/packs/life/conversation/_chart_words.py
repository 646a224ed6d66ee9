"""What a message about a chart asks for: whose chart, which topic, which year, which choices, files or not."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import Final

from metier.packs.life.bazi import BaziOptions, DayStart, SolarTime
from metier.packs.life.conversation._named_parts import ChartKind, ChartPart, read_part

_TOPICS: Final[Mapping[str, re.Pattern[str]]] = MappingProxyType(
    {
        "transit": re.compile(r"行运|星象|近期|最近|transit", re.IGNORECASE),
        "year": re.compile(
            r"流年|今年|明年|后年|运势|\d{4}\s*年|this year|next year|\byear\b"
            r"|^\W*(?:and|what about|how about|那么?)?\s*(?:in|for)?\s*(?:19|20)\d{2}\s*(?:呢|怎么样|如何)?\W*$",
            re.IGNORECASE,
        ),
        "luck": re.compile(r"大运|十年运|luck period|decade", re.IGNORECASE),
        "career": re.compile(r"事业|工作|职业|职场|career|work|job", re.IGNORECASE),
        "relationship": re.compile(r"感情|婚姻|恋爱|桃花|姻缘|伴侣|love|relationship|marriage|partner", re.IGNORECASE),
        "elements": re.compile(r"五行|喜用|用神|缺什么|旺衰|elements?\b|strength", re.IGNORECASE),
        "family": re.compile(r"家庭|父母|早年|family|parents|childhood", re.IGNORECASE),
        "feeling": re.compile(r"情绪|月亮|内心|moon|feeling|emotion", re.IGNORECASE),
        "aspects": re.compile(r"相位|aspect", re.IGNORECASE),
        "nature": re.compile(r"性格|性情|为人|character|personality|nature", re.IGNORECASE),
    }
)
_WHOLE: Final = re.compile(
    r"八字|命盘|四柱|星盘|星座|生辰|排盘|算命|解读|整体|重新|再看|换日|太阳时|钟表时间|bazi|chart|pillar|sign|read"
    r"|again|zodiac",
    re.IGNORECASE,
)
_FILES: Final = re.compile(r"pdf|html|导出|下载|文件|报告|打印|export|download|file|report", re.IGNORECASE)
_YEAR: Final = re.compile(r"(19|20)\d{2}")
_MONTH: Final = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
# A whole date, or a year that somebody was born in: neither is a year that is asked about.
_BIRTH: Final = re.compile(
    r"(?P<a>\d{4})\s*年(?:农历|阴历|阳历|公历|新历|旧历)?\s*闰?[\d正一二三四五六七八九十冬腊]{1,3}\s*月(?:初"
    r"|廿)?[\d一二三四五六七八九十廿]{0,3}\s*[日号]?"
    r"|(?P<b>\d{4})\s*[./-]\s*\d{1,2}\s*[./-]\s*\d{1,2}|(?P<c>\d{4})\s*年?(?:出生|生的?|年?出世)"
    r"|生于\s*(?P<d>\d{4})\s*年?"
    rf"|\b\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH},?\s+(?P<e>\d{{4}})|\b{_MONTH}\s+\d{{1,2}}(?:st|nd|rd"
    rf"|th)?,?\s+(?P<f>\d{{4}})"
    r"|\bborn\s+(?:in\s+|on\s+)?(?P<g>\d{4})",
    re.IGNORECASE,
)
_RELATIVE: Final = (("后年", 2), ("明年", 1), ("next year", 1), ("去年", -1), ("last year", -1))
_SOLAR_TIMES: Final[tuple[tuple[SolarTime, re.Pattern[str]], ...]] = (
    ("mean", re.compile(r"平太阳时|mean solar", re.IGNORECASE)),
    ("clock", re.compile(r"钟表时间|北京时间|不用真太阳时|clock time", re.IGNORECASE)),
    ("true", re.compile(r"真太阳时|true solar", re.IGNORECASE)),
)
_DAY_STARTS: Final[tuple[tuple[DayStart, re.Pattern[str]], ...]] = (
    ("late_evening", re.compile(r"23[:：点]?(?:00)?\s*换日|子时换日|子初换日|changes at 23", re.IGNORECASE)),
    ("midnight", re.compile(r"(?:\b|(?<=\D))0[:：点](?:00)?\s*换日|零点换日|changes at 0:00", re.IGNORECASE)),
)


@dataclass(frozen=True, slots=True)
class ChartRequest:
    """What a message asks for; "" and None where it does not say."""

    topic: str
    is_whole: bool
    year: int | None
    wants_files: bool
    solar_time: SolarTime | None
    day_start: DayStart | None
    part: ChartPart | None = None


def read_request(message: str, today: date, chart: ChartKind | None = None) -> ChartRequest:
    """Read the words of a message about a chart; a date of birth in it says nothing of what is asked."""
    part = read_part(message, chart) if chart is not None else None
    message = _BIRTH.sub(lambda found: " " if _is_over(found, today) else found.group(), message)
    topic = next((name for name, pattern in _TOPICS.items() if pattern.search(message)), "")
    relative = next((today.year + step for word, step in _RELATIVE if word in message.lower()), None)
    named = _YEAR.search(message)
    year = int(named.group()) if named and topic == "year" else relative
    solar = next((name for name, pattern in _SOLAR_TIMES if pattern.search(message)), None)
    start = next((name for name, pattern in _DAY_STARTS if pattern.search(message)), None)
    return ChartRequest(topic, bool(_WHOLE.search(message)), year, bool(_FILES.search(message)), solar, start, part)


def _is_over(found: re.Match[str], today: date) -> bool:
    return int(next(one for one in found.groups() if one is not None)) < today.year


def choose_options(request: ChartRequest, solar_time: SolarTime, day_start: DayStart) -> BaziOptions:
    """Choices of the conversation, changed by what the message says."""
    return BaziOptions(request.solar_time or solar_time, request.day_start or day_start)
