"""Tools in a form that every provider accepts."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool

AnyTool = dict[str, Any] | type | Callable[..., Any] | BaseTool
# At the top of a tool's schema: OpenAI refuses the request, LangChain's client of Anthropic drops the tool.
_REFUSED: Final = frozenset({"allOf", "anyOf", "else", "enum", "if", "not", "oneOf", "then"})


def to_wire_tools(tools: Sequence[AnyTool]) -> list[AnyTool]:
    """The same tools without alternatives at the top of their schemas; the executor still checks the whole schema.

    Which arguments are alternatives is said in the description instead.
    """
    return [_to_wire_tool(tool) for tool in tools]


def _to_wire_tool(tool: AnyTool) -> AnyTool:
    made = convert_to_openai_tool(tool)
    function: dict[str, Any] = made.get("function") or {}
    parameters: dict[str, Any] = function.get("parameters") or {}
    if not _REFUSED & parameters.keys():
        return tool
    kept = {key: value for key, value in parameters.items() if key not in _REFUSED}
    said = " ".join(filter(None, (function.get("description", ""), _describe_alternatives(parameters))))
    return {**made, "function": {**function, "description": said, "parameters": kept}}


def _describe_alternatives(parameters: Mapping[str, Any]) -> str:
    ways = [way.get("required", ()) for way in parameters.get("anyOf", ())]
    if not ways or not all(isinstance(way, list) for way in ways):
        return ""
    return f"Needed: {' or '.join(' and '.join(way) for way in ways)}."
