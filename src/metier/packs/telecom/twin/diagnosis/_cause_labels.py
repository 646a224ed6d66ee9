"""Titles, sentences and advice of each root cause, in both languages."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

CauseKind = Literal[
    "weak_coverage",
    "overshoot",
    "overlap",
    "pilot_pollution",
    "interference",
    "low_sinr",
    "load",
    "missing_neighbour",
    "access",
    "handover",
    "tilt",
    "azimuth",
    "power",
]

# `other`: a finding that belongs to another problem than the one asked about.
CauseRole = Literal["cause", "symptom", "other"]
# What users notice; everything else is something to mend or explains why, unless it is the very problem analysed.
# A high load is demand, so it stays a cause.
SYMPTOMS: frozenset[CauseKind] = frozenset({"weak_coverage", "low_sinr", "access", "handover"})
# Settings of a cell that an engineer can put right at once.
SETTINGS: frozenset[CauseKind] = frozenset({"tilt", "power", "azimuth", "missing_neighbour"})

# What leads to a problem, as an engineer looks for it: kinds of findings, and of suspicions about settings which way.
LEADS_TO: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "weak_coverage": frozenset({"下倾角过大", "功率偏低"}),
        "overshoot": frozenset({"下倾角过小", "功率偏高"}),
        "interference": frozenset({"overlap", "overshoot", "pilot_pollution", "azimuth", "下倾角过小", "功率偏高"}),
        "load": frozenset({"overshoot", "interference", "功率偏高"}),
        "handover": frozenset(
            {"missing_neighbour", "overlap", "overshoot", "pilot_pollution", "interference", "weak_coverage", "azimuth"}
        ),
    }
)


@dataclass(frozen=True, slots=True)
class CauseText:
    """Title, sentence (with `{count}`, `{worst}`, `{values}` and the limits by name) and advice of a cause."""

    title_zh: str
    title_en: str
    sentence_zh: str
    sentence_en: str
    advice_zh: str
    advice_en: str


CAUSE_TEXTS: Mapping[CauseKind, CauseText] = MappingProxyType(
    {
        "weak_coverage": CauseText(
            "弱覆盖",
            "Weak coverage",
            "{count}个小区的弱覆盖样本（RSRP低于{weak_rsrp} dBm）占比超过{weak_share} %，最差为{worst}（{values}）。",
            "Cells with more than {weak_share} % of samples below {weak_rsrp} dBm: {count}; "
            "the worst is {worst} ({values}).",
            "减小下倾角或提升功率，覆盖空洞处补站。",
            "Raise the beam or the power; a hole without a site needs a new one.",
        ),
        "overshoot": CauseText(
            "越区覆盖",
            "Overshoot",
            "{count}个小区的服务面积超过规划面积的{overshoot_area} %，最严重为{worst}（{values}）。",
            "Cells that serve more than {overshoot_area} % of their planned area: {count}; "
            "the worst is {worst} ({values}).",
            "增大下倾角，降低功率，核查天线挂高。",
            "Tilt down, lower the power, check the antenna height.",
        ),
        "overlap": CauseText(
            "重叠覆盖",
            "Overlapping coverage",
            "{count}个小区有超过{overlap_share} %的栅格重叠覆盖度大于{overlap_many}，最严重为{worst}（{values}）。",
            "Cells with over {overlap_many} cells within 6 dB on more than {overlap_share} % of their points: {count}; "
            "the worst is {worst} ({values}).",
            "明确主服务小区，收缩其余小区的覆盖。",
            "Make one cell dominant and draw the others back.",
        ),
        "pilot_pollution": CauseText(
            "导频污染",
            "Pilot pollution",
            "{count}个小区有超过{pilot_share} %的栅格电平高于{pilot_rsrp} dBm而SINR低于{pilot_sinr} dB，"
            "最严重为{worst}（{values}）。",
            "Cells with more than {pilot_share} % of points above {pilot_rsrp} dBm "
            "and SINR below {pilot_sinr} dB: {count}; the worst is {worst} ({values}).",
            "调整方位角和下倾角，减少强信号小区数量。",
            "Turn and tilt beams until fewer strong cells meet.",
        ),
        "interference": CauseText(
            "干扰",
            "Interference",
            "{count}个小区信号足够而SINR均值低于{sinr_fair} dB，最差为{worst}（{values}）。",
            "Cells with enough signal and a mean SINR below {sinr_fair} dB: {count}; the worst is {worst} ({values}).",
            "控制重叠覆盖，核查方位角对打和功率。",
            "Reduce overlap; check facing beams and powers.",
        ),
        "low_sinr": CauseText(
            "弱信号导致SINR低",
            "Low SINR from weak signal",
            "{count}个弱覆盖小区的SINR均值低于{sinr_fair} dB，最差为{worst}（{values}）。",
            "Weakly covered cells with a mean SINR below {sinr_fair} dB: {count}; the worst is {worst} ({values}).",
            "信号弱时SINR低是弱覆盖的表现，先解决弱覆盖。",
            "Where the signal is weak, a low SINR comes with it; mend the coverage first.",
        ),
        "load": CauseText(
            "高负荷",
            "Overload",
            "{count}个小区的上行或下行PRB利用率超过{prb_busy} %，最高为{worst}（{values}）。",
            "Cells that use more than {prb_busy} % of their blocks, up or down: {count}; "
            "the fullest is {worst} ({values}).",
            "向轻载邻区均衡负荷，必要时扩容。",
            "Move users to light neighbours; add capacity if that is not enough.",
        ),
        "missing_neighbour": CauseText(
            "漏配邻区",
            "Missing neighbour",
            "{count}个小区存在漏配邻区，最严重为{worst}（{values}）。",
            "Cells that lack a neighbour they would hand over to: {count}; the worst is {worst} ({values}).",
            "补配邻区关系。",
            "Add the relations.",
        ),
        "access": CauseText(
            "接入异常",
            "Access failures",
            "{count}个小区的RRC连接成功率低于{rrc_success} %，最差为{worst}（{values}）。",
            "Cells with RRC success below {rrc_success} %: {count}; the worst is {worst} ({values}).",
            "先解决弱覆盖和高负荷。",
            "Mend weak coverage and overload first.",
        ),
        "handover": CauseText(
            "切换异常",
            "Handover failures",
            "{count}个小区的切换成功率低于{handover_success} %，最差为{worst}（{values}）。",
            "Cells with handover success below {handover_success} %: {count}; the worst is {worst} ({values}).",
            "补配邻区，改善切换带电平。",
            "Add missing neighbours; strengthen the border.",
        ),
        "tilt": CauseText(
            "下倾角可疑",
            "Suspicious tilt",
            "{count}个问题小区的波束落地距离与规划半径不符，首先核查{worst}（{values}）。",
            "Troubled cells whose beam lands far from plan: {count}; check {worst} first ({values}).",
            "按规划半径重设下倾角。",
            "Set the tilt to the planned radius.",
        ),
        "azimuth": CauseText(
            "方位角可疑",
            "Suspicious azimuth",
            "{count}个小区与邻站小区主瓣互指（偏角小于{azimuth_facing}度），首先核查{worst}（{values}）。",
            "Cells that face a neighbouring beam within {azimuth_facing}°: {count}; check {worst} first ({values}).",
            "错开主瓣方向。",
            "Turn the beams apart.",
        ),
        "power": CauseText(
            "功率可疑",
            "Suspicious power",
            "{count}个问题小区的功率与同频中位数相差不小于{power_gap} dB，首先核查{worst}（{values}）。",
            "Troubled cells {power_gap} dB or more off the median power: {count}; check {worst} first ({values}).",
            "按规划恢复功率。",
            "Restore the planned power.",
        ),
    }
)


@dataclass(frozen=True, slots=True)
class EvidenceColumn:
    """English name and unit of an evidence column."""

    english: str
    unit: str = ""


EVIDENCE_COLUMNS: Mapping[str, EvidenceColumn] = MappingProxyType(
    {
        "小区id": EvidenceColumn("cell"),
        "经度": EvidenceColumn("longitude"),
        "纬度": EvidenceColumn("latitude"),
        "RSRP均值": EvidenceColumn("mean RSRP", "dBm"),
        "SINR均值": EvidenceColumn("mean SINR", "dB"),
        "MR覆盖率": EvidenceColumn("MR coverage", "%"),
        "弱覆盖样本占比": EvidenceColumn("weak samples", "%"),
        "服务面积比": EvidenceColumn("served area", "%"),
        "重叠栅格占比": EvidenceColumn("overlapping points", "%"),
        "最大重叠覆盖度": EvidenceColumn("highest overlap"),
        "导频污染栅格占比": EvidenceColumn("polluted points", "%"),
        "下行PRB利用率": EvidenceColumn("downlink PRB utilisation", "%"),
        "上行PRB利用率": EvidenceColumn("uplink PRB utilisation", "%"),
        "用户数": EvidenceColumn("users"),
        "目标小区id": EvidenceColumn("target cell"),
        "切换占比": EvidenceColumn("share of handovers", "%"),
        "切换成功率": EvidenceColumn("handover success", "%"),
        "RRC连接成功率": EvidenceColumn("RRC success", "%"),
        "总下倾角": EvidenceColumn("total tilt", "°"),
        "波束落地比": EvidenceColumn("beam landing / planned radius", "%"),
        "怀疑": EvidenceColumn("suspected"),
        "方位角": EvidenceColumn("azimuth", "°"),
        "对打小区id": EvidenceColumn("facing cell"),
        "偏角": EvidenceColumn("angle off", "°"),
        "发射功率": EvidenceColumn("power", "dBm"),
        "与中位数之差": EvidenceColumn("off the median", "dB"),
    }
)
# English for the values of the column 怀疑 (suspected); they are the title of a cause when all its rows agree.
REMARKS: Mapping[str, str] = MappingProxyType(
    {
        "下倾角过大": "too much tilt",
        "下倾角过小": "too little tilt",
        "功率偏低": "too little power",
        "功率偏高": "too much power",
    }
)
