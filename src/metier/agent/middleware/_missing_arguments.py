"""A call that lacks arguments becomes a form for a person instead of an error for the model.

The model calls a tool without all required arguments, or writes a `params_request` block; both are handled alike: a
person fills in the form and the call runs with the values, or cancels it and the model is told.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from inspect import isawaitable
from typing import Any, Final, TypeAlias

from langchain.agents.middleware.types import AgentMiddleware, AgentState, ModelRequest, ModelResponse
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.messages import ToolCall as MessageCall
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.types import Command, interrupt

from metier.agent.adapters import (
    AsyncToolHandler,
    Form,
    ToolHandler,
    arguments_from,
    can_pause,
    form_for,
    get_tool_call,
    missing_arguments,
    name_to_title,
    read_decision,
    render_sentence,
    spec_from_langchain,
    tool_message,
)
from metier.agent.middleware._events import (
    LanguageOption,
    PerRun,
    resolve_language,
    resolve_per_run,
    run_sync,
)
from metier.agent.models import find_block
from metier.clock import random_id
from metier.errors import InvalidInput
from metier.json_values import JsonObject
from metier.language import Language
from metier.limits import run_limited
from metier.tools import ToolCall, ToolSpec

PARAMS_REQUEST: Final = "params_request"

FormAnswer: TypeAlias = ToolMessage | Command[Any] | JsonObject
OnMissing: TypeAlias = Callable[[ToolCall, Form], FormAnswer | Awaitable[FormAnswer]]
MayAsk: TypeAlias = Callable[[ToolCall], bool]


class ParametersMiddleware(AgentMiddleware[AgentState[Any], Any, Any]):
    """Asks a person for the required arguments that a call lacks.

    `on_missing(call, form)` handles such a call: a `ToolMessage` or a `Command` is the call's answer, a JSON object is
    the answer to the form (`form.answer_schema`). Without it the run pauses (LangGraph's interrupt: `{"kind":
    "parameters", "call", "tool", "form", "problem"}`), and asks again if the answer is invalid; without a checkpointer
    the model is told what is missing. `may_ask(call)` prevents forms for calls that the gate would refuse: put this
    middleware before the gate, so that the gate checks the call with all its arguments. `specs` holds tools whose
    schemas carry hints for the form; other tools are read from LangChain. Each may be `PerRun`.
    """

    def __init__(
        self,
        on_missing: OnMissing | PerRun[OnMissing] | None = None,
        *,
        specs: Mapping[str, ToolSpec] | PerRun[Mapping[str, ToolSpec]] | None = None,
        may_ask: MayAsk | PerRun[MayAsk] | None = None,
        language: LanguageOption = "auto",
        name: str = "ParametersMiddleware",
    ) -> None:
        super().__init__()
        self._on_missing = on_missing
        self._specs: Mapping[str, ToolSpec] | PerRun[Mapping[str, ToolSpec]] = specs or {}
        self._may_ask = may_ask
        self._language = language
        self._name = name

    @property
    def name(self) -> str:
        return self._name

    def wrap_model_call(self, request: ModelRequest[Any], handler: Any) -> ModelResponse[Any]:
        """Turn a `params_request` block into the call that it asks for."""
        return _replace_block_with_call(handler(request))

    async def awrap_model_call(self, request: ModelRequest[Any], handler: Any) -> ModelResponse[Any]:
        return _replace_block_with_call(await handler(request))

    def wrap_tool_call(self, request: ToolCallRequest, handler: ToolHandler) -> ToolMessage | Command[Any]:
        form = self._build_form(request)
        if form is None:
            return handler(request)
        filled = self._ask(request, form)
        ready = self._apply_answer(request, form, run_sync(filled) if isawaitable(filled) else filled)
        return handler(ready) if isinstance(ready, ToolCallRequest) else ready

    async def awrap_tool_call(self, request: ToolCallRequest, handler: AsyncToolHandler) -> ToolMessage | Command[Any]:
        form = await run_limited(lambda: self._build_form(request))
        if form is None:
            return await handler(request)
        asked = self._ask(request, form)
        filled = await asked if isawaitable(asked) else asked
        ready = await run_limited(lambda: self._apply_answer(request, form, filled))
        return await handler(ready) if isinstance(ready, ToolCallRequest) else ready

    def _build_form(self, request: ToolCallRequest) -> Form | None:
        """Form that the call needs; None if it has all required arguments or its tool is unknown."""
        name = request.tool_call["name"]
        specs = resolve_per_run(self._specs, request.runtime)
        spec = specs.get(name) or (spec_from_langchain(request.tool) if request.tool else None)
        if spec is None or not missing_arguments(spec, request.tool_call["args"]):
            return None
        if self._may_ask is not None and not resolve_per_run(self._may_ask, request.runtime)(get_tool_call(request)):
            return None
        return form_for(spec, request.tool_call["args"], language=resolve_language(request.state, self._language))

    def _ask(self, request: ToolCallRequest, form: Form) -> FormAnswer | Awaitable[FormAnswer]:
        if self._on_missing is not None:
            return resolve_per_run(self._on_missing, request.runtime)(get_tool_call(request), form)
        if not can_pause(request):
            language = resolve_language(request.state, self._language)
            return _error_message(request, _missing_text(form, language), "arguments_missing")
        return _ask_by_interrupt(request, form)

    def _apply_answer(
        self, request: ToolCallRequest, form: Form, filled: FormAnswer
    ) -> ToolCallRequest | ToolMessage | Command[Any]:
        if isinstance(filled, ToolMessage | Command):
            return filled
        language = resolve_language(request.state, self._language)
        if read_decision(filled) == "cancel":
            return _error_message(request, _cancelled_text(form, filled, language), "cancelled")
        try:
            arguments = arguments_from(form, filled)
        except InvalidInput as error:
            return _error_message(request, f"{error.message}. {error.hint}", "invalid_arguments")
        return request.override(tool_call={**request.tool_call, "args": dict(arguments)})


def read_params_request(text: str) -> tuple[str, JsonObject, str] | None:
    """Tool, known arguments and remaining text of a reply with a `params_request` block; None without such a block."""
    block = find_block(text, PARAMS_REQUEST)
    if block is None or not isinstance(block.data, Mapping):
        return None
    tool, known = block.data.get("tool_name"), block.data.get("known_params", {})
    if not isinstance(tool, str) or not tool or not isinstance(known, Mapping):
        return None
    return tool, known, block.remove_from(text)


def _replace_block_with_call(response: ModelResponse[Any]) -> ModelResponse[Any]:
    last = response.result[-1] if response.result else None
    if not isinstance(last, AIMessage) or last.tool_calls or not isinstance(last.content, str):
        return response
    read = read_params_request(last.content)
    if read is None:
        return response
    tool, known, text = read
    call = MessageCall(name=tool, args=dict(known), id=f"call-{random_id()[:12]}", type="tool_call")
    calling = last.model_copy(update={"content": text, "tool_calls": [call]})
    return replace(response, result=[*response.result[:-1], calling])


def _ask_by_interrupt(request: ToolCallRequest, form: Form) -> JsonObject:
    """Interrupt until the answer is valid; each new question carries the problem of the last answer."""
    problem = ""
    while True:
        asked = {"kind": "parameters", "call": request.tool_call["id"], "tool": form.tool, "form": form.to_json()}
        answer = interrupt({**asked, "problem": problem}, response_schema=dict(form.answer_schema))
        try:
            if read_decision(answer) == "submit":
                arguments_from(form, answer)
        except InvalidInput as error:
            problem = error.message
            continue
        return {str(key): value for key, value in answer.items()}


def _error_message(request: ToolCallRequest, text: str, code: str) -> ToolMessage:
    return tool_message(request.tool_call["id"] or "", request.tool_call["name"], text, error=code)


def _cancelled_text(form: Form, answer: JsonObject, language: Language) -> str:
    note = str(answer.get("note") or "").strip()
    code = "form_cancelled_with_note" if note else "form_cancelled"
    return render_sentence(code, language, tool=form.tool, note=note)


def _missing_text(form: Form, language: Language) -> str:
    titles = {str(field["name"]): str(field["title"]) for field in form.fields}
    names = ", ".join(f"{name} ({titles[name]})" if _has_title(titles, name) else name for name in form.missing)
    return render_sentence("arguments_missing", language, tool=form.tool, names=names)


def _has_title(titles: Mapping[str, str], name: str) -> bool:
    return titles.get(name, name) not in (name, name_to_title(name))
