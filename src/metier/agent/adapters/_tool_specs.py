"""Converts tools between LangChain, OpenAI's format and `ToolSpec`."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from langchain_core.tools import BaseTool, StructuredTool
from langchain_core.utils.function_calling import convert_to_openai_tool

from metier.agent.adapters._forms import strip_ui_hints
from metier.tools import ToolSpec

LangChainTool = BaseTool | dict[str, Any] | type | Callable[..., Any]


def spec_from_langchain(tool: LangChainTool) -> ToolSpec:
    """ToolSpec with name, description and parameters: all that LangChain knows of a tool."""
    made = convert_to_openai_tool(tool)
    function = made.get("function", made)  # a provider's built-in tool, such as web search, has no function
    return ToolSpec(
        name=str(function.get("name") or function.get("type", "")),
        description=str(function.get("description", "")),
        parameters=function.get("parameters") or {"type": "object", "properties": {}},
    )


def specs_from_langchain(tools: Sequence[LangChainTool]) -> Mapping[str, ToolSpec]:
    return {spec.name: spec for spec in map(spec_from_langchain, tools)}


def to_openai(spec: ToolSpec) -> dict[str, Any]:
    """Tool in the OpenAI format, without form hints (`x-ui`)."""
    parameters = json.loads(json.dumps(strip_ui_hints(spec.parameters), default=dict))
    function = {"name": spec.name, "description": spec.definition, "parameters": parameters}
    return {"type": "function", "function": function}


def make_tool_view(tool: Mapping[str, Any]) -> StructuredTool:
    """A tool of the OpenAI format as a LangChain tool, for a model to see; something else runs it."""

    def run(**_: object) -> str:
        return "nobody is there to run it"

    function = tool["function"]
    name, description = str(function["name"]), str(function.get("description") or function["name"])
    parameters = dict(function.get("parameters") or {"type": "object", "properties": {}})
    return StructuredTool.from_function(run, name=name, description=description, args_schema=parameters)
