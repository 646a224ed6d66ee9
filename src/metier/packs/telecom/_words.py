"""How the pack names things, in both languages."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from metier.pack import Said
from metier.packs.telecom._scenes import Topic
from metier.packs.telecom.twin import INDICATORS, Indicator
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
# Columns of evidence that are no indicators, as the twin names them.
EVIDENCE: Final[Mapping[str, str]] = MappingProxyType(
    {
        "小区id": "cell",
        "经度": "longitude",
        "纬度": "latitude",
        "弱覆盖样本占比": "weak samples (%)",
        "服务面积比": "served area (%)",
        "重叠栅格占比": "overlapping squares (%)",
        "最大重叠覆盖度": "highest overlap",
        "导频污染栅格占比": "polluted squares (%)",
        "目标小区id": "target cell",
        "切换占比": "share of handovers (%)",
        "总下倾角": "total tilt (°)",
        "波束落地比": "beam landing (%)",
        "怀疑": "suspicion",
        "发射功率": "transmit power (dBm)",
        "与中位数之差": "difference to the median (dB)",
    }
)
_INDICATORS: Final = MappingProxyType({one.name: one for listed in INDICATORS.values() for one in listed})


def column_title(head: str, language: Language) -> str:
    """What to write above a column of the twin's tables."""
    if language == "zh":
        return head
    known = _INDICATORS.get(head)
    return heading(known, language) if known else EVIDENCE.get(head, head)


def column_unit(head: str) -> str:
    """The unit of an indicator's column; other columns say theirs themselves."""
    known = _INDICATORS.get(head)
    return known.unit if known and f"({known.unit})" not in head else ""


def spoken(language: Language, zh: str, en: str) -> str:
    """The one of two that the user reads."""
    return zh if language == "zh" else en


def said(words: Said, language: Language) -> str:
    """The same for words that are kept together."""
    return spoken(language, words.zh, words.en)


def heading(indicator: Indicator, language: Language) -> str:
    """What to write above an indicator's column."""
    return spoken(language, indicator.name, indicator.alias.replace("_", " "))


def signed(value: float, unit: str) -> str:
    """A difference with its sign and unit."""
    return f"{value:+.2f}{f' {unit}' if unit else ''}"
