"""Limits of one turn in a LangChain agent. Reaching one ends the turn with a message, no error."""

import operator
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, NotRequired, TypeAlias, TypedDict

from langchain.agents.middleware.types import (
    AgentMiddleware,
    AgentState,
    ExtendedModelResponse,
    ModelRequest,
    ModelResponse,
    PrivateStateAttr,
)
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.runtime import Runtime
from langgraph.types import Command

from metier.agent.adapters import (
    LIMIT_REACHED,
    AsyncToolHandler,
    Limits,
    Price,
    ReachedLimit,
    ToolHandler,
    UsageTotals,
    compare_with_limits,
    tool_message,
    usage_event,
)
from metier.agent.middleware._events import EventSink, LanguageOption, aemit_events, emit_events, resolve_language
from metier.agent.models import cut_note, cut_text, has_stood_in, model_name
from metier.clock import unix_time
from metier.json_values import clean_text
from metier.store import EventDraft
from metier.tokens import count_tokens

ModelResult: TypeAlias = ModelResponse[Any] | ExtendedModelResponse[Any]


class _TokenUsage(TypedDict):
    model_calls: int
    input_tokens: int
    output_tokens: int
    estimated: bool


def _empty_usage() -> _TokenUsage:
    return _TokenUsage(model_calls=0, input_tokens=0, output_tokens=0, estimated=False)


class LimitState(AgentState[Any]):
    """Agent state of the limits. `paused_s` is time spent waiting for a person: whoever resumes a run adds it
    (`Command(resume=…, update={"paused_s": 12.5})`), because waiting does not count against `wall_s`.
    """

    limit_started: NotRequired[Annotated[float, PrivateStateAttr]]
    limit_from: NotRequired[Annotated[int, PrivateStateAttr]]
    limit_spent: NotRequired[Annotated[_TokenUsage, PrivateStateAttr]]
    paused_s: NotRequired[Annotated[float, operator.add]]


class LimitsMiddleware(AgentMiddleware[LimitState, Any, Any]):
    """Ends a run that has reached a limit, instead of calling the model again.

    The last message names the limit and the figures, also in `response_metadata["metier"]`: `{"ended": "limit_reached",
    "limit", "used", "most"}`; an `error` event has the same. Every model call emits one `usage` event. Tool calls
    beyond the number of steps are answered but not run. A reply or tool result that repeats itself endlessly or is
    longer than `limits.output_chars` is cut, with a note. Put it after middleware that acts without the model (only
    what reaches the model counts as a model call) and before middleware that reads tool results (it sees them whole).
    `outer_limit` is asked too: a limit of the run that this one is part of ends it as well.
    """

    state_schema = LimitState

    def __init__(
        self,
        limits: Limits | None = None,
        *,
        price: Price | None = None,
        on_event: EventSink | None = None,
        clock: Callable[[], float] = unix_time,
        count: Callable[[str], int] = count_tokens,
        language: LanguageOption = "auto",
        name: str = "LimitsMiddleware",
        outer_limit: Callable[[], ReachedLimit | None] | None = None,
    ) -> None:
        super().__init__()
        self._outer_limit = outer_limit
        self._limits = Limits() if limits is None else limits
        self._price = Price() if price is None else price
        self._on_event = on_event
        self._clock = clock
        self._count = count
        self._language = language
        self._name = name

    @property
    def name(self) -> str:
        return self._name

    def get_usage(self, state: Mapping[str, Any] | LimitState) -> UsageTotals:
        """Amounts that the turn has used so far."""
        spent: _TokenUsage = state.get("limit_spent") or _empty_usage()
        now = self._clock()
        recent = state["messages"][state.get("limit_from", 0) :]
        return UsageTotals(
            steps=sum(isinstance(one, ToolMessage) for one in recent),
            wall_s=max(0.0, now - state.get("limit_started", now) - state.get("paused_s", 0.0)),
            cost=self._price.compute_cost(spent["input_tokens"], spent["output_tokens"]),
            **spent,
        )

    def before_agent(self, state: LimitState, runtime: Runtime[Any]) -> dict[str, Any]:
        """Start a turn: what an earlier turn of the thread used does not count."""
        return {
            "limit_started": self._clock(),
            "limit_from": len(state["messages"]),
            "limit_spent": _empty_usage(),
            "paused_s": -state.get("paused_s", 0.0),
        }

    async def abefore_agent(self, state: LimitState, runtime: Runtime[Any]) -> dict[str, Any]:
        return self.before_agent(state, runtime)

    def wrap_model_call(self, request: ModelRequest[Any], handler: Any) -> ModelResult:
        ended, drafts = self._check_limits(request.state)
        emit_events(self._on_event, drafts, request.runtime)
        if ended is not None:
            return ended
        began = time.perf_counter()
        response = handler(request)
        counted, used = self._count_usage(request, response, time.perf_counter() - began)
        emit_events(self._on_event, [used], request.runtime)
        return counted

    async def awrap_model_call(self, request: ModelRequest[Any], handler: Any) -> ModelResult:
        ended, drafts = self._check_limits(request.state)
        await aemit_events(self._on_event, drafts, request.runtime)
        if ended is not None:
            return ended
        began = time.perf_counter()
        response = await handler(request)
        counted, used = self._count_usage(request, response, time.perf_counter() - began)
        await aemit_events(self._on_event, [used], request.runtime)
        return counted

    def wrap_tool_call(self, request: ToolCallRequest, handler: ToolHandler) -> ToolMessage | Command[Any]:
        refused = self._refuse_beyond_limit(request)
        return self._shorten_result(handler(request), request) if refused is None else refused

    async def awrap_tool_call(self, request: ToolCallRequest, handler: AsyncToolHandler) -> ToolMessage | Command[Any]:
        refused = self._refuse_beyond_limit(request)
        return self._shorten_result(await handler(request), request) if refused is None else refused

    def _check_limits(self, state: Any) -> tuple[ModelResponse[Any] | None, Sequence[EventDraft]]:
        """Response and events that end a turn at its limit; None and no events otherwise."""
        outer = self._outer_limit() if self._outer_limit is not None else None
        found = outer or compare_with_limits(self.get_usage(state), self._limits)
        if found is None:
            return None, ()
        text = found.text(resolve_language(state, self._language))
        message = AIMessage(text, response_metadata={"metier": {"ended": LIMIT_REACHED, **found.to_json()}})
        return ModelResponse(result=[message]), [found.error_event(text)]

    def _count_usage(
        self, request: ModelRequest[Any], response: ModelResponse[Any], elapsed_s: float
    ) -> tuple[ExtendedModelResponse[Any], EventDraft]:
        told = replace(response, result=[self._cut_reply(one, request) for one in response.result])
        state: Mapping[str, Any] = request.state
        spent: _TokenUsage = state.get("limit_spent") or _empty_usage()
        inside, outside, estimated = self._count_tokens(request, response.result)
        new = _TokenUsage(
            model_calls=spent["model_calls"] + 1,
            input_tokens=spent["input_tokens"] + inside,
            output_tokens=spent["output_tokens"] + outside,
            estimated=spent["estimated"] or estimated,
        )
        reply = next((one for one in reversed(response.result) if isinstance(one, AIMessage)), None)
        name = model_name(request.model, reply)
        used = usage_event(
            inside,
            outside,
            estimated=estimated,
            price=self._price,
            model=name,
            elapsed_s=elapsed_s,
            stood_in=reply is not None and has_stood_in(reply),
        )
        return ExtendedModelResponse(told, Command(update={"limit_spent": new})), used

    def _count_tokens(self, request: ModelRequest[Any], result: Sequence[BaseMessage]) -> tuple[int, int, bool]:
        said = [one for one in result if isinstance(one, AIMessage)]
        usage = [one.usage_metadata for one in said if one.usage_metadata]
        if usage:
            return sum(one["input_tokens"] for one in usage), sum(one["output_tokens"] for one in usage), False
        asked = [request.system_message.text if request.system_message else "", *(one.text for one in request.messages)]
        written = [one.text + "".join(str(call["args"]) for call in one.tool_calls) for one in said]
        most = self._limits.output_chars
        return sum(map(self._count, asked)), sum(self._count(text[:most]) for text in written), True

    def _cut_reply(self, message: BaseMessage, request: ModelRequest[Any]) -> BaseMessage:
        """Cut an overlong or looping reply; its tool calls stay as they are."""
        if not isinstance(message, AIMessage) or not isinstance(message.content, str):
            return message
        cut = cut_text(message.content, self._limits.output_chars)
        if not cut.reason:
            return message
        text = cut.text + cut_note(cut, resolve_language(request.state, self._language))
        ours = {"cut": cut.reason, "lost_chars": cut.lost_chars}
        metadata = {**message.response_metadata, "metier": {**message.response_metadata.get("metier", {}), **ours}}
        return message.model_copy(update={"content": text, "response_metadata": metadata})

    def _refuse_beyond_limit(self, request: ToolCallRequest) -> ToolMessage | None:
        """ToolMessage for a call beyond the limits (by its place among the message's calls, or by time); else None."""
        state, call = request.state, request.tool_call
        if not isinstance(state, Mapping) or not state.get("messages"):
            return None
        last = next((one for one in reversed(state["messages"]) if isinstance(one, AIMessage)), None)
        places = [one["id"] for one in last.tool_calls] if last else []
        use = self.get_usage(state)
        place = use.steps + (places.index(call["id"]) if call["id"] in places else 0)
        running = Limits(self._limits.steps, None, None, self._limits.wall_s, None)
        found = compare_with_limits(UsageTotals(steps=place, wall_s=use.wall_s), running)
        if found is None:
            return None
        if found.name == "steps":
            found = replace(found, used=min(found.used, found.most))
        text = found.text(resolve_language(state, self._language))
        return tool_message(call["id"] or "", call["name"], text, error=LIMIT_REACHED)

    def _shorten_result(
        self, result: ToolMessage | Command[Any], request: ToolCallRequest
    ) -> ToolMessage | Command[Any]:
        """Cut a tool's text to the limit, and replace lone surrogates, which no database stores."""
        if not isinstance(result, ToolMessage) or not isinstance(result.content, str):
            return result
        text = result.content
        if len(text) > self._limits.output_chars:
            cut = cut_text(text, self._limits.output_chars)
            text = cut.text + cut_note(cut, resolve_language(request.state, self._language))
        text = clean_text(text)
        return result if text == result.content else result.model_copy(update={"content": text})
