"""Chat model that gives recorded answers in the place of an endpoint."""

from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import LanguageModelInput
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import PrivateAttr

from metier.agent.models.recordings._reply import RecordedReply, digest_prompt
from metier.errors import UsageError


@dataclass(slots=True)
class _Tape:
    """Replies that are left and those that were given; shared by a model and its bindings."""

    replies: deque[RecordedReply] = field(default_factory=deque)
    given: list[RecordedReply] = field(default_factory=list)
    same: int = 0


class RecordedModel(BaseChatModel):
    """Replays what an endpoint answered, in order; wrap it as the endpoint's client is wrapped.

    Prompts are not compared: an answer stays what the model said even if today's prompt is worded differently.
    `same_prompts` tells how many of the prompts are still those of the recording.
    """

    name: str = "recorded"
    extra_body: dict[str, Any] | None = None  # as the client of OpenAI's protocol has it: schemas are sent in it
    _tape: _Tape = PrivateAttr(default_factory=_Tape)

    def add(self, *replies: RecordedReply) -> Self:
        """Put replies at the end of what will be given."""
        self._tape.replies.extend(replies)
        return self

    def take_replies(self) -> tuple[RecordedReply, ...]:
        """Take out all replies that are left."""
        taken = tuple(self._tape.replies)
        self._tape.replies.clear()
        return taken

    @property
    def replies_left(self) -> int:
        """Number of replies not given yet."""
        return len(self._tape.replies)

    @property
    def replies_given(self) -> tuple[RecordedReply, ...]:
        """Replies that were given."""
        return tuple(self._tape.given)

    @property
    def same_prompts(self) -> int:
        """Number of replies that were given to the very prompt of the recording."""
        return self._tape.same

    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        *,
        tool_choice: str | None = None,
        **kwargs: Any,
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Return a binding with these tools, as the client of a provider does."""
        return self.bind(tools=[convert_to_openai_tool(tool) for tool in tools], **kwargs)

    @property
    def _llm_type(self) -> str:
        return "metier-recorded"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        whole = self._next_reply(messages, kwargs).to_whole_message()
        return ChatResult(generations=[ChatGeneration(message=whole)])

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
        yield ChatGenerationChunk(message=self._next_reply(messages, kwargs).to_message())

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        yield ChatGenerationChunk(message=self._next_reply(messages, kwargs).to_message())

    def _next_reply(self, messages: Sequence[BaseMessage], options: dict[str, Any]) -> RecordedReply:
        tape = self._tape
        if not tape.replies:
            raise UsageError("the recording has no more replies", hint="record the conversation again")
        reply = tape.replies.popleft()
        tape.given.append(reply)
        tape.same += reply.prompt == digest_prompt(messages, options)
        return reply
