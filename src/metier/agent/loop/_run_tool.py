"""Runs the tools of a turn, innermost in its agent."""

from functools import partial
from typing import Any

from langchain.agents.middleware.types import AgentMiddleware, AgentState
from langchain_core.messages import ToolMessage
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.types import Command

from metier.agent.adapters import AsyncToolHandler, get_tool_call
from metier.agent.loop._skill_choice import enter_chosen_skill
from metier.agent.loop.callers import run_with_handler
from metier.agent.turn import get_turn_state, run_call, run_control_tool


class ToolMiddleware(AgentMiddleware[AgentState[Any], Any, Any]):
    """Innermost middleware: runs the turn's tools. The agent has none of them, so that skills can add theirs."""

    def __init__(self, skill_tool: str) -> None:
        super().__init__()
        self._skill_tool = skill_tool

    async def awrap_tool_call(self, request: ToolCallRequest, handler: AsyncToolHandler) -> ToolMessage | Command[Any]:
        state, call = get_turn_state(request.runtime), get_tool_call(request)
        if call.name == self._skill_tool:
            return await enter_chosen_skill(state, call)
        steered = await run_control_tool(state, call)
        if steered is not None:
            return steered
        return await run_with_handler(request, handler, partial(run_call, state, call))
