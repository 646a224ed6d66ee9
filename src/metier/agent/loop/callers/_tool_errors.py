"""Errors of tools as middleware of the caller expects them: raised by the handler, as LangChain's tools raise them."""

from typing import Any

from langchain.agents.middleware.types import AgentMiddleware, AgentState
from langchain_core.messages import ToolMessage
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.types import Command

from metier.agent.adapters import AsyncToolHandler, find_tool_message, get_tool_error, update_metier_artifact
from metier.agent.turn import get_turn_state


class CatchToolErrors(AgentMiddleware[AgentState[Any], Any, Any]):
    """Outside of the caller's middleware: the error that it lets through is the result that Metier records."""

    async def awrap_tool_call(self, request: ToolCallRequest, handler: AsyncToolHandler) -> ToolMessage | Command[Any]:
        raised = get_turn_state(request.runtime).calls.raised
        try:
            return await handler(request)
        except Exception as error:
            known = raised.get(request.tool_call["id"] or "")
            if known is not None and known[0] is error:
                return known[1]
            raise
        finally:
            raised.pop(request.tool_call["id"] or "", None)


class RaiseToolErrors(AgentMiddleware[AgentState[Any], Any, Any]):
    """Inside of the caller's middleware: what a tool raised is raised again, so that it may be retried or reworded."""

    async def awrap_tool_call(self, request: ToolCallRequest, handler: AsyncToolHandler) -> ToolMessage | Command[Any]:
        result = await handler(request)
        message = find_tool_message(result)
        error = get_tool_error(message) if message is not None else None
        if message is None or error is None:
            return result
        raised = get_turn_state(request.runtime).calls.raised
        raised[request.tool_call["id"] or ""] = (error, update_metier_artifact(message, raised=None))
        raise error
