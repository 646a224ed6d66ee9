"""How the pack's tools that plan or change something are shown as forms: titles, labels, units and sections."""

import json
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final, get_args

from metier.json_values import JsonObject, JsonValue
from metier.language import BilingualText
from metier.packs.telecom._labels import PARAMETER_LABELS, PROBLEM_LABELS
from metier.packs.telecom.changes import Rank
from metier.packs.telecom.delivery import ROWS
from metier.packs.telecom.twin import Parameter
from metier.tools import FunctionTool

_RANK_LABELS: Final[Mapping[Rank, BilingualText]] = MappingProxyType(
    {
        "improved": BilingualText("改善最大的小区", "cells that improve most"),
        "least_improved": BilingualText("改善最小的小区", "cells that improve least"),
        "worst": BilingualText("现在最差的小区", "cells that are worst now"),
        "gain": BilingualText("增益最大的改动", "changes with the highest gain"),
        "least_gain": BilingualText("增益最小的改动", "changes with the lowest gain"),
        "listed": BilingualText("表里的顺序", "order of the table"),
    }
)
# What a form begins with: everything may change. The arguments stay required, so the form is shown.
_FIRST_VALUES: Final[Mapping[str, JsonObject]] = MappingProxyType(
    {"parameters": {"default": [*get_args(Parameter)]}, "tilt_range": {"default": [0, 20]}}
)


def add_form_hints(tool: FunctionTool, title: BilingualText) -> FunctionTool:
    """Add form hints to the tool's schema: titles, labels, units and sections in both languages."""
    schema: dict[str, Any] = json.loads(json.dumps(tool.spec.parameters, default=dict))
    schema["x-ui"] = {"title": title.to_json()}
    for name, hints in _form_hints().items():
        if name in schema["properties"]:
            schema["properties"][name] = {**schema["properties"][name], **_FIRST_VALUES.get(name, {}), "x-ui": hints}
    return replace(tool, spec=replace(tool.spec, parameters=schema))


def _form_hints() -> dict[str, JsonObject]:
    aims: dict[str, JsonValue] = {name: {"zh": words.zh, "en": words.en} for name, words in PROBLEM_LABELS.items()}
    kinds: dict[str, JsonValue] = {name: {"zh": words.zh, "en": words.en} for name, words in PARAMETER_LABELS.items()}
    return {
        "digitaltwins_id": {"title": {"zh": "场景", "en": "Scenario"}, "section": "what", "order": 1},
        "problem": {"title": {"zh": "优化目标", "en": "Aim"}, "labels": aims, "section": "what", "order": 2},
        "parameters": {
            "title": {"zh": "允许调整的参数", "en": "Parameters that may change"},
            "labels": kinds,
            "widget": "multiselect",
            "section": "how",
            "order": 3,
        },
        "tilt_range": {
            "title": {"zh": "电子下倾角范围", "en": "Range of the electrical tilt"},
            "unit": "°",
            "min": 0,
            "max": 20,
            "widget": "range",
            "section": "how",
            "order": 4,
        },
        "max_changes": {"title": {"zh": "最多调整几处", "en": "Changes at most"}, "section": "how", "order": 5},
        "cells": {"title": {"zh": "限定小区", "en": "Only these cells"}, "section": "how", "order": 6},
        "without_cells": {"title": {"zh": "除外的小区", "en": "Not these cells"}, "section": "how", "order": 7},
        "count": {
            "title": {"zh": "只要前几个（0为不限）", "en": "Only the first (0 for all)"},
            "section": "how",
            "order": 8,
        },
        "rank": {
            "title": {"zh": "按什么排", "en": "Ranked by"},
            "labels": {name: {"zh": words.zh, "en": words.en} for name, words in _RANK_LABELS.items()},
            "section": "how",
            "order": 9,
        },
        "start_date": {"title": {"zh": "计划日期", "en": "Planned for"}, "section": "when", "order": 10},
        "note": {
            "title": {"zh": "备注", "en": "Note"},
            "placeholder": {"zh": "给执行人的说明", "en": "for whoever carries it out"},
            "section": "when",
            "order": 11,
        },
        "language": {
            "title": {"zh": "摘要语言", "en": "Language of the summary"},
            "labels": {"zh": {"zh": "中文", "en": "Chinese"}, "en": {"zh": "英文", "en": "English"}},
            "section": "when",
            "order": 12,
            "hidden": True,
        },
        ROWS: {"title": {"zh": "选择的改动", "en": "Chosen changes"}, "hidden": True},
    }
