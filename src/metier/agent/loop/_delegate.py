"""The `task` tool of a turn: a skill that allows it hands work to sub-agents, which can never do more than it may."""

from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from langchain.agents.middleware.types import AgentMiddleware, AgentState
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import ToolMessage
from langchain_core.tools import BaseTool
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.types import Command

from metier.agent.adapters import (
    AsyncToolHandler,
    Price,
    ReachedLimit,
    UsageTotals,
    compare_with_limits,
    get_tool_call,
    make_tool_view,
    not_run_message,
    render_sentence,
    spec_from_langchain,
    to_openai,
)
from metier.agent.loop._stack import Middleware
from metier.agent.loop.callers import CatchToolErrors, MiddlewareTool, RaiseToolErrors, run_with_handler
from metier.agent.middleware import (
    TASK,
    ChartMiddleware,
    Delegation,
    PerRun,
    SubAgentMiddleware,
    SubAgents,
    TableMiddleware,
    clear_results_middleware,
    task_tool,
)
from metier.agent.turn import TurnState, execute, get_turn_state, publish_files, started_event
from metier.store import EventDraft
from metier.tools import (
    ExceptionRuling,
    RefusedCall,
    Rules,
    ToolCall,
    ToolExceptionRequest,
    ToolSpec,
    rules_from_skills,
)

DELEGATES = "delegates"


def find_delegates(state: TurnState) -> tuple[str, ...] | None:
    """Skills that sub-agents may use, from `metadata.delegates`; None if the skill in use may not delegate."""
    wanted = state.skill.active.metadata.get(DELEGATES) if state.skill.active is not None else None
    if wanted is True or (isinstance(wanted, str) and wanted.strip().casefold() == "true"):
        return ()  # values of front matter arrive as text
    if not isinstance(wanted, Sequence) or isinstance(wanted, str):
        return None
    return tuple(name for name in map(str, wanted) if name in state.request.catalog) or None


def find_reached_limit(state: TurnState) -> ReachedLimit | None:
    """Limit of the turn that is used up, sub-agents included; None if there is none."""
    counts = state.calls.usage
    steps = counts.model_calls + counts.tool_calls
    used = UsageTotals(
        steps, counts.model_calls, counts.input_tokens, counts.output_tokens, state.elapsed_s, counts.cost
    )
    return compare_with_limits(used, state.resources.limits)


def refuse_delegation(state: TurnState, call: ToolCall) -> ToolMessage | None:
    """None if the skill in use may delegate; otherwise the ToolMessage to return for a call of `task`."""
    if find_delegates(state) is not None:
        return None
    return not_run_message(call, render_sentence("no_delegates", state.request.language), "unknown_tool")


def task_offers(state: TurnState) -> list[dict[str, Any]]:
    """The `task` tool as the model is offered it; empty if the skill in use may not delegate."""
    names = find_delegates(state)
    return [] if names is None else [to_openai(spec_from_langchain(task_tool(names)))]


class DelegateMiddleware(AgentMiddleware[AgentState[Any], Any, Any]):
    """Runs `task`. Calls of a sub-agent are checked one by one, by the turn's gate.

    The caller's own middleware (`more`) sees the call of `task`, and is part of every sub-agent too.
    """

    def __init__(self, more: Sequence[Middleware] = ()) -> None:
        super().__init__()
        self._more = tuple(more)

    async def awrap_tool_call(self, request: ToolCallRequest, handler: AsyncToolHandler) -> ToolMessage | Command[Any]:
        if request.tool_call["name"] != TASK:
            return await handler(request)
        state, call = get_turn_state(request.runtime), get_tool_call(request)
        if (refused := refuse_delegation(state, call)) is not None:
            return refused
        await state.emit(started_event(state, call))
        part = SubAgentMiddleware(
            self._build_sub_agents(state, await _load_model(state), find_delegates(state) or ()),
            on_event=partial(relay_event, state),
            language=state.request.language,
            name="Delegate",
        )
        return await part.awrap_tool_call(request, handler)

    def _build_sub_agents(self, state: TurnState, model: BaseChatModel, names: tuple[str, ...]) -> SubAgents:
        return SubAgents(
            model=model,
            tools=[_load_tool(state, spec) for spec in state.open_gate.specs.values()],
            gate=state.gate,
            rules_of=partial(_delegation_rules, state),
            prompt_of=partial(_delegation_prompt, state),
            middleware_of=lambda _: self._build_middleware(),
            skills=names,
            max_depth=1,
            ledger=_TurnLedger(state),
            outer_limit=partial(find_reached_limit, state),
        )

    def _build_middleware(self) -> list[Middleware]:
        """Middleware of a sub-agent; what the caller brings under a name of ours is left out, as names are unique."""
        ours = [*_display_middleware(), clear_results_middleware()]
        names = {part.name for part in ours}
        theirs = [part for part in self._more if part.name not in names]
        return [*ours, CatchToolErrors(), *theirs, RaiseToolErrors(), _TurnTools()] if theirs else [*ours, _TurnTools()]


async def _load_model(state: TurnState) -> BaseChatModel:
    """Model of a sub-agent: the one by which the turn acts."""
    return await state.resources.models.load(state.choose_model("act").name)


class _TurnTools(AgentMiddleware[AgentState[Any], Any, Any]):
    """Runs the turn's tools for a sub-agent; its gates were checked before."""

    async def awrap_tool_call(self, request: ToolCallRequest, handler: AsyncToolHandler) -> ToolMessage | Command[Any]:
        state, call = get_turn_state(request.runtime), get_tool_call(request)
        run = partial(execute, state, call, approved=False)
        result = await run_with_handler(request, handler, run)
        return await publish_files(state, call, result) if isinstance(result, ToolMessage) else result


def _display_middleware() -> list[Middleware]:
    """A sub-agent's results are not stored: tables and charts go to the user, digests to its model."""
    told: PerRun[Any] = PerRun(lambda runtime: get_turn_state(runtime).queue_display_events)
    return [TableMiddleware(on_event=told), ChartMiddleware(on_event=told)]


def relay_event(state: TurnState, draft: EventDraft) -> Awaitable[None] | None:
    """Emit an event of a sub-agent; its `usage` is added to the turn's."""
    if draft.kind == "usage":
        add_usage(state, draft)
        return None
    return state.emit(draft)


def add_usage(state: TurnState, draft: EventDraft) -> None:
    """Count a model call of a sub-agent, at the price of the model that answered, and queue its `usage` event."""
    state.calls.usage.model_calls += 1
    found = [draft.data.get(key) for key in ("input_tokens", "output_tokens")]
    inside, outside = (one if isinstance(one, int) else 0 for one in found)
    answered, stood_in = str(draft.data.get("model", "")), draft.data.get("fallback") is True
    price = state.find_price(state.choose_model("act"), answered, stood_in=stood_in)
    state.calls.usage.add_tokens(inside, outside, price)
    if price != Price():
        draft = replace(draft, data={**draft.data, "cost": round(price.compute_cost(inside, outside), 6)})
    state.journal.queue(draft)


@dataclass(frozen=True, slots=True)
class _TurnLedger:
    """Ledger for sub-agents: their refusals belong to the turn that delegated the state."""

    state: TurnState

    async def record_violation(self, refused: RefusedCall) -> None:
        whose = replace(refused, conversation=self.state.conversation, turn=self.state.turn)
        await self.state.resources.ledger.record_violation(whose)

    async def record_exception_request(self, ask: ToolExceptionRequest) -> str:
        return await self.state.resources.ledger.record_exception_request(ask)

    async def record_exception_ruling(self, request: str, ruling: ExceptionRuling) -> None:
        await self.state.resources.ledger.record_exception_ruling(request, ruling)


def _delegation_rules(state: TurnState, task: Delegation) -> Sequence[Rules]:
    skill = state.request.catalog.get(task.skill or "")
    return rules_from_skills((skill,)) if skill is not None else ()


def _delegation_prompt(state: TurnState, task: Delegation) -> str:
    skill = state.request.catalog.get(task.skill or "") or state.skill.active
    told = render_sentence("note_task", state.request.language)
    return told if skill is None else f"{told}\n\n# {skill.title}\n\n{skill.instructions}"


def _load_tool(state: TurnState, spec: ToolSpec) -> BaseTool:
    """Tool as the sub-agent's model sees it; `_TurnTools` runs it. LangChain needs one of a middleware itself."""
    registry = state.resources.toolset(state.request.catalog).registry
    tool = registry.get(spec.name, skill=spec.skill)
    return tool.tool if isinstance(tool, MiddlewareTool) else make_tool_view(to_openai(spec))
