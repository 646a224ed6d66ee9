"""Repairs tool calls that a model got nearly right, before anybody reads them."""

from dataclasses import replace
from typing import Any, Final

from langchain.agents.middleware.types import AgentMiddleware, AgentState, ModelRequest, ModelResponse
from langchain_core.messages import AIMessage
from langchain_core.messages import ToolCall as LangChainCall

from metier.agent.adapters import AsyncModelHandler
from metier.agent.middleware import TASK
from metier.agent.turn import TurnState, get_turn_state, is_control_tool
from metier.json_values import JsonObject, clean_json
from metier.limits import run_limited
from metier.tools import repair_arguments

_PREFIXES: Final = ("functions.", "function.", "tools.", "tool.", "functions/", "tools/")


class CallRepairMiddleware(AgentMiddleware[AgentState[Any], Any, Any]):
    """Repairs calls of the model: a skill's id called as a tool, a prefix before a tool's name, misspelt arguments.

    Every change is in the `tool.called` event. The gate checks the repaired call like any other.
    """

    async def awrap_model_call(self, request: ModelRequest[Any], handler: AsyncModelHandler) -> ModelResponse[Any]:
        response = await handler(request)
        last = response.result[-1] if response.result else None
        if not isinstance(last, AIMessage) or not last.tool_calls:
            return response
        state = get_turn_state(request.runtime)
        calls = await run_limited(lambda: [_repair_call(state, call) for call in last.tool_calls])
        if calls == last.tool_calls:
            return response
        return replace(response, result=[*response.result[:-1], last.model_copy(update={"tool_calls": calls})])


def _repair_call(state: TurnState, call: LangChainCall) -> LangChainCall:
    repairs: list[JsonObject] = []
    named = _repair_name(state, call, repairs)
    spec = state.get_spec(named["name"])
    if spec is not None:
        arguments = {str(key): clean_json(value) for key, value in named["args"].items()}
        made, changes = repair_arguments(spec.parameters, arguments)
        if changes:
            named = {**named, "args": dict(made)}
            repairs += [one.to_json() for one in changes]
    if repairs and call["id"]:
        state.calls.repairs[call["id"]] = tuple(repairs)
    return named


def _repair_name(state: TurnState, call: LangChainCall, repairs: list[JsonObject]) -> LangChainCall:
    name = call["name"]
    if _is_tool(state, name):
        return call
    bare = next((name.removeprefix(one) for one in _PREFIXES if name.startswith(one)), name)
    if bare != name and _is_tool(state, bare):
        repairs.append({"argument": "", "code": "renamed", "was": name, "now": bare})
        return {**call, "name": bare}
    skill = state.request.catalog.get(bare) or state.request.catalog.get(bare.replace("_", "-"))
    if skill is None or not (skill.enabled and skill.invocation.by_model):
        return call
    chooser = state.resources.settings.skill_tool
    repairs.append({"argument": "", "code": "renamed", "was": name, "now": chooser})
    return {**call, "name": chooser, "args": {"skill": skill.id}}


def _is_tool(state: TurnState, name: str) -> bool:
    return name == TASK or is_control_tool(state, name) or state.get_spec(name) is not None
