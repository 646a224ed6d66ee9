"""Names of the tools for people."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from metier.language import BilingualText

TITLES: Final[Mapping[str, BilingualText]] = MappingProxyType(
    {
        "find_record": BilingualText("找到数据", "Find the record"),
        "describe_record": BilingualText("读取数据", "Read the record"),
        "diagnose_bearing": BilingualText("诊断轴承", "Diagnose the bearing"),
        "describe_gear_record": BilingualText("读取齿轮数据", "Read the gear's record"),
        "follow_trend": BilingualText("跟踪趋势", "Follow the trend"),
        "analyse_gear": BilingualText("分析齿轮", "Analyse the gear"),
        "describe_severity_record": BilingualText("读取烈度所需信息", "Read what a severity needs"),
        "rate_vibration": BilingualText("评定振动烈度", "Rate the severity"),
        "rate_velocity": BilingualText("查振动值的区域", "Look up the zone of a value"),
        "screen_fleet": BilingualText("筛查机群", "Screen the fleet"),
        "measure_record": BilingualText("计算数据的指标", "Compute values of the record"),
        "find_bearing_of_question": BilingualText("找出轴承和转速", "Find bearing and speed"),
        "compute_fault_frequencies": BilingualText("计算故障频率", "Compute fault frequencies"),
        "explain_phm_term": BilingualText("解释术语", "Explain a term"),
    }
)
