"""The gate inside a LangChain agent: a call that is not allowed does not run, whatever the model says.

LangChain would run a tool that is only hidden from the model. Hiding saves tokens; refusing at call time enforces.
"""

import asyncio
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

from langchain.agents.middleware.types import AgentMiddleware, ModelRequest, ModelResponse, hook_config
from langchain_core.messages import AIMessage, ToolMessage
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.runtime import Runtime
from langgraph.types import Command, interrupt
from pydantic import BaseModel, ConfigDict, JsonValue

from metier.agent.adapters import (
    AsyncModelHandler,
    AsyncToolHandler,
    ModelHandler,
    ToolHandler,
    can_pause,
    get_state,
    get_tool_call,
    spec_from_langchain,
    specs_from_langchain,
)
from metier.agent.middleware._events import EventSink, LanguageOption, aemit_events, resolve_language
from metier.agent.middleware._gate_exceptions import (
    NO_PERSON_RULING,
    FixedPolicy,
    add_grants,
    decide_exception,
    exception_question,
    exception_tool_schema,
    is_exception_request,
    needs_person,
)
from metier.agent.middleware._gate_rules import GateFactory, GateSource, make_gate_source, rules_from_lists
from metier.agent.middleware._refusals import (
    GateState,
    Refusal,
    build_refusal,
    rejected_message,
    too_many_refusals_text,
    unconfirmed_message,
)
from metier.skills import SkillLibrary
from metier.tools import (
    CONTROL_TOOLS,
    MAX_REFUSALS,
    DenyAll,
    ExceptionPolicy,
    ExceptionRuling,
    Gate,
    Ledger,
    MemoryLedger,
    ToolCall,
    Verdict,
)


class ConfirmAnswer(BaseModel):
    """Person's answer to a call that needs approval: approve it, edit its arguments, or reject it."""

    model_config = ConfigDict(extra="forbid")

    decision: Literal["approve", "edit", "reject"]
    arguments: dict[str, JsonValue] | None = None
    note: str = ""


class GateMiddleware(AgentMiddleware[GateState, Any, Any]):
    """Enforces a gate in an agent made by `create_agent`.

    The gate is a `Gate` or a function of state and runtime that returns one; or lists of names (`allowed`, `forbidden`,
    `confirm`; globs are fine); or a skill's own rules (`skills` folder, `skill` id).

    A refused call gets its ToolMessage, is reported to `ledger` and `on_event`, and is added to `violations` in the
    agent's state. A call that needs approval pauses the run (LangGraph's interrupt, answered with a `ConfirmAnswer`);
    without a checkpointer nobody can be asked, and it is refused. After `max_refusals` refusals the run ends.
    `conversation` names the conversation for the ledger, by default LangGraph's `thread_id`; the turn is the
    configurable `turn`. With `exceptions` the model may ask for a refused tool (`request_exception`): the policy
    decides or leaves it to a person, and a grant holds for this turn.
    """

    state_schema = GateState

    def __init__(
        self,
        gate: Gate | GateFactory | None = None,
        *,
        allowed: Iterable[str] | None = None,
        forbidden: Iterable[str] = (),
        confirm: Iterable[str] = (),
        skills: Path | str | SkillLibrary | None = None,
        skill: str | None = None,
        ledger: Ledger | None = None,
        exceptions: ExceptionPolicy | None = None,
        conversation: str = "",
        on_event: EventSink | None = None,
        max_refusals: int = MAX_REFUSALS,
        language: LanguageOption = "auto",
        name: str = "GateMiddleware",
    ) -> None:
        super().__init__()
        rules = rules_from_lists(allowed, forbidden, confirm, name)
        self._source: GateSource = make_gate_source(gate, rules, skills, skill)
        self._ledger: Ledger = MemoryLedger() if ledger is None else ledger
        self._exceptions = exceptions
        self._conversation = conversation
        self._on_event = on_event
        self._max_refusals = max_refusals
        self._language = language
        self._name = name

    @property
    def name(self) -> str:
        return self._name

    @property
    def ledger(self) -> Ledger:
        """Ledger that records refusals; in memory by default."""
        return self._ledger

    def before_agent(self, state: GateState, runtime: Runtime[Any]) -> dict[str, Any]:
        """Mark where this turn's refusals and grants begin: the thread keeps those of earlier turns."""
        return {
            "violations_before": len(state.get("violations", [])),
            "granted_before": len(state.get("granted", [])),
        }

    async def abefore_agent(self, state: GateState, runtime: Runtime[Any]) -> dict[str, Any]:
        return self.before_agent(state, runtime)

    @hook_config(can_jump_to=["end"])
    def before_model(self, state: GateState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """End the run when too many calls of this turn were refused."""
        recent = state.get("violations", [])[state.get("violations_before", 0) :]
        if len(recent) < self._max_refusals:
            return None
        tools, allowed = sorted({one["tool"][:80] for one in recent}), recent[-1]["allowed"]
        text = too_many_refusals_text(len(recent), allowed, resolve_language(state, self._language), tools)
        metadata = {"metier": {"ended": "too_many_refusals", "tools": tools}}
        return {"jump_to": "end", "messages": [AIMessage(text, response_metadata=metadata)]}

    @hook_config(can_jump_to=["end"])
    async def abefore_model(self, state: GateState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        return self.before_model(state, runtime)

    def wrap_model_call(self, request: ModelRequest[Any], handler: ModelHandler) -> ModelResponse[Any]:
        """Offer the model only the tools that it may call."""
        return handler(self._filter_tools(request))

    async def awrap_model_call(self, request: ModelRequest[Any], handler: AsyncModelHandler) -> ModelResponse[Any]:
        return await handler(self._filter_tools(request))

    def wrap_tool_call(self, request: ToolCallRequest, handler: ToolHandler) -> ToolMessage | Command[Any]:
        """Run the call, ask a person first, or refuse it."""
        if self._is_exception_request(request):
            return asyncio.run(self._decide_exception(request, self._resolve_policy(request)))
        ready = self._decide(request)
        if isinstance(ready, Refusal):
            # LangChain runs sync tools in threads without a loop.
            return asyncio.run(self._record_refusal(ready, request.runtime))
        return ready if isinstance(ready, ToolMessage) else _note_changed_arguments(handler(ready), request, ready)

    async def awrap_tool_call(self, request: ToolCallRequest, handler: AsyncToolHandler) -> ToolMessage | Command[Any]:
        if self._is_exception_request(request):
            return await self._decide_exception(request, self._resolve_policy(request))
        ready = self._decide(request)
        if isinstance(ready, Refusal):
            return await self._record_refusal(ready, request.runtime)
        return (
            ready if isinstance(ready, ToolMessage) else _note_changed_arguments(await handler(ready), request, ready)
        )

    def _is_exception_request(self, request: ToolCallRequest) -> bool:
        return self._exceptions is not None and is_exception_request(request.tool_call["name"])

    def _resolve_policy(self, request: ToolCallRequest) -> ExceptionPolicy:
        """Policy that decides on an exception; where it defers to a person, their answer to an interrupt."""
        policy, call = self._exceptions or DenyAll(), get_tool_call(request)
        if not needs_person(call.arguments, self._get_gate(request), policy):
            return policy
        if not can_pause(request):
            return FixedPolicy(NO_PERSON_RULING)
        answer = interrupt(exception_question(call), response_schema=ConfirmAnswer)
        return FixedPolicy(
            ExceptionRuling("denied" if answer.decision == "reject" else "granted", "person", answer.note)
        )

    async def _decide_exception(self, request: ToolCallRequest, policy: ExceptionPolicy) -> Command[Any]:
        return await decide_exception(
            get_tool_call(request), self._get_gate(request), policy, self._ledger, self._get_conversation_turn(request)
        )

    def _get_gate(self, request: ToolCallRequest) -> Gate:
        state = get_state(request)
        return add_grants(self._source(specs_from_langchain(request.runtime.tools), state, request.runtime), state)

    def _get_conversation_turn(self, request: ToolCallRequest) -> tuple[str, str]:
        configurable = request.runtime.config.get("configurable", {})
        return self._conversation or str(configurable.get("thread_id", "")), str(configurable.get("turn", ""))

    def _filter_tools(self, request: ModelRequest[Any]) -> ModelRequest[Any]:
        state = get_state(request)
        gate = add_grants(self._source(specs_from_langchain(request.tools), state, request.runtime), state)
        may = {*gate.allowed_tools(), *CONTROL_TOOLS}
        kept = [tool for tool in request.tools if spec_from_langchain(tool).name in may]
        if self._exceptions is not None and state.get("violations"):
            return request.override(tools=[*kept, exception_tool_schema()])
        return request if len(kept) == len(request.tools) else request.override(tools=kept)

    def _decide(self, request: ToolCallRequest) -> ToolCallRequest | ToolMessage | Refusal:
        """The request to run, the ToolMessage for a call that a person rejected, or a refusal by rule."""
        state = get_state(request)
        gate = self._get_gate(request)
        call = get_tool_call(request)
        verdict = gate.check(call)
        if verdict.answer == "allow":
            return request
        if verdict.answer == "deny":
            return self._build_refusal(request, call, verdict, gate)
        if not can_pause(request):
            message = unconfirmed_message(call, resolve_language(state, self._language))
            return self._build_refusal(request, call, verdict, gate, message)
        return self._confirm(request, call, verdict, gate)

    def _confirm(
        self, request: ToolCallRequest, call: ToolCall, verdict: Verdict, gate: Gate
    ) -> ToolCallRequest | ToolMessage | Refusal:
        answer = interrupt(_confirm_question(request, call, verdict), response_schema=ConfirmAnswer)
        if answer.decision == "reject":
            return rejected_message(call, answer.note, resolve_language(request.state, self._language))
        if answer.decision == "approve" or answer.arguments is None:
            return request
        edited = ToolCall(call.id, call.name, answer.arguments)
        again = gate.check(edited)  # a person may change the arguments, not the rules
        if again.answer == "deny":
            return self._build_refusal(request, edited, again, gate)
        return request.override(tool_call={**request.tool_call, "args": dict(answer.arguments)})

    def _build_refusal(
        self,
        request: ToolCallRequest,
        call: ToolCall,
        verdict: Verdict,
        gate: Gate,
        message: ToolMessage | None = None,
    ) -> Refusal:
        conversation, turn = self._get_conversation_turn(request)
        return build_refusal(
            call,
            verdict,
            resolve_language(request.state, self._language),
            conversation=conversation,
            turn=turn,
            skills=gate.skills,
            exceptions=self._exceptions is not None,
            message=message,
        )

    async def _record_refusal(self, refusal: Refusal, runtime: object) -> Command[Any]:
        await self._ledger.record_violation(refusal.entry)
        await aemit_events(self._on_event, [refusal.event], runtime)
        return Command(update={"messages": [refusal.message], "violations": [refusal.record]})


def _confirm_question(request: ToolCallRequest, call: ToolCall, verdict: Verdict) -> dict[str, object]:
    """Interrupt payload: the call, why it waits, and the schema that edited arguments must fit."""
    return {
        "kind": "confirm",
        "call": call.id,
        "tool": call.name,
        "arguments": dict(call.arguments),
        "reason": verdict.reason,
        "layer": verdict.layer,
        "parameters": dict(spec_from_langchain(request.tool).parameters) if request.tool else {},
        "decisions": ["approve", "edit", "reject"],
    }


def _note_changed_arguments(
    result: ToolMessage | Command[Any], asked: ToolCallRequest, ran: ToolCallRequest
) -> ToolMessage | Command[Any]:
    """Tell the model that a person changed the arguments; otherwise it reads the result as that of its own call."""
    if asked is ran or not isinstance(result, ToolMessage) or not isinstance(result.content, str):
        return result
    note = f"[a person changed the arguments to {json.dumps(ran.tool_call['args'], ensure_ascii=False)}]"
    return result.model_copy(update={"content": f"{note}\n{result.content}"})
