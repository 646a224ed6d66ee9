"""Trackers: observers that see each tool step of a turn and may emit events, such as a todo list kept by a model."""

import json
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from langchain.agents.middleware.types import AgentMiddleware, AgentState, ModelRequest, ModelResponse
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

from metier.agent._delegate import bill
from metier.agent._event_middleware import ModelHandler, work_of
from metier.agent._limits import Price, usage_event
from metier.agent._model_names import model_name
from metier.agent._todos import TODOS_DESCRIPTION, TODOS_SCHEMA, WRITE_TODOS, read_todos, todos_event
from metier.agent._work import Work
from metier.errors import InvalidInput
from metier.jsons import JsonObject
from metier.plans import Run
from metier.store import EventDraft
from metier.tokens import count_tokens
from metier.tools import Language

_RESULT_CHARS: Final = 600
_MOST_RESULTS: Final = 12
_KEEP_LIST: Final = (
    "You keep the list of what is to be done for another agent. You see what the user asked, the list so far and what "
    "the tools answered. Call write_todos with the whole list as it is now. 只维护待办列表，不要回答用户。"
)


@dataclass(frozen=True, slots=True)
class Seen:
    """What a tracker sees after tools have answered: message, skill, running plan, todo list, latest results."""

    message: str
    skill: str | None
    language: Language
    plan: Run | None
    todos: tuple[JsonObject, ...]
    results: tuple[tuple[str, str], ...]
    price: Price


Tracker: TypeAlias = Callable[[Seen], Awaitable[Sequence[EventDraft]]]


class TrackerMiddleware(AgentMiddleware[AgentState[Any], Any, Any]):
    """Calls the trackers whenever tools have answered, and emits the events they return."""

    def __init__(self, trackers: Sequence[Tracker]) -> None:
        super().__init__()
        self._trackers = tuple(trackers)

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: ModelHandler
    ) -> ModelResponse[Any] | AIMessage:
        messages = request.state.get("messages", [])
        if self._trackers and messages and isinstance(messages[-1], ToolMessage):
            work = work_of(request.runtime)
            seen = _seen(work, messages)
            for tracker in self._trackers:
                for draft in await tracker(seen):
                    _tell(work, draft)
        return await handler(request)


def todo_tracker(model: BaseChatModel) -> Tracker:
    """Tracker that keeps the todo list by asking a model; it does nothing while a plan runs."""
    tool = {"name": WRITE_TODOS, "description": TODOS_DESCRIPTION, "parameters": json.loads(_plain(TODOS_SCHEMA))}
    bound = model.bind_tools([{"type": "function", "function": tool}], tool_choice=WRITE_TODOS)

    async def track(seen: Seen) -> Sequence[EventDraft]:
        if seen.plan is not None:
            return ()
        told = json.dumps({"message": seen.message, "todos": seen.todos, "results": seen.results}, ensure_ascii=False)
        began = time.perf_counter()
        reply = await bound.ainvoke([SystemMessage(_KEEP_LIST), HumanMessage(told)], {"callbacks": []})
        asked = {"model": model_name(model, reply), "elapsed_s": time.perf_counter() - began, "price": seen.price}
        drafts = [_usage(reply, told, **asked)]
        written = next((call["args"] for call in reply.tool_calls if call["name"] == WRITE_TODOS), None)
        try:
            return [*drafts, todos_event(read_todos(written), "model")]
        except InvalidInput:
            return drafts  # keep the old list

    return track


def _seen(work: Work, messages: Sequence[object]) -> Seen:
    answers = [(one.name or "", one.text[:_RESULT_CHARS]) for one in messages if isinstance(one, ToolMessage)]
    plan = work.plan.run if work.plan is not None else None
    skill = work.skill.id if work.skill else None
    results = tuple(answers[-_MOST_RESULTS:])
    return Seen(work.message, skill, work.language, plan, work.todos, results, work.kit.price)


def _tell(work: Work, draft: EventDraft) -> None:
    if draft.kind == "usage":
        bill(work, draft)
        return
    listed = draft.data.get("todos") if draft.kind == "todos" else None
    if isinstance(listed, Sequence) and not isinstance(listed, str):
        work.todos = tuple(dict(one) for one in listed if isinstance(one, dict))
    work.journal.later(draft)


def _usage(reply: AIMessage, told: str, **asked: Any) -> EventDraft:
    used = reply.usage_metadata
    if used is not None:
        return usage_event(used["input_tokens"], used["output_tokens"], estimated=False, **asked)
    written = reply.text + "".join(str(call["args"]) for call in reply.tool_calls)
    return usage_event(count_tokens(_KEEP_LIST + told), count_tokens(written), estimated=True, **asked)


def _plain(value: object) -> str:
    return json.dumps(value, default=dict)
