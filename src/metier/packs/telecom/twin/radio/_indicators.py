"""Indicators: names in both languages, units, and the field of the state they show."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from metier.errors import UsageError

Level = Literal["cell", "grid"]
Phase = Literal["root_cause", "simulation"]
_PHASES: Final[tuple[Phase, ...]] = ("root_cause", "simulation")
_UNIT: Final = re.compile(r"[（(][^（）()]*[）)]$")


@dataclass(frozen=True, slots=True)
class Indicator:
    """One column; indicators with the same `field` show the same number before and after optimisation."""

    name: str
    alias: str
    field: str
    unit: str
    better: Literal["higher", "lower", "neither"]
    digits: int
    meaning_zh: str
    meaning_en: str


_RSRP: Final = ("dBm", "higher", 1)
_DB: Final = ("dB", "higher", 1)
_PERCENT: Final = ("%", "higher", 1)
_MBPS: Final = ("Mbps", "higher", 1)

_CELL_CAUSE: Final = (
    Indicator(
        "RSRP均值", "rsrp_mean", "rsrp", *_RSRP, "小区样本的参考信号接收功率均值", "mean RSRP of the cell's samples"
    ),
    Indicator("SINR均值", "sinr_mean", "sinr", *_DB, "小区样本的信干噪比均值", "mean SINR of the cell's samples"),
    Indicator(
        "下行PRB利用率", "dl_prb_utilisation", "dl_prb", "%", "lower", 1, "下行资源块占用比例", "downlink blocks in use"
    ),
    Indicator(
        "上行PRB利用率", "ul_prb_utilisation", "ul_prb", "%", "lower", 1, "上行资源块占用比例", "uplink blocks in use"
    ),
    Indicator(
        "MR覆盖率", "mr_coverage", "coverage", *_PERCENT, "RSRP≥-110dBm的样本比例", "samples with RSRP ≥ -110 dBm"
    ),
    Indicator("RRC连接成功率", "rrc_success_rate", "access", *_PERCENT, "连接建立成功比例", "connections set up"),
    Indicator("切换成功率", "handover_success_rate", "handover", *_PERCENT, "切换成功比例", "handovers completed"),
    Indicator(
        "下行流量(GB)",
        "dl_traffic_gb",
        "dl_gb",
        "GB",
        "neither",
        1,
        "忙时一小时下行流量",
        "downlink traffic of the busy hour",
    ),
    Indicator("用户数", "users", "users", "", "neither", 0, "忙时在线用户数", "users of the busy hour"),
)
_GRID_CAUSE: Final = (
    Indicator("RSRP", "rsrp", "rsrp", *_RSRP, "主服务小区的接收功率", "RSRP of the serving cell"),
    Indicator("SINR", "sinr", "sinr", *_DB, "主服务小区的信干噪比", "SINR of the serving cell"),
    Indicator("RSRQ", "rsrq", "rsrq", *_DB, "主服务小区的接收质量", "RSRQ of the serving cell"),
    Indicator(
        "重叠覆盖度",
        "overlap",
        "overlap",
        "",
        "lower",
        0,
        "高于-110 dBm且与最强小区相差6 dB以内的同频小区数",
        "co-channel cells above -110 dBm within 6 dB of the strongest",
    ),
    Indicator("下行速率", "dl_rate", "dl_rate", *_MBPS, "用户可得下行速率", "downlink rate a user gets"),
    Indicator("上行速率", "ul_rate", "ul_rate", *_MBPS, "用户可得上行速率", "uplink rate a user gets"),
    Indicator(
        "覆盖电平", "coverage_level", "level", *_RSRP, "所有频点中最强的接收功率", "strongest RSRP on any carrier"
    ),
)
_CELL_SIMULATION: Final = (
    Indicator("仿真RSRP均值", "sim_rsrp_mean", "rsrp", *_RSRP, "仿真后的RSRP均值", "mean RSRP after the changes"),
    Indicator("仿真SINR均值", "sim_sinr_mean", "sinr", *_DB, "仿真后的SINR均值", "mean SINR after the changes"),
    Indicator("仿真下行速率", "sim_dl_rate", "dl_rate", *_MBPS, "仿真后的小区平均下行速率", "mean downlink rate after"),
    Indicator("仿真上行速率", "sim_ul_rate", "ul_rate", *_MBPS, "仿真后的小区平均上行速率", "mean uplink rate after"),
    Indicator("仿真覆盖率", "sim_coverage", "coverage", *_PERCENT, "仿真后的MR覆盖率", "MR coverage after the changes"),
    Indicator(
        "仿真RRC连接成功率", "sim_rrc_success_rate", "access", *_PERCENT, "仿真后的RRC连接成功率", "RRC success after"
    ),
)
_GRID_SIMULATION: Final = (
    Indicator("仿真RSRP", "sim_rsrp", "rsrp", *_RSRP, "仿真后的RSRP", "RSRP after the changes"),
    Indicator("仿真SINR", "sim_sinr", "sinr", *_DB, "仿真后的SINR", "SINR after the changes"),
    Indicator("仿真RSRQ", "sim_rsrq", "rsrq", *_DB, "仿真后的RSRQ", "RSRQ after the changes"),
    Indicator(
        "仿真重叠覆盖度", "sim_overlap", "overlap", "", "lower", 0, "仿真后的重叠覆盖度", "overlap after the changes"
    ),
    Indicator("仿真下行速率", "sim_dl_rate", "dl_rate", *_MBPS, "仿真后的下行速率", "downlink rate after the changes"),
    Indicator("仿真上行速率", "sim_ul_rate", "ul_rate", *_MBPS, "仿真后的上行速率", "uplink rate after the changes"),
)

INDICATORS: Mapping[tuple[Level, Phase], tuple[Indicator, ...]] = MappingProxyType(
    {
        ("cell", "root_cause"): _CELL_CAUSE,
        ("grid", "root_cause"): _GRID_CAUSE,
        ("cell", "simulation"): _CELL_SIMULATION,
        ("grid", "simulation"): _GRID_SIMULATION,
    }
)


def find_indicators(level: Level, names: Sequence[str], phases: Sequence[Phase] = _PHASES) -> tuple[Indicator, ...]:
    """The indicators with these names or aliases, each once, in this order; an unknown name raises with the legal list.

    Case, spaces and a unit in parentheses do not count, so names work as users write them.
    """
    known = [indicator for phase in phases for indicator in INDICATORS[level, phase]]
    by_name = {_normalise_name(word): one for one in known for word in (one.name, one.alias)}
    unknown = [name for name in names if _normalise_name(name) not in by_name]
    if unknown or not names:
        wrong = f"unknown {level} indicators: {', '.join(repr(name[:40]) for name in unknown)}"
        listed = ", ".join(one.name for one in known)
        raise UsageError(wrong if unknown else "no indicator named", hint=f"choose from: {listed}")
    return tuple(dict.fromkeys(by_name[_normalise_name(name)] for name in names))


def _normalise_name(name: str) -> str:
    return _UNIT.sub("", name.strip()).lower().replace(" ", "_")
