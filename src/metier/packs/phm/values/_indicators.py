"""What a kurtosis, a crest factor or an RMS that is only said says: each by its own rule, with its source."""

from typing import Final

from metier.json_values import JsonObject
from metier.language import Language, Sentences
from metier.packs.phm.diagnosis import read_thresholds
from metier.packs.phm.requests import list_rated

_GAUSSIAN: Final = 3.0
_IMPULSIVE: Final = 5.0
_CREST_LIMITS: Final = (2.8, 5.0, 7.0)
_TEXTS: Final = Sentences(
    {
        "kurtosis": ("Kurtosis", "峭度"),
        "crest_factor": ("Crest factor", "峰值因子"),
        "rms": ("RMS", "有效值"),
        "kurtosis_low": (
            "**{name} {value}: below that of noise (3).** A signal ruled by sines (1.5 for one) is so: no impacts, but "
            "unbalance, misalignment or gear mesh may rule it.",
            "**{name} {value}：低于噪声的 3。**信号以正弦成分为主（单个正弦为 1.5）：没有冲击，但可能以不平衡、"
            "不对中或齿轮啮合为主。",
        ),
        "kurtosis_normal": (
            "**{name} {value}: usual for a sound bearing**, close to 3 of Gaussian noise.",
            "**{name} {value}：正常**，接近高斯噪声的 3，健康轴承一般如此。",
        ),
        "kurtosis_raised": (
            "**{name} {value}: raised**, above {limit}, from which a record counts as impulsive here. Look for "
            "impacts.",
            "**{name} {value}：偏高**，超过这里判为有冲击的 {limit}，应查找冲击的来源。",
        ),
        "kurtosis_high": (
            "**{name} {value}: not normal**, clearly impulsive: far above 3 of noise and {limit}, from which a "
            "record counts "
            "as impulsive here.",
            "**{name} {value}：不正常**，冲击明显：远高于噪声的 3，也超过这里判为有冲击的 {limit}。",
        ),
        "kurtosis_rule": (
            "It tells of impacts, not of their origin (bearing, gear, knocks, sensor faults), and falls back towards "
            "3 in "
            "late damage: confirm with the envelope spectrum. Rule: 3 is that of Gaussian noise (Dyer and Stewart, "
            "1978); "
            "{limit} is this program's limit from synthetic healthy records. No ISO standard limits kurtosis.",
            "它只说明有冲击，不说明来源（轴承、齿轮、磕碰、传感器故障都可能），损伤后期还会回落到 3 附近："
            "请用包络谱确认。"
            "依据：高斯噪声为 3（Dyer 与 Stewart，1978）；{limit} 是本程序由仿真健康数据得出的门限。ISO "
            "没有规定峭度限值。",
        ),
        "kurtosis_impossible": (
            "**A kurtosis of {value} cannot be:** it is at least 1 (3 for noise). If it is the excess kurtosis, say "
            "“excess "
            "kurtosis {value}”: 3 is added then.",
            "**峭度不可能是 {value}：**峭度至少为 1（噪声为 3）。如果是减去 3 的超额峭度，请说「超额峭度 {value}」。",
        ),
        "crest_factor_low": (
            "**{name} {value}: low**, close to a sine (1.41): periodic vibration rules, there are no impacts.",
            "**{name} {value}：偏低**，接近正弦（1.41）：以周期振动为主，没有冲击。",
        ),
        "crest_factor_normal": (
            "**{name} {value}: usual**: 3 to 5 is what noise reaches in records of this kind.",
            "**{name} {value}：正常**，噪声为主的数据一般在 3 至 5。",
        ),
        "crest_factor_raised": (
            "**{name} {value}: raised**: single impacts stand out.",
            "**{name} {value}：偏高**：有突出的冲击。",
        ),
        "crest_factor_high": (
            "**{name} {value}: not normal**, strongly impulsive.",
            "**{name} {value}：不正常**，冲击很强。",
        ),
        "crest_factor_rule": (
            "One stray shock raises it, a longer record too (noise alone: √(2 ln N) of N samples), and it falls "
            "again when "
            "damage spreads: compare it with the same machine earlier. Rule: 1.41 for a sine, 3 to 5 for noise; "
            "above 5 "
            "is a rule of thumb of practice, no ISO limit.",
            "偶然一次磕碰就会抬高它，数据越长也越高（纯噪声约为 √(2 ln N)，N 为点数），损伤扩展后又会回落："
            "请与同一台设备以前的值比较。"
            "依据：正弦为 1.41，噪声为 3 至 5；以 5 为界是工程经验，ISO 没有规定限值。",
        ),
        "crest_factor_impossible": (
            "**A crest factor of {value} cannot be:** peak ÷ RMS is at least 1.",
            "**峰值因子不可能是 {value}：**峰值 ÷ 有效值至少为 1。",
        ),
        "rms_g": (
            "**{name} {value} {unit}: no zone by itself.** ISO 20816 rates the velocity (mm/s RMS, 10 to 1000 Hz) by "
            "the class of "
            "the machine; an RMS of acceleration has no limit there and is compared with the same machine earlier. "
            "Give the "
            "velocity and the class (such as “4.5 mm/s, class II”), or attach the record.",
            "**{name} {value} {unit}：单凭它定不了区域。**ISO 20816 按振动速度（mm/s 有效值，10 至 1000 "
            "Hz）和机器类别分区；加速度有效值没有限值，"
            "要与同一台设备以前的值比较。请给出速度和类别（例如「4.5 mm/s，II类」），或上传数据。",
        ),
        "rms_unit": (
            "**{name} {value}: in which unit, and of which class of machine?** ISO 20816 rates a velocity in mm/s "
            "RMS (10 to "
            "1000 Hz) by the class; say it such as “{value} mm/s, class II”. An acceleration (g, m/s²) has no limit "
            "there.",
            "**{name} {value}：单位是什么，机器是哪一类？**ISO 20816 按速度有效值（mm/s，10 至 1000 "
            "Hz）和机器类别分区，可以说"
            "「{value} mm/s，II类」。加速度（g、m/s²）没有限值。",
        ),
    }
)


def report_indicators(message: str, language: Language) -> JsonObject | None:
    """What the indicators in a message say; None if it gives none that is rated here."""
    rated = list_rated(message)
    if not rated:
        return None
    told = [
        _describe_rms(value, unit, language) if name == "rms" else judge_indicator(name, value, language)
        for name, value, unit in rated
    ]
    return {"velocity": None, "summary": "\n\n".join(told)}


def judge_indicator(name: str, value: float, language: Language) -> str:
    """What a kurtosis or crest factor says, with the rule."""
    limit = read_thresholds().kurtosis
    if name == "kurtosis":
        code = f"kurtosis_{_find_kurtosis_level(value, limit)}"
    else:
        code = f"crest_factor_{_find_crest_level(value)}"
    told = {"name": _TEXTS.render(name, language), "value": f"{value:.4g}", "limit": f"{limit:g}"}
    verdict = _TEXTS.render(code, language, **told)
    if code.endswith("_impossible"):
        return verdict
    return f"{verdict} {_TEXTS.render(f'{name}_rule', language, limit=f'{limit:g}')}"


def _find_kurtosis_level(value: float, limit: float) -> str:
    if value < 1:
        return "impossible"
    if value < _GAUSSIAN - 0.5:
        return "low"
    if value <= limit:
        return "normal"
    return "raised" if value < _IMPULSIVE else "high"


def _find_crest_level(value: float) -> str:
    if value < 1:
        return "impossible"
    low, usual, raised = _CREST_LIMITS
    if value <= usual:
        return "low" if value < low else "normal"
    return "raised" if value <= raised else "high"


def _describe_rms(value: float, unit: str, language: Language) -> str:
    told = {"name": _TEXTS.render("rms", language), "value": f"{value:g}", "unit": unit}
    return _TEXTS.render("rms_g" if unit else "rms_unit", language, **told)
