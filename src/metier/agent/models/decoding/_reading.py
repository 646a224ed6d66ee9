"""Shared by the models that read calls from text: one reply, its repairs, and its stream."""

import re
from abc import abstractmethod
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar, Final, Literal

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import LanguageModelInput
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolCall, ToolMessage
from langchain_core.messages.ai import UsageMetadata, add_usage
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
from metier.agent.models.decoding._flow import ReplyFlow, RestoreArguments, TextStream, fields_of
from metier.agent.models.providers import METIER, REASONING
from metier.clock import random_id
from metier.json_values import to_plain_json
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
_DEMANDS: Final[Mapping[str, str | None]] = MappingProxyType({"auto": None, "none": None, "any": "", "required": ""})
_MAX_REPAIRED_CHARS: Final = 4000
_MAX_ESCAPES: Final = 2
_ESCAPE: Final = re.compile(r'\\(["\\/nrt])')
_ESCAPED: Final[Mapping[str, str]] = MappingProxyType({"n": "\n", "r": "\r", "t": "\t"})


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

    def _new_stream(self, rules: ReadingRules, thinking: bool) -> TextStream:
        """Reader of one reply."""
        return ReplyStream(rules, thinking=thinking)

    def _find_problem(self, read: TextReply) -> TextProblem | None:
        """Problem that the model is asked to repair."""
        return read.problem

    @property
    def _restore(self) -> RestoreArguments | None:
        """What turns the arguments of a native call into those that the tool wants; None if they are the same."""
        return None

    @property
    def _target(self) -> Runnable[LanguageModelInput, AIMessage]:
        return self.model

    @property
    def wrapped(self) -> BaseChatModel:
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
        flow = ReplyFlow(self._new_stream(loop.rules, self.thinking), self._restore, self.keeps_blocks)
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
        flow = ReplyFlow(self._new_stream(loop.rules, self.thinking), self._restore, self.keeps_blocks)
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
        stream = self._new_stream(loop.rules, self.thinking or begins_in_thought(reply.text))
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
            metadata[METIER] = {**metadata.get(METIER, {}), "problem": failure, "repairs": loop.repairs}
        elif loop.repairs:
            metadata[METIER] = {**metadata.get(METIER, {}), "repairs": loop.repairs}
        changed: dict[str, Any] = {"usage_metadata": loop.usage, "response_metadata": metadata}
        if not (self.keeps_blocks and isinstance(reply.content, list)):
            changed |= {"content": text}
        if (restore := self._restore) is not None:
            calls = [{**one, "args": to_plain_json(restore(one["name"], one["args"]))} for one in reply.tool_calls]
            changed["tool_calls"] = calls
        return _to_message(reply, read, changed)


def demanded_tool(tool_choice: str | None) -> str | None:
    """Tool that must be called by a `tool_choice`: None if none must, empty if any must."""
    return _DEMANDS.get(tool_choice or "auto", tool_choice)


def find_missing_call(read: TextReply, must: str | None, offered: Iterable[str]) -> TextProblem | None:
    """Problem of the reply, or that a call was demanded and is not there."""
    if must is None or read.problem is not None or (read.call and must in ("", read.call.name)):
        return read.problem
    return TextProblem("no_call", {"wanted": must or " / ".join(offered)})


def quoted_texts(messages: Sequence[BaseMessage]) -> tuple[str, ...]:
    """Texts of users and tools: a call that stands in one of them is not the model's.

    A tool's result is JSON, and what it read may be JSON again: such a text is given with and without its escapes.
    """
    texts = (one.text for one in messages if isinstance(one, HumanMessage | ToolMessage))
    return tuple(form for text in texts for form in _list_forms(text))


def _list_forms(text: str) -> Iterator[str]:
    yield text
    for _ in range(_MAX_ESCAPES):
        if "\\" not in text:
            return
        text = _ESCAPE.sub(lambda found: _ESCAPED.get(found[1], found[1]), text)
        yield text


def new_call_id() -> str:
    """Id of a call that was read from text."""
    return f"call-{random_id()[:12]}"


def _to_message(reply: AIMessage, read: TextReply, changed: dict[str, Any]) -> AIMessage:
    if not reply.tool_calls:
        changed["tool_calls"] = [
            ToolCall(name=one.name, args=dict(one.arguments), id=one.id, type="tool_call") for one in read.calls
        ]
    if read.reasoning:
        given = reply.additional_kwargs.get(REASONING)
        whole = (given if isinstance(given, str) else "") + read.reasoning
        changed["additional_kwargs"] = {**reply.additional_kwargs, REASONING: whole}
    return AIMessage(**{**fields_of(reply), **changed})
