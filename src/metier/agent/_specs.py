"""LangChain's tools as the gate knows tools."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool

from metier.agent._forms import without_ui
from metier.tools import ToolSpec

LangChainTool = BaseTool | dict[str, Any] | type | Callable[..., Any]


def spec_of(tool: LangChainTool) -> ToolSpec:
    """Name, description and parameters; all that LangChain says of a tool."""
    made = convert_to_openai_tool(tool)
    function = made.get("function", made)  # a provider's own tool, such as a web search, has no function
    return ToolSpec(
        name=str(function.get("name") or function.get("type", "")),
        description=str(function.get("description", "")),
        parameters=function.get("parameters") or {"type": "object", "properties": {}},
    )


def specs_of(tools: Sequence[LangChainTool]) -> Mapping[str, ToolSpec]:
    return {spec.name: spec for spec in map(spec_of, tools)}


def offer(spec: ToolSpec) -> dict[str, Any]:
    """A tool as a model is shown it; what a form says to people is not for it."""
    parameters = json.loads(json.dumps(without_ui(spec.parameters), default=dict))
    function = {"name": spec.name, "description": spec.description, "parameters": parameters}
    return {"type": "function", "function": function}
