"""Shared by the models that read calls from text: one reply, its repairs, and its stream."""

import json
from abc import abstractmethod
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar, Final, Literal

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import LanguageModelInput
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, HumanMessage, ToolCall, ToolMessage
from langchain_core.messages.ai import UsageMetadata, add_ai_message_chunks, add_usage
from langchain_core.messages.tool import ToolCallChunk, tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from pydantic import PrivateAttr

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
    ReadingRules,
    ReplyStream,
    TextProblem,
    TextReply,
    ToolSpec,
    begins_in_thought,
    escape_result_mark,
    format_repair_failure,
    format_repair_request,
)

MAX_REPAIRS: Final = 2
REASONING: Final = "reasoning_content"
_MAX_REPAIRED_CHARS: Final = 4000


@dataclass(slots=True)
class RepairLoop:
    """One question to the wrapped model and its repairs: messages sent, repairs so far, tokens used."""

    messages: list[BaseMessage]
    language: Language
    rules: ReadingRules
    repairs: int = 0
    usage: UsageMetadata | None = None

    def repair(self, reply: AIMessage, problem: TextProblem) -> None:
        self.messages = [
            *self.messages,
            AIMessage(escape_result_mark(reply.text)[:_MAX_REPAIRED_CHARS] or "…"),
            HumanMessage(format_repair_request(problem, self.language)),
        ]
        self.repairs += 1


class ReadingModel(WrappingModel):
    """Chat model that reads calls from the text of the model that it wraps.

    A malformed call goes back to the model with the reason, at most `repairs` times; then the reply says in plain words
    what went wrong, and `response_metadata["metier"]` has it as data. Reasoning written as text goes to
    `additional_kwargs["reasoning_content"]`. With `thinking`, replies begin inside their reasoning.
    """

    keeps_blocks: ClassVar[bool] = False  # content in a provider's blocks is neither read nor changed

    model: BaseChatModel
    language: Language | Literal["auto"] = "auto"
    repairs: int = MAX_REPAIRS
    thinking: bool = False
    _tools: tuple[ToolSpec, ...] = PrivateAttr(default=())

    @abstractmethod
    def _to_prompt(self, messages: Sequence[BaseMessage], language: Language) -> list[BaseMessage]:
        """Messages to send."""

    @abstractmethod
    def _reading_rules(self, messages: Sequence[BaseMessage]) -> ReadingRules:
        """What counts as a call in the reply to these messages."""

    def _find_problem(self, read: TextReply) -> TextProblem | None:
        """Problem that the model is asked to repair."""
        return read.problem

    @property
    def _target(self) -> Runnable[LanguageModelInput, AIMessage]:
        return self.model

    def answered_by(self, reply: AIMessage | None) -> BaseChatModel:
        """The wrapped model, whatever the reply."""
        return self.model

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        loop = self._start_loop(messages)
        while True:
            reply = run_apart(partial(self._target.invoke, loop.messages, stop=stop, **kwargs))
            if (answer := self._accept_or_repair(loop, reply, self._read(loop, reply))) is not None:
                return ChatResult(generations=[ChatGeneration(message=answer)])

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        loop = self._start_loop(messages)
        while True:
            reply = await arun_apart(partial(self._target.ainvoke, loop.messages, stop=stop, **kwargs))
            if (answer := self._accept_or_repair(loop, reply, self._read(loop, reply))) is not None:
                return ChatResult(generations=[ChatGeneration(message=answer)])

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        loop = self._start_loop(messages)
        flow = _Flow(loop.rules, thinking=self.thinking, keeps_blocks=self.keeps_blocks)
        for piece in stream_apart(self._target.stream(loop.messages, stop=stop, **kwargs)):
            if (chunk := flow.add(piece)) is not None:
                yield notify(run_manager, chunk)
        read = flow.finish()
        answer = self._accept_or_repair(loop, flow.message, read)
        while answer is None:
            reply = run_apart(partial(self._target.invoke, loop.messages, stop=stop, **kwargs))
            answer = self._accept_or_repair(loop, reply, self._read(loop, reply))
        yield notify(run_manager, flow.final_chunk(answer, read, repaired=loop.repairs > 0))

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        loop = self._start_loop(messages)
        flow = _Flow(loop.rules, thinking=self.thinking, keeps_blocks=self.keeps_blocks)
        async for piece in astream_apart(self._target.astream(loop.messages, stop=stop, **kwargs)):
            if (chunk := flow.add(piece)) is not None:
                yield await anotify(run_manager, chunk)
        read = flow.finish()
        answer = self._accept_or_repair(loop, flow.message, read)
        while answer is None:
            reply = await arun_apart(partial(self._target.ainvoke, loop.messages, stop=stop, **kwargs))
            answer = self._accept_or_repair(loop, reply, self._read(loop, reply))
        yield await anotify(run_manager, flow.final_chunk(answer, read, repaired=loop.repairs > 0))

    def _start_loop(self, messages: Sequence[BaseMessage]) -> RepairLoop:
        said = next((one.text for one in reversed(messages) if isinstance(one, HumanMessage)), "")
        language = language_of(said) if self.language == "auto" else self.language
        return RepairLoop(self._to_prompt(messages, language), language, self._reading_rules(messages))

    def _read(self, loop: RepairLoop, reply: AIMessage) -> TextReply:
        if self.keeps_blocks and isinstance(reply.content, list):
            return TextReply(reply.text)
        stream = ReplyStream(loop.rules, thinking=self.thinking or begins_in_thought(reply.text))
        stream.add(reply.text)
        return stream.finish()

    def _accept_or_repair(self, loop: RepairLoop, reply: AIMessage, read: TextReply) -> AIMessage | None:
        """Message to return, or None if the model is asked to repair its reply."""
        loop.usage = add_usage(loop.usage, reply.usage_metadata) if reply.usage_metadata else loop.usage
        problem = None if reply.tool_calls else self._find_problem(read)
        if problem is not None and loop.repairs < self.repairs:
            loop.repair(reply, problem)
            return None
        metadata = dict(reply.response_metadata)
        text = read.text
        if problem is not None:
            text = format_repair_failure(problem, loop.repairs, loop.language)
            failure = {"code": problem.code, "message": problem.message, "reply": reply.text[:2000]}
            metadata["metier"] = {"problem": failure, "repairs": loop.repairs}
        elif loop.repairs:
            metadata["metier"] = {"repairs": loop.repairs}
        changed: dict[str, Any] = {"usage_metadata": loop.usage, "response_metadata": metadata}
        if not (self.keeps_blocks and isinstance(reply.content, list)):
            changed |= {"content": text}
        return _to_message(reply, read, changed)


def quoted_texts(messages: Sequence[BaseMessage]) -> tuple[str, ...]:
    """Texts of users and tools: a call that stands in one of them is not the model's."""
    return tuple(one.text for one in messages if isinstance(one, HumanMessage | ToolMessage))


def new_call_id() -> str:
    """Id of a call that was read from text."""
    return f"call-{random_id()[:12]}"


@dataclass(slots=True)
class _Flow:
    """A streamed reply: prose is passed on at once, a possible call is held back, native calls pass through."""

    rules: ReadingRules
    thinking: bool = False
    keeps_blocks: bool = False
    _stream: ReplyStream = field(init=False)
    _parts: list[AIMessageChunk] = field(default_factory=list)
    _whole: AIMessage | None = None
    _reasoning_chars: int = 0
    _shown: bool = False

    def __post_init__(self) -> None:
        self._stream = ReplyStream(self.rules, thinking=self.thinking)

    def add(self, piece: AIMessageChunk | AIMessage) -> ChatGenerationChunk | None:
        """Add a chunk; returns the chunk to pass on now, if any."""
        chunk = piece if isinstance(piece, AIMessageChunk) else AIMessageChunk(**_fields_of(piece))
        self._parts.append(chunk)
        if self.keeps_blocks and isinstance(chunk.content, list):
            return ChatGenerationChunk(message=chunk)
        text = self._stream.add(chunk.text)
        self._shown = self._shown or bool(text.strip())
        more = {**chunk.additional_kwargs, **self._take_reasoning(chunk)}
        if not (text or more or chunk.tool_call_chunks or chunk.usage_metadata or chunk.response_metadata):
            return None
        message = AIMessageChunk(**{**_fields_of(chunk), "content": text, "additional_kwargs": more})
        return ChatGenerationChunk(message=message)

    def finish(self) -> TextReply:
        return self._stream.finish()

    @property
    def message(self) -> AIMessage:
        """The whole reply as the wrapped model gave it, when all of it has arrived."""
        if self._whole is None:
            first, *others = self._parts or [AIMessageChunk(content="")]
            whole = add_ai_message_chunks(first, *others)
            text = "".join(part.text for part in self._parts)
            self._whole = AIMessage(
                text,
                tool_calls=whole.tool_calls,
                additional_kwargs=whole.additional_kwargs,
                usage_metadata=whole.usage_metadata,
                response_metadata=whole.response_metadata,
            )
        return self._whole

    def final_chunk(self, answer: AIMessage, read: TextReply, *, repaired: bool) -> ChatGenerationChunk:
        """Last chunk: held text that turned out to be prose, or the calls, or what replaces them."""
        text, calls = read.rest, answer.tool_calls if read.calls else []
        if repaired or "problem" in answer.response_metadata.get("metier", {}):
            text, calls = f"\n{answer.text}" if self._shown and answer.text else answer.text, answer.tool_calls
        message = AIMessageChunk(
            content=text,
            tool_call_chunks=to_call_chunks(calls),
            usage_metadata=self._usage_of_repairs(answer),
            response_metadata={"metier": ours} if (ours := answer.response_metadata.get("metier")) else {},
            additional_kwargs=self._rest_of_reasoning(read),
        )
        return ChatGenerationChunk(message=message)

    def _take_reasoning(self, chunk: AIMessageChunk) -> dict[str, Any]:
        new = self._stream.take_reasoning()
        self._reasoning_chars += len(new)
        given = chunk.additional_kwargs.get(REASONING)
        return {REASONING: (given if isinstance(given, str) else "") + new} if new else {}

    def _rest_of_reasoning(self, read: TextReply) -> dict[str, Any]:
        rest = read.reasoning[self._reasoning_chars :]
        return {REASONING: rest} if rest else {}

    def _usage_of_repairs(self, answer: AIMessage) -> UsageMetadata | None:
        """Tokens beyond those that the streamed chunks have reported already: chunks are added up."""
        total, streamed = answer.usage_metadata, self.message.usage_metadata
        if total is None or streamed is None:
            return total
        inside = total["input_tokens"] - streamed["input_tokens"]
        outside = total["output_tokens"] - streamed["output_tokens"]
        if not inside and not outside:
            return None
        return UsageMetadata(input_tokens=inside, output_tokens=outside, total_tokens=inside + outside)


def to_call_chunks(calls: Sequence[ToolCall]) -> list[ToolCallChunk]:
    """Complete calls as chunks of a stream."""
    return [
        tool_call_chunk(name=one["name"], args=json.dumps(one["args"], ensure_ascii=False), id=one["id"], index=number)
        for number, one in enumerate(calls)
    ]


def _to_message(reply: AIMessage, read: TextReply, changed: dict[str, Any]) -> AIMessage:
    if not reply.tool_calls:
        changed["tool_calls"] = [
            ToolCall(name=one.name, args=dict(one.arguments), id=one.id, type="tool_call") for one in read.calls
        ]
    if read.reasoning:
        given = reply.additional_kwargs.get(REASONING)
        whole = (given if isinstance(given, str) else "") + read.reasoning
        changed["additional_kwargs"] = {**reply.additional_kwargs, REASONING: whole}
    return AIMessage(**{**_fields_of(reply), **changed})


def _fields_of(message: AIMessage) -> dict[str, Any]:
    names = ("content", "additional_kwargs", "response_metadata", "usage_metadata", "id", "name")
    calls = ("tool_call_chunks",) if isinstance(message, AIMessageChunk) else ("tool_calls", "invalid_tool_calls")
    return {name: getattr(message, name) for name in (*names, *calls)}
