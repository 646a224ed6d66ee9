"""Trackers: observers that see each tool step of a turn and may emit events, such as a todo list kept by a model."""

import json
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from langchain.agents.middleware.types import AgentMiddleware, AgentState, ModelRequest, ModelResponse
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

from metier.agent.adapters import AsyncModelHandler
from metier.agent.loop._delegate import add_usage
from metier.agent.loop._record import get_turn_state
from metier.agent.middleware import (
    TODOS_DESCRIPTION,
    TODOS_SCHEMA,
    WRITE_TODOS,
    Price,
    read_todos,
    todos_event,
    usage_event,
)
from metier.agent.models import model_name
from metier.agent.turn import TurnState
from metier.errors import InvalidInput
from metier.json_values import JsonObject
from metier.plans import PlanRun
from metier.store import EventDraft
from metier.tokens import count_tokens
from metier.tools import Language

_MAX_RESULT_CHARS: Final = 600
_MAX_RESULTS: Final = 12
_TRACKER_PROMPT: Final = (
    "You keep the list of what is to be done for another agent. You see what the user asked, the list so far and what "
    "the tools answered. Call write_todos with the whole list as it is now. 只维护待办列表，不要回答用户。"
)


@dataclass(frozen=True, slots=True)
class ToolStep:
    """What a tracker sees after tools have answered: message, skill, running plan, todo list, latest results."""

    message: str
    skill: str | None
    language: Language
    plan: PlanRun | None
    todos: tuple[JsonObject, ...]
    results: tuple[tuple[str, str], ...]
    price: Price


Tracker: TypeAlias = Callable[[ToolStep], Awaitable[Sequence[EventDraft]]]


class TrackerMiddleware(AgentMiddleware[AgentState[Any], Any, Any]):
    """Calls the trackers whenever tools have answered, and emits the events they return."""

    def __init__(self, trackers: Sequence[Tracker]) -> None:
        super().__init__()
        self._trackers = tuple(trackers)

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: AsyncModelHandler
    ) -> ModelResponse[Any] | AIMessage:
        messages = request.state.get("messages", [])
        if self._trackers and messages and isinstance(messages[-1], ToolMessage):
            work = get_turn_state(request.runtime)
            seen = _build_step(work, messages)
            for tracker in self._trackers:
                for draft in await tracker(seen):
                    _apply_event(work, draft)
        return await handler(request)


def todo_tracker(model: BaseChatModel) -> Tracker:
    """Tracker that keeps the todo list by asking a model; it does nothing while a plan runs."""
    tool = {"name": WRITE_TODOS, "description": TODOS_DESCRIPTION, "parameters": json.loads(_to_json(TODOS_SCHEMA))}
    bound = model.bind_tools([{"type": "function", "function": tool}], tool_choice=WRITE_TODOS)

    async def track(seen: ToolStep) -> Sequence[EventDraft]:
        if seen.plan is not None:
            return ()
        told = json.dumps({"message": seen.message, "todos": seen.todos, "results": seen.results}, ensure_ascii=False)
        began = time.perf_counter()
        reply = await bound.ainvoke([SystemMessage(_TRACKER_PROMPT), HumanMessage(told)], {"callbacks": []})
        asked = {"model": model_name(model, reply), "elapsed_s": time.perf_counter() - began, "price": seen.price}
        drafts = [_tracker_usage_event(reply, told, **asked)]
        written = next((call["args"] for call in reply.tool_calls if call["name"] == WRITE_TODOS), None)
        try:
            return [*drafts, todos_event(read_todos(written), "model")]
        except InvalidInput:
            return drafts  # keep the old list

    return track


def _build_step(work: TurnState, messages: Sequence[object]) -> ToolStep:
    answers = [(one.name or "", one.text[:_MAX_RESULT_CHARS]) for one in messages if isinstance(one, ToolMessage)]
    plan = work.plan_runner.run if work.plan_runner is not None else None
    skill = work.active_skill.id if work.active_skill else None
    results = tuple(answers[-_MAX_RESULTS:])
    return ToolStep(work.message, skill, work.language, plan, work.todos, results, work.resources.price)


def _apply_event(work: TurnState, draft: EventDraft) -> None:
    if draft.kind == "usage":
        add_usage(work, draft)
        return
    listed = draft.data.get("todos") if draft.kind == "todos" else None
    if isinstance(listed, Sequence) and not isinstance(listed, str):
        work.todos = tuple(dict(one) for one in listed if isinstance(one, dict))
    work.journal.queue(draft)


def _tracker_usage_event(reply: AIMessage, told: str, **asked: Any) -> EventDraft:
    used = reply.usage_metadata
    if used is not None:
        return usage_event(used["input_tokens"], used["output_tokens"], estimated=False, **asked)
    written = reply.text + "".join(str(call["args"]) for call in reply.tool_calls)
    return usage_event(count_tokens(_TRACKER_PROMPT + told), count_tokens(written), estimated=True, **asked)


def _to_json(value: object) -> str:
    return json.dumps(value, default=dict)
