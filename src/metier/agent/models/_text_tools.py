"""Tool calls for a chat model without them: tools are described in the prompt, calls are parsed from the text."""

import json
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, Final, Literal

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import LanguageModelInput
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, HumanMessage, ToolCall
from langchain_core.messages.ai import UsageMetadata, add_usage
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from pydantic import PrivateAttr

from metier.agent.adapters import spec_from_langchain
from metier.agent.models._text_transcript import to_text_transcript
from metier.agent.models._wrapping import (
    WrappingModel,
    anotify,
    arun_apart,
    astream_apart,
    notify,
    run_apart,
    stream_apart,
)
from metier.clock import random_id
from metier.language import Language, language_of
from metier.tools import (
    TextProblem,
    TextReply,
    ToolSpec,
    escape_result_mark,
    find_call_start,
    format_repair_failure,
    format_repair_request,
    read_reply,
)

MAX_REPAIRS: Final = 2
_FORCED_TOOL: Final[Mapping[str, str | None]] = MappingProxyType(
    {"auto": None, "none": None, "any": "", "required": ""}
)


@dataclass(slots=True)
class _RepairLoop:
    """One question to the wrapped model and its repairs: messages sent, repairs so far, tokens used."""

    messages: list[BaseMessage]
    language: Language
    repairs: int = 0
    usage: UsageMetadata | None = None

    def repair(self, reply: AIMessage, problem: TextProblem) -> None:
        self.messages = [
            *self.messages,
            AIMessage(escape_result_mark(reply.text)[:4000] or "…"),
            HumanMessage(format_repair_request(problem, self.language)),
        ]
        self.repairs += 1


class TextToolModel(WrappingModel):
    """Wraps any chat model and gives it `bind_tools`, through the text tool protocol.

    A malformed call goes back to the model with the reason, at most `repairs` times; then the reply says in plain words
    what went wrong, and `response_metadata["metier"]` has it as data. `document` is the open document: it is filled in
    for tools that take `doc_text`.
    """

    model: BaseChatModel
    language: Language | Literal["auto"] = "auto"
    document: str | None = None
    repairs: int = MAX_REPAIRS
    _tools: tuple[ToolSpec, ...] = PrivateAttr(default=())
    _must: str | None = PrivateAttr(default=None)

    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        *,
        tool_choice: str | None = None,
        **kwargs: Any,
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Return the model with these tools in its prompt. `tool_choice` may be `auto`, `none`, `any` or a name."""
        specs = () if tool_choice == "none" else tuple(spec_from_langchain(tool) for tool in tools)
        must = _FORCED_TOOL.get(tool_choice or "auto", tool_choice)
        bound = self.model_copy()
        bound._tools, bound._must = specs, must
        return bound.bind(**kwargs) if kwargs else bound

    def answered_by(self, reply: AIMessage | None) -> BaseChatModel:
        """The wrapped model, whatever the reply."""
        return self.model

    @property
    def _llm_type(self) -> str:
        return f"metier-text-{self.model._llm_type}"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        attempt = self._start_loop(messages)
        while True:
            reply = run_apart(partial(self.model.invoke, attempt.messages, stop=stop, **kwargs))
            if (answer := self._accept_or_repair(attempt, reply)) is not None:
                return ChatResult(generations=[ChatGeneration(message=answer)])

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        attempt = self._start_loop(messages)
        while True:
            reply = await arun_apart(partial(self.model.ainvoke, attempt.messages, stop=stop, **kwargs))
            if (answer := self._accept_or_repair(attempt, reply)) is not None:
                return ChatResult(generations=[ChatGeneration(message=answer)])

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        attempt = self._start_loop(messages)
        flow = _ProseBuffer(hold=bool(self._tools))
        for piece in stream_apart(self.model.stream(attempt.messages, stop=stop, **kwargs)):
            if text := flow.add(piece):
                yield notify(run_manager, _text_chunk(text))
        answer = self._accept_or_repair(attempt, flow.message())
        while answer is None:
            reply = run_apart(partial(self.model.invoke, attempt.messages, stop=stop, **kwargs))
            answer = self._accept_or_repair(attempt, reply)
        yield notify(run_manager, flow.final_chunk(answer, repaired="metier" in answer.response_metadata))

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        attempt = self._start_loop(messages)
        flow = _ProseBuffer(hold=bool(self._tools))
        async for piece in astream_apart(self.model.astream(attempt.messages, stop=stop, **kwargs)):
            if text := flow.add(piece):
                yield await anotify(run_manager, _text_chunk(text))
        answer = self._accept_or_repair(attempt, flow.message())
        while answer is None:
            reply = await arun_apart(partial(self.model.ainvoke, attempt.messages, stop=stop, **kwargs))
            answer = self._accept_or_repair(attempt, reply)
        yield await anotify(run_manager, flow.final_chunk(answer, repaired="metier" in answer.response_metadata))

    def _start_loop(self, messages: Sequence[BaseMessage]) -> _RepairLoop:
        said = next((one.text for one in reversed(messages) if isinstance(one, HumanMessage)), "")
        language = language_of(said) if self.language == "auto" else self.language
        sent = to_text_transcript(messages, self._tools, language=language, document=self.document, must=self._must)
        return _RepairLoop(sent, language)

    def _accept_or_repair(self, attempt: _RepairLoop, reply: AIMessage) -> AIMessage | None:
        """Message to return, or None if the model is asked to repair its reply."""
        attempt.usage = add_usage(attempt.usage, reply.usage_metadata) if reply.usage_metadata else attempt.usage
        read = self._read_reply(reply)
        if read.problem is not None and attempt.repairs < self.repairs:
            attempt.repair(reply, read.problem)
            return None
        metadata = dict(reply.response_metadata)
        text = reply.text if read.call is None else read.text
        if read.problem is not None:
            text = format_repair_failure(read.problem, attempt.repairs, attempt.language)
            failure = {"code": read.problem.code, "message": read.problem.message, "reply": reply.text[:2000]}
            metadata["metier"] = {"problem": failure, "repairs": attempt.repairs}
        elif attempt.repairs:
            metadata["metier"] = {"repairs": attempt.repairs}
        calls = [] if read.call is None else [_to_tool_call(read)]
        return AIMessage(text, tool_calls=calls, usage_metadata=attempt.usage, response_metadata=metadata)

    def _read_reply(self, reply: AIMessage) -> TextReply:
        if not self._tools:
            return TextReply(reply.text)
        tools = {tool.name: tool for tool in self._tools}
        # A name that the model was not offered is left to the gate: only there is it refused and recorded.
        call_id = f"call-{random_id()[:12]}"
        read = read_reply(reply.text, tools, document=self.document, call_id=call_id, any_name=True)
        if self._must is None or read.problem is not None or (read.call and self._must in ("", read.call.name)):
            return read
        wanted = f"a call of {self._must!r}" if self._must else "a call of one of the tools"
        return TextReply(
            read.text, problem=TextProblem("no_call", f"the reply is not {wanted}", "write the call alone")
        )


class _ProseBuffer:
    """Buffer of a streamed reply: certain prose is passed on at once, a possible call is held back."""

    def __init__(self, *, hold: bool) -> None:
        self._hold = hold
        self._whole: AIMessageChunk | None = None
        self._text = ""
        self._sent = 0

    def add(self, piece: AIMessageChunk | AIMessage) -> str:
        """Add a chunk; returns the text that may be sent now."""
        chunk = piece if isinstance(piece, AIMessageChunk) else AIMessageChunk(content=piece.content)
        self._whole = chunk if self._whole is None else self._whole + chunk
        self._text += chunk.text
        until = find_call_start(self._text, self._sent) if self._hold else len(self._text)
        shown = self._text[self._sent : until]
        self._sent = max(self._sent, until)
        return shown

    def message(self) -> AIMessage:
        whole = self._whole
        if whole is None:
            return AIMessage("")
        return AIMessage(self._text, usage_metadata=whole.usage_metadata, response_metadata=whole.response_metadata)

    def final_chunk(self, answer: AIMessage, *, repaired: bool) -> ChatGenerationChunk:
        """Last chunk: held text that turned out to be prose, or the call, or what replaces it."""
        shown = self._text[: self._sent]
        if repaired:
            text = f"\n{answer.text}" if shown and answer.text else answer.text
        elif answer.tool_calls:
            text = answer.text.removeprefix(shown.strip())
        else:
            text = self._text[self._sent :]
        parts = [
            tool_call_chunk(
                name=one["name"], args=json.dumps(one["args"], ensure_ascii=False), id=one["id"], index=number
            )
            for number, one in enumerate(answer.tool_calls)
        ]
        message = AIMessageChunk(
            content=text,
            tool_call_chunks=parts,
            usage_metadata=answer.usage_metadata,
            response_metadata=answer.response_metadata,
        )
        return ChatGenerationChunk(message=message)


def _text_chunk(text: str) -> ChatGenerationChunk:
    return ChatGenerationChunk(message=AIMessageChunk(content=text))


def _to_tool_call(read: TextReply) -> ToolCall:
    if read.call is None:
        raise ValueError("the reply has no call")
    return ToolCall(name=read.call.name, args=dict(read.call.arguments), id=read.call.id, type="tool_call")
