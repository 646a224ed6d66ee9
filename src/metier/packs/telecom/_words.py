"""Labels of the pack's terms in both languages."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from metier.pack import Said
from metier.packs.telecom._scenes import Topic
from metier.packs.telecom.twin import COLUMNS, INDICATORS, REMARKS, Indicator
from metier.tools import Language

NETWORK_ZH: Final = "{} 网络"
PROBLEMS: Final[Mapping[Topic, Said]] = MappingProxyType(
    {
        "weak_coverage": Said("弱覆盖", "weak coverage"),
        "overshoot": Said("越区覆盖", "overshooting"),
        "interference": Said("干扰", "interference"),
        "load": Said("容量", "load"),
        "handover": Said("切换", "handover"),
    }
)
PARAMETERS: Final[Mapping[str, Said]] = MappingProxyType(
    {
        "tilt": Said("电子下倾角(度)", "electrical tilt (°)"),
        "azimuth": Said("方位角(度)", "azimuth (°)"),
        "power": Said("发射功率(dBm)", "transmit power (dBm)"),
        "offset": Said("小区偏置(dB)", "cell offset (dB)"),
        "neighbour": Said("增配邻区", "new neighbour"),
    }
)
LEVELS: Final[Mapping[str, Said]] = MappingProxyType(
    {"cell": Said("小区级", "Cell level"), "grid": Said("栅格级", "Grid level")}
)
BEFORE: Final = Said("优化前", "before")
AFTER: Final = Said("优化后", "after")
CHANGE: Final = Said("变化", "change")
CELL: Final = Said("小区id", "cell")
LONGITUDE: Final = Said("经度", "longitude")
LATITUDE: Final = Said("纬度", "latitude")
# Spelling of the parts of an alias in a heading.
_SPELT: Final[Mapping[str, str]] = MappingProxyType(
    {
        **{word: word.upper() for word in ("rsrp", "sinr", "rsrq", "rrc", "mr", "gb")},
        "dl": "downlink",
        "ul": "uplink",
        "sim": "simulated",
    }
)
_INDICATORS: Final = MappingProxyType({one.name: one for listed in INDICATORS.values() for one in listed})


def column_title(head: str, language: Language) -> str:
    """Heading of a column of the twin's tables."""
    if language == "zh":
        return head
    known = _INDICATORS.get(head)
    return heading(known, language) if known else COLUMNS[head].english if head in COLUMNS else head


def column_unit(head: str) -> str:
    """Unit of a column, unless its name already contains it."""
    known = _INDICATORS.get(head) or COLUMNS.get(head)
    return known.unit if known and f"({known.unit})" not in head else ""


def cell_text(value: float | str | None, language: Language) -> float | str | None:
    """A value of the twin's tables in the user's language."""
    return value if language == "zh" else REMARKS.get(str(value), value)


def spoken(language: Language, zh: str, en: str) -> str:
    """The text in the user's language."""
    return zh if language == "zh" else en


def said(words: Said, language: Language) -> str:
    """A bilingual text in the user's language."""
    return spoken(language, words.zh, words.en)


def heading(indicator: Indicator, language: Language) -> str:
    """Heading of an indicator's column."""
    if language == "zh":
        return indicator.name
    known = COLUMNS.get(indicator.name)
    return known.english if known else " ".join(_SPELT.get(word, word) for word in indicator.alias.split("_"))


def signed(value: float, unit: str) -> str:
    """Format a difference with its sign and unit."""
    return f"{value:+.2f}{f' {unit}' if unit else ''}"
