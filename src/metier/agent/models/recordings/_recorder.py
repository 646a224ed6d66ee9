"""Client of OpenAI's protocol that keeps every answer as it came."""

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any

from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk
from langchain_core.messages.ai import add_ai_message_chunks
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult

from metier.agent.models.recordings._kept import KeptReplies
from metier.agent.models.recordings._reply import RecordedReply, digest_prompt


@dataclass(slots=True)
class Recorder:
    """Answers of an endpoint in order, since the last `take`; what is in `kept` is not asked again."""

    replies: list[RecordedReply] = field(default_factory=list)
    kept: KeptReplies | None = None

    def take(self) -> tuple[RecordedReply, ...]:
        """The answers so far; recording goes on without them."""
        taken = tuple(self.replies)
        self.replies.clear()
        return taken

    def begin(self, model: str, messages: Any, options: dict[str, Any]) -> "RecordedCall":
        """A call that is made now, with the reply to the same prompt of an earlier run if there is one."""
        prompt = digest_prompt(messages, options)
        kept = self.kept.find(model, prompt) if self.kept is not None else None
        if kept is not None:
            self.replies.append(kept)
        return RecordedCall(self, model, prompt, kept)


@dataclass(slots=True)
class RecordedCall:
    """One call of an endpoint. `kept` is its reply in an earlier run; without one the endpoint is asked."""

    recorder: Recorder
    model: str
    prompt: str
    kept: RecordedReply | None
    started: float = field(default_factory=perf_counter)
    parts: list[ChatGeneration] = field(default_factory=list)

    @property
    def kept_result(self) -> ChatResult | None:
        """The kept reply as a client returns it that does not stream."""
        if self.kept is None:
            return None
        return ChatResult(generations=[ChatGeneration(message=self.kept.to_whole_message())])

    def end_with(self, result: ChatResult) -> ChatResult:
        """Record a reply that came in one piece."""
        self.parts.append(result.generations[0])
        self.end()
        return result

    def end(self) -> None:
        """Record the reply that came in these parts."""
        reply = _read_reply(self.prompt, self.parts)
        if self.recorder.kept is not None:
            reply = replace(reply, elapsed_ms=round((perf_counter() - self.started) * 1000, 1))
            self.recorder.kept.add(self.model, reply)
        self.recorder.replies.append(reply)


def record_client(recorder: Recorder) -> Callable[..., BaseChatModel]:
    """`make` of `load_model` for a client whose answers are kept in `recorder`."""
    from metier.agent.models.providers._openai_client import OpenAIClient

    class RecordingClient(OpenAIClient):
        def _generate(self, messages: Any, *args: Any, **kwargs: Any) -> Any:
            call = recorder.begin(self.model_name, messages, kwargs)
            return call.kept_result or call.end_with(super()._generate(messages, *args, **kwargs))

        async def _agenerate(self, messages: Any, *args: Any, **kwargs: Any) -> Any:
            call = recorder.begin(self.model_name, messages, kwargs)
            return call.kept_result or call.end_with(await super()._agenerate(messages, *args, **kwargs))

        def _stream(self, messages: Any, *args: Any, **kwargs: Any) -> Iterator[Any]:
            call = recorder.begin(self.model_name, messages, kwargs)
            if call.kept is not None:
                yield ChatGenerationChunk(message=call.kept.to_message())
                return
            for chunk in super()._stream(messages, *args, **kwargs):
                call.parts.append(chunk)
                yield chunk
            call.end()

        async def _astream(self, messages: Any, *args: Any, **kwargs: Any) -> AsyncIterator[Any]:
            call = recorder.begin(self.model_name, messages, kwargs)
            if call.kept is not None:
                yield ChatGenerationChunk(message=call.kept.to_message())
                return
            async for chunk in super()._astream(messages, *args, **kwargs):
                call.parts.append(chunk)
                yield chunk
            call.end()

    def make(model: str, *, model_provider: str, **options: Any) -> BaseChatModel:
        return RecordingClient(model=model, **OpenAIClient.with_chunk_timeout(options))

    return make


def _read_reply(prompt: str, parts: Sequence[ChatGeneration]) -> RecordedReply:
    """The reply that came in these parts. How it ended stands beside the message until LangChain joins them."""
    said = [part.message for part in parts if isinstance(part.message, AIMessage)]
    pieces = [one for one in said if isinstance(one, AIMessageChunk)]
    message = add_ai_message_chunks(pieces[0], *pieces[1:]) if pieces else said[0]
    ends = [str((part.generation_info or {}).get("finish_reason") or "") for part in parts]
    reply = RecordedReply.from_message(message, prompt)
    return replace(reply, end=next(filter(None, reversed(ends)), reply.end))
