"""Tools of a turn as middleware of the caller expects them: as LangChain's tools, by name, instead of schemas."""

from collections.abc import Mapping
from typing import Any, Final

from langchain.agents.middleware.types import AgentMiddleware, AgentState, ModelRequest, ModelResponse
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.tools import BaseTool
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.types import Command

from metier.agent.adapters import AsyncModelHandler, AsyncToolHandler, make_tool_view, to_openai
from metier.agent.turn import get_turn_state

_SCHEMA: Final = "metier_schema"


class ShowToolViews(AgentMiddleware[AgentState[Any], Any, Any]):
    """Outside of the caller's middleware: a tool is a `BaseTool`, in a model request and in a request to call it."""

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: AsyncModelHandler
    ) -> ModelResponse[Any] | AIMessage:
        return await handler(request.override(tools=[_show(tool) for tool in request.tools]))

    async def awrap_tool_call(self, request: ToolCallRequest, handler: AsyncToolHandler) -> ToolMessage | Command[Any]:
        spec = get_turn_state(request.runtime).get_spec(request.tool_call["name"]) if request.tool is None else None
        return await handler(request if spec is None else request.override(tool=make_tool_view(to_openai(spec))))


class HideToolViews(AgentMiddleware[AgentState[Any], Any, Any]):
    """Inside of the caller's middleware: the tools that it left, as the schemas that were counted."""

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: AsyncModelHandler
    ) -> ModelResponse[Any] | AIMessage:
        return await handler(request.override(tools=[_hide(tool) for tool in request.tools]))


def _show(tool: BaseTool | dict[str, Any]) -> BaseTool | dict[str, Any]:
    if not isinstance(tool, dict) or not isinstance(tool.get("function"), Mapping):
        return tool
    view = make_tool_view(tool)
    view.metadata = {_SCHEMA: tool}
    return view


def _hide(tool: BaseTool | dict[str, Any]) -> BaseTool | dict[str, Any]:
    found = tool.metadata.get(_SCHEMA) if isinstance(tool, BaseTool) and tool.metadata else None
    return found if isinstance(found, dict) else tool
