"""Titles of the pack's tools and their arguments for people: tool cards, forms and approvals show these, not names."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

from metier.json_values import JsonObject, JsonValue
from metier.language import BilingualText
from metier.packs.telecom._labels import indicator_heading
from metier.packs.telecom.twin import INDICATORS
from metier.tools import FunctionTool

_SENTENCES: Final = re.compile(r"(.+?。)\s*([A-Z].+)", re.DOTALL)
_HALVES: Final = re.compile(r"(.+?) · (.+)")
_TOOL_TITLES: Final[Mapping[str, BilingualText]] = MappingProxyType(
    {
        "search_terminology": BilingualText("查术语", "Look up terms"),
        "search_design_doc": BilingualText("查流程", "Look up the procedure"),
        "search_corpus": BilingualText("查优化手册", "Search the manuals"),
        "explain_term": BilingualText("解释术语", "Explain a term"),
        "match_scenario": BilingualText("匹配场景", "Match the scenario"),
        "query_root_cause_analysis": BilingualText("根因分析", "Root cause analysis"),
        "query_simulation_results": BilingualText("优化仿真", "Simulated optimisation"),
        "compare_simulation_data": BilingualText("优化前后对比", "Comparison before and after"),
        "show_coverage_map": BilingualText("覆盖地图", "Coverage map"),
    }
)


def _title(zh: str, en: str, **more: JsonValue) -> JsonObject:
    return {"title": {"zh": zh, "en": en}, **more}


def _make_hidden_title(zh: str, en: str) -> JsonObject:
    return _title(zh, en, hidden=True)


def _labels(**texts: tuple[str, str]) -> JsonObject:
    return {name: {"zh": zh, "en": en} for name, (zh, en) in texts.items()}


_INDICATOR_LABELS: Final[JsonObject] = MappingProxyType(
    {one.name: {"zh": one.name, "en": indicator_heading(one, "en")} for listed in INDICATORS.values() for one in listed}
)
_ARGUMENT_TITLES: Final[Mapping[str, JsonObject]] = MappingProxyType(
    {
        "query": _title("要查的内容", "Looked up"),
        "description": _title("描述", "Description"),
        "message": _title("消息", "Message"),
        "known": _make_hidden_title("已知场景", "Known scenario"),
        "known_problem": _make_hidden_title("已知问题", "Known problem"),
        "simulation_asked": _make_hidden_title("已要求仿真", "Simulation asked for"),
        "digitaltwins_id": _title(
            "场景",
            "Scenario",
            description={"zh": "数字孪生上的一片网络", "en": "an area of the network on the digital twin"},
        ),
        "level": _title("粒度", "Level", labels=_labels(cell=("小区", "cells"), grid=("栅格", "grid points"))),
        "indicators": _title("指标", "Indicators", labels=_INDICATOR_LABELS),
        "indicator": _title("指标", "Indicator", labels=_INDICATOR_LABELS),
        "chart_type": _title(
            "图表类型",
            "Kind of chart",
            labels=_labels(
                grouped_bar_chart=("分组柱状图", "grouped bars"),
                line_chart=("折线图", "lines"),
                stacked_bar_chart=("堆叠柱状图", "stacked bars"),
                scatter_plot=("散点图", "scatter plot"),
                heatmap=("热力图", "heat map"),
                table=("表格", "table"),
            ),
        ),
        "stage": _title(
            "阶段",
            "Stage",
            labels=_labels(
                both=("优化前后", "before and after"), before=("优化前", "before"), after=("优化后", "after")
            ),
        ),
        "language": _make_hidden_title("语言", "Language"),
    }
)


def add_titles(tool: FunctionTool) -> FunctionTool:
    """Add titles and descriptions of a tool and of its arguments in each language to its schema, where it has none."""
    schema: dict[str, Any] = json.loads(json.dumps(tool.spec.parameters, default=dict))
    hints = {**_split_text(_SENTENCES, tool.spec.description), **schema.get("x-ui", {})}
    if (title := _TOOL_TITLES.get(tool.spec.name)) is not None:
        hints = {"title": title.to_json(), **hints}
    schema["x-ui"] = hints
    for name, shown in schema["properties"].items():
        described = _split_text(_HALVES, shown.get("description", ""))
        shown["x-ui"] = {**described, **_ARGUMENT_TITLES.get(name, {}), **shown.get("x-ui", {})}
    return replace(tool, spec=replace(tool.spec, parameters=schema))


def _split_text(halves: re.Pattern[str], text: str) -> JsonObject:
    """Description in each language of a text in both, which is what a model reads."""
    found = halves.fullmatch(text)
    return {"description": {"zh": found[1], "en": found[2]}} if found else {}
