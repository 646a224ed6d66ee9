"""Labels of the pack's terms in both languages."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, cast

from metier.json_values import JsonObject, JsonValue
from metier.language import BilingualText, Language, choose
from metier.packs.telecom._scenes import Topic
from metier.packs.telecom.twin import EVIDENCE_COLUMNS, INDICATORS, REMARKS, Indicator, ParameterChange

NETWORK: Final = BilingualText("制式", "network")
NETWORK_ZH: Final = "{} 网络"
PROBLEM_LABELS: Final[Mapping[Topic, BilingualText]] = MappingProxyType(
    {
        "weak_coverage": BilingualText("弱覆盖", "weak coverage"),
        "overshoot": BilingualText("越区覆盖", "overshooting"),
        "interference": BilingualText("干扰", "interference"),
        "load": BilingualText("容量", "load"),
        "handover": BilingualText("切换", "handover"),
    }
)
PARAMETER_LABELS: Final[Mapping[str, BilingualText]] = MappingProxyType(
    {
        "tilt": BilingualText("电子下倾角(度)", "electrical tilt (°)"),
        "azimuth": BilingualText("方位角(度)", "azimuth (°)"),
        "power": BilingualText("发射功率(dBm)", "transmit power (dBm)"),
        "offset": BilingualText("小区偏置(dB)", "cell offset (dB)"),
        "neighbour": BilingualText("增配邻区", "new neighbour"),
    }
)
LEVEL_LABELS: Final[Mapping[str, BilingualText]] = MappingProxyType(
    {"cell": BilingualText("小区级", "Cell level"), "grid": BilingualText("栅格级", "Grid level")}
)
# A relation is measured by the handovers it saves, everything else by the goal of the search.
_GOAL_POINTS: Final = BilingualText("目标分", "points of the goal")
_HANDOVER_POINTS: Final = BilingualText("切换成功率百分点", "points of handover success")
BEFORE: Final = BilingualText("优化前", "before")
AFTER: Final = BilingualText("优化后", "after")
CHANGE: Final = BilingualText("变化", "change")
CELL: Final = BilingualText("小区id", "cell")
LONGITUDE: Final = BilingualText("经度", "longitude")
LATITUDE: Final = BilingualText("纬度", "latitude")
# Spelling of the parts of an alias in a heading.
_ALIAS_WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        **{word: word.upper() for word in ("rsrp", "sinr", "rsrq", "rrc", "mr")},
        "gb": "(GB)",
        "dl": "downlink",
        "ul": "uplink",
        "sim": "simulated",
    }
)
_SIMULATED: Final = "仿真"
_INDICATORS: Final = MappingProxyType({one.name: one for listed in INDICATORS.values() for one in listed})


def column_title(head: str, language: Language) -> str:
    """Heading of a column of the twin's tables."""
    known = _INDICATORS.get(head)
    if known:
        return indicator_heading(known, language)
    english = EVIDENCE_COLUMNS[head].english if head in EVIDENCE_COLUMNS else head
    return choose(language, en=english, zh=head)


def title_table(table: JsonObject) -> JsonObject:
    """The table with a capital at the beginning of its title and headings, which stand in sentences without one."""
    columns = [
        {**one, "title": _capitalize(str(one.get("title", "")))} if isinstance(one, dict) else one
        for one in cast("list[JsonValue]", table["columns"])
    ]
    return {**table, "title": _capitalize(str(table.get("title", ""))), "columns": columns}


def _capitalize(title: str) -> str:
    """The title with a capital, unless its first word is a name or a sign with a spelling of its own."""
    first = title.partition(" ")[0]
    return title[:1].upper() + title[1:] if first.isalpha() and first.islower() else title


def column_unit(head: str) -> str:
    """Unit of a column, unless its name already contains it."""
    known = _INDICATORS.get(head) or EVIDENCE_COLUMNS.get(head)
    return known.unit if known and f"({known.unit})" not in head else ""


def gain_unit(change: ParameterChange) -> BilingualText:
    """What the gain of a change is counted in."""
    return _HANDOVER_POINTS if change.parameter == "neighbour" else _GOAL_POINTS


def cell_text(value: float | str | None, language: Language) -> float | str | None:
    """A value of the twin's tables in the user's language."""
    return choose(language, en=REMARKS.get(str(value), value), zh=value)


def choose_text(language: Language, zh: str, en: str) -> str:
    """The text in the user's language."""
    return choose(language, en=en, zh=zh)


def indicator_heading(indicator: Indicator, language: Language) -> str:
    """Heading of an indicator's column."""
    known = EVIDENCE_COLUMNS.get(indicator.name)
    base = EVIDENCE_COLUMNS.get(indicator.name.removeprefix(_SIMULATED))
    if known is None and base is not None:
        return choose(language, en=f"simulated {base.english}", zh=indicator.name)
    alias = " ".join(_ALIAS_WORDS.get(word, word) for word in indicator.alias.split("_"))
    return choose(language, en=known.english if known else alias, zh=indicator.name)


def bare_heading(indicator: Indicator, language: Language) -> str:
    """Heading of an indicator without its unit, for a sentence that gives the unit with the value."""
    return indicator_heading(indicator, language).replace(f"({indicator.unit})", "").strip()


def tell_absent(asked: str, aim: Topic, language: Language) -> list[str]:
    """Lines that say that no cell has the problem that was asked about, and what a simulation would aim at."""
    own = PROBLEM_LABELS[aim]
    for name, words in PROBLEM_LABELS.items():
        if name == asked and name != "handover":  # whose findings have names of their own
            other_zh = f"；仿真会按该场景的「{own.zh}」优化" if name != aim else ""
            other_en = f"; a simulation aims at {own.en}, the problem of the scenario" if name != aim else ""
            zh = f"**没有小区超过「{words.zh}」的门限{other_zh}。**"
            return [choose_text(language, zh, f"**No cell is beyond the limits of {words.en}{other_en}.**"), ""]
    return []
