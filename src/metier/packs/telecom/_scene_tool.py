"""Tools over scenarios: the schema lists the current scenarios, so that a newly added file is offered at once."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Annotated, Final

from pydantic import Field

from metier.json_values import JsonObject, JsonValue
from metier.packs.telecom._scenes import ScenarioCatalog
from metier.packs.telecom.twin import Scenario, release_free_memory
from metier.tools import FunctionTool, Preview, ToolContext, ToolResult, ToolSpec

SCENARIO_PARAMETER: Final = "digitaltwins_id"
# Listing more ids costs every prompt more than it helps; an unknown id still gets the list in the error.
_MAX_LISTED: Final = 40

_TITLES: Final[Mapping[str, JsonObject]] = MappingProxyType(
    {
        SCENARIO_PARAMETER: {"title": {"zh": "场景", "en": "Scenario"}},
        "level": {
            "title": {"zh": "粒度", "en": "Level"},
            "labels": {"cell": {"zh": "小区", "en": "cells"}, "grid": {"zh": "栅格", "en": "grid points"}},
        },
        "indicators": {"title": {"zh": "指标", "en": "Indicators"}},
        "indicator": {"title": {"zh": "指标", "en": "Indicator"}},
        "chart_type": {"title": {"zh": "图表类型", "en": "Kind of chart"}},
        "stage": {
            "title": {"zh": "阶段", "en": "Stage"},
            "labels": {
                "both": {"zh": "优化前后", "en": "before and after"},
                "before": {"zh": "优化前", "en": "before"},
                "after": {"zh": "优化后", "en": "after"},
            },
        },
        "language": {"title": {"zh": "语言", "en": "Language"}, "hidden": True},
    }
)

ScenarioId = Annotated[str, Field(min_length=1, max_length=80, description="场景编号 · scenario id")]


@dataclass(frozen=True, slots=True)
class ScenarioTool:
    """A function tool whose schema lists the current scenario ids, each with its title for forms."""

    tool: FunctionTool
    scenarios: ScenarioCatalog

    @property
    def spec(self) -> ToolSpec:
        known = self.scenarios.known
        if len(known) > _MAX_LISTED:
            return self.tool.spec
        parameters = self.tool.spec.parameters
        return replace(self.tool.spec, parameters={**parameters, "properties": _add_scenario_ids(parameters, known)})

    async def run(self, arguments: JsonObject, context: ToolContext) -> ToolResult:
        try:
            return await self.tool.run(arguments, context)
        finally:
            await asyncio.to_thread(release_free_memory)

    async def preview(self, arguments: JsonObject, context: ToolContext) -> Preview | None:
        return await self.tool.preview(arguments, context)


def _add_scenario_ids(parameters: JsonObject, known: Mapping[str, Scenario]) -> dict[str, JsonValue]:
    properties = parameters["properties"]
    given = dict(properties) if isinstance(properties, Mapping) else {}
    field, labels = (
        given[SCENARIO_PARAMETER],
        {id: {"zh": one.title_zh, "en": one.title_en} for id, one in known.items()},
    )
    own = dict(field) if isinstance(field, Mapping) else {}
    titled = _add_titles({**given, SCENARIO_PARAMETER: {**own, "enum": list(known)}})
    scenario = titled[SCENARIO_PARAMETER]
    shown: dict[str, JsonValue] = {**_hints_of(scenario), "labels": labels}
    return {**titled, SCENARIO_PARAMETER: {**(scenario if isinstance(scenario, Mapping) else {}), "x-ui": shown}}


def _add_titles(properties: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Properties with the titles that a form shows in place of their names, where they have none."""
    return {
        name: {**schema, "x-ui": {**_TITLES[name], **_hints_of(schema)}}
        if name in _TITLES and isinstance(schema, Mapping)
        else schema
        for name, schema in properties.items()
    }


def _hints_of(schema: JsonValue) -> JsonObject:
    found = schema.get("x-ui") if isinstance(schema, Mapping) else None
    return found if isinstance(found, Mapping) else {}
