"""The LangChain agent that runs every turn: compiled once, without tools or state of its own."""

from collections.abc import Sequence
from typing import Any

from langchain.agents import create_agent
from langchain.agents.middleware.types import AgentMiddleware
from langchain_core.language_models import BaseChatModel
from langgraph.graph.state import CompiledStateGraph

from metier.agent.loop._delegate import DelegateMiddleware
from metier.agent.loop._form import form_middleware
from metier.agent.loop._gate import TurnGate
from metier.agent.loop._model_call import RepairMiddleware
from metier.agent.loop._plan import PlanMiddleware
from metier.agent.loop._profile_form import ProfileFormMiddleware
from metier.agent.loop._prompt import PromptMiddleware
from metier.agent.loop._record import RecordMiddleware
from metier.agent.loop._run_tool import ToolMiddleware
from metier.agent.loop._skill_choice import SkillChoiceMiddleware
from metier.agent.loop._stack import Middleware, Stack
from metier.agent.turn import TurnState


def turn_agent(
    model: BaseChatModel,
    skill_tool: str,
    more: Sequence[AgentMiddleware[Any, Any, Any]] = (),
) -> CompiledStateGraph[Any, Any, Any, Any]:
    """Build the agent that serves all turns; what differs between them is in the `TurnState` passed as its context.

    Middleware from the outside in: record events, profile form, plan, prompt, choice of skill, sub-agents,
    forms for missing arguments, gate, the caller's own middleware (`more`), the model call, the tools.
    """
    outer: list[Middleware] = [
        RecordMiddleware(),
        ProfileFormMiddleware(),
        PlanMiddleware(),
        PromptMiddleware(),
        SkillChoiceMiddleware(skill_tool),
        DelegateMiddleware(model),
        form_middleware(),
        TurnGate(),
    ]
    inner: list[Middleware] = [RepairMiddleware(), ToolMiddleware()]
    parts: list[Middleware] = [Stack([*outer, *inner], name="Turn")]
    if more:
        parts = [Stack(outer, name="Turn"), *more, Stack(inner, name="TurnEnd")]
    return create_agent(model, [], middleware=parts, context_schema=TurnState)
