"""Chat model of the bench that keeps what it was asked and what it said, for the measures."""

from abc import abstractmethod
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import LanguageModelInput
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import PrivateAttr

from metier.errors import UsageError
from metier.json_values import JsonObject
from metier.packs.workspace.dispatch._tasks import DispatchTask
from metier.packs.workspace.dispatch._view import RequestView, read_request


@dataclass(frozen=True, slots=True)
class ModelReply:
    """What the model says: a call or a text."""

    tool: str = ""
    arguments: JsonObject = field(default_factory=dict)
    text: str = ""


@dataclass(frozen=True, slots=True)
class RunKey:
    """What runs: the task, the seed of chance, and how often a reply errs."""

    task: DispatchTask
    seed: int = 0
    rate: float = 0.0


@dataclass(slots=True)
class _RunTape:
    run: RunKey | None = None
    views: list[RequestView] = field(default_factory=list)
    replies: list[ModelReply] = field(default_factory=list)


class TapedModel(BaseChatModel):
    """Chat model that records its requests as it sees them, and its replies."""

    _tape: _RunTape = PrivateAttr(default_factory=_RunTape)

    def begin(self, run: RunKey) -> None:
        """Start a run: the next reply is the first."""
        self._tape.run = run
        self._tape.views.clear()
        self._tape.replies.clear()

    @property
    def run_key(self) -> RunKey:
        """The run that was begun."""
        if self._tape.run is None:
            raise UsageError("no run was begun", hint="call begin first")
        return self._tape.run

    @property
    def views(self) -> tuple[RequestView, ...]:
        """Requests since `begin`."""
        return tuple(self._tape.views)

    @property
    def replies(self) -> tuple[ModelReply, ...]:
        """Replies since `begin`."""
        return tuple(self._tape.replies)

    @abstractmethod
    def answer(
        self, view: RequestView, messages: Sequence[BaseMessage], options: dict[str, Any]
    ) -> tuple[ModelReply, AIMessageChunk]:
        """ModelReply to one request, as read and as a message."""

    def bind_tools(
        self, tools: Sequence[Any], *, tool_choice: str | None = None, **kwargs: Any
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Return a binding with these tools, as the client of a provider does."""
        offered = [convert_to_openai_tool(tool) for tool in tools]
        return self.bind(tools=offered, **({"tool_choice": tool_choice} if tool_choice else {}), **kwargs)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        chunk = self._answer(messages, kwargs)
        return ChatResult(generations=[ChatGeneration(message=AIMessage(chunk.content, tool_calls=chunk.tool_calls))])

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        yield ChatGenerationChunk(message=self._answer(messages, kwargs))

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        yield ChatGenerationChunk(message=self._answer(messages, kwargs))

    def _answer(self, messages: Sequence[BaseMessage], options: dict[str, Any]) -> AIMessageChunk:
        view = read_request(messages, options)
        reply, message = self.answer(view, messages, options)
        self._tape.views.append(view)
        self._tape.replies.append(reply)
        return message
