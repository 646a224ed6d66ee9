"""Chat model that gives scripted replies and records its prompts."""

import json
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Self

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import LanguageModelInput
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, ToolCall
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import PrivateAttr

from metier.errors import UsageError
from metier.json_values import JsonValue

_REASONING: Final = "reasoning_content"  # where LangChain's clients of providers put reasoning


@dataclass(frozen=True, slots=True)
class Prompt:
    """One request to the model: messages, names of the offered tools, tool choice, and the tools as they were sent."""

    messages: tuple[BaseMessage, ...]
    tools: tuple[str, ...] = ()
    tool_choice: str | None = None
    definitions: tuple[Mapping[str, JsonValue], ...] = ()

    @property
    def system(self) -> str:
        """Text of the system messages."""
        return "\n".join(message.text for message in self.messages if message.type == "system")

    @property
    def last(self) -> str:
        """Text of the last message."""
        return self.messages[-1].text if self.messages else ""


@dataclass(frozen=True, slots=True)
class _Reply:
    pieces: tuple[str, ...] = ()
    reasoning: tuple[str, ...] = ()
    calls: tuple[tuple[str, Mapping[str, JsonValue]], ...] = ()
    error: BaseException | None = None


@dataclass(slots=True)
class _Script:
    """Remaining replies and recorded prompts, shared by a model and its bindings."""

    replies: deque[_Reply] = field(default_factory=deque)
    prompts: list[Prompt] = field(default_factory=list)
    calls_made: int = 0
    reasoning: tuple[str, ...] = ()


class FakeModel(BaseChatModel):
    """Chat model that gives scripted replies in order and records its prompts."""

    _script: _Script = PrivateAttr(default_factory=_Script)

    def think(self, *pieces: str) -> Self:
        """Give the next reply of the script reasoning, which comes before its text and its calls."""
        self._script.reasoning = pieces
        return self

    def say(self, *pieces: str) -> Self:
        """Reply with text; several pieces arrive one by one when the reply is streamed."""
        return self._add(_Reply(pieces=pieces))

    def call(self, tool: str, /, **arguments: JsonValue) -> Self:
        """Reply with one tool call."""
        return self.calls((tool, arguments))

    def calls(self, *calls: tuple[str, Mapping[str, JsonValue]], text: str = "") -> Self:
        """Reply with several tool calls in one message, optionally with text."""
        return self._add(_Reply(pieces=(text,) if text else (), calls=calls))

    def fail(self, error: BaseException) -> Self:
        """Raise this error, like a provider that is down."""
        return self._add(_Reply(error=error))

    @property
    def prompts(self) -> tuple[Prompt, ...]:
        """All prompts that the model has received so far."""
        return tuple(self._script.prompts)

    @property
    def replies_left(self) -> int:
        """Number of replies not used yet."""
        return len(self._script.replies)

    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        *,
        tool_choice: str | None = None,
        **kwargs: Any,
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Return a binding with these tools, as the models of providers do; the script is shared."""
        offered = [convert_to_openai_tool(tool) for tool in tools]
        return self.bind(tools=offered, **({"tool_choice": tool_choice} if tool_choice else {}), **kwargs)

    @property
    def _llm_type(self) -> str:
        return "metier-fake"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        reply = self._next_reply(messages, kwargs)
        thought = {_REASONING: "".join(reply.reasoning)} if reply.reasoning else {}
        message = AIMessage("".join(reply.pieces), tool_calls=self._number_calls(reply), additional_kwargs=thought)
        return ChatResult(generations=[ChatGeneration(message=message)])

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return self._generate(messages, **kwargs)

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        for chunk in self._chunks(messages, kwargs):
            if run_manager:
                run_manager.on_llm_new_token(chunk.text, chunk=chunk)
            yield chunk

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        for chunk in self._chunks(messages, kwargs):
            if run_manager:
                await run_manager.on_llm_new_token(chunk.text, chunk=chunk)
            yield chunk

    def _chunks(self, messages: list[BaseMessage], options: Mapping[str, Any]) -> list[ChatGenerationChunk]:
        reply = self._next_reply(messages, options)
        chunks = [AIMessageChunk(content="", additional_kwargs={_REASONING: piece}) for piece in reply.reasoning]
        chunks += [AIMessageChunk(content=piece) for piece in reply.pieces]
        for number, one in enumerate(self._number_calls(reply)):
            arguments = json.dumps(one["args"], ensure_ascii=False)
            part = tool_call_chunk(name=one["name"], args=arguments, id=one["id"], index=number)
            chunks.append(AIMessageChunk(content="", tool_call_chunks=[part]))
        return [ChatGenerationChunk(message=chunk) for chunk in chunks or [AIMessageChunk(content="")]]

    def _number_calls(self, reply: _Reply) -> list[ToolCall]:
        made: list[ToolCall] = []
        for name, arguments in reply.calls:
            self._script.calls_made += 1
            made.append(
                ToolCall(name=name, args=dict(arguments), id=f"call-{self._script.calls_made}", type="tool_call")
            )
        return made

    def _next_reply(self, messages: Sequence[BaseMessage], options: Mapping[str, Any]) -> _Reply:
        tools = tuple(tool["function"] for tool in options.get("tools", ()))
        names = tuple(str(tool["name"]) for tool in tools)
        self._script.prompts.append(Prompt(tuple(messages), names, options.get("tool_choice"), tools))
        if not self._script.replies:
            last = self._script.prompts[-1].last[:120]
            raise UsageError(
                f"the fake model has no reply left; it was asked {last!r}",
                hint="add a .say(…) or a .call(…) to its script",
            )
        reply = self._script.replies.popleft()
        if reply.error is not None:
            raise reply.error
        return reply

    def _add(self, reply: _Reply) -> Self:
        self._script.replies.append(replace(reply, reasoning=self._script.reasoning))
        self._script.reasoning = ()
        return self
