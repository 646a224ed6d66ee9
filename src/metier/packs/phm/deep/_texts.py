"""Sentences of deep runs in both languages."""

from typing import Final

from metier.language import Sentences

TEXTS: Final = Sentences(
    {
        "goal": ("Test the bearing's fault frequencies on {branch}", "在{branch}上检验轴承故障频率"),
        "form": ("What is known about the record?", "请补充数据的信息"),
        "ask_asset": ("Machine", "设备"),
        "ask_fs": ("Sampling rate (Hz)", "采样率（Hz）"),
        "ask_rpm": ("Speed (rpm)", "转速（rpm）"),
        "ask_bearing": ("Bearing", "轴承型号"),
        "speed": (
            "The given speed does not fit: the shaft lines show {rpm} rpm ({change}). The plan is made again with it.",
            "给定转速与数据不符：轴频谱线显示 {rpm} rpm（{change}）。按此转速重新规划。",
        ),
        "silent": (
            "Neither branch finds a fault frequency: the band of highest spectral kurtosis is tried.",
            "两个分支都没有发现故障频率：再试谱峭度最高的频带。",
        ),
        "nothing": ("No branch finds a fault frequency.", "各分支都没有发现故障频率。"),
        "kept": ("{branch} finds {fault}; its part is kept.", "{branch}发现{fault}，保留这一部分。"),
        "line": (
            "A stronger line at {hz} Hz belongs to no fault of this bearing: check which bearing is installed.",
            "{hz} Hz 处有更强的谱线，不属于该轴承的任何故障：请核对实际安装的轴承。",
        ),
        "evidence": ("Evidence by node", "证据（按节点）"),
        "findings": ("Findings", "发现"),
        "normal": (
            "**No sign of bearing damage.** No branch finds a fault frequency above noise.",
            "**没有轴承损伤的迹象。** 各分支都没有高出噪声的故障频率。",
        ),
        "sure": (
            "**Damage: {fault}.** {branch} shows its lines clearly (node `{node}`, score {score}).",
            "**损伤：{fault}。** {branch}清楚地显示其谱线（节点 `{node}`，得分 {score}）。",
        ),
        "weak": (
            "**Probably: {fault}.** Only {branch} shows it, or the lead is small (node `{node}`, score {score}).",
            "**可能的损伤：{fault}。** 只有{branch}显示其谱线，或领先不多（节点 `{node}`，得分 {score}）。",
        ),
    }
)
