"""The `task` tool of a turn: a skill that allows it hands work to sub-agents, which can never do more than it may."""

from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from langchain.agents.middleware.types import AgentMiddleware, AgentState
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import ToolMessage
from langchain_core.tools import StructuredTool
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.types import Command

from metier.agent._calls import called_event, executed
from metier.agent._editing import EditingMiddleware
from metier.agent._event_middleware import ToolHandler, call_of, unanswered, work_of
from metier.agent._parts import second_parts
from metier.agent._results import with_files
from metier.agent._specs import offer, spec_of
from metier.agent._subagents import TASK, Delegation, SubAgentMiddleware, SubAgents, task_tool
from metier.agent._wording import say
from metier.agent._work import Work
from metier.store import EventDraft
from metier.tools import ExceptionAsk, ExceptionRuling, RefusedCall, Rules, ToolSpec, skill_rules

DELEGATES = "delegates"


def delegates_of(work: Work) -> tuple[str, ...] | None:
    """Skills that sub-agents may use, from `metadata.delegates`; None if the skill in use may not delegate."""
    wanted = work.skill.metadata.get(DELEGATES) if work.skill is not None else None
    if wanted is True:
        return ()
    if not isinstance(wanted, Sequence) or isinstance(wanted, str):
        return None
    return tuple(name for name in map(str, wanted) if name in work.catalog) or None


def task_offers(work: Work) -> list[dict[str, Any]]:
    """The `task` tool as the model is offered it; empty if the skill in use may not delegate."""
    names = delegates_of(work)
    return [] if names is None else [offer(spec_of(task_tool(names)))]


class DelegateMiddleware(AgentMiddleware[AgentState[Any], Any, Any]):
    """Runs `task`. It stands before the gate: calls of a sub-agent are checked one by one, by the same gate."""

    def __init__(self, model: BaseChatModel) -> None:
        super().__init__()
        self._model = model

    async def awrap_tool_call(self, request: ToolCallRequest, handler: ToolHandler) -> ToolMessage | Command[Any]:
        if request.tool_call["name"] != TASK:
            return await handler(request)
        work, call = work_of(request.runtime), call_of(request)
        names = delegates_of(work)
        if names is None:
            return unanswered(call, say("no_delegates", work.language), "unknown_tool")
        await work.emit(called_event(work, call))
        part = SubAgentMiddleware(
            self._agents(work, names), on_event=partial(told_below, work), language=work.language, name="Delegate"
        )
        return await part.awrap_tool_call(request, handler)

    def _agents(self, work: Work, names: tuple[str, ...]) -> SubAgents:
        return SubAgents(
            model=self._model,
            tools=[_stub(spec) for spec in work.opened.specs.values()],
            gate=work.gate,
            rules_of=partial(_rules, work),
            prompt_of=partial(_prompt, work),
            middleware_of=lambda _: [*second_parts(), EditingMiddleware(), _TurnTools()],
            skills=names,
            most_depth=1,
            ledger=_OfTurn(work),
        )


class _TurnTools(AgentMiddleware[AgentState[Any], Any, Any]):
    """Runs the turn's tools for a sub-agent; its gates were checked before."""

    async def awrap_tool_call(self, request: ToolCallRequest, handler: ToolHandler) -> ToolMessage | Command[Any]:
        work, call = work_of(request.runtime), call_of(request)
        return await with_files(work, call, await executed(work, call))


def told_below(work: Work, draft: EventDraft) -> Awaitable[None] | None:
    """Emit an event of a sub-agent; its `usage` is added to the turn's."""
    if draft.kind == "usage":
        bill(work, draft)
        return None
    return work.emit(draft)


def bill(work: Work, draft: EventDraft) -> None:
    """Count a model call that the turn's own agent did not make, and queue its `usage` event."""
    work.counts.model_calls += 1
    for key in ("input_tokens", "output_tokens"):
        used = draft.data.get(key)
        setattr(work.counts, key, getattr(work.counts, key) + (used if isinstance(used, int) else 0))
    work.journal.later(draft)


@dataclass(frozen=True, slots=True)
class _OfTurn:
    """Ledger for sub-agents: their refusals belong to the turn that delegated the work."""

    work: Work

    async def violation(self, refused: RefusedCall) -> None:
        whose = replace(refused, conversation=self.work.conversation, turn=self.work.turn)
        await self.work.kit.ledger.violation(whose)

    async def exception_requested(self, ask: ExceptionAsk) -> str:
        return await self.work.kit.ledger.exception_requested(ask)

    async def exception_decided(self, request: str, ruling: ExceptionRuling) -> None:
        await self.work.kit.ledger.exception_decided(request, ruling)


def _rules(work: Work, task: Delegation) -> Sequence[Rules]:
    skill = work.catalog.get(task.skill or "")
    return skill_rules((skill,)) if skill is not None else ()


def _prompt(work: Work, task: Delegation) -> str:
    skill = work.catalog.get(task.skill or "") or work.skill
    told = say("note_task", work.language)
    return told if skill is None else f"{told}\n\n# {skill.title}\n\n{skill.instructions}"


def _stub(spec: ToolSpec) -> StructuredTool:
    """Tool as the sub-agent's model sees it; `_TurnTools` runs it."""

    def run(**_: object) -> str:
        return "nobody is there to run it"

    parameters: Mapping[str, Any] = offer(spec)["function"]["parameters"]
    return StructuredTool.from_function(
        run, name=spec.name, description=spec.description or spec.name, args_schema=dict(parameters)
    )
