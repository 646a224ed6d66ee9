"""Tools whose definition depends on the turn, as the model is shown them: fixed for each skill of a turn."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from metier.agent.adapters import to_openai
from metier.agent.turn._state import TurnState
from metier.agent.turn._tool_calls import describe_delivery
from metier.json_values import JsonObject
from metier.tools import FunctionTool

__all__ = ["list_offered_tools", "narrow_tools"]


async def narrow_tools(state: TurnState) -> None:
    """Narrow the tools that the gate allows to what the turn is about; each keeps its definition for the turn."""
    skill = _skill_of(state)
    registry = state.resources.toolset(state.request.catalog).registry
    names = [name for name in state.open_gate.specs if (skill, name) not in state.skill.narrowed]
    # A tool may be of a skill that is in use beside the active one.
    found = {name: registry.get(name, skill=state.open_gate.specs[name].skill) for name in names}
    tools = [one for one in found.values() if isinstance(one, FunctionTool) and one.narrow is not None]
    facts = {one.name: one.value for one in await state.journal.load_facts()} if tools else {}
    made = await asyncio.to_thread(_narrow, state, tools, facts) if tools else {}
    state.skill.narrowed |= {(skill, name): made.get(name) for name in names}


def list_offered_tools(state: TurnState) -> Mapping[str, dict[str, Any]]:
    """Tools that the gate allows, in the OpenAI format, narrowed where `narrow_tools` found something to narrow."""
    skill, opened = _skill_of(state), state.open_gate.openai_tools
    return {name: state.skill.narrowed.get((skill, name)) or tool for name, tool in opened.items()}


def _skill_of(state: TurnState) -> str:
    return state.skill.active.id if state.skill.active is not None else ""


def _narrow(state: TurnState, tools: list[FunctionTool], facts: JsonObject) -> Mapping[str, dict[str, Any]]:
    delivery = describe_delivery(state.skill.active)
    context = replace(state.tool_context(), delivery=delivery, language=state.request.language)
    specs = (one.narrow(one.spec, context, state.request.message, facts) for one in tools if one.narrow is not None)
    return {spec.name: to_openai(spec) for spec in specs}
