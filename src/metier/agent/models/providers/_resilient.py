"""Chat model with retries, timeouts, a fallback model, and an end to endless output."""

import asyncio
import json
import random
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, TypeVar

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import LanguageModelInput
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from pydantic import PrivateAttr
from tenacity import AsyncRetrying, RetryCallState, Retrying, retry_if_exception

from metier.agent.adapters import MAX_OUTPUT_CHARS
from metier.agent.models._output_guard import OutputGuard
from metier.agent.models._wrapping import (
    WrappingModel,
    anotify,
    arun_apart,
    astream_apart,
    notify,
    run_apart,
    stream_apart,
)
from metier.agent.models.providers._errors import ProviderFailure, classify, final_error
from metier.agent.models.providers._wire_tools import to_wire_tools
from metier.errors import MetierError

T = TypeVar("T")
_INTERRUPTED: Final = "\n[…]"


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Retry policy of a model call. Random, sleep and async sleep are parameters, so tests do not wait.

    `attempts` is per model, the first one included. Before each further attempt there is a random wait, at most
    `initial_wait_s` doubled each time and never above `max_wait_s`; Retry-After is honoured up to `max_retry_after_s`,
    beyond it the next model is tried. `timeout_s` is for a whole reply, or for the gap between two streamed chunks.
    """

    attempts: int = 3
    initial_wait_s: float = 0.5
    max_wait_s: float = 20.0
    max_retry_after_s: float = 60.0
    timeout_s: float = 120.0
    jitter: Callable[[], float] = random.random
    sleep: Callable[[float], None] = time.sleep
    async_sleep: Callable[[float], Awaitable[None]] = asyncio.sleep


@dataclass(slots=True)
class _Attempts:
    """Attempts of one question across all models. Tenacity catches and waits; this class decides."""

    retries: RetryPolicy
    model_count: int
    model_index: int = 0
    tries: int = 0
    sent: bool = False
    over: bool = False
    wait_s: float = 0.0
    failures: list[ProviderFailure] = field(default_factory=list)

    def record_failure(self, state: RetryCallState) -> None:
        error = state.outcome.exception() if state.outcome else None
        trouble = classify(error or RuntimeError("no outcome"))
        self.failures.append(trouble)
        self.tries += 1
        asked = trouble.retry_after_s or 0.0
        again = trouble.transient and self.tries < self.retries.attempts and asked <= self.retries.max_retry_after_s
        if self.sent:  # what was sent cannot be taken back
            self.over = True
        elif again:
            most = min(self.retries.max_wait_s, self.retries.initial_wait_s * 2 ** (self.tries - 1))
            self.wait_s = max(asked, most * self.retries.jitter())
        else:
            self.model_index, self.tries, self.wait_s = self.model_index + 1, 0, 0.0
            self.over = self.model_index >= self.model_count

    def options(self) -> dict[str, Any]:
        return {
            "retry": retry_if_exception(_is_provider_error),
            "after": self.record_failure,
            "wait": lambda state: self.wait_s,
            "stop": lambda state: self.over,
            "retry_error_callback": lambda state: None,
        }

    def metadata(self) -> dict[str, Any]:
        """Response metadata of a reply that took more than one attempt."""
        if not self.failures:
            return {}
        attempts = len(self.failures) + (not self.over)
        return {"metier": {"attempts": attempts, "fallback": self.model_index > 0, "model": self.model_index}}


def _is_provider_error(error: BaseException) -> bool:
    return isinstance(error, Exception) and not isinstance(error, MetierError)


class ResilientModel(WrappingModel):
    """Wraps one chat model, or one and its fallbacks.

    A call that fails for a transient reason is retried; then the next model is tried; then a Metier error is raised. A
    stream that breaks off keeps what was sent and says so in `response_metadata["metier"]`; an incomplete tool call is
    dropped, never run. A stream that repeats itself or never ends is abandoned.
    """

    models: tuple[BaseChatModel, ...]
    names: tuple[str, ...] = ()
    retries: RetryPolicy = RetryPolicy()
    max_chars: int = MAX_OUTPUT_CHARS
    _bound: tuple[Runnable[LanguageModelInput, AIMessage], ...] = PrivateAttr(default=())

    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        *,
        tool_choice: str | None = None,
        **kwargs: Any,
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Return the same models, each with these tools."""
        bound = self.model_copy()
        sent = to_wire_tools(tools)
        bound._bound = tuple(model.bind_tools(sent, tool_choice=tool_choice, **kwargs) for model in self.models)
        return bound

    def answered_by(self, reply: AIMessage | None) -> BaseChatModel | str:
        """Name of the model, or of the fallback that answered; the model itself if it has no name."""
        ours = reply.response_metadata.get("metier") if reply is not None else None
        at = ours.get("model", 0) if isinstance(ours, dict) else 0
        return self.names[at] if at < len(self.names) else self.models[at]

    @property
    def _llm_type(self) -> str:
        return f"metier-steady-{self.models[0]._llm_type}"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        course = self._new_attempts()
        reply: AIMessage | None = None
        for attempt in Retrying(sleep=self.retries.sleep, **course.options()):
            with attempt:
                model = self._current_model(course)
                reply = run_apart(partial(model.invoke, messages, stop=stop, **kwargs))
        return self._build_result(course, reply)

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        course = self._new_attempts()
        reply: AIMessage | None = None
        async for attempt in AsyncRetrying(sleep=self.retries.async_sleep, **course.options()):
            with attempt:
                model = self._current_model(course)
                async with asyncio.timeout(self.retries.timeout_s):
                    reply = await arun_apart(partial(model.ainvoke, messages, stop=stop, **kwargs))
        return self._build_result(course, reply)

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        course = self._new_attempts()
        for attempt in Retrying(sleep=self.retries.sleep, **course.options()):
            flow = _Buffer(self.max_chars)
            with attempt:
                for piece in stream_apart(self._current_model(course).stream(messages, stop=stop, **kwargs)):
                    if (chunk := flow.add(piece)) is not None:
                        course.sent = True
                        yield notify(run_manager, chunk)
                    if flow.full:
                        break
                for chunk in flow.held_chunks():
                    yield notify(run_manager, chunk)
        if (last := self._final_chunk(course)) is not None:
            yield notify(run_manager, last)

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        course = self._new_attempts()
        async for attempt in AsyncRetrying(sleep=self.retries.async_sleep, **course.options()):
            flow = _Buffer(self.max_chars)
            with attempt:
                pieces = astream_apart(self._current_model(course).astream(messages, stop=stop, **kwargs))
                async with aclosing(_with_gap_timeout(pieces, self.retries.timeout_s)) as timed:
                    async for piece in timed:
                        if (chunk := flow.add(piece)) is not None:
                            course.sent = True
                            yield await anotify(run_manager, chunk)
                        if flow.full:
                            break
                for chunk in flow.held_chunks():
                    yield await anotify(run_manager, chunk)
        if (last := self._final_chunk(course)) is not None:
            yield await anotify(run_manager, last)

    def _new_attempts(self) -> _Attempts:
        return _Attempts(self.retries, len(self.models))

    def _current_model(self, course: _Attempts) -> Runnable[LanguageModelInput, Any]:
        return self._bound[course.model_index] if self._bound else self.models[course.model_index]

    def _build_result(self, course: _Attempts, reply: AIMessage | None) -> ChatResult:
        if course.over or reply is None:
            raise self._build_error(course)
        metadata = {**reply.response_metadata, **course.metadata()}
        told = reply.model_copy(update={"response_metadata": metadata})
        return ChatResult(generations=[ChatGeneration(message=told)])

    def _final_chunk(self, course: _Attempts) -> ChatGenerationChunk | None:
        """Last chunk of a stream that had failures, if one is needed; raises if nothing was sent."""
        if course.over and not course.sent:
            raise self._build_error(course)
        if course.over:
            why = final_error(course.failures[-1], self._model_name(course.model_index), len(course.failures))
            marked = {"metier": {"interrupted": why.code, "message": why.message}}
            return _generation_chunk(AIMessageChunk(content=_INTERRUPTED, response_metadata=marked))
        return (
            _generation_chunk(AIMessageChunk(content="", response_metadata=course.metadata()))
            if course.failures
            else None
        )

    def _build_error(self, course: _Attempts) -> MetierError:
        trouble = course.failures[-1]
        error = final_error(trouble, self._model_name(len(self.models) - 1), len(course.failures))
        error.__cause__ = trouble.error
        return error

    def _model_name(self, at: int) -> str:
        return self.names[at] if at < len(self.names) else self.models[at]._llm_type


class _Buffer:
    """Buffer of a streamed reply: text is passed on at once, tool calls only when the reply is complete."""

    def __init__(self, max_chars: int) -> None:
        self._guard = OutputGuard(max_chars)
        self._held: list[AIMessageChunk] = []
        self.full = False

    def add(self, piece: AIMessageChunk | AIMessage) -> ChatGenerationChunk | None:
        chunk = piece if isinstance(piece, AIMessageChunk) else _to_chunk(piece)
        if chunk.tool_call_chunks or not chunk.text:
            self._held.append(chunk)
            return None
        self.full = self._guard.add(chunk.text)
        return _generation_chunk(chunk)

    def held_chunks(self) -> list[ChatGenerationChunk]:
        return [] if self.full else [_generation_chunk(chunk) for chunk in self._held]


def _to_chunk(message: AIMessage) -> AIMessageChunk:
    """A whole reply as one chunk, for a model that does not stream."""
    calls = [
        tool_call_chunk(name=one["name"], args=json.dumps(one["args"], ensure_ascii=False), id=one["id"], index=at)
        for at, one in enumerate(message.tool_calls)
    ]
    return AIMessageChunk(
        content=message.content,
        tool_call_chunks=calls,
        usage_metadata=message.usage_metadata,
        response_metadata=message.response_metadata,
    )


async def _with_gap_timeout(pieces: AsyncGenerator[T, None], gap_s: float) -> AsyncGenerator[T, None]:
    """Yield the chunks with a timeout for each gap: a slow reply may take long, a stalled one may not."""
    async with aclosing(pieces):
        while True:
            try:
                async with asyncio.timeout(gap_s):
                    piece = await anext(pieces)
            except StopAsyncIteration:
                return
            yield piece


def _generation_chunk(message: AIMessageChunk) -> ChatGenerationChunk:
    return ChatGenerationChunk(message=message)
