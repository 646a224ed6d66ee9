"""Sub-agents: work delegated with a fresh context, a gate that is never wider, its own limits, and a digest back."""

import asyncio
import contextvars
import json
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, TypeAlias

from langchain.agents import create_agent
from langchain.agents.middleware.types import AgentMiddleware, AgentState
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.tools import BaseTool, StructuredTool
from langgraph.errors import GraphRecursionError
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.types import Command

from metier.agent.adapters import (
    LIMIT_REACHED,
    AsyncToolHandler,
    Limits,
    OnEvent,
    ReachedLimit,
    ToolHandler,
    call_state,
    find_tool_message,
    get_state,
    render_sentence,
    specs_from_langchain,
    tool_message,
)
from metier.agent.middleware._events import (
    EventSink,
    LanguageOption,
    aemit_events,
    emit_events,
    resolve_language,
    resolve_per_run,
)
from metier.agent.middleware._gate import GateMiddleware
from metier.agent.middleware._gate_rules import GateFactory
from metier.agent.middleware._limits import LimitsMiddleware
from metier.agent.models import dropped_calls, reply_end
from metier.errors import InvalidInput, MetierError
from metier.json_values import JsonObject
from metier.language import Language
from metier.store import EventDraft
from metier.tools import Gate, Ledger, MemoryLedger, Rules

TASK: Final = "task"
MAX_DEPTH: Final = 2
_MAX_PARALLEL: Final = 4
_MAX_DESCRIPTION_CHARS: Final = 8000
_MAX_ANSWER_CHARS: Final = 4000
_MAX_EVENT_CHARS: Final = 2000
_RECURSION_LIMIT: Final = 200
SUB_AGENT_LIMITS: Final = Limits(steps=15, model_calls=10, tokens=80_000, wall_s=300.0)
_DESCRIPTION: Final = (
    "Hand a piece of work to a sub-agent that starts with an empty memory: say all it needs to know. "
    "Several at once run side by side. 把一部分工作交给子智能体：它看不到当前对话，请写清全部所需信息。"
)


@dataclass(frozen=True, slots=True)
class Delegation:
    """Delegated task: the call that started it, its depth below the first agent, the context of that agent's run."""

    call: str
    description: str
    skill: str | None = None
    depth: int = 1
    context: object = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class TaskResult:
    """Result of a delegated task. `limit_reached` has an answer too: what was found until then."""

    status: Literal["done", "limit_reached", "failed"]
    answer: str
    steps: int = 0

    def to_json(self) -> JsonObject:
        return {"status": self.status, "answer": self.answer, "steps": self.steps}


RulesOf: TypeAlias = Callable[[Delegation], Sequence[Rules]]
PromptOf: TypeAlias = Callable[[Delegation], str]
MiddlewareOf: TypeAlias = Callable[[Delegation], Sequence[AgentMiddleware[Any, Any, Any]]]


@dataclass(frozen=True, slots=True)
class SubAgents:
    """Configuration of sub-agents.

    `gate` is the delegating agent's: every call of a sub-agent must pass it and then the rules from `rules_of` (a
    skill's, for example), so a sub-agent can never do more; one further down must pass all of these. `skills` are the
    names that `task` accepts; None leaves it to `prompt_of` and `rules_of` to raise `SkillNotFound`. `middleware_of`
    adds your own middleware inside the gates, with the context of the delegating agent's run. A sub-agent cannot ask a
    person: a call that needs approval is refused. `outer_limit` is the limit of the whole run, if it is reached: what
    sub-agents use counts there too, so it ends them before their next model call.
    """

    model: BaseChatModel
    tools: Sequence[BaseTool] = ()
    gate: Gate | GateFactory | None = None
    rules_of: RulesOf | None = None
    prompt_of: PromptOf | None = None
    middleware_of: MiddlewareOf | None = None
    skills: tuple[str, ...] | None = ()
    limits: Limits = SUB_AGENT_LIMITS
    max_depth: int = MAX_DEPTH
    max_parallel: int = _MAX_PARALLEL
    ledger: Ledger | None = None
    outer_limit: Callable[[], ReachedLimit | None] | None = None


class SubAgentMiddleware(AgentMiddleware[AgentState[Any], Any, Any]):
    """The `task(description, skill?)` tool.

    The answer is JSON: `{"status": "done" | "limit_reached" | "failed", "answer", "steps"}`. Events of a sub-agent
    (`tool.called`, `tool.result`, `tool.violation`, `usage` …) go to `on_event` with `parent` (the call of `task`) and
    `depth`. At `max_depth` there is no `task` any more; at most `max_parallel` tasks of one message are run.
    `depth` and `parent_gates` are set by the middleware itself for agents further down.
    """

    def __init__(
        self,
        agents: SubAgents,
        *,
        on_event: EventSink | None = None,
        language: LanguageOption = "auto",
        depth: int = 0,
        parent_gates: tuple[Gate, ...] = (),
        name: str = "SubAgentMiddleware",
    ) -> None:
        super().__init__()
        self.tools = [task_tool(agents.skills)]
        self._agents = agents
        self._on_event = on_event
        self._language = language
        self._depth = depth
        self._parent_gates = parent_gates
        self._name = name

    @property
    def name(self) -> str:
        return self._name

    def wrap_tool_call(self, request: ToolCallRequest, handler: ToolHandler) -> ToolMessage | Command[Any]:
        if request.tool_call["name"] != TASK:
            return handler(request)
        ready = self._read_task(request)
        if isinstance(ready, ToolMessage):
            return ready
        try:  # own context variables: its text is not streamed as ours, and it does not inherit our checkpointer
            agent = self._build_agent(request, ready)
            state = contextvars.Context().run(agent.invoke, _initial_state(ready), _run_config(), context=ready.context)
        except (MetierError, GraphRecursionError, OSError, ValueError, RuntimeError) as error:
            return _failure_message(request, error)
        return _answer_message(request, state)

    async def awrap_tool_call(self, request: ToolCallRequest, handler: AsyncToolHandler) -> ToolMessage | Command[Any]:
        if request.tool_call["name"] != TASK:
            return await handler(request)
        ready = self._read_task(request)
        if isinstance(ready, ToolMessage):
            return ready
        try:
            agent = self._build_agent(request, ready)
            state = await _run_in_new_context(
                agent.ainvoke(_initial_state(ready), _run_config(), context=ready.context)
            )
        except (MetierError, GraphRecursionError, OSError, ValueError, RuntimeError) as error:
            return _failure_message(request, error)
        return _answer_message(request, state)

    def _read_task(self, request: ToolCallRequest) -> Delegation | ToolMessage:
        """Task to delegate, or the ToolMessage that says why not."""
        call, language = request.tool_call["id"] or "", resolve_language(request.state, self._language)
        if self._task_index(request) >= self._agents.max_parallel:
            return tool_message(call, TASK, _too_many_text(self._agents.max_parallel, language), error="too_many_tasks")
        try:
            work = _read_delegation(request.tool_call["args"], call, self._depth + 1, self._agents.skills)
        except InvalidInput as error:
            return tool_message(call, TASK, f"{error.message}. {error.hint}", error="invalid_arguments")
        return replace(work, context=request.runtime.context)

    def _task_index(self, request: ToolCallRequest) -> int:
        messages = request.state.get("messages", ()) if isinstance(request.state, Mapping) else ()
        last = next((one for one in reversed(messages) if isinstance(one, AIMessage)), None)
        ids = [one["id"] for one in last.tool_calls if one["name"] == TASK] if last else []
        return ids.index(request.tool_call["id"]) if request.tool_call["id"] in ids else 0

    def _build_agent(self, request: ToolCallRequest, work: Delegation) -> Any:
        """Build the agent of one task: gates outside, limits inside, only the model shared."""
        agents, told = self._agents, _tag_events(self._on_event, request.runtime, work)
        gates = self._collect_gates(request, work)
        ledger = MemoryLedger() if agents.ledger is None else agents.ledger
        parts: list[AgentMiddleware[Any, Any, Any]] = [_Reporter(told)]
        parts += [
            GateMiddleware(gate, ledger=ledger, on_event=told, name=f"TaskGate{at}") for at, gate in enumerate(gates)
        ]
        parts.append(
            LimitsMiddleware(agents.limits, on_event=told, language=self._language, outer_limit=agents.outer_limit)
        )
        parts += agents.middleware_of(work) if agents.middleware_of is not None else []
        if work.depth < agents.max_depth:
            below = SubAgentMiddleware(
                replace(agents, gate=None), on_event=told, language=self._language, depth=work.depth, parent_gates=gates
            )
            parts.append(below)
        prompt = agents.prompt_of(work) if agents.prompt_of is not None else None
        tools = list(agents.tools)
        return create_agent(agents.model, tools, system_prompt=prompt, middleware=parts, checkpointer=False)

    def _collect_gates(self, request: ToolCallRequest, work: Delegation) -> tuple[Gate, ...]:
        """All gates above this agent, then its own: a call must pass them all, so depth only narrows."""
        given, rules_of = self._agents.gate, self._agents.rules_of
        gate = given(get_state(request), request.runtime) if callable(given) else given
        rules = tuple(rules_of(work)) if rules_of is not None else ()
        known = {**specs_from_langchain(self._agents.tools), **specs_from_langchain(self.tools)}
        return (*self._parent_gates, *((gate,) if gate else ()), *((Gate(rules, known),) if rules else ()))


class _Reporter(AgentMiddleware[AgentState[Any], Any, Any]):
    """Emits which tools a sub-agent calls and what they return."""

    def __init__(self, on_event: EventSink | None) -> None:
        super().__init__()
        self._on_event = on_event

    @property
    def name(self) -> str:
        return "TaskReporter"

    def wrap_tool_call(self, request: ToolCallRequest, handler: ToolHandler) -> ToolMessage | Command[Any]:
        emit_events(self._on_event, [_called_event(request)], request.runtime)
        result = handler(request)
        emit_events(self._on_event, _result_events(request, result), request.runtime)
        return result

    async def awrap_tool_call(self, request: ToolCallRequest, handler: AsyncToolHandler) -> ToolMessage | Command[Any]:
        await aemit_events(self._on_event, [_called_event(request)], request.runtime)
        result = await handler(request)
        await aemit_events(self._on_event, _result_events(request, result), request.runtime)
        return result


def task_tool(skills: Sequence[str] | None = ()) -> StructuredTool:
    """The `task` tool as the model sees it; `SubAgentMiddleware` runs it. With `skills=None` any skill may be named."""

    def task(**_: object) -> str:
        return "no SubAgentMiddleware is there to hand it to"

    properties: dict[str, Any] = {
        "description": {"type": "string", "minLength": 1, "maxLength": _MAX_DESCRIPTION_CHARS}
    }
    if skills is None or skills:
        names: dict[str, Any] = {"type": "string"} if skills is None else {"enum": list(skills)}
        properties["skill"] = {**names, "description": "the skill that the work needs, if one fits"}
    schema = {"type": "object", "properties": properties, "required": ["description"], "additionalProperties": False}
    return StructuredTool.from_function(task, name=TASK, description=_DESCRIPTION, args_schema=schema)


def _read_delegation(arguments: Mapping[str, Any], call: str, depth: int, skills: Sequence[str] | None) -> Delegation:
    description, skill = arguments.get("description"), arguments.get("skill") or None
    if not isinstance(description, str) or not description.strip():
        raise InvalidInput("description is empty", hint="say what is to be done, and all that is needed for it")
    if len(description) > _MAX_DESCRIPTION_CHARS:
        raise InvalidInput(f"description has {len(description)} characters", hint=f"at most {_MAX_DESCRIPTION_CHARS}")
    if skill is not None and (not isinstance(skill, str) or (skills is not None and skill not in skills)):
        raise InvalidInput(
            f"there is no skill {str(skill)[:80]!r}", hint=f"skills: {', '.join(skills or ()) or 'none'}"
        )
    return Delegation(call, description, skill, depth)


def _initial_state(work: Delegation) -> Any:
    return {"messages": [HumanMessage(work.description)]}


def _run_config() -> Any:
    return {"recursion_limit": _RECURSION_LIMIT}


async def _run_in_new_context(work: Coroutine[Any, Any, Any]) -> Any:
    return await asyncio.create_task(work, context=contextvars.Context())


def _answer_message(request: ToolCallRequest, state: Mapping[str, Any]) -> ToolMessage:
    if state.get("__interrupt__"):
        said = "a call needs a person's decision, and a sub-agent has nobody to ask"
        return _result_message(request, TaskResult("failed", said))
    messages = state["messages"]
    last = messages[-1]
    ended = last.response_metadata.get("metier", {}).get("ended") if isinstance(last, AIMessage) else None
    steps = sum(isinstance(one, ToolMessage) for one in messages)
    text = last.text
    if ended == LIMIT_REACHED:
        earlier = [one.text for one in messages[:-1] if isinstance(one, AIMessage) and one.text.strip()]
        text = "\n".join([*earlier[-1:], text])
    if len(text) > _MAX_ANSWER_CHARS:
        text = f"{text[:_MAX_ANSWER_CHARS]}\n[{len(text) - _MAX_ANSWER_CHARS} characters are left out]"
    if ended is None and isinstance(last, AIMessage) and (why := _explain_end(last)):
        return _result_message(request, TaskResult("failed", "\n".join(filter(None, (text, why))), steps))
    result = TaskResult("limit_reached" if ended == LIMIT_REACHED else "done", text, steps)
    return _result_message(request, result)


def _explain_end(reply: AIMessage) -> str:
    """Why the last reply of a sub-agent is no whole answer; empty if it is one."""
    end = reply_end(reply)
    if end != "complete":
        return f"[the reply broke off ({end}); nothing was run that it did not finish]"
    if dropped := dropped_calls(reply):
        return f"[a call of {dropped[0].tool!r} could not be read and did not run]"
    return "" if reply.text.strip() else "[the sub-agent gave no answer]"


def _failure_message(request: ToolCallRequest, error: BaseException) -> ToolMessage:
    said = error.message if isinstance(error, MetierError) else f"{type(error).__name__}: {error}"
    return _result_message(request, TaskResult("failed", said[:_MAX_EVENT_CHARS]))


def _result_message(request: ToolCallRequest, result: TaskResult) -> ToolMessage:
    text = json.dumps(result.to_json(), ensure_ascii=False)
    error = "task_failed" if result.status == "failed" else ""
    return tool_message(request.tool_call["id"] or "", TASK, text, error=error)


def _tag_events(sink: EventSink | None, runtime: object, work: Delegation) -> OnEvent | None:
    """Sink that tags events with `parent` and `depth`. The innermost agent's tag wins; its call leads to the next."""
    if sink is None:
        return None
    on_event = resolve_per_run(sink, runtime)

    def emit(draft: EventDraft) -> Awaitable[None] | None:
        return on_event(EventDraft(draft.kind, {"parent": work.call, "depth": work.depth, **draft.data}))

    return emit


def _called_event(request: ToolCallRequest) -> EventDraft:
    call = request.tool_call
    return EventDraft("tool.called", {"call": call["id"] or "", "tool": call["name"], "arguments": call["args"]})


def _result_events(request: ToolCallRequest, result: ToolMessage | Command[Any]) -> Sequence[EventDraft]:
    message = find_tool_message(result)
    if message is None:
        return ()
    told: JsonObject = {
        "call": request.tool_call["id"] or "",
        "tool": request.tool_call["name"],
        "ok": message.status != "error",
        "state": call_state(message),
        "content": message.text[:_MAX_EVENT_CHARS],
    }
    return [EventDraft("tool.result", told)]


def _too_many_text(most: int, language: Language) -> str:
    return render_sentence("too_many_tasks", language, most=most)
