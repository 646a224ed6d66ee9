"""The LangChain agent that runs every turn: compiled once, without tools or state of its own."""

import copy
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.messages import ToolCall as MessageCall
from langchain_core.runnables import RunnableConfig
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command

from metier.agent.adapters import render_sentence
from metier.agent.loop._delegate import DelegateMiddleware
from metier.agent.loop._form import form_middleware
from metier.agent.loop._gate import FinalGate, TurnGate
from metier.agent.loop._model_call import RepairMiddleware
from metier.agent.loop._model_choice import ModelChoiceMiddleware
from metier.agent.loop._plan import PlanMiddleware
from metier.agent.loop._profile_form import ProfileFormMiddleware
from metier.agent.loop._prompt import PromptMiddleware
from metier.agent.loop._record import RecordMiddleware
from metier.agent.loop._repair_calls import CallRepairMiddleware
from metier.agent.loop._run_tool import ToolMiddleware
from metier.agent.loop._stack import Middleware, Stack
from metier.agent.loop._stream_text import TextStreamer
from metier.agent.loop.callers import (
    OWN_NAMES,
    CatchToolErrors,
    HideToolViews,
    RaisedInterrupts,
    RaiseToolErrors,
    RunCheckpoints,
    ShowToolViews,
    ask_interrupts,
    repeat_decisions,
)
from metier.agent.models import BuiltinModel
from metier.agent.turn import TurnState, close_open_calls, record_given_results
from metier.errors import InvalidInput, UsageError
from metier.json_values import JsonObject, JsonValue, clean_text
from metier.store import Pause
from metier.tools import ToolCall


class TurnAgent:
    """Agent that serves all turns: compiled once; what differs between turns is in the `TurnState` of each.

    Middleware from the outside in: record events, profile form, plan, choice of model, prompt, forms for missing
    arguments, gate, the caller's own middleware (`more`), the gate again for what that may have changed,
    the model call, sub-agents, the tools. `model` is the default one; each call goes to the model chosen for it.
    """

    def __init__(self, model: BaseChatModel, skill_tool: str, more: Sequence[Middleware] = ()) -> None:
        self._checkpoints = RunCheckpoints() if more else None
        self._middleware = [one.name for one in more]
        self._graph = _build_graph(model, skill_tool, more, self._checkpoints) if more else _shared_graph(skill_tool)

    async def run(self, state: TurnState, messages: Sequence[BaseMessage]) -> None:
        """Run the agent over the messages of a turn; its middleware stores what it says and does.

        An interrupt of the caller's middleware becomes a pause, and an end that it forced becomes a reply.
        """
        try:
            # A run that an interrupt paused goes on behind the reviews that it has had.
            reviewed = {} if state.calls.interrupt is not None else copy.deepcopy(state.calls.reviewed)
            result = await self._invoke(state, self._load_input(state, messages))
            while answers := repeat_decisions(_read_interrupts(result), reviewed):
                result = await self._invoke(state, Command(resume=answers))
            if result.get("__interrupt__"):
                await self._ask(state, _read_interrupts(result))
            elif not state.is_paused:
                await _finish_reply(state, result["messages"])
        finally:
            if self._checkpoints is not None:
                self._checkpoints.forget(state.conversation)

    async def run_calls(self, state: TurnState) -> Mapping[str, JsonValue]:
        """Run the calls of the open batch and nothing else; returns the results of those that succeeded, by call.

        They pass the middleware like any others. One that it would ask a person about does not run.
        """
        state.calls.is_resumed, state.calls.looked_up = True, {}
        try:
            await self._invoke(state, {"messages": [HumanMessage(state.request.message)]})
        finally:
            if self._checkpoints is not None:
                self._checkpoints.forget(state.conversation)
        return state.calls.looked_up

    def check_pause(self, pause: Pause) -> None:
        """Raise `InvalidInput` if an answer to this pause could not be passed on here, before it is taken."""
        stored = pause.payload.get("checkpoint")
        if isinstance(stored, Mapping):
            self._require_checkpoints(stored)

    async def _invoke(self, state: TurnState, given: Any) -> dict[str, Any]:
        result: dict[str, Any] = await self._graph.ainvoke(
            given, self._run_config(state), context=state, **self._durability
        )
        return result

    def _run_config(self, state: TurnState) -> RunnableConfig:
        resources = state.resources
        callbacks: list[Any] = [] if resources.models.is_all_builtin else [TextStreamer(state)]
        nodes_per_step = 2 + 2 * len(self._middleware)  # model and tools, and a node for each hook of the caller's
        return {
            "recursion_limit": nodes_per_step * resources.settings.turn_max_steps + 2,
            "callbacks": callbacks,
            "configurable": {"thread_id": state.conversation, "turn": state.turn},
        }

    @property
    def _durability(self) -> dict[str, Any]:
        return {} if self._checkpoints is None else {"durability": "exit"}  # one checkpoint, at the end of a run

    def _load_input(self, state: TurnState, messages: Sequence[BaseMessage]) -> Any:
        interrupted, state.calls.interrupt = state.calls.interrupt, None
        if interrupted is None:
            return {"messages": [*messages, *_finished_calls(state)]}
        self._require_checkpoints(interrupted.checkpoint).load(state.conversation, interrupted.checkpoint)
        return Command(resume=dict(interrupted.values))

    def _require_checkpoints(self, stored: JsonObject) -> RunCheckpoints:
        """Checkpoints of this agent, if it has the middleware that the stored one was made with."""
        asked_by = stored.get("middleware")
        if self._checkpoints is None or asked_by != self._middleware:
            # A rejected call would run if nobody were there to hear the rejection.
            here = ", ".join(self._middleware) or "none"
            hint = f"open the runtime with the middleware that asked: {asked_by}"
            raise InvalidInput(f"the question comes from middleware that is not here (here: {here})", hint=hint)
        return self._checkpoints

    async def _ask(self, state: TurnState, raised: RaisedInterrupts) -> None:
        if self._checkpoints is None:
            raise UsageError("an interrupt without a checkpointer cannot be answered", hint="use middleware=")
        stored = {**self._checkpoints.dump(state.conversation), "middleware": [*self._middleware]}
        await ask_interrupts(state, raised, stored)


@lru_cache(maxsize=4)
def _shared_graph(skill_tool: str) -> CompiledStateGraph[Any, Any, Any, Any]:
    """Graph of all runtimes without middleware of their own: it keeps nothing of one, and compiling takes 20 ms."""
    return _build_graph(BuiltinModel(), skill_tool, (), None)


def _build_graph(
    model: BaseChatModel, skill_tool: str, more: Sequence[Middleware], checkpoints: RunCheckpoints | None
) -> CompiledStateGraph[Any, Any, Any, Any]:
    outer: list[Middleware] = [
        RecordMiddleware(),
        ProfileFormMiddleware(),
        PlanMiddleware(),
        ModelChoiceMiddleware(),
        PromptMiddleware(),
        form_middleware(),
        TurnGate(),
    ]
    inner: list[Middleware] = [
        CallRepairMiddleware(),
        RepairMiddleware(),
        DelegateMiddleware(more),
        ToolMiddleware(skill_tool),
    ]
    parts: list[Middleware] = [Stack([*outer, *inner], name="Turn")]
    if more:
        begin, end = OWN_NAMES
        outer += [CatchToolErrors(), ShowToolViews()]
        parts = [
            Stack(outer, name=begin),
            *more,
            Stack([HideToolViews(), RaiseToolErrors(), FinalGate(), *inner], name=end),
        ]
    return create_agent(model, [], middleware=parts, context_schema=TurnState, checkpointer=checkpoints)


def _read_interrupts(result: Mapping[str, Any]) -> RaisedInterrupts:
    """Interrupts of a run, with the calls of its last reply, about which they may ask."""
    last = next((one for one in reversed(result.get("messages", ())) if isinstance(one, AIMessage)), None)
    calls = [ToolCall(one["id"] or "", one["name"], one["args"]) for one in (last.tool_calls if last else ())]
    return RaisedInterrupts(tuple(result.get("__interrupt__", ())), tuple(calls))


def _finished_calls(state: TurnState) -> list[BaseMessage]:
    """Calls of the open batch that have a result already; the other calls follow in a message of their own."""
    batch = state.calls.batch
    if batch is None or not batch.results:
        return []
    done = [call for call in batch.calls if call.id in batch.results]
    calls = [MessageCall(name=one.name, args=dict(one.arguments), id=one.id, type="tool_call") for one in done]
    results = [ToolMessage(batch.results[one.id], tool_call_id=one.id, name=one.name) for one in done]
    return [AIMessage(batch.text, tool_calls=calls), *results]


async def _finish_reply(state: TurnState, messages: Sequence[BaseMessage]) -> None:
    """Complete the reply: middleware of the caller may have changed it, or ended the run before there was one."""
    last = messages[-1] if messages and isinstance(messages[-1], AIMessage) else None
    if state.calls.final_text is not None:
        state.queue_reply(clean_text(last.text) if last is not None else state.calls.final_text)
        return
    await record_given_results(state, messages)
    await close_open_calls(state)
    reason = clean_text(last.text) if last is not None and not last.tool_calls else ""
    state.queue_reply(render_sentence("ended_early", state.request.language, reason=reason).strip())
