"""Client of OpenAI's protocol that keeps every answer as it came."""

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk
from langchain_core.messages.ai import add_ai_message_chunks
from langchain_core.outputs import ChatGeneration

from metier.agent.models.recordings._reply import RecordedReply, digest_prompt


@dataclass(slots=True)
class Recorder:
    """Answers of an endpoint in order, since the last `take`."""

    replies: list[RecordedReply] = field(default_factory=list)

    def take(self) -> tuple[RecordedReply, ...]:
        """The answers so far; recording goes on without them."""
        taken = tuple(self.replies)
        self.replies.clear()
        return taken


def record_client(recorder: Recorder) -> Callable[..., BaseChatModel]:
    """`make` of `load_model` for a client whose answers are kept in `recorder`."""
    from metier.agent.models.providers._openai_client import OpenAIClient

    class RecordingClient(OpenAIClient):
        def _generate(self, messages: Any, *args: Any, **kwargs: Any) -> Any:
            result = super()._generate(messages, *args, **kwargs)
            _keep(recorder, messages, kwargs, [result.generations[0]])
            return result

        async def _agenerate(self, messages: Any, *args: Any, **kwargs: Any) -> Any:
            result = await super()._agenerate(messages, *args, **kwargs)
            _keep(recorder, messages, kwargs, [result.generations[0]])
            return result

        def _stream(self, messages: Any, *args: Any, **kwargs: Any) -> Iterator[Any]:
            chunks: list[ChatGeneration] = []
            for chunk in super()._stream(messages, *args, **kwargs):
                chunks.append(chunk)
                yield chunk
            _keep(recorder, messages, kwargs, chunks)

        async def _astream(self, messages: Any, *args: Any, **kwargs: Any) -> AsyncIterator[Any]:
            chunks: list[ChatGeneration] = []
            async for chunk in super()._astream(messages, *args, **kwargs):
                chunks.append(chunk)
                yield chunk
            _keep(recorder, messages, kwargs, chunks)

    def make(model: str, *, model_provider: str, **options: Any) -> BaseChatModel:
        return RecordingClient(model=model, **OpenAIClient.with_chunk_timeout(options))

    return make


def _keep(recorder: Recorder, messages: Any, options: dict[str, Any], parts: Sequence[ChatGeneration]) -> None:
    """Keep a reply that came in these parts. How it ended stands beside the message until LangChain joins them."""
    said = [part.message for part in parts if isinstance(part.message, AIMessage)]
    pieces = [one for one in said if isinstance(one, AIMessageChunk)]
    message = add_ai_message_chunks(pieces[0], *pieces[1:]) if pieces else said[0]
    ends = [str((part.generation_info or {}).get("finish_reason") or "") for part in parts]
    reply = RecordedReply.from_message(message, digest_prompt(messages, options))
    recorder.replies.append(replace(reply, end=next(filter(None, reversed(ends)), reply.end)))
