"""Sentences of planning and reflection in both languages."""

from typing import Final

from metier.language import Sentences

TEXTS: Final = Sentences(
    {
        "goal": ("Test the bearing's fault frequencies on {branch}", "在{branch}上检验轴承故障频率"),
        "speed": (
            "The given speed does not fit: the shaft lines show {rpm} rpm ({change}). The plan is made again with it.",
            "给定转速与数据不符：轴频谱线显示 {rpm} rpm（{change}）。按此转速重新规划。",
        ),
        "silent": (
            "Neither branch finds a fault frequency: the band of highest spectral kurtosis is tried.",
            "两个分支都没有发现故障频率：再试谱峭度最高的频带。",
        ),
        "open": (
            "The branches leave the verdict open: the band of highest spectral kurtosis is tried as well.",
            "两个分支还不能确定结论：再试谱峭度最高的频带。",
        ),
        "unchecked": (
            "The quality of the record was not checked. Check it first, then test the bearing's fault frequencies on "
            "the envelope spectra of the pre-whitened record and of the full band.",
            "还没有检查数据质量：先检查，再在预白化数据和全频带的包络谱上检验轴承故障频率。",
        ),
        "nothing": ("No branch finds a fault frequency.", "各分支都没有发现故障频率。"),
        "kept": ("Kept: {branch} finds {fault}.", "{branch}发现{fault}，保留这一部分。"),
    }
)
