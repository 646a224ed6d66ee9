"""Chat model with retries, timeouts, a fallback model, and an end to endless output."""

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing
from functools import partial
from types import MappingProxyType
from typing import Any, Final, TypeVar

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import LanguageModelInput
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from pydantic import PrivateAttr
from tenacity import AsyncRetrying, Retrying

from metier.agent.adapters import MAX_OUTPUT_CHARS
from metier.agent.models._wrapping import (
    WrappingModel,
    anotify,
    arun_apart,
    astream_apart,
    notify,
    run_apart,
    stream_apart,
)
from metier.agent.models.providers._attempts import Attempts, RetryPolicy
from metier.agent.models.providers._clients import (
    find_address,
    find_model_id,
    find_provider,
    find_secrets,
    key_variables,
)
from metier.agent.models.providers._errors import AskedModel, Quirk, final_error
from metier.agent.models.providers._incoming import IncomingReply
from metier.agent.models.providers._reply_end import METIER
from metier.agent.models.providers._thinking import restore_provider_replies
from metier.agent.models.providers._wire_tools import to_wire_tools
from metier.errors import MetierError

T = TypeVar("T")
# Providers whose streams always say how they ended: without it, the connection broke off.
_SAY_THEIR_END: Final = frozenset({"anthropic", "azure_openai", "google_genai", "ollama", "openai"})
# Arguments that keep a client from streaming where it does so by itself.
_NOT_STREAMED: Final[Mapping[str, dict[str, Any]]] = MappingProxyType({"ollama": {"stream": False}})


class ResilientModel(WrappingModel):
    """Wraps one chat model, or one and its fallbacks.

    A call that fails for a transient reason is retried; then the next model is tried; then a Metier error is raised. A
    stream that breaks off keeps the text that was sent; a tool call runs only if its reply is complete. How a reply
    ended is in `response_metadata["metier"]`. A stream that repeats itself or never ends is abandoned. An endpoint
    that cannot stream, or not report usage, is asked without it from then on.
    """

    models: tuple[BaseChatModel, ...]
    names: tuple[str, ...] = ()
    key_sources: tuple[str, ...] = ()
    retries: RetryPolicy = RetryPolicy()
    max_chars: int = MAX_OUTPUT_CHARS
    _bound: tuple[Runnable[LanguageModelInput, AIMessage], ...] = PrivateAttr(default=())
    _quirks: dict[int, set[Quirk]] = PrivateAttr(default_factory=dict)  # shared with copies that have tools
    _ids: dict[int, str] = PrivateAttr(default_factory=dict)  # this too

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

    @property
    def wrapped(self) -> BaseChatModel:
        return self.models[0]

    def find_answering_model(self, reply: AIMessage | None) -> BaseChatModel | str:
        """Name of the model, or of the fallback that answered; the model itself if it has no name."""
        ours = reply.response_metadata.get(METIER) if reply is not None else None
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
        reply = self._new_reply(course)
        for attempt in Retrying(sleep=self.retries.sleep, **course.options()):
            with attempt:
                reply = self._new_reply(course)
                reply.add(self._invoke(course, messages, {"stop": stop, **kwargs}))
        return self._build_result(course, reply)

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        course = self._new_attempts()
        reply = self._new_reply(course)
        async for attempt in AsyncRetrying(sleep=self.retries.async_sleep, **course.options()):
            with attempt:
                reply = self._new_reply(course)
                reply.add(await self._ainvoke(course, messages, {"stop": stop, **kwargs}))
        return self._build_result(course, reply)

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        course = self._new_attempts()
        reply = self._new_reply(course)
        for attempt in Retrying(sleep=self.retries.sleep, **course.options()):
            with attempt:
                reply = self._new_reply(course, streamed=True)
                for piece in self._pieces(course, messages, {"stop": stop, **kwargs}):
                    if (chunk := reply.add(piece)) is not None:
                        course.sent, course.has_reasoned = reply.has_text, course.has_reasoned or reply.has_reasoned
                        yield notify(run_manager, _generation_chunk(chunk))
                    if reply.is_over:
                        break
        yield notify(run_manager, _generation_chunk(self._final_chunk(course, reply)))

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        course = self._new_attempts()
        reply = self._new_reply(course)
        async for attempt in AsyncRetrying(sleep=self.retries.async_sleep, **course.options()):
            with attempt:
                reply = self._new_reply(course, streamed=True)
                async with aclosing(self._apieces(course, messages, {"stop": stop, **kwargs})) as pieces:
                    async for piece in pieces:
                        if (chunk := reply.add(piece)) is not None:
                            course.sent, course.has_reasoned = reply.has_text, course.has_reasoned or reply.has_reasoned
                            yield await anotify(run_manager, _generation_chunk(chunk))
                        if reply.is_over:
                            break
        yield await anotify(run_manager, _generation_chunk(self._final_chunk(course, reply)))

    def _invoke(self, course: Attempts, messages: list[BaseMessage], options: dict[str, Any]) -> AIMessage:
        sent = self._to_sent(course, messages)
        reply: AIMessage = run_apart(partial(self._current_model(course).invoke, sent, **options))
        return reply

    async def _ainvoke(self, course: Attempts, messages: list[BaseMessage], options: dict[str, Any]) -> AIMessage:
        sent = self._to_sent(course, messages)
        async with self.retries.timeout(self.retries.timeout_s):
            return await arun_apart(partial(self._current_model(course).ainvoke, sent, **options))

    def _pieces(
        self, course: Attempts, messages: list[BaseMessage], options: dict[str, Any]
    ) -> Iterator[AIMessage | AIMessageChunk]:
        """The reply in pieces; in one, if the endpoint does not stream."""
        if course.has_quirk("no_stream"):
            yield self._invoke(course, messages, {**options, **_NOT_STREAMED.get(self._provider(course), {})})
            return
        sent = self._to_sent(course, messages)
        yield from stream_apart(self._current_model(course).stream(sent, **_stream_options(course, options)))

    async def _apieces(
        self, course: Attempts, messages: list[BaseMessage], options: dict[str, Any]
    ) -> AsyncGenerator[AIMessage | AIMessageChunk, None]:
        """The reply in pieces; in one, if the endpoint does not stream."""
        if course.has_quirk("no_stream"):
            yield await self._ainvoke(course, messages, {**options, **_NOT_STREAMED.get(self._provider(course), {})})
            return
        sent = self._to_sent(course, messages)
        pieces = astream_apart(self._current_model(course).astream(sent, **_stream_options(course, options)))
        async with aclosing(_with_gap_timeout(pieces, self.retries)) as timed:
            async for piece in timed:
                yield piece

    def _new_attempts(self) -> Attempts:
        return Attempts(self.retries, len(self.models), self._quirks)

    def _new_reply(self, course: Attempts, *, streamed: bool = False) -> IncomingReply:
        """Reply to read; one that is streamed in this attempt must say its end, if its provider always does."""
        says_end = streamed and not course.has_quirk("no_stream") and self._provider(course) in _SAY_THEIR_END
        reply = IncomingReply(self.max_chars, model=self._model_id(course), says_end=says_end)
        reply.separates_reasoning = course.has_reasoned
        return reply

    def _to_sent(self, course: Attempts, messages: list[BaseMessage]) -> list[BaseMessage]:
        takes_reasoning = not course.has_quirk("no_reasoning")
        return restore_provider_replies(messages, self._model_id(course), reasoning=takes_reasoning)

    def _provider(self, course: Attempts) -> str:
        return find_provider(self.models[course.model_index])

    def _model_id(self, course: Attempts) -> str:
        at = min(course.model_index, len(self.models) - 1)
        if at not in self._ids:
            self._ids[at] = find_model_id(self.models[at])
        return self._ids[at]

    def _current_model(self, course: Attempts) -> Runnable[LanguageModelInput, Any]:
        return self._bound[course.model_index] if self._bound else self.models[course.model_index]

    def _build_result(self, course: Attempts, reply: IncomingReply) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=reply.to_message(self._final_chunk(course, reply)))])

    def _final_chunk(self, course: Attempts, reply: IncomingReply) -> AIMessageChunk:
        """Last chunk of a reply; raises if there is none."""
        if not course.over:
            course.keep_quirks()
            return reply.finish(course.metadata())
        if not course.sent:
            raise self._build_error(course)
        why = self._build_error(course)
        return reply.finish({**course.metadata(), "interrupted": why.code, "message": why.message}, broken=True)

    def _build_error(self, course: Attempts) -> MetierError:
        trouble = course.failures[-1]
        at = min(course.model_index, len(self.models) - 1)
        model = self.models[at]
        name = self.names[at] if at < len(self.names) else model._llm_type
        provider = find_provider(model)
        source = self.key_sources[at] if at < len(self.key_sources) else ""
        variables = (source,) if source else ("METIER_API_KEY", *key_variables(provider))
        asked = AskedModel(name, find_address(model), variables, self.retries.timeout_s, find_secrets(model))
        error = final_error(trouble, asked, len(course.failures))
        error.__cause__ = trouble.error
        return error


def _stream_options(course: Attempts, options: dict[str, Any]) -> dict[str, Any]:
    return {**options, "stream_usage": False} if course.has_quirk("no_usage_option") else options


async def _with_gap_timeout(pieces: AsyncGenerator[T, None], retries: RetryPolicy) -> AsyncGenerator[T, None]:
    """Yield the chunks with a timeout for each gap: a slow reply may take long, a stalled one may not."""
    async with aclosing(pieces):
        while True:
            try:
                async with retries.timeout(retries.timeout_s):
                    piece = await anext(pieces)
            except StopAsyncIteration:
                return
            yield piece


def _generation_chunk(message: AIMessageChunk) -> ChatGenerationChunk:
    return ChatGenerationChunk(message=message)
