"""Tools over scenarios: the schema lists the current scenarios, so that a newly added file is offered at once."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Final

from pydantic import Field

from metier.json_values import JsonObject, JsonValue
from metier.packs.telecom._scenes import ScenarioCatalog
from metier.packs.telecom.twin import release_free_memory
from metier.tools import FunctionTool, Preview, ToolContext, ToolResult, ToolSpec

SCENARIO_PARAMETER: Final = "digitaltwins_id"
# Listing more ids costs every prompt more than it helps; an unknown id still gets the list in the error.
_MAX_LISTED: Final = 40

ScenarioId = Annotated[str, Field(min_length=1, max_length=80, description="场景编号 · scenario id")]


@dataclass(frozen=True, slots=True)
class ScenarioTool:
    """A function tool whose schema lists the current scenario ids, each with its title for forms."""

    tool: FunctionTool
    scenarios: ScenarioCatalog

    @property
    def spec(self) -> ToolSpec:
        known = self.scenarios.titles
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


def _add_scenario_ids(parameters: JsonObject, known: Mapping[str, tuple[str, str]]) -> dict[str, JsonValue]:
    properties = parameters["properties"]
    given = dict(properties) if isinstance(properties, Mapping) else {}
    field, labels = (
        given[SCENARIO_PARAMETER],
        {id: {"zh": zh, "en": en} for id, (zh, en) in known.items()},
    )
    own = dict(field) if isinstance(field, Mapping) else {}
    shown: dict[str, JsonValue] = {**_hints_of(own), "labels": labels}
    return {**given, SCENARIO_PARAMETER: {**own, "enum": list(known), "x-ui": shown}}


def _hints_of(schema: JsonValue) -> JsonObject:
    found = schema.get("x-ui") if isinstance(schema, Mapping) else None
    return found if isinstance(found, Mapping) else {}
