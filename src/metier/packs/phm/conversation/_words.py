"""Facts about a machine that a message gives in words: speed, sampling rate, bearing.

What the words name and nobody can use is told, never left out: another bearing or speed would give a wrong verdict.
"""

import re
from dataclasses import dataclass
from typing import Final

from metier.packs.phm.bearings import is_bearing, list_bearings

MAX_RPM: Final = 200_000.0
MAX_RATE: Final = 10_000_000.0

_NUMBER: Final = r"(?<![\d.])(?!(?<=\d[,，])\d{3}(?!\d))([-−]?(?:\d{1,3}(?:[,，]\d{3})+|\d+)(?:\.\d+)?)"
_RPM: Final = re.compile(
    rf"(?i){_NUMBER}\s*(?:rpm|r/min|转/分|转每分|转(?!速))|(?:转速|\bspeed|\brpm)\s*(?:应该|现在)?"
    rf"(?:改成|换成|改为|换为|变成|变为|调到|调成|设为|设成|升到|降到|按照?|用|of|is|was|were|to|at|changed\s+to"
    rf"|[:：=为是])?\s*{_NUMBER}"
)
# A shaft that turns 30 times a second.
_TURNS: Final = re.compile(rf"(?i)(?:转速|转频|轴频|speed)\s*(?:is|of|[:：=为是])?\s*{_NUMBER}\s*(?:hz|赫兹?)")
_RATE: Final = re.compile(
    rf"(?i)(?:采样率|采样频率|\bfs\b|sampling rate|sampled at)\s*"
    rf"(?:改成|换成|改为|换为|设为|用|of|is|was|to|changed\s+to|[:：=为是])?\s*{_NUMBER}\s*(k)?(?:hz|赫兹)?"
)
_GEOMETRY: Final = re.compile(r"(?<![\d.,])\d{1,3}(?:\s*[,，;；]\s*\d+(?:\.\d+)?){2,3}(?![\d,，])")
_CODE: Final = r"([a-z]{0,4}[ -]?\d{3,5}[a-z0-9/-]{0,10})(?![\d.]|\s*(?:rpm|r/min|hz|khz|转|赫兹|号))"
_NAMED: Final = re.compile(
    rf"(?i)(?:轴承|bearing)(?:[，,]\s*(?=型号|type|model|named))?\s*(?:型号)?\s*(?:换成|改成|换为|改为|用|是|为|to|is|named|type|model|[:：=])?\s*{_CODE}"
    rf"|(?:换成|改成|换为|改为|\b(?:with|to)(?: an?)?\b)\s*{_CODE}\s*(?:轴承|bearing)"
    rf"|(?:换成|换为|改成|改用|换|\b(?:try|what\s+about|how\s+about|if\s+it\s+(?:is|were)|switch\s+to)(?: an?)?)\s*"
    rf"([a-z]{{0,4}}[ -]?\d{{4,5}}[a-z0-9/-]{{0,10}})(?![\d.]|\s*(?:rpm|r/min|hz|khz|转|赫兹|号|个|秒|s\b))"
    rf"|{_CODE}\s*(?:轴承|bearing)|(?<![a-z0-9.])(?:skf|fag|nsk|ntn|koyo|nmb)\s+{_CODE}"
)
_DIAMETER: Final = r"(?:\s*(?:直径|diameter|dia\.?))?\s*(?:of|is|[:：=为是])?\s*(\d{1,4}(?:\.\d{1,4})?)"
_SIZES: Final = (
    re.compile(
        r"(?i)(?:球数|滚[动子珠]体?数|滚子数|balls|number\s+of\s+(?:balls|rollers))\s*(?:of|is|[:：=为是])?\s*(\d{1,3})"
        r"|(\d{1,3})\s*(?:个|颗|粒)?\s*(?:滚动体|钢球|滚珠|滚子|球(?!径)|balls?\b(?!\s*dia)|rollers?\b(?!\s*dia)"
        r"|rolling\s+elements)"
    ),
    re.compile(
        rf"(?i)(?:滚动体|钢球|滚珠|滚子|球|balls?|rollers?|rolling\s+elements?)(?:直?径|\s*(?:diameter"
        rf"|dia\.?)){_DIAMETER}"
    ),
    re.compile(rf"(?i)(?:节圆直径|节圆|节径|pitch\s*(?:circle\s*)?(?:diameter|dia\.?)?){_DIAMETER}"),
    re.compile(rf"(?i)(?:接触角|contact\s*angle|\bangle){_DIAMETER}"),
)


@dataclass(frozen=True, slots=True)
class SpokenFacts:
    """Facts that words give; `unknown_bearing` is one that the table lacks, written without its geometry.

    `impossible` names those of `rpm` and `fs` whose number no machine has.
    """

    rpm: float | None = None
    fs: float | None = None
    bearing: str | None = None
    unknown_bearing: str = ""
    impossible: tuple[str, ...] = ()


def read_words(message: str) -> SpokenFacts:
    """Read the facts of a message."""
    speed, rate, turns = _RPM.search(message), _RATE.search(message), _TURNS.search(message)
    rpm = _read_number(speed[1] or speed[2]) if speed else None
    rpm = 60 * _read_number(turns[1]) if turns else rpm
    fs = _read_number(rate[1]) * (1000 if rate[2] else 1) if rate else None
    bearing, unknown = _read_bearing(message)
    limits = (("rpm", rpm, MAX_RPM), ("fs", fs, MAX_RATE))
    impossible = tuple(name for name, value, highest in limits if value is not None and not 0 < value <= highest)
    return SpokenFacts(
        None if "rpm" in impossible else rpm, None if "fs" in impossible else fs, bearing, unknown, impossible
    )


def settle_bearing(said: str | None) -> str | None:
    """A bearing as an answer gives it (6203 呢, "a 6203"): its name or geometry alone, if the words hold one."""
    return said if said is None or is_bearing(said) else _read_bearing(said)[0] or said


def _read_number(text: str) -> float:
    return float(re.sub("[,，]", "", text).replace("−", "-"))


def _read_bearing(message: str) -> tuple[str | None, str]:
    """A bearing of the table or a geometry, and the name of one that is neither."""
    for name in sorted(list_bearings(), key=len, reverse=True):
        if re.search(rf"(?i)(?<![0-9a-z]){re.escape(name)}(?![0-9])", message):
            return name, ""
    geometry = _GEOMETRY.search(message)
    if geometry is not None and is_bearing(geometry[0]):
        return geometry[0], ""
    sizes, is_partial = _read_sizes(message)
    if sizes or is_partial:
        return (sizes, "") if is_bearing(sizes) else (None, sizes or message)
    named = _NAMED.search(_RATE.sub(" ", _RPM.sub(" ", message)))
    found = next(one for one in named.groups() if one).strip() if named else ""
    return (found, "") if is_bearing(found) else (None, found)


def _read_sizes(message: str) -> tuple[str, bool]:
    """A geometry that words give size by size, and whether some of it is there but not enough."""
    balls, ball_d, pitch_d, angle = (_find_size(pattern, message) for pattern in _SIZES)
    if balls and ball_d and pitch_d:
        return f"{balls},{ball_d},{pitch_d},{angle or 0}", False
    return "", sum(map(bool, (balls, ball_d, pitch_d))) == 2


def _find_size(pattern: re.Pattern[str], message: str) -> str:
    found = pattern.search(message)
    return next((one for one in found.groups() if one), "") if found else ""
