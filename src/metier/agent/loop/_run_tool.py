"""Runs the tools of a turn, innermost in its agent."""

from typing import Any

from langchain.agents.middleware.types import AgentMiddleware, AgentState
from langchain_core.messages import ToolMessage
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.types import Command

from metier.agent.adapters import AsyncToolHandler, get_tool_call
from metier.agent.turn import get_turn_state, run_call, run_control_tool


class ToolMiddleware(AgentMiddleware[AgentState[Any], Any, Any]):
    """Innermost middleware: runs the turn's tools. The agent itself has none, so skills can add theirs at any time."""

    async def awrap_tool_call(self, request: ToolCallRequest, handler: AsyncToolHandler) -> ToolMessage | Command[Any]:
        state, call = get_turn_state(request.runtime), get_tool_call(request)
        steered = await run_control_tool(state, call)
        return steered if steered is not None else await run_call(state, call)
